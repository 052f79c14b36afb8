//! The published figures of depth 2 and ours, for every root that they could belong to.

mod contest;

use maud::{Markup, html};
use num_bigint::BigInt;
use prodmax_enumerate::Model;
use prodmax_golden::{Published, Quantity};
use prodmax_number::Fraction;
use prodmax_number::fraction::decimal;
use prodmax_number::fraction::to_f64;
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use super::{SectionKind, crossover};
use crate::error::ReportError;
use crate::exact::grouped;
use crate::figure::with_minus;
use crate::html::join;
use crate::plot;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{extremes, widths};

/// A row of the table: its name, and whether a quantity belongs to it.
type RowKind = (&'static str, fn(&Quantity) -> bool);

const FIGURES: [RowKind; 6] = [
    ("critical trees", |quantity| matches!(quantity, Quantity::Critical(_))),
    ("errors of Minimax (%)", |quantity| matches!(quantity, Quantity::ShareMinimaxPercent(_))),
    ("errors of Product (%)", |quantity| matches!(quantity, Quantity::ShareProductPercent(_))),
    ("difference (%)", |quantity| matches!(quantity, Quantity::DifferencePercent(_))),
    ("threshold p* (%)", |quantity| matches!(quantity, Quantity::ThresholdPercent(_))),
    ("N(I2)/N(I4)", |quantity| matches!(quantity, Quantity::IntervalRatio(_))),
];

/// The experiment that is shown here.
pub(super) const EXPERIMENT: &str = "depth2";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let all = enumerated(findings);
    if all.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("depth2", "Depth 2: one set of figures, no root");
    section.p(introduction(&all));
    section.table(table(&all));
    section.p(comparison(&all, findings));
    contest::add(&mut section, findings);
    section.data.push(("depth2-published".to_owned(), data(findings)));
    if let Some(results) = findings.experiment(EXPERIMENT) {
        section.data.push(("depth2".to_owned(), json!(results)));
    }
    Ok(Some(section))
}

/// The figures of the enumerated models.
pub(super) fn enumerated(findings: &Findings) -> Vec<&Comparison> {
    findings.published("depth2").filter(|figure| figure.entry.quantity.model().is_some()).collect()
}

/// The figures of one row.
fn figures<'a>(all: &[&'a Comparison], belongs: fn(&Quantity) -> bool) -> Vec<&'a Comparison> {
    all.iter().copied().filter(|figure| belongs(&figure.entry.quantity)).collect()
}

/// What is printed for a row, if anything is.
fn printed<'a>(all: &[&'a Comparison], belongs: fn(&Quantity) -> bool) -> Option<&'a Published> {
    figures(all, belongs)
        .first()
        .map(|figure| &figure.entry.published)
        .filter(|published| !published.is_none())
}

/// The published figures in a sentence.
fn introduction(all: &[&Comparison]) -> Markup {
    let printed: Vec<Markup> = FIGURES
        .iter()
        .filter_map(|(name, belongs)| {
            let published = printed(all, *belongs)?;
            Some(html! { (name) " " (with_minus(published.text())) })
        })
        .collect();
    html! {
        "For depth 2 and " (widths(models(all))) " the papers print: " (join(&printed, "; ")) ". They call the threshold \
         “about” and the ratio “almost” that, and they do not name the root. The table compares these figures with \
         ours for every root of Table II, and for root 0 on ordinary integers."
    }
}

/// The least and the greatest value of a row.
fn range(all: &[&Comparison], belongs: fn(&Quantity) -> bool) -> Option<(f64, f64)> {
    extremes(figures(all, belongs).into_iter().filter_map(Comparison::ours_f64))
}

/// How our figures compare with the printed ones.
fn comparison(all: &[&Comparison], findings: &Findings) -> Markup {
    let trees = all.iter().filter_map(|figure| figure.entry.quantity.model()).map(Model::trees).max();
    let is_critical: fn(&Quantity) -> bool = |quantity| matches!(quantity, Quantity::Critical(_));
    let is_share: fn(&Quantity) -> bool = |quantity| matches!(quantity, Quantity::ShareMinimaxPercent(_));
    let critical = range(all, is_critical).zip(printed(all, is_critical));
    let share = range(all, is_share).zip(printed(all, is_share));
    html! {
        @if let (Some(trees), Some(((least, most), printed))) = (trees, critical) {
            "Of " (grouped(trees)) " ordered trees " (grouped(least)) " to " (grouped(most)) " are critical"
            @if let Some(printed) = printed.number() {
                @let number = to_f64(&printed);
                ", " (format!("{:.1} to {:.1}", least / number, most / number)) " times the printed number"
            }
            ". "
        }
        @if let Some(((least, most), printed)) = share {
            @if least > 50.0 && printed.number().is_some_and(|printed| to_f64(&printed) > 50.0) {
                "Minimax makes more of the errors than Product at every root, as in the papers, but its share is "
            } @else {
                "The share of Minimax is "
            }
            (format!("{least:.1} to {most:.1}")) "\u{a0}%, where " (printed.text()) "\u{a0}% is printed. "
        }
        (threshold(all, findings))
        "Root by root, " (roots(all)) "."
    }
}

/// Whether the printed threshold and ratio fit each other, and which roots they lie between.
fn threshold(all: &[&Comparison], findings: &Findings) -> Markup {
    let ratio = printed(all, |quantity| matches!(quantity, Quantity::IntervalRatio(_)));
    let threshold = printed(all, |quantity| matches!(quantity, Quantity::ThresholdPercent(_)));
    let (Some(ratio), Some(threshold)) = (ratio, threshold) else { return html! {} };
    let (Some(number), Some(percent)) = (ratio.number(), threshold.number()) else { return html! {} };
    // Only the ratio of N(I2) to N(I4) matters.
    let Some(by_formula_7) = prodmax_mass::threshold(number, Fraction::from_integer(1.into())) else {
        return html! {};
    };
    let around = findings
        .experiment(crossover::EXPERIMENT)
        .and_then(|results| crossover::text::roots_around(results, to_f64(&percent)));
    html! {
        "By formula (7) a ratio of " (ratio.text()) " means a threshold of " (by_formula_7.to_string()) " = "
        (decimal(&(by_formula_7 * BigInt::from(100)), 2)) "\u{a0}%, where " (threshold.text()) "\u{a0}% is printed"
        @if let Some((low, high)) = around {
            "; such a threshold would belong to a root between " (plot::root(low)) " and " (plot::root(high))
        }
        ". "
    }
}

/// At how many roots all figures are reproduced.
pub(super) fn roots(all: &[&Comparison]) -> String {
    let models = models(all);
    let is_reproduced = |model: &&&Model| {
        let of_model = |figure: &&&Comparison| figure.entry.quantity.model() == Some(**model);
        all.iter().filter(of_model).all(|figure| figure.ours.verdict.is_reproduced())
    };
    match models.iter().filter(is_reproduced).count() {
        0 => format!("none of the {} roots gives all of the printed figures", models.len()),
        count => format!("{count} of {} roots give all of the printed figures", models.len()),
    }
}

fn models<'a>(all: &[&'a Comparison]) -> Vec<&'a Model> {
    let mut models: Vec<&Model> = Vec::new();
    for model in all.iter().filter_map(|comparison| comparison.entry.quantity.model()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

fn table(all: &[&Comparison]) -> Table {
    let models = models(all);
    let mut columns = vec![Column::left("figure"), Column::right("published")];
    columns.extend(
        models.iter().map(|model| Column::right(format!("root {}", with_minus(&model.root().to_string())))),
    );
    let row = |(name, belongs): RowKind| {
        let figures = figures(all, belongs);
        let find = |model: &Model| figures.iter().find(|c| c.entry.quantity.model() == Some(model));
        let mut row: Vec<Cell> = vec![name.into(), figures.first()?.entry.published.text().into()];
        row.extend(models.iter().map(|model| find(model).map_or_else(dash, |c| rounded(c))));
        Some(row)
    };
    let reproduced = all.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    Table {
        id: "depth2".to_owned(),
        title: format!("Depth 2, {}: published, and ours for each root", widths(models.iter().copied())),
        columns,
        rows: FIGURES.into_iter().filter_map(row).collect(),
        notes: vec![format!(
            "Root 0: ordinary integers, a leaf of value 0 counting half as won. {reproduced} of {} comparisons agree \
             to the printed digits.",
            all.len()
        )],
    }
}

/// A count in full, any other number to four decimals, as many as the papers print.
fn rounded(comparison: &Comparison) -> Cell {
    match (&comparison.entry.quantity, comparison.ours.number()) {
        (Quantity::Critical(_), _) | (_, None) => comparison.ours.shown.as_str().into(),
        (_, Some(number)) => decimal(&number, 4).into(),
    }
}

fn dash() -> Cell {
    Cell::with_latex("–", "--")
}

fn data(findings: &Findings) -> serde_json::Value {
    findings.published("depth2").map(Comparison::data).collect()
}
