//! LGB's figures drawn again: errors over the depth of search by both of our methods, and as published.

use maud::html;
use prodmax_pathology::formulas::{Plies, Section4Row, section4};
use prodmax_pathology::tables::samples::Samples;
use prodmax_pathology::tables::{PrintedFigure, published, series};
use prodmax_pathology::{Quantity, Row, SampleResults};

use super::Cited;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, Spread};
use crate::words::extremes;

/// What a figure shows.
pub(super) struct Shown {
    /// LGB's table.
    pub(super) table: usize,
    /// Their figure.
    pub(super) number: usize,
    /// The name of the quantity.
    pub(super) quantity: &'static str,
    /// The same in words.
    pub(super) label: &'static str,
    /// The file.
    pub(super) name: &'static str,
}

const INKS: [Ink; 6] = [Ink::Minimax, Ink::Product, Ink::Third, Ink::Fourth, Ink::Fifth, Ink::Sixth];

/// Our integrated figures as lines, two standard errors around our sampled ones shaded, and the published ones dashed
/// with dots.
pub(super) fn over_depth(all: &[Cited<'_>], samples: &Samples, shown: &Shown) -> Result<Figure, ReportError> {
    let Shown { table, number, quantity, label, name } = *shown;
    let of: Vec<&Cited<'_>> =
        all.iter().filter(|cited| (cited.table, cited.figure) == (table, quantity)).collect();
    let mut names: Vec<&str> = Vec::new();
    for cited in &of {
        if !names.contains(&cited.series) {
            names.push(cited.series);
        }
    }
    let (mut lines, mut spreads) = (Vec::new(), Vec::new());
    for (series, ink) in names.iter().zip(INKS) {
        let points = |value: fn(&crate::run::Comparison) -> Option<f64>| {
            let of = of.iter().filter(|cited| cited.series == *series);
            of.filter_map(|cited| Some((cited.row as f64, value(cited.comparison)?))).collect::<Vec<_>>()
        };
        let ours = points(crate::run::Comparison::ours_f64);
        let printed = points(crate::run::Comparison::published_f64);
        lines.push(Line { name: (*series).to_owned(), ink, dashed: false, dots: false, points: ours });
        lines.push(Line { name: String::new(), ink, dashed: true, dots: true, points: printed });
        spreads.push(Spread { ink, filled: true, points: sampled(samples, shown, series)? });
    }
    let values = lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let (least, most) = extremes(values).unwrap_or((0.0, 1.0));
    let rows = extremes(of.iter().map(|cited| cited.row as f64)).unwrap_or((0.0, 10.0));
    let margin = 0.1 * (most - least).max(1e-3);
    let plot = Plot {
        x: Axis {
            label: if table == 8 { "ply" } else { "depth of search" }.into(),
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
        spreads,
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "LGB Table {table}, Fig. {number}: the {label} for {}, between {least:.3} and {most:.3}.",
            names.join(", ")
        ),
        caption: html! { "LGB Table " (table) ", Fig. " (number) ": the " (label) "." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// Two standard errors around the figures of our sample.
fn sampled(samples: &Samples, shown: &Shown, name: &str) -> Result<Vec<(f64, f64, f64)>, ReportError> {
    let Some(series) = series(shown.table).into_iter().find(|series| series.name == name) else {
        return Ok(Vec::new());
    };
    let curves = samples.of(&series).map(SampleResults::curves).transpose();
    let curves = curves.map_err(|error| ReportError::Samples(error.to_string()))?;
    let Some(rows) = curves.and_then(|curves| curves.into_iter().next()) else { return Ok(Vec::new()) };
    let quantity = Quantity::ALL.into_iter().find(|quantity| quantity.name() == shown.quantity);
    let of_column = |printed: &PrintedFigure| {
        (printed.series.as_str(), printed.quantity.as_str()) == (name, shown.quantity)
    };
    let at = |printed: &PrintedFigure| {
        let d = if shown.table == 8 { series.model.d_max - printed.row } else { printed.row };
        let figure = rows.get(d).and_then(|row: &Row| row.get(quantity?))?;
        let two = 2.0 * figure.error();
        Some((printed.row as f64, figure.value - two, figure.value + two))
    };
    let printed = published(shown.table).map_err(|error| ReportError::Samples(error.to_string()))?;
    Ok(printed.iter().filter(|printed| of_column(printed)).filter_map(at).collect())
}

/// Figs. 10 to 14: eqs (5) to (8), with MAX and MIN alternating and with MAX alone.
pub(super) fn formulas() -> Result<[Figure; 4], ReportError> {
    let rows = |plies| section4(1.0, 10, plies).map_err(|error| ReportError::Samples(error.to_string()));
    let (alternating, only_max) = (rows(Plies::Alternating)?, rows(Plies::OnlyMax)?);
    let draw = |name: &'static str,
                label: &'static str,
                numbers: &str,
                of: fn(&Section4Row) -> Option<f64>| {
        let line = |name: &str, ink, dashed, rows: &[Section4Row]| Line {
            name: name.to_owned(),
            ink,
            dashed,
            dots: true,
            points: rows.iter().filter_map(|row| Some((row.d as f64, of(row)?))).collect(),
        };
        let lines = vec![
            line("MAX and MIN alternating", Ink::Minimax, false, &alternating),
            line("MAX at every ply", Ink::Product, true, &only_max),
        ];
        let (least, most) =
            extremes(lines.iter().flat_map(|line| &line.points).map(|point| point.1)).unwrap_or((0.0, 1.0));
        let plot = Plot {
            x: Axis {
                label: "depth of search".into(),
                range: -0.3..10.3,
                ticks: 11,
                format: |value| format!("{value:.0}"),
            },
            y: Axis {
                label: label.into(),
                range: 0.0..1.08 * most,
                ticks: 8,
                format: |value| format!("{value:.2}"),
            },
            lines,
            spreads: Vec::new(),
            labels: Vec::new(),
        };
        Ok::<Figure, ReportError>(Figure {
            name,
            alt: format!(
                "The {label} of LGB section 4 over the depth of search, between {least:.3} and {most:.3}."
            ),
            caption: html! { "LGB section 4, " (numbers) ": the " (label) " if siblings always differ by 1, σe = 1." },
            size: SIZE,
            body: plot.draw(name)?,
        })
    };
    Ok([
        draw("lgb-section4-move", "move error", "Figs. 12 and 14", |row| Some(row.move_error?.value))?,
        draw("lgb-section4-position", "position error", "Figs. 13 and 14", |row| {
            Some(row.position_error.value)
        })?,
        draw("lgb-section4-variance", "variance of the heuristic value", "Figs. 10 and 11", |row| {
            Some(row.variance.value)
        })?,
        draw("lgb-section4-bias", "bias of the heuristic value", "Figs. 10 and 11", |row| {
            Some(row.bias.value)
        })?,
    ])
}
