//! The case analysis of depth 3.

use prodmax_cases::Side;
use prodmax_cases::depth3::{Analysis, Summary};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use prodmax_spec::Task;

use crate::error::ReportError;
use crate::run::Findings;
use crate::section::Section;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if !findings.asks_for(Task::Depth3Cases) {
        return Ok(None);
    }
    let summary = Analysis::compute().summary();
    let mut section = Section::new("cases3", "The case analysis of depth 3");
    section.p(&format!(
        "KHS estimate that an analysis like Table I would have some 80,000 cases at depth 3 and call it impractical. \
         Done by program it is a matter of milliseconds. Up to the symmetries of the tree the eight leaves can be \
         ordered in {} ways; Minimax prefers M in {} of them. In {} of these Product can prefer P, each shown by \
         concrete probabilities; in the other {} it cannot, each with a proof. None is left open.",
        summary.types,
        summary.minimax_prefers_m,
        summary.possible,
        summary.dominated + summary.rebalanced
    ));
    section.p(&format!(
        "With nine positions of the draw value and 256 error patterns, {} orders make {} cases. {} of them are \
         critical, and again they divide evenly, for the reason given with Table I.",
        summary.possible,
        grouped(summary.cases as u64),
        grouped(summary.balance.critical())
    ));
    section.table(table(&summary));
    section.data.push(("cases3".to_owned(), data(&summary)));
    Ok(Some(section))
}

fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

fn table(summary: &Summary) -> Table {
    let [minimax, product] = Side::BOTH.map(|side| *summary.balance.favouring(side));
    let row = |(errors, (minimax, product)): (usize, (u64, u64))| -> Vec<Cell> {
        vec![
            errors.into(),
            minimax.into(),
            product.into(),
            (i128::from(minimax) - i128::from(product)).into(),
        ]
    };
    let mut rows: Vec<Vec<Cell>> = minimax.into_iter().zip(product).enumerate().map(row).collect();
    let totals = Side::BOTH.map(|side| summary.balance.total(side));
    rows.push(vec!["all".into(), totals[0].into(), totals[1].into(), 0.into()]);
    Table {
        id: "cases3".to_owned(),
        title: "Critical cases of depth 3 by number of misjudged leaves".to_owned(),
        columns: ["wrong leaves", "Minimax is right", "Product is right", "difference"]
            .map(Column::right)
            .to_vec(),
        rows,
        notes: Vec::new(),
    }
}

fn data(summary: &Summary) -> serde_json::Value {
    json!({
        "order_types": summary.types,
        "minimax_prefers_m": summary.minimax_prefers_m,
        "possible": summary.possible,
        "impossible_by_domination": summary.dominated,
        "impossible_by_rebalancing": summary.rebalanced,
        "undecided": summary.undecided,
        "cases": summary.cases,
        "critical": summary.balance.critical(),
        "minimax_right_by_errors": summary.balance.favouring(Side::Minimax),
        "product_right_by_errors": summary.balance.favouring(Side::Product),
    })
}
