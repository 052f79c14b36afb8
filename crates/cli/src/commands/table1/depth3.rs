//! The analysis of depth 3: its summary, its order types, and the stream of all cases.

use prodmax_cases::Side;
use prodmax_cases::depth3::{Analysis, Argument, Case, Leaf, Leaves, OrderType, Possibility, Summary};
use prodmax_number::Polynomial;
use serde_json::{Value, json};

use crate::formula_text::{coefficients, power_cells, power_columns};
use crate::output::{Cell, Column, List, Output, Table};

/// The degree of the error masses: the number of leaves.
const DEGREE: usize = Leaf::ALL.len();

/// The numbers of types and cases, the depth-3 Table I, and the polynomials per draw position.
pub(super) fn summary() -> Output {
    let summary = Analysis::compute().summary();
    let holds = summary.undecided == 0;
    Output { holds, ..Output::figures(summary_value(&summary), summary_tables(&summary)) }
}

/// The masses of a draw position: their names and polynomials.
fn masses(summary: &Summary, below: usize) -> [(&'static str, Polynomial); 3] {
    let masses = summary.by_draw_position[below].masses();
    let difference = masses.difference();
    [("Minimax errs", masses.minimax_errs), ("Product errs", masses.product_errs), ("difference", difference)]
}

fn summary_value(summary: &Summary) -> Value {
    let [minimax, product] = Side::BOTH.map(|side| summary.balance.favouring(side));
    let balance = (0..=DEGREE)
        .map(|errors| json!({"errors": errors, "minimax": minimax[errors], "product": product[errors]}));
    let draw_positions = summary.by_draw_position.iter().enumerate().map(|(below, balance)| {
        let [minimax_errs, product_errs, difference] =
            masses(summary, below).map(|(_, polynomial)| coefficients(&polynomial));
        json!({
            "below": below,
            "minimax": balance.favouring(Side::Minimax),
            "product": balance.favouring(Side::Product),
            "minimax_errs": minimax_errs,
            "product_errs": product_errs,
            "difference": difference,
        })
    });
    json!({
        "types": summary.types,
        "minimax_prefers_m": summary.minimax_prefers_m,
        "possible": summary.possible,
        "impossible": {"domination": summary.dominated, "rebalancing": summary.rebalanced},
        "undecided": summary.undecided,
        "cases": summary.cases,
        "critical": summary.balance.critical(),
        "favour_minimax": summary.balance.total(Side::Minimax),
        "favour_product": summary.balance.total(Side::Product),
        "balance": balance.collect::<Value>(),
        "draw_positions": draw_positions.collect::<Value>(),
    })
}

fn summary_tables(summary: &Summary) -> Vec<Table> {
    let numbers: [(&str, u64); 10] = [
        ("order types of the 8 leaves, up to the symmetries of the tree", summary.types as u64),
        ("types in which Minimax prefers M", summary.minimax_prefers_m as u64),
        ("of these: Product can prefer P (a witness for each)", summary.possible as u64),
        ("of these: Product cannot, by domination", summary.dominated as u64),
        ("of these: Product cannot, by rebalancing and domination", summary.rebalanced as u64),
        ("of these: undecided", summary.undecided as u64),
        ("cases: possible types x 9 draw positions x 256 error patterns", summary.cases as u64),
        ("critical cases", summary.balance.critical()),
        ("critical cases that favour Minimax", summary.balance.total(Side::Minimax)),
        ("critical cases that favour Product", summary.balance.total(Side::Product)),
    ];
    let analysis = Table {
        id: "analysis".to_owned(),
        title: "The case analysis of depth 3".to_owned(),
        columns: vec![Column::left("what"), Column::right("number")],
        rows: numbers.map(|(what, number)| vec![what.into(), number.into()]).into(),
        notes: Vec::new(),
    };
    let [minimax, product] = Side::BOTH.map(|side| summary.balance.favouring(side));
    let balance = Table {
        id: "balance".to_owned(),
        title: "The depth-3 Table I: critical cases by number of errors".to_owned(),
        columns: ["errors", "Minimax is right", "Product is right"].map(Column::right).into(),
        rows: (0..=DEGREE).map(|n| vec![n.into(), minimax[n].into(), product[n].into()]).collect(),
        notes: Vec::new(),
    };
    let rows = (0..summary.by_draw_position.len()).flat_map(|below| {
        masses(summary, below).map(|(name, polynomial)| {
            let mut row = vec![below.into(), name.into()];
            row.extend(power_cells(&polynomial, &1.into(), DEGREE));
            row
        })
    });
    let masses = Table {
        id: "masses".to_owned(),
        title:
            "Error masses under a uniform error p by number of leaves below the draw value, one tree per type"
                .to_owned(),
        columns: [Column::right("below"), Column::left("mass")]
            .into_iter()
            .chain(power_columns(DEGREE))
            .collect(),
        rows: rows.collect(),
        notes: vec![
            "The difference is Product's mass minus Minimax's: positive values favour Minimax.".to_owned(),
        ],
    };
    vec![analysis, balance, masses]
}

/// Every order type with its verdict, and the witness or proof of it.
pub(super) fn types() -> Output {
    let analysis = Analysis::compute();
    let certificate = |verdict: &Possibility| match verdict {
        Possibility::Possible(witness) => witness.to_string(),
        Possibility::Impossible(proof) => proof.to_string(),
        Possibility::MinimaxPrefersP | Possibility::Undecided => String::new(),
    };
    let argument = |verdict: &Possibility| match verdict {
        Possibility::Possible(_) => "witness",
        Possibility::Impossible(proof) if proof.argument() == Argument::Rebalancing => "rebalancing",
        Possibility::Impossible(_) => "domination",
        Possibility::MinimaxPrefersP | Possibility::Undecided => "",
    };
    let value = |(order, verdict): &(OrderType, Possibility)| {
        json!({
            "type": order.index(),
            "order": names(order.ascending()),
            "verdict": verdict.name(),
            "argument": argument(verdict),
            "certificate": certificate(verdict),
        })
    };
    let row = |(order, verdict): &(OrderType, Possibility)| {
        vec![
            order.index().into(),
            chain(order),
            verdict.name().into(),
            argument(verdict).into(),
            certificate(verdict).into(),
        ]
    };
    let table = Table {
        id: "types".to_owned(),
        title: "The order types of depth 3: can Minimax prefer M and Product prefer P?".to_owned(),
        columns: vec![
            Column::right("type"),
            Column::left("order"),
            Column::left("verdict"),
            Column::left("by"),
            Column::left("certificate"),
        ],
        rows: analysis.possibilities().iter().map(row).collect(),
        notes: vec![
            "A witness gives win probabilities; a proof gives each leaf of M a lesser partner below P."
                .to_owned(),
        ],
    };
    Output::figures(analysis.possibilities().iter().map(value).collect(), vec![table])
}

/// The stream of all cases.
pub(super) struct Cases(Analysis);

impl Cases {
    pub(super) fn new() -> Self {
        Self(Analysis::compute())
    }
}

impl List for Cases {
    fn head(&self) -> Table {
        Table {
            id: "cases".to_owned(),
            title: "The cases of depth 3: order of the leaves, leaves below the draw value, wrong leaves"
                .to_owned(),
            columns: vec![
                Column::right("type"),
                Column::left("order"),
                Column::right("below"),
                Column::right("errors"),
                Column::left("wrong"),
                Column::left("decision"),
                Column::left("reason"),
            ],
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_> {
        Box::new(self.0.cases().map(|case| row(&case)))
    }

    fn values(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.0.cases().map(|case| value(&case)))
    }
}

fn row(case: &Case) -> Vec<Cell> {
    vec![
        case.order_type.index().into(),
        chain(&case.order_type),
        case.below.into(),
        case.errors.len().into(),
        wrong(case.errors),
        case.decision().name().into(),
        case.reason().into(),
    ]
}

fn value(case: &Case) -> Value {
    json!({
        "type": case.order_type.index(),
        "order": names(case.order_type.ascending()),
        "below": case.below,
        "errors": case.errors.len(),
        "positions": names(case.errors.iter()),
        "favours": case.decision().favours().map(Side::name),
        "decision": case.decision().name(),
        "reason": case.reason(),
    })
}

fn names(leaves: impl IntoIterator<Item = Leaf>) -> Value {
    leaves.into_iter().map(Leaf::name).collect()
}

/// `M_{11}`
fn latex(leaf: Leaf) -> String {
    let (node, number) = leaf.name().split_at(1);
    format!("{node}_{{{number}}}")
}

fn chain(order: &OrderType) -> Cell {
    Cell::with_latex(order.to_string(), format!("${}$", order.ascending().map(latex).join(" < ")))
}

fn wrong(errors: Leaves) -> Cell {
    let names: Vec<_> = errors.iter().map(latex).collect();
    let latex = if names.is_empty() { String::new() } else { format!("${}$", names.join(", ")) };
    Cell::with_latex(errors.to_string(), latex)
}
