//! Table II as two heat maps, published and ours, and as a table.

pub(super) mod text;

use maud::html;
use prodmax_enumerate::Model;
use prodmax_golden::{Quantity, Verdict};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::figure::{Figure, with_minus};
use crate::heatmap::{HeatMap, Square, percent_ends};
use crate::html::var;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// A row of the table: its name, its cells and, as the last one, its mean.
pub(super) struct Row<'a> {
    pub(super) name: String,
    pub(super) cells: Vec<&'a Comparison>,
}

impl<'a> Row<'a> {
    /// The cells without the mean.
    pub(super) fn cells(&self) -> impl Iterator<Item = &'a Comparison> {
        self.cells.iter().copied().filter(|cell| is_cell(cell))
    }

    fn mean(&self) -> Option<&'a Comparison> {
        self.cells.iter().copied().find(|cell| !is_cell(cell))
    }
}

/// The experiment that is shown here.
pub(super) const EXPERIMENT: &str = "table2";

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[EXPERIMENT], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let rows = rows(findings);
    if rows.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("table2", "Table II: depth 3 with reduced increments");
    let e = |rule: &str| html! { (var("e")) sub { (rule) } };
    section.p(html! {
        "At depth 3 the authors could not enumerate increments up to 8 and reduced them: in row (a, b) the first two \
         levels have increments up to a, the third up to b. A cell is the difference of both rules’ errors in percent \
         of their sum, 100\u{a0}(" (e("P")) " − " (e("M")) ") / (" (e("P")) " + " (e("M")) "), positive if Minimax errs \
         less in critical trees. The truth is w" sub { "4" } ", the estimate w" sub { "1" } "."
    });
    section.figures(maps(&rows));
    section.p(text::outcome(&rows, &findings.storm));
    section.p(text::won(findings));
    section.p(html! {
        "The last column is the mean over the roots. " (text::means(&rows))
        @if let Some(unusual) = text::unusual(&rows) { " " (unusual) }
    });
    section.folded_table("Table II in numbers", table(&rows, findings));
    section.data.push(("table2-published".to_owned(), data(&rows)));
    if let Some(results) = findings.experiment(EXPERIMENT) {
        section.data.push(("table2".to_owned(), json!(results)));
    }
    Ok(Some(section))
}

/// In how many cells Product errs less in critical trees by our figures, and how many there are.
pub(super) fn product_errs_less(findings: &Findings) -> Option<(usize, usize)> {
    let rows = rows(findings);
    let cells = || rows.iter().flat_map(Row::cells).filter_map(Comparison::ours_f64);
    (!rows.is_empty()).then(|| (cells().filter(|&difference| difference < 0.0).count(), cells().count()))
}

fn is_cell(comparison: &Comparison) -> bool {
    matches!(comparison.entry.quantity, Quantity::DifferencePercent(_))
}

pub(super) fn rows(findings: &Findings) -> Vec<Row<'_>> {
    rows_of(findings.published("table2"))
}

/// The rows that some figures form.
pub(super) fn rows_of<'a>(figures: impl Iterator<Item = &'a Comparison>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for comparison in figures {
        let increments: Vec<i64> = match &comparison.entry.quantity {
            Quantity::DifferencePercent(model) => model.increments().iter().map(|&a| a.into()).collect(),
            Quantity::MeanDifferencePercent { increments, .. } => increments.clone(),
            _ => continue,
        };
        let ([first, .., last] | [first @ last]) = increments[..] else { continue };
        let name = format!("({first},{last})");
        match rows.iter_mut().find(|row| row.name == name) {
            Some(row) => row.cells.push(comparison),
            None => rows.push(Row { name, cells: vec![comparison] }),
        }
    }
    for row in &mut rows {
        // The mean comes last, wherever it is in the golden file.
        row.cells.sort_by_key(|cell| !is_cell(cell));
    }
    rows
}

pub(super) fn columns(rows: &[Row<'_>]) -> Vec<String> {
    let name = |cell: &&Comparison| match cell.entry.quantity.model() {
        Some(model) => with_minus(&model.root().to_string()),
        None => "mean".to_owned(),
    };
    rows.first().map_or_else(Vec::new, |row| row.cells.iter().map(name).collect())
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact | Verdict::WithinRounding => "✓",
        Verdict::WithinError => "≈",
        Verdict::SignOnly => "sign ✓",
        Verdict::Differs => "✗",
        Verdict::NotComparable
        | Verdict::Holds
        | Verdict::Fails
        | Verdict::NotDecidable
        | Verdict::Unpublished => "",
    }
}

fn maps(rows: &[Row<'_>]) -> Vec<Figure> {
    let columns = columns(rows);
    let squares = |square: &dyn Fn(&Comparison) -> Square| -> Vec<(String, Vec<Square>)> {
        rows.iter()
            .map(|row| (row.name.clone(), row.cells.iter().map(|cell| square(cell)).collect()))
            .collect()
    };
    let published = squares(&|cell| {
        let text = cell.entry.published.text().to_owned();
        Square { value: cell.published_f64().unwrap_or(0.0), text, mark: "" }
    });
    let ours = squares(&|cell| {
        let value = cell.ours_f64();
        Square {
            value: value.unwrap_or(0.0),
            text: value.map_or_else(|| cell.ours.shown.clone(), |value| format!("{value:+.2}")),
            mark: mark(cell.ours.verdict),
        }
    });
    let values =
        published.iter().chain(&ours).flat_map(|(_, squares)| squares).map(|square| square.value.abs());
    let limit = values.fold(1.0, f64::max).ceil();
    let figure = |name, title: &str, rows: &[(String, Vec<Square>)], caption: &str| {
        let map = HeatMap {
            title,
            columns: &columns,
            rows,
            limit,
            left: 50.0,
            means: true,
            ends: percent_ends(limit, ["Product errs less", "Minimax errs less"]),
        };
        let words: Vec<String> = rows
            .iter()
            .map(|(name, squares)| {
                let texts: Vec<_> = squares.iter().map(|square| square.text.as_str()).collect();
                format!("{name}: {}", texts.join(", "))
            })
            .collect();
        Figure {
            name,
            alt: format!("{title}. Columns: roots {}. Rows: {}.", columns.join(", "), words.join("; ")),
            caption: html! { (caption) },
            size: map.size(),
            body: map.draw(),
        }
    };
    vec![
        figure(
            "table2-published",
            "Published (KHS Table II)",
            &published,
            "As printed. Columns are roots, rows are greatest increments (levels 1 and 2, level 3).",
        ),
        figure(
            "table2-ours",
            "Ours, the model as stated",
            &ours,
            "Recomputed, on the same scale. ✓ agrees to the printed digit, “sign ✓” only in who errs less, ✗ not even \
             in that.",
        ),
    ]
}

fn table(rows: &[Row<'_>], findings: &Findings) -> Table {
    let mut head = vec![Column::left("increments"), Column::left("what")];
    head.extend(columns(rows).into_iter().map(Column::right));
    let lines = |row: &Row<'_>| {
        let line = |what: &str, cell: &dyn Fn(&Comparison) -> Cell| {
            let mut line: Vec<Cell> = vec![row.name.as_str().into(), what.into()];
            line.extend(row.cells.iter().map(|comparison| cell(comparison)));
            line
        };
        let won = |rule: usize| {
            move |comparison: &Comparison| -> Cell {
                let won = comparison.entry.quantity.model().and_then(|model| won_percent(findings, model));
                won.map_or_else(|| "".into(), |won| format!("{:.4}", won[rule]).into())
            }
        };
        [
            line("published", &|comparison| comparison.entry.published.text().into()),
            line("ours", &|comparison| comparison.ours.shown.as_str().into()),
            line("verdict", &|comparison| comparison.ours.verdict.into()),
            line("Minimax wins (%)", &won(0)),
            line("Product wins (%)", &won(1)),
        ]
    };
    Table {
        id: "table2".to_owned(),
        title: "Table II: published, ours, and the verdict".to_owned(),
        columns: head,
        rows: rows.iter().flat_map(lines).collect(),
        notes: Vec::new(),
    }
}

/// What Minimax and Product win over all trees of a model of the experiment, in percent.
fn won_percent(findings: &Findings, model: &Model) -> Option<[f64; 2]> {
    let results = findings.experiment(EXPERIMENT)?;
    results.models.iter().find(|found| found.model == *model)?.won_percent()
}

fn data(rows: &[Row<'_>]) -> serde_json::Value {
    rows.iter().flat_map(|row| &row.cells).map(|comparison| comparison.data()).collect()
}
