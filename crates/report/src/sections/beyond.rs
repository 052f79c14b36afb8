//! Beyond the paper: depth 3 with increments up to 8 at every level.

use maud::{Markup, html};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use super::{SectionKind, depth2};
use crate::error::ReportError;
use crate::exact::{AsText, Decimal, count_to_f64, grouped};
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, percent, root};
use crate::results::{ExperimentResults, ModelResults, RuleErrors};
use crate::run::Findings;
use crate::section::Section;
use crate::words::{extremes, fixed, out_of};

/// The experiment that is shown here.
const EXPERIMENT: &str = "depth3";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment(EXPERIMENT) else { return Ok(None) };
    let mut section = Section::new("beyond", "Beyond the paper: depth 3 at full width");
    section.p(introduction(results));
    section.figures([shares(results, findings.experiment(depth2::EXPERIMENT))?, difference(results)?]);
    section.folded_table("These figures as a table", table(results));
    section.data.push(("depth3".to_owned(), json!(results)));
    Ok(Some(section))
}

/// How large the model is, and where Product's lead is greatest and smallest.
fn introduction(results: &ExperimentResults) -> Markup {
    let trees = results.models.iter().find_map(|model| model.sizes.as_ref()).map(|sizes| &sizes.trees);
    let shares = points(results, share);
    let less = shares.iter().filter(|(_, share)| *share > 50.0).count();
    let won: Vec<[f64; 2]> = results.models.iter().filter_map(ModelResults::won_percent).collect();
    let more = won.iter().filter(|won| won[1] > won[0]).count();
    let by_share = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    html! {
        "With equal subtrees merged, the model that was out of reach, " (results.widths()) " at all three levels, can be \
         enumerated in full"
        @if let Some(trees) = trees { " even though it has " (grouped(trees)) " trees" }
        ". Nothing about it is sampled. With truth w" sub { "4" } " and estimate w" sub { "1" } ", Product wins more of its decisions at "
        (out_of(more, won.len())) " roots"
        @if let Some((least, most)) = extremes(won.iter().map(|won| won[1] - won[0])) {
            ", by " (fixed(least, 2)) " to " (fixed(most, 2)) " percentage points"
        }
        ", and errs less in critical trees at " (out_of(less, shares.len()))
        @if let (Some(most), Some(least)) = (shares.iter().max_by(by_share), shares.iter().min_by(by_share)) {
            ": Minimax’s share of the errors is greatest at root " (root(most.0)) " with " (format!("{:.1}", most.1))
            "\u{a0}% and smallest at root " (root(least.0)) " with " (format!("{:.1}", least.1)) "\u{a0}%"
        }
        "."
    }
}

fn points(results: &ExperimentResults, pick: impl Fn(&RuleErrors) -> Option<f64>) -> Vec<(f64, f64)> {
    let point = |model: &ModelResults| Some((model.root(), pick(model.errors.as_ref()?)?));
    results.models.iter().filter_map(point).collect()
}

fn share(errors: &RuleErrors) -> Option<f64> {
    errors.share_first_percent.as_ref().map(|share| share.to_f64())
}

fn shares(depth3: &ExperimentResults, depth2: Option<&ExperimentResults>) -> Result<Figure, ReportError> {
    let name = "shares";
    let mut lines = Vec::new();
    for (results, depth, dashed) in [(Some(depth3), "depth 3", false), (depth2, "depth 2", true)] {
        let Some(results) = results else { continue };
        let minimax = points(results, share);
        let product = minimax.iter().map(|&(root, share)| (root, 100.0 - share)).collect();
        for (rule, ink, points) in [("Minimax", Ink::Minimax, minimax), ("Product", Ink::Product, product)] {
            lines.push(Line { name: format!("{rule}, {depth}"), ink, dashed, dots: !dashed, points });
        }
    }
    let of_minimax = lines.iter().filter(|line| line.ink == Ink::Minimax).flat_map(|line| &line.points);
    let described = extremes(of_minimax.map(|&(_, share)| share));
    let plot = Plot {
        x: Axis { label: "root value".into(), range: -17.0..17.0, ticks: 9, format: root },
        y: Axis { label: "share of all errors (%)".into(), range: 44.0..56.0, ticks: 7, format: percent },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "Each rule's share of all errors by root value, at depth 3 with {} and at depth 2.{}",
            depth3.widths(),
            described.map_or_else(String::new, |(least, most)| format!(
                " Minimax's share lies between {least:.1} and {most:.1} percent."
            ))
        ),
        caption: html! { "Each rule’s share of the errors in critical trees (truth w" sub { "4" } ", estimate w" sub { "1" } "). Above 50 % a rule errs more than the other." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn difference(depth3: &ExperimentResults) -> Result<Figure, ReportError> {
    let name = "critical-share";
    let critical = |model: &ModelResults| {
        let trees = count_to_f64(model.sizes.as_ref()?.trees.0.clone());
        Some((model.root(), 100.0 * count_to_f64(model.errors.as_ref()?.critical.0.clone()) / trees))
    };
    let points: Vec<_> = depth3.models.iter().filter_map(critical).collect();
    let top = points.iter().map(|(_, y)| *y).fold(1.0, f64::max) * 1.15;
    let plot = Plot {
        x: Axis { label: "root value".into(), range: -17.0..17.0, ticks: 9, format: root },
        y: Axis { label: "critical trees (%)".into(), range: 0.0..top, ticks: 6, format: percent },
        lines: vec![Line { name: "depth 3".to_owned(), ink: Ink::Third, dashed: false, dots: true, points }],
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "The percentage of trees in which the rules choose different moves, by root value, at depth 3 with {}.",
            depth3.widths()
        ),
        caption: html! {
            "The share of all trees that is critical: in the others the choice of the rule does not matter."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(results: &ExperimentResults) -> Table {
    let row = |model: &ModelResults| {
        let errors = model.errors.as_ref()?;
        let number = |number: &Option<AsText<Decimal>>| number.as_ref().map(|number| number.to_f64());
        let share = number(&errors.share_first_percent)?;
        Some(vec![
            Cell::from(model.model.root()),
            errors.critical.to_string().into(),
            format!("{share:.6}").into(),
            format!("{:.6}", 100.0 - share).into(),
            format!("{:.6}", number(&errors.difference_percent)?).into(),
            format!("{:.6}", 100.0 * errors.won[0].to_f64()).into(),
            format!("{:.6}", 100.0 * errors.won[1].to_f64()).into(),
        ])
    };
    Table {
        id: "depth3".to_owned(),
        title: format!("Depth 3, {} at every level", results.widths()),
        columns: [
            "root",
            "critical trees",
            "errors of Minimax (%)",
            "errors of Product (%)",
            "difference (%)",
            "Minimax wins (%)",
            "Product wins (%)",
        ]
        .map(Column::right)
        .to_vec(),
        rows: results.models.iter().filter_map(row).collect(),
        notes: Vec::new(),
    }
}
