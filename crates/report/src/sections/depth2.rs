//! The published figures of depth 2 and ours, for every root they could belong to.

use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::with_minus;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The published figures by the second part of their ids, and what they are called.
const FIGURES: [(&str, &str); 6] = [
    ("critical", "critical trees"),
    ("minimax", "errors of Minimax (%)"),
    ("product", "errors of Product (%)"),
    ("difference", "difference (%)"),
    ("threshold", "threshold p* (%)"),
    ("ratio", "N(I2)/N(I4)"),
];

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let all: Vec<&Comparison> = findings.published("depth2").collect();
    if all.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("depth2", "Depth 2: one set of figures, no root");
    section.p(
        "For depth 2 and increments up to 8 the papers print 3,886 critical cases, 50.7895&nbsp;% of the errors on the \
         side of Minimax, 49.2105&nbsp;% on that of Product, a threshold of about 4.8&nbsp;% and a ratio \
         N(I<sub>2</sub>)/N(I<sub>4</sub>) of almost 20. They do not name the root. The table sets these figures \
         against every root of Table II, and against root 0 on ordinary integers.",
    );
    section.table(table(&all));
    section.p(
        "Of 531,441 ordered trees some 26,000 to 29,000 are critical, seven times as many as printed, and no other way \
         of counting them that we tried gives 3,886. The direction agrees: Minimax errs more often than Product at \
         every root. The size does not: its share is 52.9 to 54.5&nbsp;%, not 50.8&nbsp;%. Threshold and ratio are \
         consistent with each other (by formula (7) a ratio of 20 means 1/21 = 4.76&nbsp;%) and would belong to a root \
         between −3 and −2, but roots are whole numbers.",
    );
    section.data.push(("depth2-published".to_owned(), data(&all)));
    if let Some(results) = findings.experiment("depth2") {
        section.data.push(("depth2".to_owned(), json!(results)));
    }
    Ok(Some(section))
}

/// The third part of an id, e.g. `root-4`.
fn root(comparison: &Comparison) -> &str {
    comparison.entry.id.rsplit('.').next().unwrap_or_default()
}

fn is(comparison: &Comparison, figure: &str) -> bool {
    comparison.entry.id.split('.').nth(1) == Some(figure)
}

fn table(all: &[&Comparison]) -> Table {
    let mut roots: Vec<&str> = Vec::new();
    for comparison in all {
        if !roots.contains(&root(comparison)) {
            roots.push(root(comparison));
        }
    }
    let mut columns = vec![Column::left("figure"), Column::right("published")];
    columns.extend(
        roots
            .iter()
            .map(|root| Column::right(format!("root {}", with_minus(root.trim_start_matches("root"))))),
    );
    let row = |(figure, name): (&str, &str)| {
        let find = |root_name: &str| all.iter().find(|c| is(c, figure) && root(c) == root_name);
        let published = all.iter().find(|c| is(c, figure))?.entry.published.text();
        let mut row: Vec<Cell> = vec![name.into(), published.into()];
        row.extend(roots.iter().map(|root| find(root).map_or_else(dash, |c| shorter(&c.ours.shown))));
        Some(row)
    };
    let reproduced = all.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    Table {
        id: "depth2".to_owned(),
        title: "Depth 2, increments up to 8: published, and ours for each root".to_owned(),
        columns,
        rows: FIGURES.into_iter().filter_map(row).collect(),
        notes: vec![format!(
            "Root 0: ordinary integers, a leaf of value 0 counting half as won. {reproduced} of {} comparisons agree \
             to the printed digits.",
            all.len()
        )],
    }
}

/// Four decimals, as many as the papers print.
fn shorter(number: &str) -> Cell {
    match number.split_once('.') {
        Some(_) => number.parse::<f64>().map_or_else(|_| number.into(), |value| format!("{value:.4}").into()),
        None => number.into(),
    }
}

fn dash() -> Cell {
    Cell::with_latex("–", "--")
}

fn data(all: &[&Comparison]) -> serde_json::Value {
    all.iter().map(|comparison| comparison.data()).collect()
}
