//! Published figures next to ours, as `check` and `reproduce` print them: one line per golden entry.

use prodmax_golden::{Entry, Verdict};

use crate::output::junit::{Case, Fate, Suite};
use crate::output::{Cell, Column, Table};

/// One golden entry and the result of checking it.
pub(crate) struct Line<'a> {
    pub(crate) entry: &'a Entry,
    /// Our value, for readers.
    pub(crate) ours: String,
    pub(crate) verdict: Verdict,
    /// Whether everything is as recorded.
    pub(crate) fate: Fate,
}

/// Passed, or failed with this reason.
pub(crate) fn fate(failure: Option<String>) -> Fate {
    failure.map_or(Fate::Passed, Fate::Failed)
}

impl Line<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            self.entry.id.as_str().into(),
            self.entry.published.text().into(),
            self.ours.as_str().into(),
            self.verdict.into(),
            match &self.fate {
                Fate::Passed => "ok".into(),
                Fate::Failed(why) | Fate::Skipped(why) => why.as_str().into(),
            },
        ]
    }
}

/// All lines, with a note on the number of each verdict; `things` is what the lines are called.
pub(crate) fn table(id: &str, things: &str, lines: &[Line<'_>]) -> Table {
    let tally = Verdict::tally(lines.iter().map(|line| line.verdict));
    let counts = tally.map(|(verdict, count)| format!("{count} {verdict}"));
    let [passed, failed, skipped] = counted(lines);
    let left_out = if skipped == 0 { String::new() } else { format!(", {skipped} not checked") };
    Table {
        id: id.to_owned(),
        title: "Published figures, ours, and the verdict".to_owned(),
        columns: vec![
            Column::left("entry"),
            Column::right("published"),
            Column::right("ours"),
            Column::left("verdict"),
            Column::left("check"),
        ],
        rows: lines.iter().map(Line::cells).collect(),
        notes: vec![
            format!("{} {things}: {}.", lines.len(), counts.join(", ")),
            format!("{passed} passed, {failed} failed{left_out}"),
        ],
    }
}

/// The numbers of lines that passed, failed and were not checked.
pub(crate) fn counted(lines: &[Line<'_>]) -> [usize; 3] {
    lines.iter().fold([0; 3], |[passed, failed, skipped], line| match line.fate {
        Fate::Passed => [passed + 1, failed, skipped],
        Fate::Failed(_) => [passed, failed + 1, skipped],
        Fate::Skipped(_) => [passed, failed, skipped + 1],
    })
}

/// All lines for a CI system.
pub(crate) fn suite(name: &str, lines: &[Line<'_>]) -> Suite {
    let case = |line: &Line<'_>| Case { name: line.entry.id.clone(), fate: line.fate.clone() };
    Suite { name: name.to_owned(), cases: lines.iter().map(case).collect() }
}
