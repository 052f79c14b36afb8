//! Figures for readers and for programs, in any kind of number.

use prodmax_mass::{Figures, Mass, MassFigures, Measured};
use prodmax_number::fraction::decimal;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Enclosure, Fraction};
use serde_json::{Map, Value, json};

use crate::format_number;
use crate::output::Cell;

/// Significant digits of the ends of a printed enclosure.
const ENCLOSURE_DIGITS: u32 = 14;

/// Close to the greatest whole number that a double can hold; decimals would be noise.
const WITHOUT_DECIMALS: f64 = 1e15;

/// A figure that can be shown.
pub(crate) trait Figure {
    /// The nearest double.
    fn double(&self) -> f64;

    /// As a decimal with `places` places.
    fn places(&self, places: u32) -> String;

    /// For a table, with `places` decimals unless the reader wants more or fewer.
    fn cell(&self, places: u32) -> Cell;

    /// The same in percent.
    fn percent(&self, places: u32) -> Cell {
        Cell::decimal(100.0 * self.double(), places as usize)
    }

    /// What programs get in addition to the double: the key of its group in the JSON, and the value there.
    fn certificate(&self) -> Option<(&'static str, Value)> {
        None
    }
}

impl Figure for f64 {
    fn double(&self) -> f64 {
        *self
    }
    fn cell(&self, places: u32) -> Cell {
        if self.abs() >= WITHOUT_DECIMALS {
            return self.places(places).into();
        }
        Cell::decimal(*self, places as usize)
    }
    fn places(&self, places: u32) -> String {
        if self.abs() >= WITHOUT_DECIMALS {
            format!("{self:.15e}")
        } else {
            format!("{self:.*}", places as usize)
        }
    }
}

impl Figure for Enclosure {
    fn double(&self) -> f64 {
        to_f64(&self.middle())
    }
    fn cell(&self, places: u32) -> Cell {
        cell_of(self, places)
    }
    /// Only as many digits as the width of the enclosure allows.
    fn places(&self, places: u32) -> String {
        let certain = (-to_f64(&self.width()).log10()).floor();
        if certain >= f64::from(places) {
            return decimal(&self.middle(), places);
        }
        if certain >= 0.0 {
            return decimal(&self.middle(), certain as u32);
        }
        let middle = self.double();
        if !middle.is_finite() {
            // For a mass over more trees than doubles can hold, the first digits.
            return format_number::cell(self.middle().to_integer().magnitude()).text;
        }
        let digits = (middle.abs().log10().floor() + certain).clamp(0.0, 15.0);
        format!("{middle:.*e}", digits as usize)
    }
    fn certificate(&self) -> Option<(&'static str, Value)> {
        let ends = self.decimals(ENCLOSURE_DIGITS).map(|end| end.parse::<f64>().unwrap_or(f64::NAN));
        Some(("enclosure", json!(ends)))
    }
}

impl Figure for Fraction {
    fn double(&self) -> f64 {
        to_f64(self)
    }
    fn cell(&self, places: u32) -> Cell {
        cell_of(self, places)
    }
    fn places(&self, places: u32) -> String {
        decimal(self, places)
    }
    fn certificate(&self) -> Option<(&'static str, Value)> {
        Some(("fractions", json!(self.to_string())))
    }
}

/// How figures are named in JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys<'a> {
    /// Minimax against Product, with the keys they have always had.
    Khs,
    /// By the names of the rules.
    Rules([&'a str; 2]),
}

/// A figure and its path in the JSON; `None` if there is nothing to divide by.
pub(crate) type Placed<'a> = (Vec<String>, Option<&'a dyn Figure>);

/// The figures of a measurement and their paths in the JSON.
pub(crate) fn placed<'a>(measured: &'a Measured, names: [&str; 2], keys: Keys<'_>) -> Vec<Placed<'a>> {
    match measured {
        Measured::F64(outcome) => places(outcome, names, keys),
        Measured::Certified(outcome) => places(outcome, names, keys),
        Measured::Exact(outcome) => places(outcome, names, keys),
    }
}

fn places<'a, N: Figure>(outcome: &'a MassFigures<N>, names: [&str; 2], keys: Keys<'_>) -> Vec<Placed<'a>> {
    let path = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let Mass { first_error, second_error } = &outcome.mass;
    let Figures { share_first, difference_percent, per_case_percent } = &outcome.figures;
    let [first, second, share] = match keys {
        Keys::Khs => [path(&["minimax_error"]), path(&["product_error"]), path(&["share_minimax"])],
        Keys::Rules([first, second]) => {
            [path(&["errors", first]), path(&["errors", second]), path(&["share_first"])]
        }
    };
    let [first_won, second_won] = &outcome.won.rules;
    // What is won comes first: the difference is relative to the errors, and leaves ties out.
    let mut placed: Vec<Placed<'a>> = vec![
        (path(&["quality", names[0], "won"]), Some(first_won)),
        (path(&["quality", names[1], "won"]), Some(second_won)),
        (path(&["ties_points"]), Some(&outcome.won.ties_points)),
        (path(&["difference_percent"]), optional(difference_percent)),
        (first, Some(first_error)),
        (second, Some(second_error)),
        (share, optional(share_first)),
        (path(&["per_case_percent"]), optional(per_case_percent)),
    ];
    if let Some(quality) = &outcome.quality {
        for (name, quality) in names.into_iter().zip(&quality.rules) {
            placed.push((path(&["quality", name, "efficiency"]), optional(&quality.efficiency)));
        }
        placed.push((path(&["won_ideal"]), Some(&quality.chances.ideal)));
        placed.push((path(&["won_random"]), Some(&quality.chances.random)));
    }
    placed
}

pub(crate) fn optional<N: Figure>(figure: &Option<N>) -> Option<&dyn Figure> {
    figure.as_ref().map(|figure| figure as &dyn Figure)
}

/// Puts figures into a JSON object: each as a number (or null) at its path, and its certificate at the same path in a
/// group of its own.
pub(crate) fn insert(object: &mut Map<String, Value>, placed: &[Placed<'_>]) {
    let group =
        placed.iter().find_map(|(_, figure)| figure.and_then(Figure::certificate)).map(|(key, _)| key);
    let mut certificates = Map::new();
    for (path, figure) in placed {
        put(object, path, figure.map_or(Value::Null, |figure| json!(figure.double())));
        let certificate = figure.and_then(Figure::certificate).map_or(Value::Null, |(_, value)| value);
        put(&mut certificates, path, certificate);
    }
    if let Some(key) = group {
        object.insert(key.to_owned(), Value::Object(certificates));
    }
}

/// Puts a value into a JSON object at a path.
pub(crate) fn put(object: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [key] => {
            object.insert(key.clone(), value);
        }
        [key, rest @ ..] => {
            let inner = object.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A cell for a figure that can be written with any number of decimals.
fn cell_of<F: Figure + Clone + Send + Sync + 'static>(figure: &F, places: u32) -> Cell {
    let figure = figure.clone();
    Cell::figure(places as usize, move |places| figure.places(places as u32))
}

/// A figure for a table; a dash if there is none.
pub(crate) fn cell(figure: Option<&dyn Figure>, places: u32) -> Cell {
    figure.map_or_else(dash, |figure| figure.cell(places))
}

/// A part of 1 for a table, in percent; a dash if there is none.
pub(crate) fn percent(figure: Option<&dyn Figure>, places: u32) -> Cell {
    figure.map_or_else(dash, |figure| figure.percent(places))
}

/// The cell for a missing figure.
pub(crate) fn dash() -> Cell {
    Cell::with_latex("-", "--")
}

#[cfg(test)]
mod tests {
    use prodmax_number::fraction::parse;

    use super::*;

    #[test]
    fn an_enclosure_shows_no_digits_that_are_not_certain() {
        let about = |middle: &str, margin: &str| {
            let [middle, margin] = [middle, margin].map(|text| Enclosure::of(&parse(text).unwrap(), 100));
            middle.widened(&margin).places(6)
        };
        assert_eq!(about("1/3", "0"), "0.333333");
        assert_eq!(about("1/3", "1/10000000000"), "0.333333");
        assert_eq!(about("1/3", "1/1000"), "0.33", "0.332 to 0.334");
        assert_eq!(about("352661248895690708353024", "120000000000"), "3.52661248896e23");
        assert_eq!(about("0", "5"), "0e0");
    }
}
