//! Published figures beside ours, as `check` and `reproduce` print them: one line per golden entry.

use prodmax_golden::{Entry, Verdict};

use crate::output::junit::{Case, Suite};
use crate::output::{Cell, Column, Table};

/// One golden entry and what became of it.
pub(crate) struct Line<'a> {
    pub(crate) entry: &'a Entry,
    /// Our value, for readers.
    pub(crate) ours: String,
    pub(crate) verdict: Verdict,
    /// What is not as recorded, if anything.
    pub(crate) failure: Option<String>,
}

impl Line<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            self.entry.id.as_str().into(),
            self.entry.published.text().into(),
            self.ours.as_str().into(),
            self.verdict.into(),
            self.failure.as_deref().unwrap_or("ok").into(),
        ]
    }
}

/// All lines, with a note on how many there are of each verdict; `things` are what the lines are called.
pub(crate) fn table(id: &str, things: &str, lines: &[Line<'_>]) -> Table {
    let counts = Verdict::ALL.map(|verdict| {
        let count = lines.iter().filter(|line| line.verdict == verdict).count();
        format!("{count} {verdict}")
    });
    let failures = failures(lines);
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
            format!("{} passed, {failures} failed", lines.len() - failures),
        ],
    }
}

/// How many lines are not as recorded.
pub(crate) fn failures(lines: &[Line<'_>]) -> usize {
    lines.iter().filter(|line| line.failure.is_some()).count()
}

/// All lines for a CI system.
pub(crate) fn suite(name: &str, lines: &[Line<'_>]) -> Suite {
    let case = |line: &Line<'_>| Case { name: line.entry.id.clone(), failure: line.failure.clone() };
    Suite { name: name.to_owned(), cases: lines.iter().map(case).collect() }
}
