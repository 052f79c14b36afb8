//! Experiments without a section of their own, such as those of a reader's specs: what was computed, model by model.

use maud::html;
use prodmax_number::fraction::decimal;
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::exact::{Decimal, Exact};
use crate::results::{ExperimentResults, ModelResults, Rates, Threshold};
use crate::run::Findings;
use crate::section::Section;
use crate::write::file_name;

/// The experiments that have sections of their own.
const WITH_SECTIONS: [&str; 5] = ["crossover", "depth2", "depth3", "table1", "table2"];

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let is_other = |results: &&ExperimentResults| {
        !WITH_SECTIONS.contains(&results.id.as_str()) && !results.models.is_empty()
    };
    let others: Vec<&ExperimentResults> = findings.experiments.iter().filter(is_other).collect();
    if others.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("others", "Other experiments");
    for results in others {
        section.heading(&results.title);
        section.p(html! {
            "Experiment " code { (results.id) } ", from: " (results.source) ". Truth " (results.truth.to_string())
            ", estimate " (results.estimate.to_string()) "."
        });
        let id = format!("experiment-{}", file_name(&results.id));
        section.table(table(&id, results));
        section.data.push((id, json!(results)));
    }
    Ok(Some(section))
}

/// A column, and its cell for a model; empty where it was not computed.
type FigureColumn = (&'static str, fn(&ModelResults) -> Option<String>);

const FIGURES: [FigureColumn; 7] = [
    ("trees", |model| Some(model.sizes.as_ref()?.trees.to_string())),
    ("classes", |model| Some(model.sizes.as_ref()?.classes.to_string())),
    ("critical", |model| {
        let by_crossover = || model.crossover.as_ref().map(|rates| rates.critical.to_string());
        model.errors.as_ref().map(|errors| errors.critical.to_string()).or_else(by_crossover)
    }),
    ("Minimax (%)", |model| six(model.errors.as_ref()?.share_minimax_percent.as_ref()?)),
    ("difference (%)", |model| six(model.errors.as_ref()?.difference_percent.as_ref()?)),
    ("per case (%)", |model| six(model.errors.as_ref()?.per_case_percent.as_ref()?)),
    ("threshold p*", |model| Some(thresholds(model.crossover.as_ref()?))),
];

fn six(number: &Exact<Decimal>) -> Option<String> {
    Some(decimal(number.number(), 6))
}

fn thresholds(rates: &Rates) -> String {
    let one = |threshold: &Threshold| match &threshold.fraction {
        Some(fraction) => fraction.to_string(),
        None => decimal(threshold.decimal.number(), 6),
    };
    match rates.thresholds.as_slice() {
        [] if rates.minimax_error == rates.product_error => "every p".to_owned(),
        [] => "none".to_owned(),
        some => some.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

fn table(id: &str, results: &ExperimentResults) -> Table {
    let models = &results.models;
    let asked: Vec<FigureColumn> =
        FIGURES.into_iter().filter(|(_, cell)| models.iter().any(|model| cell(model).is_some())).collect();
    let row = |model: &ModelResults| -> Vec<Cell> {
        let line = model.model.line();
        let name = [model.model.root().to_string(), model.increments(), line.zero().to_string()];
        let figures = asked.iter().map(|(_, cell)| cell(model).unwrap_or_default());
        name.into_iter().chain(figures).map(Cell::from).collect()
    };
    let mut columns = vec![Column::right("root"), Column::left("increments"), Column::left("zero")];
    columns.extend(asked.iter().map(|(name, _)| Column::right(*name)));
    Table {
        id: id.to_owned(),
        title: results.title.clone(),
        columns,
        rows: models.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
