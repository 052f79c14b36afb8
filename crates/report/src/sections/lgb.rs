//! Luštrek, Gams and Bratko: does deeper search hurt when values are real numbers?

mod beyond;
mod map;

use maud::{Markup, html};
use prodmax_golden::{Quantity, Verdict};
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE};
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{extremes, fixed, out_of};

/// The number of tables.
const TABLES: std::ops::RangeInclusive<usize> = 1..=11;

/// A figure of a table.
struct Cited<'a> {
    table: usize,
    series: &'a str,
    figure: &'a str,
    row: usize,
    comparison: &'a Comparison,
}

fn cited(findings: &Findings) -> Vec<Cited<'_>> {
    findings
        .published("lgb")
        .filter_map(|comparison| {
            let Quantity::Lgb { table, series, figure, row } = &comparison.entry.quantity else {
                return None;
            };
            Some(Cited { table: *table, series, figure, row: *row, comparison })
        })
        .collect()
}

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let all = cited(findings);
    if all.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("lgb", "LGB: when values are real numbers");
    section.p(introduction(&all));
    section.figures([
        over_depth(&all, 1, "position_error", "position error", "lgb-position-error")?,
        over_depth(&all, 1, "move_error", "move error", "lgb-move-error")?,
    ]);
    section.p(dependence(&all));
    section.figures([
        over_depth(&all, 5, "position_error", "position error", "lgb-independent-position")?,
        over_depth(&all, 10, "two_value_error", "two-value error", "lgb-two-value")?,
    ]);
    section.table(by_table(&all));
    section.p(html! {
        code { "prodmax pathology --table 5" } " shows a table with every figure, " code { "prodmax check --only lgb" }
        " checks them."
    });
    beyond::add(&mut section, &all)?;
    let data: Vec<_> = all.iter().map(|cited| cited.comparison.data()).collect();
    section.data.push(("lgb".to_owned(), json!(data)));
    Ok(Some(section))
}

fn reproduced(cited: &Cited<'_>) -> bool {
    cited.comparison.ours.verdict.is_reproduced()
}

fn introduction(all: &[Cited<'_>]) -> Markup {
    html! {
        "Luštrek, Gams and Bratko ask whether a deeper minimax search can give worse answers (pathology) when true and heuristic \
         values are real numbers, and sample 10,000 random trees of depth 10. The same figures follow without sampling from the \
         joint law of a node’s true and heuristic value, by a recursion on a lattice. Of their figures "
        (out_of(all.iter().filter(|cited| reproduced(cited)).count(), all.len()))
        " lie within two standard errors, as a sample of their size has them, of what is integrated; by chance alone one in \
         twenty would not."
    }
}

/// The columns of independent values, which do not come out in two tables.
fn dependence(all: &[Cited<'_>]) -> Markup {
    let independent = |tables: [usize; 2]| {
        let of: Vec<&Cited<'_>> = all
            .iter()
            .filter(|cited| tables.contains(&cited.table) && cited.series.starts_with("independent"))
            .collect();
        out_of(of.iter().filter(|cited| reproduced(cited)).count(), of.len())
    };
    let first = all.iter().find(|cited| {
        (cited.table, cited.series, cited.figure, cited.row) == (10, "independent", "two_value_error", 0)
    });
    let ends = |table: usize, series: &str| {
        let of = all
            .iter()
            .filter(|cited| (cited.table, cited.series, cited.figure) == (table, series, "position_error"));
        let by_row: Vec<(usize, f64)> =
            of.filter_map(|cited| Some((cited.row, cited.comparison.ours_f64()?))).collect();
        let first = by_row.iter().min_by_key(|(row, _)| *row)?;
        let last = by_row.iter().max_by_key(|(row, _)| *row)?;
        Some((*first, *last))
    };
    html! {
        @for (what, found) in
            [("depend on their parents (Table 1, b = 2)", ends(1, "b=2")), ("are independent (Table 5)", ends(5, "independent"))]
        {
            @if let Some(((first, at_first), (last, at_last))) = found {
                "Where values " (what) ", the position error goes from " (fixed(at_first, 4)) " at depth " (first) " to "
                (fixed(at_last, 4)) " at depth " (last) ". "
            }
        }
        "Where values become wins and losses by comparing them with the median, the figures for independent leaves (Tables 10 and \
         11) do not follow from the text: " (independent([10, 11])) " are reproduced."
        @if let Some((published, ours)) =
            first.and_then(|cited| cited.comparison.published_f64().zip(cited.comparison.ours_f64()))
        {
            " At depth 0 the exact error is " (fixed(ours, 4)) ", not " (fixed(published, 4)) "."
        }
    }
}

/// Ours as lines and the published figures as dots.
fn over_depth(
    all: &[Cited<'_>],
    table: usize,
    figure: &str,
    label: &'static str,
    name: &'static str,
) -> Result<Figure, ReportError> {
    let of: Vec<&Cited<'_>> =
        all.iter().filter(|cited| (cited.table, cited.figure) == (table, figure)).collect();
    let mut names: Vec<&str> = of.iter().map(|cited| cited.series).collect();
    names.sort_unstable();
    names.dedup();
    let inks = [Ink::Minimax, Ink::Product, Ink::Third, Ink::Fourth];
    let mut lines = Vec::new();
    for (series, ink) in names.iter().zip(inks) {
        let points = |value: fn(&Comparison) -> Option<f64>| {
            let of = of.iter().filter(|cited| cited.series == *series);
            of.filter_map(|cited| Some((cited.row as f64, value(cited.comparison)?))).collect::<Vec<_>>()
        };
        let published = points(Comparison::published_f64);
        lines.push(Line {
            name: format!("{series}, ours"),
            ink,
            dashed: false,
            dots: false,
            points: points(Comparison::ours_f64),
        });
        lines.push(Line {
            name: format!("{series}, published"),
            ink,
            dashed: true,
            dots: true,
            points: published,
        });
    }
    let values = lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (least, most) = extremes(values).unwrap_or((0.0, 1.0));
    let rows = extremes(of.iter().map(|cited| cited.row as f64)).unwrap_or((0.0, 10.0));
    let margin = 0.1 * (most - least).max(1e-3);
    let plot = Plot {
        x: Axis {
            label: "depth of search".into(),
            range: rows.0 - 0.3..rows.1 + 0.3,
            ticks: 11,
            format: |value| format!("{value:.0}"),
        },
        y: Axis {
            label: label.into(),
            range: (least - margin).max(0.0)..most + margin,
            ticks: 8,
            format: |value| format!("{value:.3}"),
        },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "LGB Table {table}: the {label} over the depth of search, between {least:.3} and {most:.3}."
        ),
        caption: html! { "LGB Table " (table) ": the " (label) ", ours integrated, published dashed." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn by_table(all: &[Cited<'_>]) -> Table {
    let rows = TABLES.map(|table| {
        let of = || all.iter().filter(move |cited| cited.table == table);
        let count = |verdict: Verdict| of().filter(|cited| cited.comparison.ours.verdict == verdict).count();
        vec![
            Cell::from(table),
            of().count().into(),
            of().filter(|cited| reproduced(cited)).count().into(),
            count(Verdict::Differs).into(),
        ]
    });
    Table {
        id: "lgb".to_owned(),
        title: "The published figures by table".to_owned(),
        columns: ["table", "figures", "reproduced", "different"].map(Column::right).to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
