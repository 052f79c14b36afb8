//! The plots of the simulation study.

use maud::html;
use prodmax_number::margin::with_error;
use prodmax_simulate::{PUBLISHED_TREES, Probabilities, Ratio, Row, decision_errors};

use super::ComparedReading;
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, Spread, percent};
use crate::simulations::OneMoveGames;

/// The colours of the readings, in order; blue and orange are reserved for the rules.
const INKS: [(Ink, bool); 3] = [(Ink::Third, false), (Ink::Fourth, false), (Ink::Faint, false)];

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// A range around all values whose ends are multiples of `step`.
fn around(values: impl Iterator<Item = f64> + Clone, step: f64) -> std::ops::Range<f64> {
    let low = values.clone().filter(|value| value.is_finite()).fold(f64::INFINITY, f64::min);
    let high = values.filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return 0.0..step;
    }
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    low..if high > low { high } else { low + step }
}

/// About as many ticks as depths.
fn depth_axis(depths: &[usize]) -> Axis {
    let (first, last) = (depths.first().copied().unwrap_or(1), depths.last().copied().unwrap_or(2));
    Axis {
        label: "search depth d".into(),
        range: first as f64 - 0.4..last as f64 + 0.4,
        ticks: last - first + 2,
        format: whole,
    }
}

/// Minimax's share of the critical pairs by depth: every reading, and the published one.
pub(super) fn shares(
    readings: &[ComparedReading<'_>],
    index: usize,
    name: &'static str,
) -> Result<Figure, ReportError> {
    let mut lines = Vec::new();
    let mut spreads = Vec::new();
    // At depth 1 both choose alike, so there are no critical pairs.
    let rows = |reading: &'_ ComparedReading<'_>| -> Vec<Row> {
        reading.tables[index].rows.iter().filter(|row| row.d > 1 && row.share.is_some()).cloned().collect()
    };
    for (reading, (ink, dashed)) in readings.iter().zip(INKS.into_iter().cycle()) {
        let point = |row: &Row| Some((row.d as f64, 100.0 * row.share?.ours.value));
        let points: Vec<_> = rows(reading).iter().filter_map(point).collect();
        lines.push(Line { name: reading.label(), ink, dashed, dots: true, points });
    }
    if let Some(first) = readings.first() {
        let bar = |row: &Row| {
            let share = row.share?;
            let (middle, error) = (share.published?, share.ours.standard_error_of(PUBLISHED_TREES));
            let ends = [middle - 2.0 * error, middle + 2.0 * error].map(|end| 100.0 * end);
            Some((row.d as f64, 100.0 * middle, ends))
        };
        let bars: Vec<_> = rows(first).iter().filter_map(bar).collect();
        if !bars.is_empty() {
            spreads.push(Spread {
                ink: Ink::Text,
                filled: false,
                points: bars.iter().map(|&(d, _, [low, high])| (d, low, high)).collect(),
            });
            lines.push(Line {
                name: "published".to_owned(),
                ink: Ink::Text,
                dashed: true,
                dots: true,
                points: bars.iter().map(|&(d, middle, _)| (d, middle)).collect(),
            });
        }
    }
    let depths: Vec<usize> =
        readings.first().map_or_else(Vec::new, |first| rows(first).iter().map(|row| row.d).collect());
    let values = lines.iter().flat_map(|line| line.points.iter().map(|&(_, y)| y));
    let ends = spreads.iter().flat_map(|spread| spread.points.iter().flat_map(|&(_, low, high)| [low, high]));
    let range = around(values.chain(ends).chain([50.0]), 5.0);
    let x = depth_axis(&depths);
    let even = vec![(x.range.start, 50.0), (x.range.end, 50.0)];
    lines.push(Line { name: String::new(), ink: Ink::Faint, dashed: false, dots: false, points: even });
    let plot = Plot {
        x,
        y: Axis { label: "Minimax wins (% of critical pairs)".into(), range, ticks: 8, format: percent },
        lines,
        spreads,
        labels: Vec::new(),
    };
    let probabilities = Probabilities::ALL[index];
    let trees = readings.first().map_or(0, |first| first.results.trees.len());
    let smaller = (trees as f64 / PUBLISHED_TREES as f64).sqrt();
    Ok(Figure {
        name,
        alt: format!(
            "Minimax's share of the critical game pairs by search depth, {}: published with error bars, and each \
             reading. The numbers are in the tables below.",
            probabilities.table()
        ),
        caption: html! {
            (probabilities.table()) ", Product with " (probabilities.name()) " probabilities. Below 50 % Product \
             wins more. The bars are ±2 standard errors of a sample of " (PUBLISHED_TREES) " trees; those of our \
             figures are "
            (format!("{smaller:.0}")) " times smaller."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// Name, colour, whether dashed, and the error rate at each depth.
type Curve = (&'static str, Ink, bool, Vec<(usize, Ratio)>);

/// Fig. 6.
pub(super) fn decisions(reading: &ComparedReading<'_>) -> Result<Figure, ReportError> {
    let name = "decision-errors";
    let errors = decision_errors(reading.results);
    let curves: [Curve; 3] = [
        ("Minimax", Ink::Minimax, false, errors.iter().map(|at| (at.d, at.estimated[0])).collect()),
        ("Product-est", Ink::Product, true, errors.iter().map(|at| (at.d, at.estimated[1])).collect()),
        ("Product-actual", Ink::Product, false, errors.iter().map(|at| (at.d, at.actual[1])).collect()),
    ];
    let ends = |ratio: Ratio| {
        [-2.0, 2.0].map(|errors: f64| 100.0 * errors.mul_add(ratio.standard_error, ratio.value))
    };
    let spread = |(_, ink, _, points): &Curve| Spread {
        ink: *ink,
        filled: false,
        points: points
            .iter()
            .map(|&(d, ratio)| {
                let [low, high] = ends(ratio);
                (d as f64, low, high)
            })
            .collect(),
    };
    let spreads: Vec<Spread> = curves.iter().map(spread).collect();
    let lines = curves.into_iter().map(|(name, ink, dashed, points)| Line {
        name: name.to_owned(),
        ink,
        dashed,
        dots: true,
        points: points.into_iter().map(|(d, ratio)| (d as f64, 100.0 * ratio.value)).collect(),
    });
    let values =
        spreads.iter().flat_map(|spread| spread.points.iter().flat_map(|&(_, low, high)| [low, high]));
    let range = around(values, 0.5);
    let depths: Vec<usize> = errors.iter().map(|at| at.d).collect();
    let plot = Plot {
        x: depth_axis(&depths),
        y: Axis { label: "wrong decisions (%)".into(), range, ticks: 7, format: percent },
        lines: lines.collect(),
        spreads,
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: "Wrong move decisions in percent by search depth, as in Fig. 6 of the paper: Minimax, Product with \
              estimated and Product with actual probabilities, with error bars. The numbers are in the table below."
            .to_owned(),
        caption: html! {
            "Wrong move decisions in percent of all decisions, " (reading.name()) " (" (reading.results.trees.len())
            " trees). The bars are ±2 standard errors over trees; they are the same trees for all three curves, so \
             differences are more certain than the bars suggest."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// The critical share of more and more random trees, and the exact one.
pub(super) fn convergence(games: &OneMoveGames, name: &'static str) -> Result<Figure, ReportError> {
    let exact = games.critical;
    let logarithm = |trees: u64| (trees as f64).log10();
    let band = |width: f64| Spread {
        ink: Ink::Third,
        filled: true,
        points: games
            .points
            .iter()
            .map(|point| {
                let error = width * (exact * (1.0 - exact) / point.trees as f64).sqrt();
                (logarithm(point.trees), 100.0 * (exact - error).max(0.0), 100.0 * (exact + error))
            })
            .collect(),
    };
    let (first, last) = match games.points.as_slice() {
        [first, .., last] => (logarithm(first.trees), logarithm(last.trees)),
        _ => (2.0, 3.0),
    };
    let spreads = vec![band(2.0), band(1.0)];
    let simulated: Vec<_> = games
        .points
        .iter()
        .map(|point| (logarithm(point.trees), 100.0 * point.rate(point.critical).0))
        .collect();
    let ends = spreads[0].points.iter().flat_map(|&(_, low, high)| [low, high]);
    let range = around(ends.chain(simulated.iter().map(|&(_, y)| y)), 1.0);
    let outside = games.points.iter().zip(&spreads[0].points).filter(|(point, (_, low, high))| {
        let rate = 100.0 * point.rate(point.critical).0;
        rate < *low || rate > *high
    });
    let outside = outside.count();
    let line =
        |name: &str, ink, dots, points| Line { name: name.to_owned(), ink, dashed: false, dots, points };
    // The last label needs space to the right of the last point.
    let plot = Plot {
        x: Axis { label: "random trees".into(), range: first..last + 0.15, ticks: 4, format: power_of_ten },
        y: Axis { label: "critical trees (%)".into(), range, ticks: 7, format: percent },
        lines: vec![
            line(
                &format!("exact: {:.3} %", 100.0 * exact),
                Ink::Third,
                false,
                vec![(first, 100.0 * exact), (last, 100.0 * exact)],
            ),
            line("simulated", Ink::Text, true, simulated),
        ],
        spreads,
        labels: Vec::new(),
    };
    let spec = &games.spec;
    let root = crate::plot::root(spec.root as f64);
    let simulated = games.points.last().map_or((0.0, 0.0), |point| point.rate(point.critical));
    let found = format!("{} %", with_error(100.0 * simulated.0, 100.0 * simulated.1));
    Ok(Figure {
        name,
        alt: format!(
            "The percentage of critical trees among more and more random trees of depth {}, converging to the exact \
             {:.3} percent; in the end {found}.",
            spec.tree_depth,
            100.0 * exact
        ),
        caption: html! {
            "Depth " (spec.tree_depth) ", root " (root) ", increments up to " (spec.increment) ". The bands are 1 \
             and 2 standard errors around the exact figure; " (outside) " of " (games.points.len()) " points lie \
             outside both. Each point includes all trees of those before it, so one excursion shows in several. In \
             the end: " (found) "."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

/// The number with this logarithm.
fn power_of_ten(logarithm: f64) -> String {
    if logarithm.fract() == 0.0 { whole(10f64.powf(logarithm)) } else { String::new() }
}
