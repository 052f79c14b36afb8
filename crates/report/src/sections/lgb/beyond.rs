//! What LGB do not have: other rules, more moves than their trees could have, readings of Table 6, a map.

use maud::{Markup, html};
use prodmax_output::{Cell, Column, Table};
use prodmax_pathology::Values;
use prodmax_pathology::granularity::readings::Required;
use prodmax_pathology::granularity::{EQUATION_9, equation_9};
use prodmax_pathology::study::{Beyond, GrainsRow, RuleCurve, table_6};
use prodmax_rules::{Leaves, NamedRule, Rule};
use serde_json::json;

use super::Cited;
use super::map::map;
use crate::error::ReportError;
use crate::exact::grouped;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, Spread};
use crate::run::Comparison;
use crate::section::Section;
use crate::words::{and, extremes, fixed, out_of};

/// Adds everything.
pub(super) fn add(
    section: &mut Section,
    cited: &[Cited<'_>],
    extrapolated: &[(u32, &Comparison)],
) -> Result<(), ReportError> {
    let record = Beyond::recorded().map_err(ReportError::Pathology)?;
    other_rules(section, &record)?;
    grains(section, &record, cited, extrapolated)?;
    map(section, &record);
    section.p(html! {
        "These figures are recorded (prodmax " (record.prodmax) ", " code { "make record-pathology" } "); tests compute a part of them \
         again. Single ones: " code { "prodmax pathology --rules minimax,product" } ", " code { "prodmax pathology grains" } ", "
        code { "prodmax pathology map" } "."
    });
    section.data.push(("lgb-beyond".to_owned(), json!(record)));
    Ok(())
}

fn describe(record: &Beyond, index: usize) -> String {
    let model = &record.spec.rules[index].model;
    format!("{} values, σe = {}", model.values.name(), model.sigma_e)
}

/// Whether the deepest search is worse than that of depth 1, beyond two standard errors.
fn worse(curve: &RuleCurve) -> bool {
    match (curve.move_error.first(), curve.move_error.last()) {
        (Some((first, one)), Some((last, other))) => last - first > 2.0 * one.hypot(*other),
        _ => false,
    }
}

/// Whether a curve is that of the rule that sees true values without noise.
fn is_ideal(curve: &RuleCurve) -> bool {
    curve.rule.rule.leaves() == Leaves::Truth
}

fn is_minimax(rule: &NamedRule) -> bool {
    matches!(rule.rule, Rule::Minimax(_))
}

/// The rule, among those that programs could use, whose deepest search errs least, its error, and that of minimax.
fn best(curves: &[RuleCurve]) -> Option<(&NamedRule, f64, f64)> {
    let last = |curve: &RuleCurve| curve.move_error.last().map(|error| error.0);
    let usable = curves.iter().filter(|curve| !is_ideal(curve));
    let minimax = curves.iter().find(|curve| is_minimax(&curve.rule)).and_then(last)?;
    let least = usable.filter_map(|curve| Some((&curve.rule, last(curve)?)));
    least.min_by(|one, two| one.1.total_cmp(&two.1)).map(|(rule, error)| (rule, error, minimax))
}

fn other_rules(section: &mut Section, record: &Beyond) -> Result<(), ReportError> {
    const NAMES: [&str; 3] = ["lgb-rules-dependent", "lgb-rules-independent", "lgb-rules-noisy"];
    section.heading("Does deeper search hurt other rules?");
    let parts = record.rules.iter().enumerate().map(|(index, curves)| {
        let names = |hurt: bool| -> Vec<&str> {
            curves.iter().filter(|curve| worse(curve) == hurt).map(|curve| curve.rule.name.as_str()).collect()
        };
        html! {
            "With " (describe(record, index)) ", it is worse for "
            @if names(true).is_empty() { "no rule" } @else { (and(&names(true))) }
            @if !names(false).is_empty() { " and not for " (and(&names(false))) }
            @if let Some((rule, error, minimax)) = best(curves) {
                "; the deepest search errs least with " (rule.name) " (" (fixed(error, 4))
                @if !is_minimax(rule) { ", minimax " (fixed(minimax, 4)) }
                ")"
            }
            ". "
        }
    });
    let ideal = record.rules.first().and_then(|curves| curves.iter().find(|curve| is_ideal(curve)));
    section.p(html! {
        "The same trees and the same noise, but the noisy values are read as probabilities that MAX wins, 1/(1 + e"
        sup { "−v" } "), and backed up by other rules. True values stay those of minimax, by which the game is played. Is the move \
         chosen by the deepest search worse than that chosen by a search to depth 1 (by more than two standard errors)? "
        @for part in parts { (part) }
        @if let Some(curve) = ideal {
            @if let Some((first, last)) = curve.move_error.first().zip(curve.move_error.last()) {
                "The rule called ideal sees the true values without noise; in the first of these samples its error goes from "
                (fixed(first.0, 4)) " at depth 1 to " (fixed(last.0, 4)) " in the deepest search"
                @if worse(curve) { ", so that noise is not what makes it worse" }
                "."
            }
        }
    });
    let mut figures = Vec::new();
    for ((index, curves), name) in record.rules.iter().enumerate().zip(NAMES) {
        figures.push(rules_figure(curves, name, &describe(record, index))?);
    }
    section.figures(figures);
    Ok(())
}

fn rules_figure(curves: &[RuleCurve], name: &'static str, what: &str) -> Result<Figure, ReportError> {
    let ink = |curve: &RuleCurve| Ink::of_rule(&curve.rule.rule);
    let points = |curve: &RuleCurve| {
        curve
            .move_error
            .iter()
            .enumerate()
            .map(|(index, error)| (index as f64 + 1.0, error.0))
            .collect::<Vec<_>>()
    };
    let values = curves.iter().flat_map(|curve| curve.move_error.iter().map(|error| error.0));
    let (least, most) = extremes(values).unwrap_or((0.0, 1.0));
    let depths = curves.iter().map(|curve| curve.move_error.len()).max().unwrap_or(1) as f64;
    let margin = 0.08 * (most - least).max(1e-3);
    let lines = curves.iter().map(|curve| Line {
        name: curve.rule.name.clone(),
        ink: ink(curve),
        dashed: ink(curve) == Ink::Faint,
        dots: true,
        points: points(curve),
    });
    let spreads = curves.iter().map(|curve| Spread {
        ink: ink(curve),
        filled: true,
        points: curve
            .move_error
            .iter()
            .enumerate()
            .map(|(index, (value, error))| (index as f64 + 1.0, value - 2.0 * error, value + 2.0 * error))
            .collect(),
    });
    let plot = Plot {
        x: Axis {
            label: "depth of search".into(),
            range: 0.7..depths + 0.3,
            ticks: 10,
            format: |value| format!("{value:.0}"),
        },
        y: Axis {
            label: "move error".into(),
            range: (least - margin).max(0.0)..most + margin,
            ticks: 8,
            format: |value| format!("{value:.2}"),
        },
        lines: lines.collect(),
        spreads: spreads.collect(),
        labels: Vec::new(),
    };
    let ends: Vec<String> = curves
        .iter()
        .filter_map(|curve| {
            let (first, last) = curve.move_error.first().zip(curve.move_error.last())?;
            Some(format!("{} from {:.3} to {:.3}", curve.rule.name, first.0, last.0))
        })
        .collect();
    Ok(Figure {
        name,
        alt: format!("Move error by rule over the depth of search, {what}: {}.", ends.join("; ")),
        caption: html! { "Move error by rule, " (what) "; shaded: two standard errors." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// What LGB extrapolate, in a sentence.
fn extrapolation(extrapolated: &[(u32, &Comparison)]) -> Markup {
    let printed: Vec<String> = extrapolated
        .iter()
        .map(|(b, figure)| format!("g({b}) = {}", grouped(figure.entry.published.text())))
        .collect();
    let others: Vec<String> = extrapolated
        .iter()
        .filter(|(_, figure)| !figure.ours.verdict.is_reproduced())
        .map(|(b, _)| format!("{} for b = {b}", grouped(equation_9(f64::from(*b)).round())))
        .collect();
    html! {
        "They fit g(b) = " (EQUATION_9.factor) " · " (EQUATION_9.base) sup { "b" } " − " (EQUATION_9.offset) " (9)"
        @if !printed.is_empty() { " and extrapolate to chess: " (and(&printed)) }
        @if !others.is_empty() { " (the printed coefficients give " (and(&others)) ")" }
        ". "
    }
}

fn grains(
    section: &mut Section,
    record: &Beyond,
    cited: &[Cited<'_>],
    extrapolated: &[(u32, &Comparison)],
) -> Result<(), ReportError> {
    section.heading("How many values does a heuristic need?");
    let hopeless: Vec<&GrainsRow> = record.grains.iter().filter(|row| row.limit.is_pathological()).collect();
    let least = hopeless.iter().map(|row| row.b).min();
    let also_real = hopeless.iter().filter(|row| row.real_values.is_pathological()).count();
    let last = record.grains.iter().filter(|row| row.required.is_some()).max_by_key(|row| row.b);
    section.p(html! {
        "With few different values (grains), LGB find that deeper search hurts, and that independent leaves need more and more grains \
         as moves become more (Table 6). " (extrapolation(extrapolated)) "Independent values need no extrapolation: the joint law of a node follows from that of its children point by point. "
        @if let Some(row) = last {
            "The required number is " (row.required.unwrap_or(0)) " at b = " (row.b) ", where (9) gives "
            (format!("{:.0}", equation_9(f64::from(row.b)))) ". "
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
    section.figures([grains_figure(record, cited)?]);
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

fn grains_figure(record: &Beyond, cited: &[Cited<'_>]) -> Result<Figure, ReportError> {
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
    let fitted = (4..=2 * (last as u32 + 2)).map(|half| {
        let b = f64::from(half) / 2.0;
        (b, equation_9(b).log10())
    });
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
    let reproduced = column.iter().filter(|cited| super::reproduced(cited)).count();
    section.p(html! {
        "Of the numbers that LGB print for dependent values, " (out_of(reproduced, column.len())) " come out. What they leave open is listed below: which interval the grains cover, how \
         values are rounded, whether any of several best moves is right, and when a curve counts as pathological. Of the "
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_drawn_and_told() {
        let mut section = Section::new("lgb", "LGB");
        add(&mut section, &[], &[]).unwrap();
        // Three samples by rules, the grains, and a panel for each kind of values and number of grains.
        assert_eq!(section.figures.len(), 3 + 1 + 8);
        assert_eq!(section.tables.len(), 3);
        assert!(!section.html.0.contains("NaN"));
        // The limit is pathological from 15 moves on: computed, not extrapolated.
        assert!(section.html.0.contains("From b = 15 on there is none"), "{}", section.html.0);
    }
}
