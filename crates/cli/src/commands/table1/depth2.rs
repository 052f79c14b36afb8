//! Table I as printed, and the 80 cases behind it.

use prodmax_cases::depth2::{self, Case, Position, Positions, Table1};
use prodmax_cases::{Decision, Side};
use serde_json::{Value, json};

use crate::output::{Cell, Column, Output, Table};

const ERRATUM: &str = "Erratum: the text of KHS says that in I2 it is P2 that is WIN; by the order P2 <= M2 <= M1 <= P1 \
                       and by this table it is P1.";

/// Table I in the layout of the paper; the JSON value is the list of its entries, row by row.
pub(super) fn table() -> Output {
    let derived = Table1::derive();
    let entry = |(_, side, case): (usize, Side, Case)| {
        json!({
            "errors": case.errors.len(),
            "interval": case.interval.number(),
            "positions": names(case.errors),
            "favours": side.name(),
        })
    };
    let row = |row: &depth2::Row| {
        vec![row.errors.into(), entries(row.minimax.as_ref()), entries(row.product.as_ref())]
    };
    let critical = derived.entries().count();
    let favouring = |side| derived.entries().filter(|entry| entry.1 == side).count();
    let [minimax, product] = Side::BOTH.map(favouring);
    let balance = format!(
        "{critical} of {} cases are critical; {minimax} favour Minimax and {product} favour Product.",
        depth2::cases().count()
    );
    let table = Table {
        id: "table1".to_owned(),
        title: "Table I: the critical cases by number of errors, interval of the draw value and wrong leaves"
            .to_owned(),
        columns: vec![
            Column::right("errors"),
            Column::left("Minimax is right"),
            Column::left("Product is right"),
        ],
        rows: derived.rows.iter().map(row).collect(),
        notes: vec![balance, ERRATUM.to_owned()],
    };
    Output::figures(derived.entries().map(entry).collect(), vec![table])
}

/// All 80 cases.
pub(super) fn cases() -> Output {
    let value = |case: Case| {
        json!({
            "errors": case.errors.len(),
            "interval": case.interval.number(),
            "positions": names(case.errors),
            "favours": case.decision().favours().map(Side::name),
            "decision": case.decision().name(),
            "reason": case.reason(),
        })
    };
    let row = |case: Case| {
        vec![
            Cell::with_latex(case.interval.to_string(), format!("$I_{}$", case.interval.number())),
            case.errors.len().into(),
            wrong(case.errors),
            case.decision().name().into(),
            case.reason().into(),
        ]
    };
    let decided = |decision| depth2::cases().filter(|case| case.decision() == decision).count();
    let decisions = [Decision::MinimaxRight, Decision::ProductRight, Decision::Irrelevant];
    let [minimax, product, irrelevant] = decisions.map(decided);
    let table = Table {
        id: "cases".to_owned(),
        title: "The cases of depth 2: interval of the draw value, wrong leaves, who is right".to_owned(),
        columns: vec![
            Column::left("interval"),
            Column::right("errors"),
            Column::left("wrong"),
            Column::left("decision"),
            Column::left("reason"),
        ],
        rows: depth2::cases().map(row).collect(),
        notes: vec![
            format!("{minimax} cases favour Minimax, {product} favour Product, {irrelevant} are irrelevant."),
            ERRATUM.to_owned(),
        ],
    };
    Output::figures(depth2::cases().map(value).collect(), vec![table])
}

fn entries(cell: Option<&depth2::Cell>) -> Cell {
    let cases = || cell.into_iter().flat_map(|cell| &cell.cases);
    let text: Vec<_> = cases().map(ToString::to_string).collect();
    let latex: Vec<_> = cases().map(|case| format!("${}$", case.latex())).collect();
    Cell::with_latex(text.join("; "), latex.join("; "))
}

fn wrong(errors: Positions) -> Cell {
    let latex: Vec<_> = errors.iter().map(Position::latex).collect();
    Cell::with_latex(
        errors.to_string(),
        if latex.is_empty() { String::new() } else { format!("${}$", latex.join(", ")) },
    )
}

fn names(positions: Positions) -> Value {
    positions.iter().map(Position::name).collect()
}
