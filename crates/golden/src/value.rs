//! Our computed values: exact, in an enclosure, or approximate.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use prodmax_number::fraction::{decimal, parse};
use prodmax_number::{Enclosure, Fraction, Polynomial};

/// Decimal places to which a certified value is recorded.
const RECORDED_PLACES: u32 = 15;

/// Decimal places to which a double without a bound is recorded: as many as are the same on every machine.
const DOUBLE_PLACES: u32 = 9;

/// A computed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Integer(BigInt),
    /// A fraction.
    Fraction(Fraction),
    /// A number in an enclosure.
    Certified(Enclosure),
    /// A double that was summed without a bound.
    Double(f64),
    /// The mean of a sample, and the standard error that a published sample is expected to have.
    Sampled {
        /// The mean.
        value: f64,
        /// The standard error.
        error: f64,
    },
    /// A word.
    Text(String),
    /// A polynomial in p.
    Polynomial(Polynomial),
    /// Undefined (a division by a mass of 0).
    Nothing,
}

impl Value {
    /// How the value is recorded in a golden file.
    pub fn recorded(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Fraction(value) => value.to_string(),
            Self::Certified(value) => decimal(&value.middle(), RECORDED_PLACES),
            Self::Double(value) => format!("{value:.*}", DOUBLE_PLACES as usize),
            Self::Sampled { value, error } => format!("{value:.6} ± {error:.6}"),
            Self::Text(text) => text.clone(),
            Self::Polynomial(polynomial) => polynomial.to_string(),
            Self::Nothing => "none".to_owned(),
        }
    }

    /// How it is shown next to the published figure: rounded to `places`, a few digits more than that has.
    pub fn shown(&self, places: u32) -> String {
        match self {
            Self::Fraction(value) => decimal(value, places),
            Self::Certified(value) => decimal(&value.middle(), places),
            Self::Double(value) => format!("{value:.*}", places as usize),
            Self::Sampled { value, error } => format!("{value:.2} ± {error:.2}"),
            _ => self.recorded(),
        }
    }

    /// Whether the recorded text still matches this value: exactly for exact values; for a certified one, if some
    /// number in the enclosure rounds to the recorded decimal.
    pub fn is_recorded_as(&self, recorded: &str) -> bool {
        let Self::Certified(enclosure) = self else { return self.recorded() == recorded };
        let Ok(number) = parse(recorded) else { return false };
        let places = recorded.split_once('.').map_or(0, |(_, places)| places.len() as u32);
        // A recorded value with fewer digits would let ours drift unnoticed.
        if places < RECORDED_PLACES {
            return false;
        }
        let half_unit = Fraction::new(BigInt::from(1), BigInt::from(10).pow(places) * 2);
        enclosure.low() - &half_unit <= number && number <= enclosure.high() + half_unit
    }

    /// The lower and upper end, if it is a number; they are equal unless it is an enclosure.
    pub fn ends(&self) -> Option<(Fraction, Fraction)> {
        match self {
            Self::Integer(value) => {
                let value = Fraction::from_integer(value.clone());
                Some((value.clone(), value))
            }
            Self::Fraction(value) => Some((value.clone(), value.clone())),
            Self::Certified(value) => Some((value.low(), value.high())),
            Self::Double(value) | Self::Sampled { value, .. } => {
                let value = Fraction::from_f64(*value)?;
                Some((value.clone(), value))
            }
            Self::Text(_) | Self::Polynomial(_) | Self::Nothing => None,
        }
    }

    /// The sign, if it is certain: -1, 0 or 1.
    pub fn sign(&self) -> Option<i8> {
        let (low, high) = self.ends()?;
        let sign = |value: &Fraction| i8::from(value.is_positive()) - i8::from(value.is_negative());
        (sign(&low) == sign(&high)).then(|| sign(&low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certified_value_may_not_move_beyond_its_enclosure() {
        let third = Value::Certified(Enclosure::of(&parse("1/3").unwrap(), 100));
        assert_eq!(third.recorded(), "0.333333333333333");
        assert!(third.is_recorded_as("0.333333333333333"));
        assert!(!third.is_recorded_as("0.333333333333334"));
        assert!(!third.is_recorded_as("0.3333"), "too few digits to notice a change");
        assert!(!third.is_recorded_as("unset"));
    }

    #[test]
    fn an_exact_value_must_be_the_same() {
        let value = Value::Fraction(parse("20/7").unwrap());
        assert!(value.is_recorded_as("20/7"));
        assert!(!value.is_recorded_as("2.857142857142857"));
        assert_eq!(value.shown(4), "2.8571");
    }
}
