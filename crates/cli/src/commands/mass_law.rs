//! `prodmax mass` by the law of values: bounds or estimates for models of any depth.

use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, Zero};
use prodmax_enumerate::Model;
use prodmax_mass::law::{Estimate, Interval, LawFigures, Shares};
use prodmax_number::Fraction;
use serde_json::{Map, Value, json};

use crate::charts::Point;
use crate::effort;
use crate::format_number;
use crate::law_args::{Answer, LawMeasurement};
use crate::measure_args::LawMeasure;
use crate::output::{Cell, Column, Table};

/// Significant digits of a mass.
const DIGITS: usize = 13;

/// A figure of either kind.
#[derive(Clone, Copy)]
struct Shown {
    value: f64,
    /// How far it may be off, or the interval that certainly contains it.
    ends: Interval,
}

impl From<Estimate> for Shown {
    fn from(Estimate { value, error }: Estimate) -> Self {
        Self { value, ends: [value - error, value + error] }
    }
}

impl From<Interval> for Shown {
    fn from(ends: Interval) -> Self {
        Self { value: f64::midpoint(ends[0], ends[1]), ends }
    }
}

fn shown(answer: &Answer) -> (Shares<Shown>, LawFigures<Shown>) {
    fn figures<N: Into<Shown> + Copy>(figures: &LawFigures<N>) -> LawFigures<Shown> {
        LawFigures {
            share_first: figures.share_first.map(Into::into),
            difference_percent: figures.difference_percent.map(Into::into),
            per_case_percent: figures.per_case_percent.map(Into::into),
        }
    }
    match answer {
        Answer::Estimate(found) => (found.shares.map(Into::into), figures(&found.figures)),
        Answer::Bounds(found) => (found.shares.map(Into::into), figures(&found.figures)),
    }
}

fn is_estimate(measurement: &LawMeasurement) -> bool {
    matches!(measurement.answer, Answer::Estimate(_))
}

/// Everything about one model.
pub(crate) fn json(law: &LawMeasure, model: &Model, measurement: &LawMeasurement) -> Value {
    let estimate = is_estimate(measurement);
    let (shares, figures) = shown(&measurement.answer);
    let trees = model.trees();
    let mut object = Map::new();
    let mut margins = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("root", json!(model.root().get()));
    put("increments", json!(model.increments()));
    put("zero", json!(model.line().zero().to_string()));
    put("h_max", json!(model.line().h_max()));
    put("truth", json!(law.truth.to_string()));
    put("estimate", json!(law.estimate.to_string()));
    put("number", json!(law.number.to_string()));
    put("engine", json!("law"));
    put("kind", json!(if estimate { "estimate" } else { "bounds" }));
    put("grid", json!(measurement.steps));
    put("trees", json!(trees.to_string()));
    for (key, share) in [
        ("critical", shares.critical),
        ("minimax_error", shares.first_error),
        ("product_error", shares.second_error),
    ] {
        put(key, json!(times(share.value, &trees, Round::Nearest)));
        put(&format!("{key}_share"), json!(share.value));
        let [low, high] = share.ends;
        margins.insert(
            key.to_owned(),
            if estimate {
                json!(times((high - low) / 2.0, &trees, Round::Up))
            } else {
                json!([times(low, &trees, Round::Down), times(high, &trees, Round::Up)])
            },
        );
        margins.insert(format!("{key}_share"), margin(share, estimate));
    }
    for (key, figure) in [
        ("share_minimax", figures.share_first),
        ("difference_percent", figures.difference_percent),
        ("per_case_percent", figures.per_case_percent),
    ] {
        put(key, figure.map_or(Value::Null, |figure| json!(figure.value)));
        margins.insert(key.to_owned(), figure.map_or(Value::Null, |figure| margin(figure, estimate)));
    }
    put(if estimate { "error_estimate" } else { "enclosure" }, Value::Object(margins));
    Value::Object(object)
}

fn margin(Shown { ends: [low, high], .. }: Shown, estimate: bool) -> Value {
    if estimate { json!((high - low) / 2.0) } else { json!([low, high]) }
}

/// The direction in which the last digit is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Down,
    Nearest,
    Up,
}

/// A share of all trees as a decimal number, with a power of ten if it has more digits than a double.
fn times(share: f64, trees: &BigUint, round: Round) -> String {
    let share = Fraction::from_f64(share).unwrap_or_else(Fraction::zero);
    let exact = share * BigInt::from(trees.clone());
    let whole = exact.floor().to_integer();
    let (_, digits) = whole.into_parts();
    let text = digits.to_string();
    if text.len() <= DIGITS {
        // Few trees: with decimals.
        let places = 6u32;
        let scale = Fraction::from_integer(BigInt::from(10).pow(places));
        let scaled = match round {
            Round::Down => (exact * &scale).floor(),
            Round::Nearest => (exact * &scale).round(),
            Round::Up => (exact * &scale).ceil(),
        };
        return prodmax_number::fraction::decimal(&(scaled / scale), places);
    }
    let unit = BigUint::from(10u32).pow((text.len() - DIGITS) as u32);
    let kept = match round {
        Round::Down => digits / &unit,
        Round::Nearest => (digits + &unit / 2u32) / &unit,
        Round::Up => digits / &unit + 1u32,
    };
    let kept = kept.to_string();
    let power = text.len() - 1 + (kept.len() - DIGITS);
    format!("{}.{}e{power}", &kept[..1], &kept[1..DIGITS])
}

/// All models in one table.
pub(crate) fn table(law: &LawMeasure) -> Table {
    let mut columns = vec![Column::right("root"), Column::left("increments")];
    let numbers = [
        "trees",
        "critical %",
        "minimax error %",
        "product error %",
        "share %",
        "difference %",
        "per case %",
    ];
    columns.extend(numbers.map(Column::right));
    let mut notes = vec![format!("Truth {}, estimate {}.", law.truth, law.estimate)];
    notes.extend(law.measurements.iter().map(|(model, measurement)| note(model, measurement)));
    Table {
        id: "mass".to_owned(),
        title: "Critical trees and the error mass of both rules, in percent of all trees (a positive difference favours Minimax)"
            .to_owned(),
        columns,
        rows: law.measurements.iter().map(|(model, measurement)| row(model, measurement)).collect(),
        notes,
    }
}

fn row(model: &Model, measurement: &LawMeasurement) -> Vec<Cell> {
    let estimate = is_estimate(measurement);
    let (root, increments) = effort::name(model);
    let (shares, figures) = shown(&measurement.answer);
    let cell = |figure: Option<Shown>, factor: f64| -> Cell {
        figure.map_or_else(|| Cell::with_latex("-", "--"), |figure| text(figure, factor, estimate).into())
    };
    vec![
        root.into(),
        increments.into(),
        format_number::cell(&model.trees()),
        cell(Some(shares.critical), 100.0),
        cell(Some(shares.first_error), 100.0),
        cell(Some(shares.second_error), 100.0),
        cell(figures.share_first, 100.0),
        cell(figures.difference_percent, 1.0),
        cell(figures.per_case_percent, 1.0),
    ]
}

/// A figure with its margin: `1.2345 ± 0.0006`, or `1.2 to 1.3` for an interval.
fn text(Shown { value, ends: [low, high] }: Shown, factor: f64, estimate: bool) -> String {
    let [value, low, high] = [value, low, high].map(|number| number * factor);
    // Two digits of the margin.
    let places = (1.0 - ((high - low) / 2.0).log10().floor()).clamp(1.0, 9.0) as usize;
    let unit = 10f64.powi(places as i32);
    if estimate {
        let margin = ((high - low) / 2.0 * unit).ceil() / unit;
        format!("{value:.places$} ± {margin:.places$}")
    } else {
        // Rounded outwards.
        let (low, high) = ((low * unit).floor() / unit, (high * unit).ceil() / unit);
        format!("{low:.places$} to {high:.places$}")
    }
}

/// The difference of each model, for a drawing.
pub(crate) fn points(law: &LawMeasure) -> impl Iterator<Item = (&Model, Option<Point>)> {
    law.measurements.iter().map(|(model, measurement)| {
        let difference = shown(&measurement.answer).1.difference_percent;
        (model, difference.map(|Shown { value, ends }| Point { value, ends: Some(ends) }))
    })
}

/// A note on what kind of figures these are.
fn note(model: &Model, measurement: &LawMeasurement) -> String {
    let (root, increments) = effort::name(model);
    let steps = measurement.steps;
    if is_estimate(measurement) {
        format!(
            "Root {root}, increments {increments}: estimates by the law of values, extrapolated from grids of {}, {} and \
             {steps} steps per unit; the margins are estimates, too.",
            steps / 4,
            steps / 2
        )
    } else {
        format!(
            "Root {root}, increments {increments}: certified by the law of values, rounded down and up on a grid of {steps} \
             steps per unit; every interval is certain to contain the figure."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_decimal_numbers_of_any_size() {
        let trees = BigUint::from(10u32).pow(400);
        assert_eq!(times(0.25, &trees, Round::Nearest), "2.500000000000e399");
        assert_eq!(times(0.25, &trees, Round::Up), "2.500000000001e399");
        assert_eq!(times(1.0, &(trees - 1u32), Round::Nearest), "1.000000000000e400");
        let few = BigUint::from(1000u32);
        assert_eq!(times(0.25, &few, Round::Down), "250.000000");
        assert_eq!(times(0.0, &few, Round::Up), "0.000000");
    }

    #[test]
    fn figures_are_shown_with_their_margins() {
        let estimate = Shown { value: 1.234_56, ends: [1.234_005, 1.235_115] };
        assert_eq!(text(estimate, 1.0, true), "1.23456 ± 0.00056");
        assert_eq!(text(Shown::from([-0.5, 0.25]), 1.0, false), "-0.50 to 0.25");
    }
}
