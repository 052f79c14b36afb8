//! Beyond the paper: depth 3 with increments up to 8 at every level.

use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::exact::{Decimal, Exact, count_to_f64};
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, percent, root};
use crate::results::{Errors, ExperimentResults, ModelResults};
use crate::run::Findings;
use crate::section::Section;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some(results) = findings.experiment("depth3") else { return Ok(None) };
    let mut section = Section::new("beyond", "Beyond the paper: depth 3 at full width");
    let trees =
        results.models.iter().find_map(|model| model.sizes.as_ref()).map(|sizes| sizes.trees.to_string());
    section.p(&format!(
        "With equal subtrees merged, the model that was out of reach, increments up to 8 at all three levels, takes a \
         fraction of a second per root although it has {} trees. Nothing about it is sampled. Product keeps its lead \
         at every root: it is greatest for roots around −14, where Minimax makes more than 55 % of the errors, and \
         smallest around +8 with 53 %.",
        grouped(trees.as_deref().unwrap_or("9^14"))
    ));
    section.figures([shares(results, findings.experiment("depth2"))?, difference(results)?]);
    section.folded_table("These figures as a table", table(results));
    section.data.push(("depth3".to_owned(), json!(results)));
    Ok(Some(section))
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

fn points(results: &ExperimentResults, pick: impl Fn(&Errors) -> Option<f64>) -> Vec<(f64, f64)> {
    let point = |model: &ModelResults| Some((model.root(), pick(model.errors.as_ref()?)?));
    results.models.iter().filter_map(point).collect()
}

fn share(errors: &Errors) -> Option<f64> {
    errors.share_minimax_percent.as_ref().map(|share| share.to_f64())
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
    let plot = Plot {
        x: Axis { label: "root value", range: -17.0..17.0, ticks: 9, format: root },
        y: Axis { label: "share of all errors (%)", range: 44.0..56.0, ticks: 7, format: percent },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: "Each rule's share of all errors over the root value, depth 3 with increments up to 8, and depth 2: \
              Minimax above 50 percent everywhere, Product below."
            .to_owned(),
        caption: "Each rule’s share of all errors in critical trees. Above 50 % a rule is the worse one.".to_owned(),
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn difference(depth3: &ExperimentResults) -> Result<Figure, ReportError> {
    let name = "critical-share";
    let critical = |model: &ModelResults| {
        let trees = count_to_f64(model.sizes.as_ref()?.trees.0.clone());
        Some((model.root(), 100.0 * count_to_f64(*model.errors.as_ref()?.critical) / trees))
    };
    let points: Vec<_> = depth3.models.iter().filter_map(critical).collect();
    let top = points.iter().map(|(_, y)| *y).fold(1.0, f64::max) * 1.15;
    let plot = Plot {
        x: Axis { label: "root value", range: -17.0..17.0, ticks: 9, format: root },
        y: Axis { label: "critical trees (%)", range: 0.0..top, ticks: 6, format: percent },
        lines: vec![Line { name: "depth 3".to_owned(), ink: Ink::Third, dashed: false, dots: true, points }],
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: "The percentage of trees in which the rules choose different moves, over the root value, at depth 3 with \
              increments up to 8."
            .to_owned(),
        caption: "How many of all trees are critical: in the others the choice of the rule does not matter."
            .to_owned(),
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(results: &ExperimentResults) -> Table {
    let row = |model: &ModelResults| {
        let errors = model.errors.as_ref()?;
        let number = |number: &Option<Exact<Decimal>>| number.as_ref().map(|number| number.to_f64());
        let share = number(&errors.share_minimax_percent)?;
        Some(vec![
            Cell::from(model.model.root()),
            errors.critical.to_string().into(),
            format!("{:.6}", share).into(),
            format!("{:.6}", 100.0 - share).into(),
            format!("{:.6}", number(&errors.difference_percent)?).into(),
        ])
    };
    Table {
        id: "depth3".to_owned(),
        title: "Depth 3, increments up to 8 at every level".to_owned(),
        columns: ["root", "critical trees", "Minimax (%)", "Product (%)", "difference (%)"]
            .map(Column::right)
            .to_vec(),
        rows: results.models.iter().filter_map(row).collect(),
        notes: Vec::new(),
    }
}
