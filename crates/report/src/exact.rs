//! Numbers that keep their exact value in JSON, which has only doubles: they are written as text.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use num_bigint::BigInt;
use prodmax_number::fraction::to_f64;
use prodmax_number::fraction::{FractionError, decimal, parse};
use prodmax_number::{Enclosure, Fraction};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that is stored as text: an integer, a fraction `p/q` or a [`Decimal`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AsText<T>(pub T);

impl<T> Deref for AsText<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for AsText<T> {
    fn from(number: T) -> Self {
        Self(number)
    }
}

impl<T: fmt::Display> fmt::Display for AsText<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for AsText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A number rounded to [`Decimal::PLACES`] decimal places, half away from zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(Fraction);

impl Decimal {
    /// Decimal places.
    pub const PLACES: u32 = 15;

    /// Rounds a number.
    pub fn rounded(number: &Fraction) -> Self {
        let unit = BigInt::from(10).pow(Self::PLACES);
        Self(Fraction::new((number * &unit).round().to_integer(), unit))
    }

    /// Rounds the middle of an enclosure.
    pub fn middle(enclosure: &Enclosure) -> Self {
        Self::rounded(&enclosure.middle())
    }

    /// The rounded number.
    pub fn number(&self) -> &Fraction {
        &self.0
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        to_f64(&self.0)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal(&self.0, Self::PLACES))
    }
}

impl FromStr for Decimal {
    type Err = FractionError;

    fn from_str(text: &str) -> Result<Self, FractionError> {
        parse(text).map(|number| Self::rounded(&number))
    }
}

/// Digits in groups of three: 531,441.
pub fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The double nearest to an integer, for drawing.
pub fn count_to_f64(number: impl Into<BigInt>) -> f64 {
    to_f64(&Fraction::from_integer(number.into()))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_stored_as_text_in_full() {
        let large: AsText<BigUint> = AsText(BigUint::from(9u32).pow(30));
        let json = serde_json::to_string(&large).unwrap();
        assert_eq!(json, "\"42391158275216203514294433201\"");
        assert_eq!(serde_json::from_str::<AsText<BigUint>>(&json).unwrap(), large);
        let third = AsText(Fraction::new(1.into(), 3.into()));
        assert_eq!(serde_json::to_string(&third).unwrap(), "\"1/3\"");
        assert_eq!(serde_json::from_str::<AsText<Fraction>>("\"1/3\"").unwrap(), third);
        assert!(serde_json::from_str::<AsText<u128>>("\"-1\"").is_err());
        assert_eq!(Decimal::rounded(&third).to_string(), "0.333333333333333");
        assert_eq!([grouped(7), grouped(1234), grouped(531_441)], ["7", "1,234", "531,441"]);
    }

    proptest! {
        #[test]
        fn a_decimal_survives_storage(numerator in any::<i64>(), denominator in 1i64..) {
            let decimal = AsText(Decimal::rounded(&Fraction::new(numerator.into(), denominator.into())));
            let json = serde_json::to_string(&decimal).unwrap();
            prop_assert_eq!(serde_json::from_str::<AsText<Decimal>>(&json).unwrap(), decimal);
        }
    }
}
