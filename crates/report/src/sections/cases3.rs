//! The case analysis of depth 3.

use maud::html;
use prodmax_cases::Side;
use prodmax_cases::depth3::{Analysis, Summary};
use prodmax_golden::Quantity;
use prodmax_output::{Cell, Column, Table};
use prodmax_spec::Task;
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::exact::grouped;
use crate::run::Findings;
use crate::section::Section;

/// The leaves of a tree of depth 3.
const LEAVES: u32 = 8;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if !findings.asks_for(Task::Depth3Cases) {
        return Ok(None);
    }
    let summary = Analysis::compute().summary();
    let mut section = Section::new("cases3", "The case analysis of depth 3");
    let totals = Side::BOTH.map(|side| summary.balance.total(side));
    let estimate = findings.comparisons.iter().find(|figure| figure.entry.quantity == Quantity::Depth3Cases);
    section.p(html! {
        @if let Some(estimate) = estimate {
            "KHS estimate that an analysis like Table I would have some " (grouped(estimate.entry.published.text()))
            " cases at depth 3 and call it impractical. A program can do it. "
        }
        "Up to the symmetries of the tree the " (LEAVES) " leaves can be \
         ordered in "
        (summary.types) " ways; Minimax prefers M in " (summary.minimax_prefers_m) " of them. In " (summary.possible)
        " of these Product can prefer P, each shown by concrete probabilities; in " (summary.dominated +
        summary.rebalanced)
        " it cannot, each with a proof; "
        @if summary.undecided == 0 { "none is" } @else { (summary.undecided) " are" }
        " left open."
    });
    section.p(html! {
        "With " (LEAVES + 1) " positions of the draw value and " (1 << LEAVES) " error patterns, " (summary.possible)
        " orders give " (grouped(summary.cases)) " cases. " (grouped(summary.balance.critical())) " of them are \
         critical"
        @if totals[0] == totals[1] { ", and again they divide evenly, for the reason given with Table I" }
        "."
    });
    section.table(table(&summary));
    section.data.push(("cases3".to_owned(), data(&summary)));
    Ok(Some(section))
}

fn table(summary: &Summary) -> Table {
    let [minimax, product] = Side::BOTH.map(|side| *summary.balance.favouring(side));
    let line = |name: Cell, minimax: u64, product: u64| -> Vec<Cell> {
        vec![name, minimax.into(), product.into(), (i128::from(minimax) - i128::from(product)).into()]
    };
    let row = |(errors, (minimax, product)): (usize, (u64, u64))| line(errors.into(), minimax, product);
    let mut rows: Vec<Vec<Cell>> = minimax.into_iter().zip(product).enumerate().map(row).collect();
    let [minimax, product] = Side::BOTH.map(|side| summary.balance.total(side));
    rows.push(line("all".into(), minimax, product));
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
