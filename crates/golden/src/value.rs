//! Our computed values: exact, in an enclosure, or approximate.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use prodmax_number::fraction::{decimal, parse};
use prodmax_number::margin::{places, with_error};
use prodmax_number::possible::{Impossible, Kind};
use prodmax_number::{Enclosure, Fraction, Polynomial};
use serde::{Deserialize, Serialize};

/// Decimal places to which a certified value is recorded.
const RECORDED_PLACES: u32 = 15;

/// Decimal places to which a double without a bound is recorded: as many as are the same on every machine.
const DOUBLE_PLACES: u32 = 9;

/// Decimal places of bounds and of estimates.
const MARGIN_PLACES: usize = 6;

/// 10^MARGIN_PLACES: the number of units of the last place in 1.
const UNITS_PER_ONE: f64 = 1e6;

/// The separator between two bounds.
const RANGE_SEPARATOR: &str = " to ";

/// The separator between a number and its margin.
const PLUS_MINUS: &str = " ± ";

/// How far a number may be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Margin {
    /// It is certain to lie between these two.
    Between(f64, f64),
    /// Its standard error, or an estimate of how far it may be off.
    Error(f64),
}

impl Margin {
    /// Both ends, for a number in the middle.
    pub fn ends(self, middle: f64) -> [f64; 2] {
        match self {
            Self::Between(low, high) => [low, high],
            Self::Error(error) => [middle - error, middle + error],
        }
    }
}

/// A number as a golden file records it, and its margin, if it has one.
pub fn recorded_number(text: &str) -> Option<(Fraction, Option<Margin>)> {
    let double = |text: &str| text.parse::<f64>().ok();
    if let Some((low, high)) = text.split_once(RANGE_SEPARATOR) {
        let middle = (parse(low).ok()? + parse(high).ok()?) / BigInt::from(2);
        return Some((middle, Some(Margin::Between(double(low)?, double(high)?))));
    }
    if let Some((value, error)) = text.split_once(PLUS_MINUS) {
        return Some((parse(value).ok()?, Some(Margin::Error(double(error)?))));
    }
    Some((parse(text).ok()?, None))
}

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
    /// A number that is certain to lie between two others.
    Between {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// A number with an estimate of how far it may be off.
    Estimate {
        /// The number.
        value: f64,
        /// How far it may be off.
        error: f64,
    },
    /// A word.
    Text(String),
    /// A polynomial in p.
    Polynomial(Polynomial),
    /// What figures say about a sentence of a paper.
    Claim {
        /// Whether they bear it out; `None` if they do not decide it.
        truth: Option<bool>,
        /// The figures that decide it, in words.
        because: String,
    },
    /// Undefined (a division by a mass of 0).
    Nothing,
}

/// What roundings of doubles may add up to, as a part of the range of a figure.
const ROUNDING: f64 = 1e-9;

impl Value {
    /// The gate that every figure passes before it is shown or recorded: the possible part of a figure of this kind.
    pub fn possible(self, kind: Kind) -> Result<Self, Impossible> {
        let [low, high] = kind.range();
        let rounding = if high.is_finite() { ROUNDING * (high - low) } else { 0.0 };
        Ok(match self {
            Self::Integer(value) => {
                kind.check_fraction(&value.clone().into())?;
                Self::Integer(value)
            }
            Self::Fraction(value) => {
                kind.check_fraction(&value)?;
                Self::Fraction(value)
            }
            Self::Certified(value) => Self::Certified(kind.check_enclosure(&value)?),
            Self::Double(value) => Self::Double(kind.check(value, rounding, f64::INFINITY)?),
            // The error is that of a sample. The mean itself is possible.
            Self::Sampled { value, error } => {
                Kind::Size.check(error, 0.0, f64::INFINITY)?;
                Self::Sampled { value: kind.check(value, rounding, f64::INFINITY)?, error }
            }
            Self::Between { low, high } => {
                let [low, high] = kind.check_interval([low, high])?;
                Self::Between { low, high }
            }
            // An error of half the range says nothing about a figure.
            Self::Estimate { value, error } => {
                Self::Estimate { value: kind.check(value, error, (high - low) / 2.0)?, error }
            }
            words @ (Self::Text(_) | Self::Polynomial(_) | Self::Claim { .. } | Self::Nothing) => words,
        })
    }

    /// How the value is recorded in a golden file.
    pub fn recorded(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Fraction(value) => value.to_string(),
            Self::Certified(value) => decimal(&value.middle(), RECORDED_PLACES),
            Self::Double(value) => format!("{value:.*}", DOUBLE_PLACES as usize),
            Self::Sampled { value, error } => {
                let places = places(*error).max(MARGIN_PLACES);
                format!("{value:.places$}{PLUS_MINUS}{error:.places$}")
            }
            Self::Between { low, high } => {
                // Rounded outwards, and without a negative zero.
                let ends = [
                    (low * UNITS_PER_ONE).floor() / UNITS_PER_ONE + 0.0,
                    (high * UNITS_PER_ONE).ceil() / UNITS_PER_ONE + 0.0,
                ];
                format!("{:.2$}{RANGE_SEPARATOR}{:.2$}", ends[0], ends[1], MARGIN_PLACES)
            }
            Self::Estimate { value, error } => {
                format!(
                    "{value:.0$}{PLUS_MINUS}{1:.0$}",
                    MARGIN_PLACES,
                    (error * UNITS_PER_ONE).ceil() / UNITS_PER_ONE
                )
            }
            Self::Text(text) => text.clone(),
            Self::Polynomial(polynomial) => polynomial.to_string(),
            Self::Claim { because, .. } => because.clone(),
            Self::Nothing => "none".to_owned(),
        }
    }

    /// How it is shown next to the published figure: rounded to `places`, a few digits more than that has.
    pub fn shown(&self, places: u32) -> String {
        match self {
            Self::Fraction(value) => decimal(value, places),
            Self::Certified(value) => decimal(&value.middle(), places),
            Self::Double(value) => format!("{value:.*}", places as usize),
            Self::Sampled { value, error } => with_error(*value, *error),
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
            Self::Between { low, high } => Some((Fraction::from_f64(*low)?, Fraction::from_f64(*high)?)),
            Self::Double(value) | Self::Sampled { value, .. } | Self::Estimate { value, .. } => {
                let value = Fraction::from_f64(*value)?;
                Some((value.clone(), value))
            }
            Self::Text(_) | Self::Polynomial(_) | Self::Claim { .. } | Self::Nothing => None,
        }
    }

    /// How far it may be off, if that is known and an enclosure does not say it.
    pub fn margin(&self) -> Option<Margin> {
        match self {
            Self::Between { low, high } => Some(Margin::Between(*low, *high)),
            Self::Sampled { error, .. } | Self::Estimate { error, .. } => Some(Margin::Error(*error)),
            _ => None,
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
    fn margins_are_recorded_outwards_and_read_back() {
        let between = Value::Between { low: -18.712_345_67, high: -18.000_000_01 };
        assert_eq!(between.recorded(), "-18.712346 to -18.000000");
        let read = recorded_number(&between.recorded()).unwrap();
        assert_eq!(read, (parse("-18.356173").unwrap(), Some(Margin::Between(-18.712_346, -18.0))));
        assert_eq!(between.margin(), Some(Margin::Between(-18.712_345_67, -18.000_000_01)));
        let estimate = Value::Estimate { value: 0.25, error: 0.000_000_2 };
        assert_eq!(estimate.recorded(), "0.250000 ± 0.000001");
        let read = recorded_number(&estimate.recorded()).unwrap();
        assert_eq!(read, (parse("1/4").unwrap(), Some(Margin::Error(0.000_001))));
        assert_eq!(Margin::Error(0.5).ends(0.25), [-0.25, 0.75]);
        assert_eq!(recorded_number("20/7").unwrap(), (parse("20/7").unwrap(), None));
        assert_eq!(recorded_number("none"), None);
    }

    #[test]
    fn errors_get_enough_digits() {
        let sampled = |value, error| Value::Sampled { value, error };
        assert_eq!(sampled(0.036_95, 0.000_72).shown(6), "0.03695 ± 0.00072");
        assert_eq!(sampled(0.036_95, 0.000_72).recorded(), "0.036950 ± 0.000720");
        assert_eq!(sampled(0.5, 0.000_001_2).recorded(), "0.5000000 ± 0.0000012");
        assert_eq!(sampled(249.0, 11.06).shown(6), "249 ± 11");
    }

    /// What the pathology map once printed for a probability; and what every other form of it would be.
    #[test]
    fn impossible_values_do_not_pass() {
        let impossible = [
            Value::Double(-1.297_114),
            Value::Estimate { value: -1.297_114, error: 0.241_578 },
            Value::Sampled { value: -1.297_114, error: 0.01 },
            Value::Sampled { value: 0.5, error: f64::NAN },
            Value::Between { low: -1.3, high: -1.2 },
            Value::Fraction(parse("8/7").unwrap()),
            Value::Integer((-1).into()),
            Value::Certified(Enclosure::integer(2, 60)),
            Value::Double(f64::NAN),
        ];
        for value in impossible {
            let shown = format!("{value:?}");
            assert!(value.possible(Kind::Probability).is_err(), "{shown}");
        }
        let estimate = |value| Value::Estimate { value, error: 0.01 };
        assert_eq!(estimate(1.005).possible(Kind::Probability), Ok(estimate(1.0)));
        let between = Value::Between { low: -0.1, high: 0.2 };
        assert_eq!(between.possible(Kind::Probability), Ok(Value::Between { low: 0.0, high: 0.2 }));
        assert_eq!(Value::Double(-6.5).possible(Kind::Difference), Ok(Value::Double(-6.5)));
        assert_eq!(Value::Nothing.possible(Kind::Size), Ok(Value::Nothing));
    }

    #[test]
    fn an_exact_value_must_be_the_same() {
        let value = Value::Fraction(parse("20/7").unwrap());
        assert!(value.is_recorded_as("20/7"));
        assert!(!value.is_recorded_as("2.857142857142857"));
        assert_eq!(value.shown(4), "2.8571");
    }
}
