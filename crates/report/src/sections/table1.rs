//! Table I as the paper prints it.

use prodmax_cases::Side;
use prodmax_cases::depth2::{Case, Formulas, Table1, cases};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use prodmax_spec::Task;

use crate::error::ReportError;
use crate::run::Findings;
use crate::section::Section;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if !findings.asks_for(Task::Table1) {
        return Ok(None);
    }
    let mut section = Section::new("table1", "Table I: all critical cases of depth 2");
    let balance = Formulas::derive().total_balance();
    let [minimax, product] = Side::BOTH.map(|side| balance.total(side));
    section.p(
        "At depth 2 the move M leads to a MIN node with the leaves M<sub>1</sub> ≥ M<sub>2</sub>, the move P to one \
         with P<sub>1</sub> ≥ P<sub>2</sub>. Minimax can prefer M and Product P only if \
         P<sub>2</sub> ≤ M<sub>2</sub> ≤ M<sub>1</sub> ≤ P<sub>1</sub>. The draw value lies in one of five \
         intervals: I<sub>1</sub> above P<sub>1</sub>, I<sub>2</sub> below it, and so on down to I<sub>5</sub> below \
         P<sub>2</sub>. Each of the four leaves is judged rightly or wrongly, which makes 5 × 16 cases.",
    );
    section.p(&format!(
        "Of these {} cases {} are critical, and they divide evenly: {minimax} are decided rightly by Minimax, {product} \
         by Product. All of them are derived here by the rules of the game alone and laid out by the principle that \
         the printed table follows. Every entry agrees.",
        cases().count(),
        minimax + product
    ));
    section.table(table());
    section.p(
        "The table is its own mirror image: turn it upside down, read I<sub>k</sub> as I<sub>6−k</sub>, exchange the \
         indices 1 and 2 and right with wrong judgements, and every entry meets another on its own side, because the \
         truth of the leaves stays what it was. The even balance, 3 : 3 in every single interval, says \
         nothing about the two rules. For a fixed evaluation the error patterns run through all possible truths, and \
         as many truths make M won and P lost as the other way round. What decides is how <em>likely</em> the cases \
         are: few errors are likelier than many.",
    );
    section.p(
        "One slip in KHS’s text: for the draw value in I<sub>2</sub> it says that P<sub>2</sub> is the won leaf. It \
         is P<sub>1</sub>, the only one above the draw value, as the table itself has it.",
    );
    section.data.push(("table1-cases".to_owned(), case_data()));
    Ok(Some(section))
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
        title: "Table I: the critical cases, by the side that decides rightly".to_owned(),
        columns: vec![
            Column::left("wrong leaves"),
            Column::left("Minimax is right"),
            Column::left("Product is right"),
        ],
        rows,
        notes: vec![
            "I4(P1): the draw value lies in I4 and P1 is judged wrongly. Named alone, an interval stands for no error \
             or, in the last row, four."
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
            "errors": case.errors.iter().map(prodmax_cases::depth2::Position::name).collect::<Vec<_>>(),
            "m_won": case.m_won(),
            "p_won": case.p_won(),
            "decision": case.decision().name(),
        })
    };
    cases().map(one).collect()
}
