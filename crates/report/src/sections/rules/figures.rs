//! The drawings: efficiency by root, hint, exponent and estimate, and every rule against every other.

use maud::{Markup, html};
use prodmax_mass::Curve;
use prodmax_number::fraction::to_f64;
use prodmax_output::DrawError;
use prodmax_rules::Rule;

use super::{contests, rules};
use crate::contests::ContestResults;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::heatmap::{HeatMap, Square, percent_ends};
use crate::html::{curve, indexed, var};
use crate::plot::{Axis, Line, Plot, SIZE, percent, root};
use crate::results::{ExperimentResults, ModelResults};
use crate::words;

/// An axis of percentages that starts a little below the least value.
fn efficiency(lines: &[Line]) -> Axis {
    let values = lines.iter().flat_map(|line| &line.points).map(|&(_, y)| y);
    let least = values.fold(100.0, f64::min);
    Axis { label: "efficiency (%)".into(), range: least.floor() - 0.5..100.2, ticks: 6, format: percent }
}

/// The lines in words: the first and last value of each.
fn ends(lines: &[Line]) -> String {
    let words = lines.iter().filter_map(|line| {
        let ((_, first), (_, last)) = (line.points.first()?, line.points.last()?);
        Some(format!("{} from {first:.1} to {last:.1} percent", line.name))
    });
    words.collect::<Vec<_>>().join("; ")
}

pub(in crate::sections) fn plot(
    name: &'static str,
    x: Axis,
    lines: Vec<Line>,
    caption: Markup,
) -> Result<Figure, ReportError> {
    let (label, y, alt) = (x.label.clone(), efficiency(&lines), ends(&lines));
    let plot = Plot { x, y, lines, spreads: Vec::new(), labels: Vec::new() };
    Ok(Figure {
        name,
        alt: format!("Efficiency by {label}: {alt}."),
        caption,
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// Every rule by root.
pub(super) fn over_roots(results: &ExperimentResults, depth: usize) -> Result<Figure, ReportError> {
    let all = contests(results, depth);
    let line = |(place, rule): (usize, &Rule)| {
        let point = |(model, contest): &(&ModelResults, &ContestResults)| {
            Some((model.root(), contest.efficiency_percent(rule)?))
        };
        // Of rules that differ only in their parameters, all but the first are dashed.
        let dashed = rules(results)[..place]
            .iter()
            .any(|other| Ink::of_family(other.family()) == Ink::of_family(rule.family()));
        let points = all.iter().filter_map(point).collect();
        Line { name: rule.to_string(), ink: Ink::of_family(rule.family()), dashed, dots: false, points }
    };
    let lines: Vec<Line> = rules(results).iter().enumerate().map(line).collect();
    let x = Axis { label: "root value".into(), range: -9.0..9.0, ticks: 10, format: root };
    let name = if depth == 2 { "rules-depth2" } else { "rules-depth3" };
    plot(
        name,
        x,
        lines,
        html! {
            "The share of the possible gain over random play that each rule achieves, depth " (depth) ", "
            (words::widths(all.iter().map(|(model, _)| &model.model))) "."
        },
    )
}

/// One line for each model, by a number that belongs to each rule.
fn over_rules(results: &ExperimentResults, place: impl Fn(&Rule) -> Option<f64>) -> Vec<Line> {
    let inks = [Ink::Minimax, Ink::Product, Ink::Third, Ink::Fourth, Ink::Fifth, Ink::Sixth];
    let models = [2, 3].into_iter().flat_map(|depth| contests(results, depth));
    let line = |((model, contest), ink): ((&ModelResults, &ContestResults), Ink)| {
        let point =
            |found: &crate::contests::RuleResults| Some((place(&found.rule)?, 100.0 * found.efficiency?));
        let depth = model.model.depth();
        Line {
            name: format!("depth {depth}, root {}", root(model.root())),
            ink,
            dashed: depth == 3,
            dots: false,
            points: contest.rules.iter().filter_map(point).collect(),
        }
    };
    models.zip(inks).map(line).collect()
}

/// Baum's rule by the quality of the hints.
pub(super) fn over_hints(results: &ExperimentResults) -> Result<Figure, ReportError> {
    let lines = over_rules(results, |rule| match rule {
        Rule::Baum(baum) => Some(to_f64(baum.won())),
        _ => None,
    });
    let x = Axis {
        label: "quality of the hints".into(),
        range: 0.5..1.0,
        ticks: 6,
        format: |x| format!("{x:.1}"),
    };
    let caption = html! {
        "Baum’s rule with " (indexed("P", "W")) " = " (indexed("P", "L")) " from ½, where it is Minimax, to 1, where \
         it is Product."
    };
    plot("rules-hints", x, lines, caption)
}

/// A power of two on a logarithmic axis.
pub(in crate::sections) fn power_of_two(x: f64) -> String {
    if x < 0.0 { format!("1/{:.0}", (-x).exp2()) } else { format!("{:.0}", x.exp2()) }
}

/// The means by their exponents.
pub(super) fn over_exponents(results: &ExperimentResults) -> Result<Figure, ReportError> {
    let lines = over_rules(results, |rule| match rule {
        Rule::Mean(mean) => Some(f64::from(mean.exponent()).log2()),
        _ => None,
    });
    let x = Axis { label: "exponent P of the mean".into(), range: 0.0..7.0, ticks: 8, format: power_of_two };
    let caption = html! {
        "Generalised means from the plain ones (" (var("P")) " = 1) towards Minimax. The axis is logarithmic."
    };
    plot("rules-means", x, lines, caption)
}

/// Every rule by the steepness of the estimate, at the middle root.
pub(super) fn over_steepness(results: &ExperimentResults, depth: usize) -> Result<Figure, ReportError> {
    let Some((model, _)) = super::middle(results, depth) else {
        let reason = "there is no contest".into();
        return Err(DrawError { name: "rules-steepness".into(), reason }.into());
    };
    let steepness = |contest: &ContestResults| match &contest.estimate {
        Curve::Arctan(c) | Curve::Pearl(c) => Some(to_f64(c).log2()),
        _ => None,
    };
    let line = |rule: &Rule| {
        let point = |contest: &ContestResults| Some((steepness(contest)?, contest.efficiency_percent(rule)?));
        let points = model.contests.iter().filter_map(point).collect();
        Line { name: rule.to_string(), ink: Ink::of_family(rule.family()), dashed: false, dots: true, points }
    };
    let lines: Vec<Line> = rules(results).iter().map(line).collect();
    let x = Axis {
        label: "steepness c of the estimate".into(),
        range: -2.2..8.2,
        ticks: 11,
        format: power_of_two,
    };
    let name = if depth == 2 { "rules-steepness2" } else { "rules-steepness3" };
    let root = root(model.root());
    plot(
        name,
        x,
        lines,
        html! {
            "Efficiency with other estimates, depth " (depth) ", root " (root) "; the truth is " (curve(&results.truth))
            ". The axis is logarithmic."
        },
    )
}

/// Every rule against every other.
pub(super) fn matrix(model: &ModelResults, contest: &ContestResults) -> Figure {
    let names: Vec<String> = contest.rules.iter().map(|found| found.rule.to_string()).collect();
    let square = |first: usize, second: usize| {
        let difference = contest.difference(first, second);
        Square {
            value: difference.unwrap_or(0.0),
            text: difference.map_or_else(String::new, |difference| format!("{difference:+.1}")),
            mark: "",
        }
    };
    let rows: Vec<(String, Vec<Square>)> = (0..names.len())
        .map(|first| (names[first].clone(), (0..names.len()).map(|second| square(first, second)).collect()))
        .collect();
    let values = rows.iter().flat_map(|(_, squares)| squares).map(|square| square.value.abs());
    let limit = values.fold(1.0, f64::max).ceil();
    let columns: Vec<String> = contest.rules.iter().map(|found| short(&found.rule)).collect();
    let map = HeatMap {
        title: "Every rule against every other",
        columns: &columns,
        rows: &rows,
        limit,
        left: 118.0,
        means: false,
        ends: percent_ends(limit, ["column errs less", "row errs less"]),
    };
    let words = rows.iter().map(|(name, squares)| {
        let texts: Vec<&str> = squares.iter().map(|square| square.text.as_str()).collect();
        format!("{name}: {}", texts.join(" "))
    });
    Figure {
        name: "rules-matrix",
        alt: format!(
            "Difference in percent of each rule against each other. {}.",
            words.collect::<Vec<_>>().join("; ")
        ),
        caption: html! {
            "Difference in percent of the errors in the trees on which two rules disagree: where it is positive (blue) the \
             rule of the row errs less. Truth w" sub { "4" } ", estimate w" sub { "1" } ". Root " (root(model.root())) ", increments " (model.increments()) "."
        },
        size: map.size(),
        body: map.draw(),
    }
}

/// A name that fits above a column.
fn short(rule: &Rule) -> String {
    match rule {
        Rule::Baum(baum) => format!("b:{}", baum.won()),
        Rule::Average(_) => rule.to_string().replacen("average", "avg", 1),
        Rule::Hints(_) => rule.to_string().replacen("hints", "h", 1),
        _ => rule.to_string(),
    }
}
