//! A figure as a paper prints it; the number of digits gives its precision.

use num_bigint::BigInt;
use num_traits::Signed;
use prodmax_number::Fraction;
use prodmax_number::fraction::parse;
use serde::{Deserialize, Serialize};

/// What became of the digits that are not printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Digits {
    /// The last printed digit is rounded.
    #[default]
    Rounded,
    /// They are cut off.
    CutOff,
}

impl Digits {
    pub(crate) fn is_rounded(&self) -> bool {
        *self == Self::Rounded
    }
}

/// The printed text, e.g. `-3.9`, `+0.0`, `3886`, `1/35`, `minimax` or a formula; empty for an unpublished figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Published(String);

impl Published {
    /// As printed.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether the papers print no such figure: the text is empty.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The number, if the text is one.
    pub fn number(&self) -> Option<Fraction> {
        parse(&self.0).ok()
    }

    /// Whether the text is a fraction `p/q`: unlike a decimal it is not rounded.
    pub fn is_fraction(&self) -> bool {
        self.0.contains('/')
    }

    /// The printed decimal places.
    pub fn places(&self) -> u32 {
        self.0.split_once('.').map_or(0, |(_, places)| places.len() as u32)
    }

    /// Half a unit of the last printed digit: any number that is no further from the printed one could have been
    /// rounded to it. 0 for a fraction.
    pub fn half_unit(&self) -> Fraction {
        if self.is_fraction() {
            return Fraction::from_integer(BigInt::ZERO);
        }
        Fraction::new(BigInt::from(1), BigInt::from(10).pow(self.places()) * 2)
    }

    /// The least and the greatest number that would be printed like this; both are the number itself if it is a
    /// fraction.
    pub fn between(&self, digits: Digits) -> Option<[Fraction; 2]> {
        let number = self.number()?;
        let half_unit = self.half_unit();
        let unit = &half_unit + &half_unit;
        Some(match digits {
            Digits::Rounded => [&number - &half_unit, number + half_unit],
            Digits::CutOff if number.is_negative() => [&number - unit, number],
            Digits::CutOff => [number.clone(), number + unit],
        })
    }

    /// Which side the printed figure favours: its sign. A printed 0.0 favours neither side, even if it has a sign.
    pub fn sign(&self) -> i8 {
        match self.number() {
            Some(number) if number.is_negative() => -1,
            Some(number) if number.is_positive() => 1,
            _ => 0,
        }
    }
}

impl From<&str> for Published {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_and_sign_are_those_of_the_text() {
        let between = |text: &str, digits| Published::from(text).between(digits).unwrap();
        let numbers = |low: &str, high: &str| [parse(low).unwrap(), parse(high).unwrap()];
        assert_eq!(between("-3.9", Digits::Rounded), numbers("-3.95", "-3.85"));
        assert_eq!(between("50.7895", Digits::Rounded), numbers("50.78945", "50.78955"));
        assert_eq!(between("3886", Digits::Rounded), numbers("3885.5", "3886.5"));
        assert_eq!(between("1/35", Digits::Rounded), numbers("1/35", "1/35"));
        assert_eq!(between("0.50757", Digits::CutOff), numbers("0.50757", "0.50758"));
        assert_eq!(between("-3.9", Digits::CutOff), numbers("-4.0", "-3.9"));
        let sign = |text: &str| Published::from(text).sign();
        assert_eq!([sign("-3.9"), sign("+0.0"), sign("-0.0"), sign("0.0"), sign("4.8")], [-1, 0, 0, 0, 1]);
        assert_eq!(sign("minimax"), 0);
    }
}
