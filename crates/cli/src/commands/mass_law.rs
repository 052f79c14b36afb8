//! `prodmax mass` by the law of values: bounds or estimates for models of any depth.

use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, Zero};
use prodmax_enumerate::Model;
use prodmax_mass::law::{Interval, LawFigures, LawQuality, Shares};
use prodmax_number::margin::places;
use prodmax_number::{Approximate, Fraction};
use serde_json::{Map, Value, json};

use super::mass;
use crate::charts::Point;
use crate::effort::{self, Naming};
use crate::figures;
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

impl From<Approximate> for Shown {
    fn from(figure: Approximate) -> Self {
        let (value, error) = (figure.value, figure.error());
        Self { value, ends: [value - error, value + error] }
    }
}

impl From<Interval> for Shown {
    fn from(ends: Interval) -> Self {
        Self { value: f64::midpoint(ends[0], ends[1]), ends }
    }
}

impl Shown {
    /// The difference; its ends are rounded outwards.
    fn minus(self, other: Self) -> Self {
        let [low, high] = [self.ends[0] - other.ends[1], self.ends[1] - other.ends[0]];
        Self { value: self.value - other.value, ends: [low.next_down(), high.next_up()] }
    }

    /// The figure of the same trees if the two rules change places: c - x.
    fn mirrored(self, c: f64) -> Self {
        let [low, high] = self.ends;
        Self { value: c - self.value, ends: [c - high, c - low] }
    }
}

/// What was measured, with Minimax first or second as it was asked for.
struct Found {
    shares: Shares<Shown>,
    figures: LawFigures<Shown>,
    quality: Option<LawQuality<Shown>>,
}

impl Found {
    fn of(law: &LawMeasure, measurement: &LawMeasurement) -> Self {
        fn convert<N: Into<Shown> + Copy>(
            shares: &Shares<N>,
            figures: &LawFigures<N>,
            quality: Option<&LawQuality<N>>,
        ) -> Found {
            Found {
                shares: shares.map(Into::into),
                figures: LawFigures {
                    share_first: figures.share_first.map(Into::into),
                    difference_percent: figures.difference_percent.map(Into::into),
                    per_case_percent: figures.per_case_percent.map(Into::into),
                },
                quality: quality.map(|quality| LawQuality {
                    won: quality.won.map(Into::into),
                    efficiency: quality.efficiency.map(|figure| figure.map(Into::into)),
                    ideal: quality.ideal.into(),
                    random: quality.random.into(),
                }),
            }
        }
        let mut found = match &measurement.answer {
            Answer::Estimate(found) => convert(&found.shares, &found.figures, found.quality.as_ref()),
            Answer::Bounds(found) => convert(&found.shares, &found.figures, found.quality.as_ref()),
        };
        if law.rules.swapped {
            let Self { shares, figures, quality } = &mut found;
            std::mem::swap(&mut shares.first_error, &mut shares.second_error);
            figures.share_first = figures.share_first.map(|share| share.mirrored(1.0));
            for figure in [&mut figures.difference_percent, &mut figures.per_case_percent] {
                *figure = figure.map(|figure| figure.mirrored(0.0));
            }
            if let Some(quality) = quality {
                quality.won.reverse();
                quality.efficiency.reverse();
            }
        }
        found
    }
}

fn is_estimate(measurement: &LawMeasurement) -> bool {
    matches!(measurement.answer, Answer::Estimate(_))
}

/// Everything about one model.
pub(crate) fn json(law: &LawMeasure, model: &Model, measurement: &LawMeasurement) -> Value {
    let estimate = is_estimate(measurement);
    let found = Found::of(law, measurement);
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
    if law.named {
        put("rules", json!(law.rules.rules.names()));
    }
    put("engine", json!("law"));
    put("kind", json!(if estimate { "estimate" } else { "bounds" }));
    put("grid", json!(measurement.steps));
    put("trees", json!(trees.to_string()));
    effort::put_branching(&mut object, model);
    let names = law.rules.rules.names();
    let path = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    // The keys of a sum over trees and of its share of all trees.
    let error = |key: &str, name: &str| {
        if law.named {
            [path(&["errors", name]), path(&["error_shares", name])]
        } else {
            [path(&[key]), path(&[&format!("{key}_share")])]
        }
    };
    for ([sum, part], share) in [
        ([path(&["critical"]), path(&["critical_share"])], found.shares.critical),
        (error("minimax_error", names[0]), found.shares.first_error),
        (error("product_error", names[1]), found.shares.second_error),
    ] {
        let [low, high] = share.ends;
        figures::put(&mut object, &sum, json!(times(share.value, &trees, Round::Nearest)));
        figures::put(&mut object, &part, json!(share.value));
        let sum_margin = if estimate {
            json!(times((high - low) / 2.0, &trees, Round::Up))
        } else {
            json!([times(low, &trees, Round::Down), times(high, &trees, Round::Up)])
        };
        figures::put(&mut margins, &sum, sum_margin);
        figures::put(&mut margins, &part, margin(share, estimate));
    }
    let share = if law.named { "share_first" } else { "share_minimax" };
    let mut figures = vec![
        (path(&[share]), found.figures.share_first),
        (path(&["difference_percent"]), found.figures.difference_percent),
        (path(&["per_case_percent"]), found.figures.per_case_percent),
    ];
    if let Some(quality) = &found.quality {
        for (rule, name) in names.into_iter().enumerate() {
            figures.push((path(&["quality", name, "won"]), Some(quality.won[rule])));
            figures.push((path(&["quality", name, "efficiency"]), quality.efficiency[rule]));
        }
        figures.push((path(&["ties_points"]), Some(ties_points(&found.shares, quality))));
        figures.push((path(&["won_ideal"]), Some(quality.ideal)));
        figures.push((path(&["won_random"]), Some(quality.random)));
    }
    for (path, figure) in &figures {
        figures::put(&mut object, path, figure.map_or(Value::Null, |figure| json!(figure.value)));
        figures::put(&mut margins, path, figure.map_or(Value::Null, |figure| margin(figure, estimate)));
    }
    let key = if estimate { "error_estimate" } else { "enclosure" };
    object.insert(key.to_owned(), Value::Object(margins));
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
    let naming = Naming::of(law.measurements.iter().map(|(model, _)| model));
    let mut columns = naming.columns();
    let [first, second] = law.rules.rules.names();
    let mut heads = ["trees", "critical %"].map(str::to_owned).to_vec();
    heads.extend([first, second].map(|name| format!("{name} won %")));
    heads.extend(["ties, points", "difference %"].map(str::to_owned));
    heads.extend([first, second].map(|name| format!("{name} error %")));
    heads.extend(["share %", "per case %"].map(str::to_owned));
    heads.extend([first, second].map(|name| format!("{name} efficiency %")));
    heads.extend(["ideal won %", "random won %"].map(str::to_owned));
    let found: Vec<(&Model, &LawMeasurement, Found)> = law
        .measurements
        .iter()
        .map(|(model, measured)| (model, measured, Found::of(law, measured)))
        .collect();
    columns.extend(heads.into_iter().map(Column::right));
    let mut notes = vec![format!("Truth {}, estimate {}.", law.truth, law.estimate)];
    notes.extend(found.iter().filter_map(|(model, _, found)| {
        let (quality, difference) = (found.quality.as_ref()?, found.figures.difference_percent?);
        // Only signs that the margins allow.
        let certain = |figure: Shown| figure.ends[0] * figure.ends[1] > 0.0;
        let lead = lead(quality);
        if !certain(difference) || !certain(lead) {
            return None;
        }
        mass::disagreement(model, [first, second], [lead.value, 0.0], difference.value)
    }));
    notes.extend(law.measurements.iter().map(|(model, measurement)| note(model, measurement)));
    Table {
        id: "mass".to_owned(),
        title: mass::title(first, ", in percent of all trees"),
        columns,
        rows: found
            .iter()
            .map(|(model, measurement, found)| row(naming, model, measurement, found))
            .collect(),
        notes,
    }
}

fn row(naming: Naming, model: &Model, measurement: &LawMeasurement, found: &Found) -> Vec<Cell> {
    let estimate = is_estimate(measurement);
    let cell = |figure: Option<Shown>, factor: f64| -> Cell {
        figure.map_or_else(|| Cell::with_latex("-", "--"), |figure| text(figure, factor, estimate).into())
    };
    let Found { shares, figures, quality } = found;
    let mut row = naming.cells(model);
    let won = |rule: usize| quality.as_ref().map(|quality| quality.won[rule]);
    let efficiency = |rule: usize| quality.as_ref().and_then(|quality| quality.efficiency[rule]);
    row.extend([
        format_number::cell(&model.trees()),
        cell(Some(shares.critical), 100.0),
        cell(won(0), 100.0),
        cell(won(1), 100.0),
        cell(quality.as_ref().map(|quality| ties_points(shares, quality)), 1.0),
        cell(figures.difference_percent, 1.0),
        cell(Some(shares.first_error), 100.0),
        cell(Some(shares.second_error), 100.0),
        cell(figures.share_first, 100.0),
        cell(figures.per_case_percent, 1.0),
        cell(efficiency(0), 100.0),
        cell(efficiency(1), 100.0),
        cell(quality.as_ref().map(|quality| quality.ideal), 100.0),
        cell(quality.as_ref().map(|quality| quality.random), 100.0),
    ]);
    row
}

/// What the first rule wins more than the second one.
fn lead(quality: &LawQuality<Shown>) -> Shown {
    quality.won[0].minus(quality.won[1])
}

/// What ties contribute to that lead, in percentage points; the rest is (e2 - e1) / trees.
fn ties_points(shares: &Shares<Shown>, quality: &LawQuality<Shown>) -> Shown {
    let Shown { value, ends } = lead(quality).minus(shares.second_error.minus(shares.first_error));
    let [low, high] = ends.map(|end| 100.0 * end);
    Shown { value: 100.0 * value, ends: [low.next_down(), high.next_up()] }
}

/// A figure with its margin: `1.2345 ± 0.0006`, or `1.2 to 1.3` for an interval.
fn text(Shown { value, ends: [low, high] }: Shown, factor: f64, estimate: bool) -> String {
    let [value, low, high] = [value, low, high].map(|number| number * factor);
    // Two digits of the margin.
    let places = places((high - low) / 2.0).clamp(1, 9);
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

/// The difference of a model, for a drawing.
pub(crate) fn point(law: &LawMeasure, measurement: &LawMeasurement) -> Option<Point> {
    let difference = Found::of(law, measurement).figures.difference_percent;
    difference.map(|Shown { value, ends }| Point { value, ends: Some(ends) })
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
