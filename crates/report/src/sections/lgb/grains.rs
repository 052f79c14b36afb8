//! How many values a heuristic needs: required grains, what LGB extrapolate, and readings of their Table 6.

use maud::{Markup, html};
use prodmax_golden::quantity::Equation9Figure;
use prodmax_number::fraction::to_f64;
use prodmax_output::{Cell, Column, Table};
use prodmax_pathology::Values;
use prodmax_pathology::granularity::readings::Required;
use prodmax_pathology::study::{Beyond, GrainsRow, table_6};
use prodmax_pathology::tables::Equation9;

use super::{Cited, reproduced};
use crate::error::ReportError;
use crate::exact::grouped;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE};
use crate::run::Comparison;
use crate::section::Section;
use crate::words::{and, fixed, out_of};

/// What LGB extrapolate, by branching factor.
fn extrapolated<'a>(figures: &[(Equation9Figure, &'a Comparison)]) -> Vec<(u32, &'a Comparison)> {
    let of = figures.iter().filter_map(|(figure, comparison)| match figure {
        Equation9Figure::Grains { b } => Some((*b, *comparison)),
        _ => None,
    });
    of.collect()
}

/// Eq. (9) as printed, what LGB extrapolate by it, and whether all that follows from their table.
fn fit(figures: &[(Equation9Figure, &Comparison)]) -> Markup {
    let printed = |wanted| {
        let found = figures.iter().find(|(figure, _)| *figure == wanted);
        found.map(|(_, comparison)| comparison.entry.published.text())
    };
    let coefficients = (
        printed(Equation9Figure::Factor),
        printed(Equation9Figure::Base),
        printed(Equation9Figure::Constant),
    );
    let extrapolated: Vec<String> = extrapolated(figures)
        .iter()
        .map(|(b, figure)| format!("g({b}) = {}", grouped(figure.entry.published.text())))
        .collect();
    let follow = figures.iter().filter(|(_, figure)| figure.ours.verdict.is_reproduced()).count();
    html! {
        @if let (Some(factor), Some(base), Some(constant)) = coefficients {
            "By least squares they fit g(b) = " (factor) " · " (base) sup { "b" } " "
            (constant.replace('-', "− ")) " (9)"
            @if !extrapolated.is_empty() { " and extrapolate to chess: " (and(&extrapolated)) }
            ". Fitted to the column as printed, and without rounding coefficients, " (out_of(follow, figures.len()))
            " of these figures come out. "
        }
    }
}

/// Adds what is known of the number of grains.
pub(super) fn grains(
    section: &mut Section,
    record: &Beyond,
    cited: &[Cited<'_>],
    equation_9: &[(Equation9Figure, &Comparison)],
) -> Result<(), ReportError> {
    let fitted = Equation9::fitted().map_err(|error| ReportError::Samples(error.to_string()))?;
    let extrapolated = extrapolated(equation_9);
    section.heading("How many values does a heuristic need?");
    let hopeless: Vec<&GrainsRow> = record.grains.iter().filter(|row| row.limit.is_pathological()).collect();
    let least = hopeless.iter().map(|row| row.b).min();
    let also_real = hopeless.iter().filter(|row| row.real_values.is_pathological()).count();
    let last = record.grains.iter().filter(|row| row.required.is_some()).max_by_key(|row| row.b);
    section.p(html! {
        "With few different values (grains), LGB find that deeper search hurts, and that independent leaves need more \
         and more grains as the number of moves grows (Table 6). " (fit(equation_9)) "Independent values \
         need no extrapolation: the joint law of a node follows from that of its children point by point. "
        @if let Some(row) = last {
            "The required number is " (row.required.unwrap_or(0)) " at b = " (row.b) ", where (9) gives "
            (format!("{:.0}", to_f64(&fitted.grains(row.b).middle()))) ". "
        }
        @if let Some(b) = least {
            "From b = " (b) " on there is none: the limit of infinitely many grains is itself pathological"
            @if also_real == hopeless.len() { ", and so are real values" }
            @let missing: Vec<String> =
                extrapolated.iter().filter(|(wanted, _)| *wanted >= b).map(|(wanted, _)| format!("g({wanted})")).collect();
            @if !missing.is_empty() {
                ", so that " (and(&missing)) " " (if missing.len() == 1 { "does" } else { "do" }) " not exist"
            }
            "."
        }
    });
    section.figures([grains_figure(record, cited, &fitted)?]);
    let ends = |first: f64, last: f64| {
        [Cell::decimal(first, 6), Cell::decimal(last, 6), Cell::decimal(last - first, 6)]
    };
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for row in &record.evaluated {
        let mut cells: Vec<Cell> = vec![row.b.into(), row.grains.map_or_else(|| "∞".into(), Cell::from)];
        cells.extend(ends(row.first, row.last));
        cells.push(if row.is_pathological() { "pathological" } else { "not pathological" }.into());
        rows.push(cells);
    }
    for row in &hopeless {
        let mut cells: Vec<Cell> = vec![row.b.into(), "limit".into()];
        cells.extend(ends(row.limit.first, row.limit.last));
        cells.push("pathological".into());
        rows.push(cells);
    }
    // All models of Table 6 are searched equally deep.
    let deepest = table_6(2).d_max;
    section.folded_table(
        "Move errors with many grains",
        Table {
            id: "lgb-grains".to_owned(),
            title: format!(
                "Independent uniform values: move errors at depths 1 and {deepest} with many grains"
            ),
            columns: ["b", "grains", "at depth 1", &format!("at depth {deepest}"), "rise", "verdict"]
                .map(Column::right)
                .to_vec(),
            rows,
            notes: Vec::new(),
        },
    );
    readings(section, record, cited);
    Ok(())
}

fn published(cited: &[Cited<'_>], series: &str, b: u32) -> Option<f64> {
    let found =
        cited.iter().find(|cited| (cited.table, cited.series, cited.row) == (6, series, b as usize))?;
    found.comparison.published_f64()
}

fn grains_figure(
    record: &Beyond,
    cited: &[Cited<'_>],
    equation_9: &Equation9,
) -> Result<Figure, ReportError> {
    let name = "lgb-grains";
    let ours: Vec<(f64, f64)> = record
        .grains
        .iter()
        .filter_map(|row| Some((f64::from(row.b), f64::from(row.required?).log10())))
        .collect();
    let printed: Vec<(f64, f64)> = record
        .grains
        .iter()
        .filter_map(|row| {
            Some((f64::from(row.b), published(cited, Values::Independent.name(), row.b)?.log10()))
        })
        .collect();
    let last = ours.last().map_or(10.0, |point| point.0);
    let fitted =
        (2..=last as u32 + 2).map(|b| (f64::from(b), to_f64(&equation_9.grains(b).middle()).log10()));
    let line =
        |name: &str, ink, dashed, dots, points| Line { name: name.to_owned(), ink, dashed, dots, points };
    let lines = vec![
        line("computed", Ink::Minimax, false, true, ours.clone()),
        line("LGB, sampled", Ink::Product, true, true, printed),
        line("eq. (9)", Ink::Third, true, false, fitted.collect()),
    ];
    let most = lines.iter().flat_map(|line| &line.points).map(|point| point.1).fold(1.0, f64::max);
    let plot = Plot {
        x: Axis {
            label: "branching factor".into(),
            range: 1.5..last + 2.5,
            ticks: 14,
            format: |value| format!("{value:.0}"),
        },
        y: Axis {
            label: "required grains".into(),
            range: 0.9..most + 0.2,
            ticks: 6,
            format: |value| format!("{:.0}", 10f64.powf(value)),
        },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    let words: Vec<String> =
        ours.iter().map(|(b, log)| format!("{:.0} at b = {b}", 10f64.powf(*log))).collect();
    Ok(Figure {
        name,
        alt: format!("Required grains over the branching factor, independent values: {}.", words.join(", ")),
        caption: html! { "Grains needed to avoid pathology, independent values, on a logarithmic scale." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// The numbers that LGB print, by branching factor.
fn printed(record: &Beyond, cited: &[Cited<'_>], series: &str) -> Vec<Option<u32>> {
    let number = |b: &u32| published(cited, series, *b).map(|value| value as u32);
    record.spec.readings.iter().map(number).collect()
}

/// The mean distance from the published numbers; `None` if a reading requires more grains than were tried.
fn distance(reading: &Required, printed: &[Option<u32>]) -> Option<f64> {
    let both = reading.grains.iter().zip(printed);
    let both: Vec<(f64, f64)> = both
        .map(|(ours, printed)| Some((f64::from((*ours)?), f64::from((*printed)?))))
        .collect::<Option<_>>()?;
    Some(both.iter().map(|(ours, printed)| (ours - printed).abs()).sum::<f64>() / both.len() as f64)
}

fn readings(section: &mut Section, record: &Beyond, cited: &[Cited<'_>]) {
    let branching = &record.spec.readings;
    let numbers = printed(record, cited, Values::Dependent.name());
    let closest = record
        .dependent_readings
        .iter()
        .filter_map(|reading| Some((reading, distance(reading, &numbers)?)))
        .min_by(|one, two| one.1.total_cmp(&two.1));
    let best = record.dependent_readings.iter().map(|reading| reading.matches(&numbers)).max().unwrap_or(0);
    let column: Vec<&Cited<'_>> =
        cited.iter().filter(|cited| (cited.table, cited.series) == (6, Values::Dependent.name())).collect();
    let come_out = column.iter().filter(|cited| reproduced(cited)).count();
    section.p(html! {
        "Of the numbers that LGB print for dependent values, " (out_of(come_out, column.len())) " are reproduced. What \
         they leave open is listed below: which interval the grains cover, how values are rounded, whether any of \
         several best moves is right, and when a curve counts as pathological. Of the "
        (record.dependent_readings.len()) " readings, the one with the most matches gives " (out_of(best, branching.len())) " numbers"
        @if let Some((reading, distance)) = closest {
            "; the closest on average (off by " (fixed(distance, 1)) " grains) lets the grains cover: " (reading.range) ", " (reading.rounding)
            ", " (reading.ties) ", pathological if " (reading.criterion)
        }
        ". Found after the fact, it changes no verdict. For independent values " code { "prodmax pathology grains --readings independent" } " tries more grains."
    });
    for (values, readings, id) in [
        (Values::Dependent.name(), &record.dependent_readings, "lgb-readings"),
        (Values::Independent.name(), &record.independent_readings, "lgb-readings-independent"),
    ] {
        let numbers = printed(record, cited, values);
        section.folded_table(
            &format!("Table 6, {values} values, under every reading"),
            readings_table(record, readings, &numbers, id, values),
        );
    }
}

fn readings_table(
    record: &Beyond,
    readings: &[Required],
    printed: &[Option<u32>],
    id: &str,
    values: &str,
) -> Table {
    let cell = |grains: &Option<u32>| grains.map_or_else(|| Cell::from("-"), Cell::from);
    let mut columns = ["range", "rounding", "equal moves", "pathological if"].map(Column::left).to_vec();
    columns.extend(record.spec.readings.iter().map(|b| Column::right(format!("b = {b}"))));
    columns.push(Column::right("equal"));
    let words = ["LGB", "", "", ""].into_iter().map(Cell::from);
    let mut rows: Vec<Vec<Cell>> =
        vec![words.chain(printed.iter().map(cell)).chain([Cell::from("")]).collect()];
    rows.extend(readings.iter().map(|reading| {
        let words = reading.words().into_iter().map(Cell::from);
        words.chain(reading.grains.iter().map(cell)).chain([reading.matches(printed).into()]).collect()
    }));
    Table {
        id: id.to_owned(),
        title: format!("Required grains, {values} values, under every reading"),
        columns,
        rows,
        notes: vec![format!("-: more than {}, the most that were tried.", record.spec.most_of_readings)],
    }
}
