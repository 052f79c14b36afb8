//! Table I as the paper prints it.

use maud::{Markup, html};
use prodmax_cases::Side;
use prodmax_cases::depth2::{Case, Formulas, Interval, Position, Positions, Table1, cases};
use prodmax_golden::Quantity;
use prodmax_output::{Cell, Column, Table};
use prodmax_spec::Task;
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::html::{indexed, join};
use crate::run::Findings;
use crate::section::Section;
use crate::words::out_of;

/// The experiment that is shown here.
const EXPERIMENT: &str = "table1";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if !findings.asks_for(Task::Table1) {
        return Ok(None);
    }
    let mut section = Section::new("table1", "Table I: all critical cases of depth 2");
    let formulas = Formulas::derive();
    let balance = formulas.total_balance();
    let [minimax, product] = Side::BOTH.map(|side| balance.total(side));
    let m = |index| indexed("M", index);
    let p = |index| indexed("P", index);
    let interval = |index| indexed("I", index);
    section.p(html! {
        "At depth 2 the move M leads to a MIN node with the leaves " (m(1)) " ≥ " (m(2)) ", the move P to one with "
        (p(1)) " ≥ " (p(2)) ". Minimax can prefer M and Product P only if " (p(2)) " ≤ " (m(2)) " ≤ " (m(1)) " ≤ "
        (p(1)) ". The draw value lies in one of the " (Interval::ALL.len()) " intervals between and around them: "
        (interval(1)) " above " (p(1)) ", " (interval(2)) " below it, and so on down to "
        (interval(Interval::ALL.len())) " below " (p(2)) ". Each of the four leaves is judged rightly or wrongly, \
         which makes " (Interval::ALL.len()) " × " (Positions::subsets().count()) " cases."
    });
    section.p(html! {
        "Of these " (cases().count()) " cases " (minimax + product) " are critical: Minimax is right in " (minimax)
        ", Product in " (product) ". All of them are derived here from the rules of the game alone and laid out by \
         the principle that the printed table follows." (agreement(findings))
    });
    section.table(table());
    section.p(html! {
        @if is_own_mirror_image() {
            "The table is its own mirror image: turn it upside down, read " (indexed("I", "k")) " as " (indexed("I",
            "6−k"))
            ", swap the indices 1 and 2 and right and wrong judgements, and every entry becomes another one on its \
             own side, because M and P are won or lost as before. "
        }
        @if let Some((minimax, product)) = balance_of_every_interval(&formulas) {
            "The balance, " (minimax) " : " (product) " in every single interval, says nothing about the two rules. "
        }
        "For a fixed evaluation the error patterns run through all possible truths, and as many truths make M won and \
         P lost as the other way round. What matters is how " em { "likely" } " the cases are: few errors are more \
         likely than many."
    });
    section.p(html! {
        "One slip in KHS’s text: for the draw value in " (interval(2)) " it says that " (p(2)) " is the won leaf. "
        @let won: Vec<Markup> = Interval::I2.evaluated_won().iter().map(leaf).collect();
        "By the definition of the interval it is " (join(&won, " and ")) ", as the table itself has it."
    });
    section.data.push(("table1-cases".to_owned(), case_data()));
    Ok(Some(section))
}

/// How many of the printed entries agree.
fn agreement(findings: &Findings) -> Markup {
    let entries = findings.published("table1");
    let entries: Vec<_> =
        entries.filter(|figure| matches!(figure.entry.quantity, Quantity::Table1Case { .. })).collect();
    let agree = entries.iter().filter(|figure| figure.ours.verdict.is_reproduced()).count();
    html! {
        @if !entries.is_empty() { " Of the printed entries, " (out_of(agree, entries.len())) " agree." }
    }
}

/// A leaf with its index.
fn leaf(position: Position) -> Markup {
    let (letter, index) = position.name().split_at(1);
    indexed(letter, index)
}

/// Whether turning the table upside down leaves every case on its side: the mirrored interval, the indices swapped,
/// the other leaves judged wrongly.
fn is_own_mirror_image() -> bool {
    let swapped = |position| match position {
        Position::M1 => Position::M2,
        Position::M2 => Position::M1,
        Position::P1 => Position::P2,
        Position::P2 => Position::P1,
    };
    let mirrored = |case: Case| {
        let is_mirror = |other: &Case| {
            other.interval == case.interval.mirror()
                && Position::ALL.into_iter().all(|position| {
                    other.errors.contains(position) != case.errors.contains(swapped(position))
                })
        };
        cases().find(is_mirror)
    };
    cases().all(|case| mirrored(case).is_some_and(|other| other.decision() == case.decision()))
}

/// How many cases favour each rule in an interval, if that is the same in all of them.
fn balance_of_every_interval(formulas: &Formulas) -> Option<(u64, u64)> {
    let mut balances = Interval::ALL.into_iter().map(|interval| {
        let balance = formulas.balance(interval);
        (balance.total(Side::Minimax), balance.total(Side::Product))
    });
    let first = balances.next()?;
    balances.all(|balance| balance == first).then_some(first)
}

fn table() -> Table {
    let words = ["no error", "one error", "two errors", "three errors", "four errors"];
    let mut last = None;
    let mut rows = Vec::new();
    for row in Table1::derive().rows {
        let first = last.replace(row.errors) != Some(row.errors);
        let name = words.get(row.errors).copied().filter(|_| first).unwrap_or_default();
        let cell = |side| cell(row.cell(side).map_or(&[], |cell| &cell.cases));
        rows.push(vec![name.into(), cell(Side::Minimax), cell(Side::Product)]);
    }
    Table {
        id: "table1".to_owned(),
        title: "Table I: the critical cases, by the side that is right".to_owned(),
        columns: vec![
            Column::left("wrong leaves"),
            Column::left("Minimax is right"),
            Column::left("Product is right"),
        ],
        rows,
        notes: vec![
            "I4(P1): the draw value lies in I4 and P1 is judged wrongly. An interval alone stands for no error or, in \
             the last row, four."
                .to_owned(),
        ],
    }
}

fn cell(cases: &[Case]) -> Cell {
    let text: Vec<String> = cases.iter().map(ToString::to_string).collect();
    let latex: Vec<String> = cases.iter().map(|case| case.latex()).collect();
    Cell::with_latex(text.join("; "), latex.join("; "))
}

fn case_data() -> serde_json::Value {
    let one = |case: Case| {
        json!({
            "interval": case.interval.number(),
            "errors": case.errors.iter().map(Position::name).collect::<Vec<_>>(),
            "m_won": case.m_won(),
            "p_won": case.p_won(),
            "decision": case.decision().name(),
        })
    };
    cases().map(one).collect()
}
