//! Figures in the JSON of a measurement.

use prodmax_number::Figure;
use serde_json::{Value, json};

/// Significant digits of the ends of a printed enclosure.
const ENCLOSURE_DIGITS: u32 = 14;

/// What programs get in addition to the double: the key of its group in the JSON, and the value there.
pub(crate) fn certificate(figure: &Figure) -> Option<(&'static str, Value)> {
    match figure {
        Figure::Enclosed(enclosure) => {
            let ends = enclosure.decimals(ENCLOSURE_DIGITS).map(|end| end.parse::<f64>().unwrap_or(f64::NAN));
            Some(("enclosure", json!(ends)))
        }
        Figure::Fraction(fraction) => Some(("fractions", json!(fraction.to_string()))),
        Figure::Integer(_) | Figure::Between(_) | Figure::Approximate(_) => None,
    }
}
