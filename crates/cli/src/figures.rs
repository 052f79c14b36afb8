//! Figures for readers and for programs, whatever numbers they were computed in.

use prodmax_mass::measure::Outcome;
use prodmax_mass::{Figures, Mass, Measured};
use prodmax_number::arctan::to_f64;
use prodmax_number::fraction::decimal;
use prodmax_number::{Enclosure, Fraction};
use serde_json::{Map, Value, json};

use crate::output::Cell;

/// Significant digits of the ends of a printed enclosure.
const ENCLOSURE_DIGITS: u32 = 14;

/// A figure that can be shown.
pub(crate) trait Figure {
    /// The nearest double.
    fn double(&self) -> f64;

    /// As a decimal with so many places.
    fn places(&self, places: u32) -> String;

    /// What a program gets beyond the double: the key of the group it belongs to, and the value there.
    fn certificate(&self) -> Option<(&'static str, Value)> {
        None
    }
}

impl Figure for f64 {
    fn double(&self) -> f64 {
        *self
    }
    fn places(&self, places: u32) -> String {
        // Beyond the whole numbers that a double can hold, decimals would be noise.
        if self.abs() >= 1e15 { format!("{self:.15e}") } else { format!("{self:.*}", places as usize) }
    }
}

impl Figure for Enclosure {
    fn double(&self) -> f64 {
        to_f64(&self.middle())
    }
    /// No more digits than the enclosure is narrow enough for.
    fn places(&self, places: u32) -> String {
        let certain = (-to_f64(&self.width()).log10()).floor();
        if certain >= f64::from(places) {
            return decimal(&self.middle(), places);
        }
        if certain >= 0.0 {
            return decimal(&self.middle(), certain as u32);
        }
        let middle = self.double();
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
    fn places(&self, places: u32) -> String {
        decimal(self, places)
    }
    fn certificate(&self) -> Option<(&'static str, Value)> {
        Some(("fractions", json!(self.to_string())))
    }
}

/// The figures of a measurement by their names in JSON; `None` where there is nothing to divide by.
pub(crate) fn named(measured: &Measured) -> Vec<(&'static str, Option<&dyn Figure>)> {
    match measured {
        Measured::F64(outcome) => names(outcome),
        Measured::Certified(outcome) => names(outcome),
        Measured::Exact(outcome) => names(outcome),
    }
}

fn names<N: Figure>(outcome: &Outcome<N>) -> Vec<(&'static str, Option<&dyn Figure>)> {
    let Mass { first_error, second_error } = &outcome.mass;
    let Figures { share_first, difference_percent, per_case_percent } = &outcome.figures;
    vec![
        ("minimax_error", Some(first_error)),
        ("product_error", Some(second_error)),
        ("share_minimax", optional(share_first)),
        ("difference_percent", optional(difference_percent)),
        ("per_case_percent", optional(per_case_percent)),
    ]
}

fn optional<N: Figure>(figure: &Option<N>) -> Option<&dyn Figure> {
    figure.as_ref().map(|figure| figure as &dyn Figure)
}

/// The figures of a measurement for JSON: each as a number (or null), and beside them, grouped, what proves it.
pub(crate) fn insert(object: &mut Map<String, Value>, measured: &Measured) {
    let mut certificates: Map<String, Value> = Map::new();
    let mut group = None;
    for (name, figure) in named(measured) {
        object.insert(name.to_owned(), figure.map_or(Value::Null, |figure| json!(figure.double())));
        let certificate = figure.and_then(Figure::certificate);
        if let Some((key, value)) = certificate {
            group = Some(key);
            certificates.insert(name.to_owned(), value);
        } else if !matches!(measured, Measured::F64(_)) {
            certificates.insert(name.to_owned(), Value::Null);
        }
    }
    if let Some(key) = group {
        object.insert(key.to_owned(), Value::Object(certificates));
    }
}

/// A figure for a table; a dash where there is none.
pub(crate) fn cell(figure: Option<&dyn Figure>, places: u32) -> Cell {
    figure.map_or_else(|| Cell::with_latex("-", "--"), |figure| figure.places(places).into())
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
