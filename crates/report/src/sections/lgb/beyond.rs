//! Beyond LGB: other rules, more moves than their trees could have, readings of Table 6, a map.

use maud::html;
use prodmax_golden::quantity::Equation9Figure;
use prodmax_pathology::study::{Beyond, RuleCurve};
use prodmax_rules::{Leaves, NamedRule, Rule};
use serde_json::json;

use super::Cited;
use super::grains::grains;
use super::map;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, Spread};
use crate::run::Comparison;
use crate::section::Section;
use crate::sections::finding::Finding;
use crate::words::{and, extremes, fixed};

/// Where deeper search hurts.
pub(in crate::sections) fn finding() -> Result<Option<Finding>, ReportError> {
    let record = Beyond::recorded().map_err(ReportError::Pathology)?;
    Ok(map::finding(&record))
}

/// Adds everything.
pub(super) fn add(
    section: &mut Section,
    cited: &[Cited<'_>],
    equation_9: &[(Equation9Figure, &Comparison)],
) -> Result<(), ReportError> {
    let record = Beyond::recorded().map_err(ReportError::Pathology)?;
    other_rules(section, &record)?;
    grains(section, &record, cited, equation_9)?;
    map::map(section, &record);
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
    let ink = |curve: &RuleCurve| Ink::of_family(curve.rule.rule.family());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_drawn_and_described() {
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
