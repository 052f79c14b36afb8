//! `prodmax mass` by the law of values: bounds or estimates for models of any depth.

use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, Zero};
use prodmax_enumerate::Model;
use prodmax_mass::{Measurement, Number, Sums};
use prodmax_number::{Figure, Fraction};
use serde_json::{Map, Value, json};

use super::mass;
use crate::effort::{self, Naming};
use crate::figures::{self, Placed, path};
use crate::format_number;
use crate::measure_args::Measured;
use crate::output::{Cell, Column, Table};

/// Significant digits of a mass.
const DIGITS: usize = 13;

/// Everything about one model.
pub(super) fn json(measured: &Measured, model: &Model, measurement: &Measurement<Figure>) -> Value {
    let estimate = is_estimate(measured);
    let trees = model.trees();
    let mut object = mass::head_json(model, measured);
    let mut margins = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("engine", json!("law"));
    put("kind", json!(if estimate { "estimate" } else { "bounds" }));
    put("grid", json!(measurement.steps));
    put("trees", json!(trees.to_string()));
    effort::put_branching(&mut object, model);
    let names = measured.rules.names();
    // The keys of a sum over trees and of its share of all trees.
    let error = |key: &str, name: &str| {
        if measured.named {
            [path(&["errors", name]), path(&["error_shares", name])]
        } else {
            [path(&[key]), path(&[&format!("{key}_share")])]
        }
    };
    let pair = &measurement.matches[0];
    if let Sums::Shares { critical, errors: [first, second] } = &pair.sums {
        for ([sum, part], share) in [
            ([path(&["critical"]), path(&["critical_share"])], critical),
            (error("minimax_error", names[0]), first),
            (error("product_error", names[1]), second),
        ] {
            let [low, high] = ends(share);
            figures::put(&mut object, &sum, json!(times(share.double(), &trees, Round::Nearest)));
            figures::put(&mut object, &part, json!(share.double()));
            let sum_margin = if estimate {
                json!(times((high - low) / 2.0, &trees, Round::Up))
            } else {
                json!([times(low, &trees, Round::Down), times(high, &trees, Round::Up)])
            };
            figures::put(&mut margins, &sum, sum_margin);
            figures::put(&mut margins, &part, margin(share, estimate));
        }
    }
    let share = if measured.named { "share_first" } else { "share_minimax" };
    let mut figures: Vec<Placed<'_>> = vec![
        (path(&[share]), pair.figures.share_first.as_ref()),
        (path(&["difference_percent"]), pair.figures.difference_percent.as_ref()),
        (path(&["per_case_percent"]), pair.figures.per_case_percent.as_ref()),
    ];
    for (quality, name) in measurement.quality.iter().zip(names) {
        figures.push((path(&["quality", name, "won"]), Some(&quality.won)));
        figures.push((path(&["quality", name, "efficiency"]), quality.efficiency.as_ref()));
    }
    if let Some(chances) = &measurement.chances {
        figures.push((path(&["ties_points"]), pair.ties_points.as_ref()));
        figures.push((path(&["won_ideal"]), Some(&chances.ideal)));
        figures.push((path(&["won_random"]), Some(&chances.random)));
    }
    for (path, figure) in &figures {
        figures::put(&mut object, path, figure.map_or(Value::Null, |figure| json!(figure.double())));
        figures::put(&mut margins, path, figure.map_or(Value::Null, |figure| margin(figure, estimate)));
    }
    let key = if estimate { "error_estimate" } else { "enclosure" };
    object.insert(key.to_owned(), Value::Object(margins));
    Value::Object(object)
}

fn is_estimate(measured: &Measured) -> bool {
    measured.number != Number::Certified
}

/// Between which doubles a figure lies, probably or certainly.
fn ends(figure: &Figure) -> [f64; 2] {
    figure.margin_ends().unwrap_or([figure.double(); 2])
}

fn margin(figure: &Figure, estimate: bool) -> Value {
    let [low, high] = ends(figure);
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
pub(super) fn table(measured: &Measured, by_law: &[(&Model, &Measurement<Figure>)]) -> Table {
    let naming = Naming::of(by_law.iter().map(|(model, _)| *model));
    let mut columns = naming.columns();
    let [first, second] = measured.rules.names();
    let mut heads = ["trees", "critical %"].map(str::to_owned).to_vec();
    heads.extend([first, second].map(|name| format!("{name} won %")));
    heads.extend(["ties, points", "difference %"].map(str::to_owned));
    heads.extend([first, second].map(|name| format!("{name} error %")));
    heads.extend(["share %", "per case %"].map(str::to_owned));
    heads.extend([first, second].map(|name| format!("{name} efficiency %")));
    heads.extend(["ideal won %", "random won %"].map(str::to_owned));
    columns.extend(heads.into_iter().map(Column::right));
    let mut notes = vec![format!("Truth {}, estimate {}.", measured.truth, measured.estimate)];
    notes.extend(by_law.iter().filter_map(|(model, measurement)| {
        let difference = measurement.matches[0].figures.difference_percent.as_ref()?;
        let [first_won, second_won] = &measurement.quality[..] else { return None };
        let ([a0, a1], [b0, b1]) = (ends(&first_won.won), ends(&second_won.won));
        // Only signs that the margins allow.
        let certain = |[low, high]: [f64; 2]| low * high > 0.0;
        if !certain(ends(difference)) || !certain([a0 - b1, a1 - b0]) {
            return None;
        }
        let won = [first_won, second_won].map(|quality| quality.won.double());
        mass::disagreement(model, [first, second], won, difference.double())
    }));
    notes.extend(by_law.iter().map(|(model, measurement)| note(measured, model, measurement)));
    Table {
        id: "mass".to_owned(),
        title: mass::title(first, ", in percent of all trees"),
        columns,
        rows: by_law.iter().map(|(model, measurement)| row(naming, model, measurement)).collect(),
        notes,
    }
}

fn row(naming: Naming, model: &Model, measurement: &Measurement<Figure>) -> Vec<Cell> {
    let cell = |figure: Option<&Figure>, factor: f64| {
        figure.map_or_else(Cell::dash, |figure| figure.with_margin(factor).into())
    };
    let pair = &measurement.matches[0];
    let critical = match &pair.sums {
        Sums::Shares { critical, .. } => Some(critical),
        Sums::Counted { .. } => None,
    };
    let [first_error, second_error] = pair.errors();
    let quality = |rule: usize| measurement.quality.get(rule);
    let chances = measurement.chances.as_ref();
    let mut row = naming.cells(model);
    row.extend([
        format_number::cell(&model.trees()),
        cell(critical, 100.0),
        cell(quality(0).map(|quality| &quality.won), 100.0),
        cell(quality(1).map(|quality| &quality.won), 100.0),
        cell(pair.ties_points.as_ref(), 1.0),
        cell(pair.figures.difference_percent.as_ref(), 1.0),
        cell(Some(first_error), 100.0),
        cell(Some(second_error), 100.0),
        cell(pair.figures.share_first.as_ref(), 100.0),
        cell(pair.figures.per_case_percent.as_ref(), 1.0),
        cell(quality(0).and_then(|quality| quality.efficiency.as_ref()), 100.0),
        cell(quality(1).and_then(|quality| quality.efficiency.as_ref()), 100.0),
        cell(chances.map(|chances| &chances.ideal), 100.0),
        cell(chances.map(|chances| &chances.random), 100.0),
    ]);
    row
}

/// A note on what kind of figures these are.
fn note(measured: &Measured, model: &Model, measurement: &Measurement<Figure>) -> String {
    let (root, increments) = effort::name(model);
    let steps = measurement.steps.unwrap_or_default();
    if is_estimate(measured) {
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
}
