//! Published figures next to ours, as `check` and `reproduce` print them: one line per golden entry.

use prodmax_golden::{Entry, Kind, Verdict};

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

/// All lines, with a note on the number of each verdict for each kind of entry.
pub(crate) fn table(id: &str, lines: &[VerdictLine<'_>]) -> Table {
    let mut notes = Entry::remarks(lines.iter().map(|line| line.entry));
    notes.extend(Kind::ALL.into_iter().filter_map(|kind| of_kind(lines, kind)));
    let [passed, failed, skipped] = counted(lines);
    let left_out = if skipped == 0 { String::new() } else { format!(", {skipped} not checked") };
    Table {
        id: id.to_owned(),
        title: "What the papers print, ours, and the verdict".to_owned(),
        columns: vec![
            Column::left("entry"),
            Column::right("published"),
            Column::right("ours"),
            Column::left("verdict"),
            Column::left("check"),
        ],
        rows: lines.iter().map(VerdictLine::cells).collect(),
        notes: {
            notes.push(format!(
                "{}: {passed} passed, {failed} failed{left_out}",
                counted_entries(lines.len())
            ));
            notes
        },
    }
}

fn counted_entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// How many entries of a kind have each verdict that occurs among them.
fn of_kind(lines: &[VerdictLine<'_>], kind: Kind) -> Option<String> {
    let verdicts: Vec<Verdict> =
        lines.iter().filter(|line| line.entry.kind() == kind).map(|line| line.verdict).collect();
    if verdicts.is_empty() {
        return None;
    }
    let name = match (kind, verdicts.len()) {
        (Kind::Figure, 1) => "figure",
        (Kind::Figure, _) => "figures",
        (Kind::Repeat, 1) => "figure printed again",
        (Kind::Repeat, _) => "figures printed again",
        (Kind::Arithmetic, 1) => "figure by a paper's own arithmetic",
        (Kind::Arithmetic, _) => "figures by a paper's own arithmetic",
        (Kind::Claim, 1) => "claim",
        (Kind::Claim, _) => "claims",
        (Kind::Own, 1) => "figure of our own",
        (Kind::Own, _) => "figures of our own",
    };
    let number = verdicts.len();
    let tally = Verdict::tally(verdicts).into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = tally.map(|(verdict, count)| format!("{count} {verdict}")).collect();
    Some(format!("{number} {name}: {}.", counts.join(", ")))
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
