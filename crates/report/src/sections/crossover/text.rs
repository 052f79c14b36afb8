//! What the thresholds say, in sentences whose figures are computed.

use maud::{Markup, html};
use num_bigint::BigInt;
use prodmax_number::Fraction;

use super::{PrintedThreshold, p_star};
use crate::exact::AsText;
use crate::html::{indexed, n_interval, var};
use crate::plot::root;
use crate::results::{ExperimentResults, ModelResults, Rates};
use crate::words::{extremes, fixed, widths};

/// The models of a depth with their rates, by ascending root.
fn models(results: &ExperimentResults, depth: usize) -> Vec<(&ModelResults, &Rates)> {
    let of_depth = results.models.iter().filter(|model| model.model.depth() == depth);
    let mut models: Vec<_> = of_depth.filter_map(|model| Some((model, model.crossover.as_ref()?))).collect();
    models.sort_by_key(|(model, _)| model.model.root().get());
    models
}

/// The first threshold in percent.
fn threshold(rates: &Rates) -> Option<f64> {
    Some(100.0 * rates.thresholds.first()?.decimal.to_f64())
}

/// The neighbouring roots of depth 2 whose thresholds a percentage lies between.
pub(in crate::sections) fn roots_around(results: &ExperimentResults, percent: f64) -> Option<(f64, f64)> {
    let models = models(results, 2);
    models.windows(2).find_map(|pair| {
        let [(first, low), (second, high)] = pair else { return None };
        let (low, high) = (threshold(low)?, threshold(high)?);
        (low.min(high) < percent && percent < low.max(high)).then(|| (first.root(), second.root()))
    })
}

/// N(I2) and N(I4).
fn counts(rates: &Rates) -> Option<(&Fraction, &Fraction)> {
    let [_, AsText(n2), _, AsText(n4), _] = rates.intervals.as_ref()?;
    Some((n2, n4))
}

/// The least root of depth 2 from which N(I4) is always at least N(I2), and their ratio there.
pub(in crate::sections) fn first_root_for_i4(results: &ExperimentResults) -> Option<(f64, f64)> {
    let models = models(results, 2);
    let favours_i4 = |rates: &Rates| counts(rates).is_some_and(|(n2, n4)| n4 >= n2);
    let from = models.iter().rposition(|(_, rates)| !favours_i4(rates)).map_or(0, |last| last + 1);
    let (model, rates) = models.get(from)?;
    Some((model.root(), rates.ratio.as_ref()?.to_f64()))
}

/// The greatest root of depth 2 up to which no critical tree has its draw value in I4.
fn last_root_without_i4(results: &ExperimentResults) -> Option<f64> {
    let zero = Fraction::from_integer(BigInt::ZERO);
    let is_without = |rates: &Rates| counts(rates).is_some_and(|(_, n4)| *n4 == zero);
    let models = models(results, 2);
    let without = models.iter().take_while(|(_, rates)| is_without(rates));
    without.last().map(|(model, _)| model.root())
}

/// How the threshold depends on the root.
pub(super) fn thresholds(results: &ExperimentResults, published: Option<&PrintedThreshold<'_>>) -> Markup {
    let highest = models(results, 3)
        .into_iter()
        .filter_map(|(model, rates)| Some((model.root(), threshold(rates)?)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    let at_depth_2 = || models(results, 2).into_iter().filter_map(|(_, rates)| threshold(rates));
    html! {
        @if let Some(published) = published {
            "The paper reports a threshold of about " (published.text()) "\u{a0}% for " (widths(published.threshold.entry.quantity.model())) " but does not \
             say for which root. "
            @match extremes(at_depth_2()) {
                Some((least, most)) if least < most => {
                    "At depth 2 it depends on the root and lies between " (fixed(least, 1)) " and " (fixed(most, 1)) "\u{a0}%"
                },
                _ => "At depth 2 it does not depend on the root",
            }
            @if let Some((low, high)) = roots_around(results, published.percent()) {
                ", and the printed value would lie between the neighbouring roots " (root(low)) " and " (root(high))
            }
            ". "
        }
        @if let Some(last) = last_root_without_i4(results) {
            "At depth 2, up to root " (root(last)) ", no critical tree has its draw value in " (indexed("I", 4))
            ", and Product is superior for every " (var("p")) ". "
        }
        @if let Some((first, _)) = first_root_for_i4(results) {
            "From root " (root(first)) " on " (p_star()) " is ½ or more, and Minimax is superior for every evaluation \
             that is right more often than wrong. "
        }
        @if let Some((at, percent)) = highest {
            "At depth 3 the threshold is highest at root " (root(at)) ", where " (fixed(percent, 0)) "\u{a0}% of the leaves may be misjudged."
        }
    }
}

/// The paper's claim about N(I2) and N(I4).
pub(super) fn claim(results: &ExperimentResults) -> Markup {
    html! {
        "The paper argues that " (n_interval(2)) " must exceed " (n_interval(4)) ". A single critical tree indeed \
         needs the wider gap on the side of " (indexed("P", 1)) "; but how often the draw value falls into either \
         gap depends on the root"
        @if let Some((first, ratio)) = first_root_for_i4(results) {
            ", and from root " (root(first)) " on it falls more often into " (indexed("I", 4)) " (the ratio there is "
            (fixed(ratio, 3)) ")"
        }
        "."
    }
}

/// The figure of the thresholds in words.
pub(super) fn describe(results: &ExperimentResults, published: Option<&PrintedThreshold<'_>>) -> String {
    let ends = |depth: usize| {
        let models = models(results, depth);
        let known: Vec<(f64, f64)> =
            models.iter().filter_map(|(model, rates)| Some((model.root(), threshold(rates)?))).collect();
        let ((first, low), (last, high)) = (known.first()?, known.last()?);
        Some(format!(
            "depth {depth} from {low:.1} percent at root {first} to {high:.1} percent at root {last}"
        ))
    };
    let depths: Vec<String> = [2, 3].into_iter().filter_map(ends).collect();
    let met = published.and_then(|published| {
        let (low, high) = roots_around(results, published.percent())?;
        Some(format!(
            "; the published {} percent is met between roots {low} and {high} at depth 2",
            published.text()
        ))
    });
    format!("The threshold error rate by root value: {}{}.", depths.join(", "), met.unwrap_or_default())
}
