//! The published figures of depth 2 and ours, for every root they could belong to.

use prodmax_enumerate::Model;
use prodmax_golden::Quantity;
use prodmax_number::fraction::decimal;
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::with_minus;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// A row of the table: what it is called, and whether a quantity belongs to it.
type Figure = (&'static str, fn(&Quantity) -> bool);

const FIGURES: [Figure; 6] = [
    ("critical trees", |quantity| matches!(quantity, Quantity::Critical(_))),
    ("errors of Minimax (%)", |quantity| matches!(quantity, Quantity::ShareMinimaxPercent(_))),
    ("errors of Product (%)", |quantity| matches!(quantity, Quantity::ShareProductPercent(_))),
    ("difference (%)", |quantity| matches!(quantity, Quantity::DifferencePercent(_))),
    ("threshold p* (%)", |quantity| matches!(quantity, Quantity::ThresholdPercent(_))),
    ("N(I2)/N(I4)", |quantity| matches!(quantity, Quantity::IntervalRatio(_))),
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

fn table(all: &[&Comparison]) -> Table {
    let mut models: Vec<&Model> = Vec::new();
    for model in all.iter().filter_map(|comparison| comparison.entry.quantity.model()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    let mut columns = vec![Column::left("figure"), Column::right("published")];
    columns.extend(
        models.iter().map(|model| Column::right(format!("root {}", with_minus(&model.root().to_string())))),
    );
    let row = |(name, belongs): Figure| {
        let figures: Vec<&&Comparison> = all.iter().filter(|c| belongs(&c.entry.quantity)).collect();
        let find = |model: &Model| figures.iter().find(|c| c.entry.quantity.model() == Some(model));
        let mut row: Vec<Cell> = vec![name.into(), figures.first()?.entry.published.text().into()];
        row.extend(models.iter().map(|model| find(model).map_or_else(dash, |c| rounded(c))));
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

/// A count as it is, another number to four decimals, as many as the papers print.
fn rounded(comparison: &Comparison) -> Cell {
    match (&comparison.entry.quantity, &comparison.ours.number) {
        (Quantity::Critical(_), _) | (_, None) => comparison.ours.shown.as_str().into(),
        (_, Some(number)) => decimal(number, 4).into(),
    }
}

fn dash() -> Cell {
    Cell::with_latex("–", "--")
}

fn data(all: &[&Comparison]) -> serde_json::Value {
    all.iter().map(|comparison| comparison.data()).collect()
}
