//! Experiments without their own section, such as those of a user's specs: the results, model by model.

use maud::html;
use prodmax_number::fraction::decimal;
use prodmax_output::{Cell, Column, Table};
use prodmax_rules::RulePair;
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::exact::{AsText, Decimal};
use crate::results::{ExperimentResults, ModelResults, Rates, Threshold};
use crate::run::Findings;
use crate::section::Section;
use crate::write::file_name;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let has_section = |id: &str| super::ALL.iter().any(|section| section.experiments.contains(&id));
    let is_other = |results: &&ExperimentResults| !has_section(&results.id) && !results.models.is_empty();
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
            @if let Some(rules) = other_rules(results) { " Errors are those of " (rules.names()[0]) " against " (rules.names()[1]) "." }
        });
        let id = format!("experiment-{}", file_name(&results.id));
        section.table(table(&id, results));
        if results.models.iter().any(|model| !model.contests.is_empty()) {
            section.table(qualities(&format!("{id}-rules"), results));
        }
        section.data.push((id, json!(results)));
    }
    Ok(Some(section))
}

/// The column of the first rule's share of the errors, if that is Minimax.
const MINIMAX: &str = "Minimax (%)";

/// The rules whose errors were measured, if they are not Minimax and Product.
fn other_rules(results: &ExperimentResults) -> Option<&RulePair> {
    let rules = results.models.iter().find_map(|model| model.errors.as_ref()).map(|errors| &errors.rules);
    rules.filter(|rules| !rules.is_khs())
}

/// How well the rules of a contest decide, model by model.
fn qualities(id: &str, results: &ExperimentResults) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for model in &results.models {
        for contest in &model.contests {
            for found in &contest.rules {
                rows.push(vec![
                    model.model.root().to_string().into(),
                    model.increments().into(),
                    contest.estimate.to_string().into(),
                    found.rule.to_string().into(),
                    format!("{:.6}", 100.0 * found.won).into(),
                    found.efficiency.map_or_else(String::new, |part| format!("{:.6}", 100.0 * part)).into(),
                ]);
            }
        }
    }
    Table {
        id: id.to_owned(),
        title: format!("{}: how well the rules decide", results.title),
        columns: vec![
            Column::right("root"),
            Column::left("increments"),
            Column::left("estimate"),
            Column::left("rule"),
            Column::right("won %"),
            Column::right("efficiency %"),
        ],
        rows,
        notes: Vec::new(),
    }
}

/// A column, and its cell for a model; `None` if it was not computed.
type FigureColumn = (&'static str, fn(&ModelResults) -> Option<String>);

const FIGURES: [FigureColumn; 7] = [
    ("trees", |model| Some(model.sizes.as_ref()?.trees.to_string())),
    ("classes", |model| Some(model.sizes.as_ref()?.classes.to_string())),
    ("critical", |model| {
        let by_crossover = || model.crossover.as_ref().map(|rates| rates.critical.to_string());
        model.errors.as_ref().map(|errors| errors.critical.to_string()).or_else(by_crossover)
    }),
    (MINIMAX, |model| six(model.errors.as_ref()?.share_first_percent.as_ref()?)),
    ("difference (%)", |model| six(model.errors.as_ref()?.difference_percent.as_ref()?)),
    ("per case (%)", |model| six(model.errors.as_ref()?.per_case_percent.as_ref()?)),
    ("threshold p*", |model| Some(thresholds(model.crossover.as_ref()?))),
];

fn six(number: &AsText<Decimal>) -> Option<String> {
    Some(decimal(number.number(), 6))
}

fn thresholds(rates: &Rates) -> String {
    let one = |threshold: &Threshold| match &threshold.fraction {
        Some(fraction) => fraction.to_string(),
        None => decimal(threshold.decimal.number(), 6),
    };
    match rates.thresholds.as_slice() {
        [] if rates.first_error == rates.second_error => "every p".to_owned(),
        [] => "none".to_owned(),
        some => some.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

fn table(id: &str, results: &ExperimentResults) -> Table {
    let models = &results.models;
    let computed: Vec<FigureColumn> =
        FIGURES.into_iter().filter(|(_, cell)| models.iter().any(|model| cell(model).is_some())).collect();
    let row = |model: &ModelResults| -> Vec<Cell> {
        let line = model.model.line();
        let name = [model.model.root().to_string(), model.increments(), line.zero().to_string()];
        let figures = computed.iter().map(|(_, cell)| cell(model).unwrap_or_default());
        name.into_iter().chain(figures).map(Cell::from).collect()
    };
    let mut columns = vec![Column::right("root"), Column::left("increments"), Column::left("zero")];
    let first = other_rules(results).map(|rules| format!("{} (%)", rules.names()[0]));
    columns.extend(computed.iter().map(|(name, _)| match &first {
        Some(first) if *name == MINIMAX => Column::right(first.clone()),
        _ => Column::right(*name),
    }));
    Table {
        id: id.to_owned(),
        title: results.title.clone(),
        columns,
        rows: models.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
