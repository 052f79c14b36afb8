//! Published figures next to ours, as `check` and `reproduce` print them: one line per golden entry.

use prodmax_golden::{Entry, Verdict};

use crate::output::junit::{Case, CheckResult, Suite};
use crate::output::{Cell, Column, Table};

/// One golden entry and the result of checking it.
pub(crate) struct VerdictLine<'a> {
    pub(crate) entry: &'a Entry,
    /// Our value, for readers.
    pub(crate) ours: String,
    pub(crate) verdict: Verdict,
    /// Whether everything is as recorded.
    pub(crate) result: CheckResult,
}

/// Passed, or failed with this reason.
pub(crate) fn check_result(failure: Option<String>) -> CheckResult {
    failure.map_or(CheckResult::Passed, CheckResult::Failed)
}

impl VerdictLine<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            self.entry.id.as_str().into(),
            self.entry.published.text().into(),
            self.ours.as_str().into(),
            self.verdict.into(),
            match &self.result {
                CheckResult::Passed => "ok".into(),
                CheckResult::Failed(why) | CheckResult::Skipped(why) => why.as_str().into(),
            },
        ]
    }
}

/// All lines, with a note on the number of each verdict; `things` is what the lines are called.
pub(crate) fn table(id: &str, things: &str, lines: &[VerdictLine<'_>]) -> Table {
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
        rows: lines.iter().map(VerdictLine::cells).collect(),
        notes: vec![
            format!("{} {things}: {}.", lines.len(), counts.join(", ")),
            format!("{passed} passed, {failed} failed{left_out}"),
        ],
    }
}

/// The numbers of lines that passed, failed and were not checked.
pub(crate) fn counted(lines: &[VerdictLine<'_>]) -> [usize; 3] {
    lines.iter().fold([0; 3], |[passed, failed, skipped], line| match line.result {
        CheckResult::Passed => [passed + 1, failed, skipped],
        CheckResult::Failed(_) => [passed, failed + 1, skipped],
        CheckResult::Skipped(_) => [passed, failed, skipped + 1],
    })
}

/// All lines for a CI system.
pub(crate) fn suite(name: &str, lines: &[VerdictLine<'_>]) -> Suite {
    let case = |line: &VerdictLine<'_>| Case { name: line.entry.id.clone(), result: line.result.clone() };
    Suite { name: name.to_owned(), cases: lines.iter().map(case).collect() }
}
