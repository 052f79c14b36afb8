//! The gate that every figure passes before it leaves an engine: what cannot be is refused, never printed.
//!
//! A figure says what it is, a [`Kind`], and so which values it can have; and it has a stated error. It is refused if it
//! is not a number, if it lies further outside its range than its error allows, or if its error is greater than it should
//! be. Where the error does reach into the range, only that part of it is possible: rounding errors end at the bound.
//!
//! ```
//! use prodmax_number::possible::{Impossible, probability};
//!
//! assert_eq!(probability(0.635, 1e-6, 1e-5), Ok(0.635));
//! // Rounding alone took this one beyond 1, and its error says so.
//! assert_eq!(probability(1.0 + 1e-12, 1e-9, 1e-5), Ok(1.0));
//! assert!(matches!(probability(-1.297, 1e-6, 1e-5), Err(Impossible::Outside { .. })));
//! assert!(matches!(probability(0.635, 0.24, 1e-5), Err(Impossible::Uncertain { .. })));
//! assert_eq!(
//!     probability(-1.297, 1e-6, 1e-5).map_err(|reason| reason.of("the move error at depth 6").to_string()),
//!     Err("the move error at depth 6 comes out as -1.297, known to 1.0e-6, and a probability lies between 0 and 1: \
//!          something is wrong with this computation, so the figure is not given; please report it"
//!         .to_owned())
//! );
//! ```

use std::fmt;

use thiserror::Error;

use crate::{Enclosure, Fraction};

/// What a figure is, and so which values it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A probability, a share or an error rate: from 0 to 1.
    Probability,
    /// A share in percent: from 0 to 100.
    Percentage,
    /// By how many percentage points one share exceeds another: from -100 to 100.
    Difference,
    /// A length, a mass or a number of things: not negative.
    Size,
    /// Any number, for instance a score that is no probability.
    Score,
}

impl Kind {
    /// The least and the greatest value; infinite where there is none.
    pub fn range(self) -> [f64; 2] {
        match self {
            Self::Probability => [0.0, 1.0],
            Self::Percentage => [0.0, 100.0],
            Self::Difference => [-100.0, 100.0],
            Self::Size => [0.0, f64::INFINITY],
            Self::Score => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// A figure with a stated error of at most `tolerance`, moved into the range as far as the error allows.
    pub fn check(self, value: f64, error: f64, tolerance: f64) -> Result<f64, Impossible> {
        if !value.is_finite() {
            return Err(Impossible::NoNumber { kind: self, value });
        }
        if error.is_nan() || error < 0.0 {
            return Err(Impossible::NoError { error });
        }
        if error > tolerance {
            return Err(Impossible::Uncertain { value, error, tolerance });
        }
        let [low, high] = self.range();
        let inside = value.clamp(low, high);
        if (value - inside).abs() > error {
            return Err(Impossible::Outside { kind: self, value, error });
        }
        Ok(inside)
    }

    /// A double whose error is not stated, but where roundings may add up to a part of the range.
    pub fn check_rounded(self, value: f64, part: f64) -> Result<f64, Impossible> {
        let [low, high] = self.range();
        let rounding = if high.is_finite() { part * (high - low) } else { 0.0 };
        self.check(value, rounding, f64::INFINITY)
    }

    /// The part of an interval that lies in the range.
    pub fn check_interval(self, [low, high]: [f64; 2]) -> Result<[f64; 2], Impossible> {
        let [least, most] = self.range();
        let part = [low.max(least), high.min(most)];
        // Comparisons with what is not a number are false.
        if low <= high && part[0] <= part[1] {
            return Ok(part);
        }
        Err(Impossible::NoPart { kind: self, low: low.to_string(), high: high.to_string() })
    }

    /// The part of an enclosure that lies in the range.
    pub fn check_enclosure(self, enclosure: &Enclosure) -> Result<Enclosure, Impossible> {
        let whole = |end: f64| end.is_finite().then_some(end as i32);
        let [least, most] = self.range().map(whole);
        enclosure.between(least, most).ok_or_else(|| {
            let [low, high] = enclosure.decimals(DIGITS);
            Impossible::NoPart { kind: self, low, high }
        })
    }

    /// An exact figure, which has no error.
    pub fn check_fraction(self, value: &Fraction) -> Result<(), Impossible> {
        let whole = |end: f64| Fraction::from_integer((end as i32).into());
        let [least, most] = self.range();
        let is_beyond =
            (least.is_finite() && *value < whole(least)) || (most.is_finite() && *value > whole(most));
        if is_beyond { Err(Impossible::Exactly { kind: self, value: value.to_string() }) } else { Ok(()) }
    }
}

/// What roundings of doubles may add up to in a computation that states no error, as a part of the range of a figure.
pub const ROUNDING: f64 = 1e-9;

/// Digits of the ends of an enclosure in a message.
const DIGITS: u32 = 14;

/// A probability with a stated error of at most `tolerance`: see [`Kind::check`].
pub fn probability(value: f64, error: f64, tolerance: f64) -> Result<f64, Impossible> {
    Kind::Probability.check(value, error, tolerance)
}

/// `part` of `whole`, both counted; `None` if there is nothing.
pub fn share(part: u64, whole: u64) -> Result<Option<f64>, Impossible> {
    if whole == 0 && part == 0 {
        return Ok(None);
    }
    probability(part as f64 / whole as f64, 0.0, 0.0).map(Some)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Probability => "a probability lies between 0 and 1",
            Self::Percentage => "a share lies between 0 and 100 %",
            Self::Difference => "a difference of shares lies between -100 and 100 %",
            Self::Size => "it cannot be negative",
            Self::Score => "it must be a number",
        })
    }
}

/// Why a figure cannot be what it is said to be. The sentences go on from the name of the figure ([`Impossible::of`]).
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Impossible {
    /// Infinite, or the result of a division of 0 by 0.
    #[error("comes out as {value}, and {kind}: {WRONG}")]
    NoNumber {
        /// What it should be.
        kind: Kind,
        /// What was computed.
        value: f64,
    },
    /// The stated error is negative or not a number.
    #[error("has a stated error of {error}, which cannot be: {WRONG}")]
    NoError {
        /// What was computed.
        error: f64,
    },
    /// Further outside the range than its error allows.
    #[error("comes out as {value}, known to {error:.1e}, and {kind}: {WRONG}")]
    Outside {
        /// What it should be.
        kind: Kind,
        /// What was computed.
        value: f64,
        /// Its stated error.
        error: f64,
    },
    /// An exact figure outside the range.
    #[error("comes out as {value}, and {kind}: {WRONG}")]
    Exactly {
        /// What it should be.
        kind: Kind,
        /// What was computed.
        value: String,
    },
    /// An interval whose ends are in the wrong order, or that lies outside the range.
    #[error("is said to lie between {low} and {high}, and {kind}: {WRONG}")]
    NoPart {
        /// What it should be.
        kind: Kind,
        /// The lower end.
        low: String,
        /// The upper end.
        high: String,
    },
    /// Not known well enough.
    #[error(
        "is known only to {error:.1e} ({value}), not to {tolerance:e}; allow a greater tolerance or compute it in another way"
    )]
    Uncertain {
        /// What was computed.
        value: f64,
        /// Its stated error.
        error: f64,
        /// What the error may be.
        tolerance: f64,
    },
}

const WRONG: &str = "something is wrong with this computation, so the figure is not given; please report it";

impl Impossible {
    /// With the name of the figure, which begins the sentence.
    pub fn of(self, figure: impl Into<String>) -> ImpossibleFigure {
        ImpossibleFigure { figure: figure.into(), reason: Box::new(self) }
    }
}

/// A figure that does not pass.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{figure} {reason}")]
pub struct ImpossibleFigure {
    /// Its name, with an article.
    pub figure: String,
    /// Why.
    pub reason: Box<Impossible>,
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::fraction::parse;

    /// What `pathology map` printed for b = 3 and sigma_e = 2, and its stated error.
    const PRINTED: (f64, f64) = (-1.297_114_344_236_605_5, 0.241_578_415_929_335);

    #[test]
    fn the_figure_that_was_printed_is_refused() {
        let (value, error) = PRINTED;
        let refused = probability(value, error, 1e-5).unwrap_err();
        assert_eq!(refused, Impossible::Uncertain { value, error, tolerance: 1e-5 });
        // Whatever its tolerance is.
        let refused = probability(value, error, f64::INFINITY).unwrap_err();
        assert_eq!(refused, Impossible::Outside { kind: Kind::Probability, value, error });
        // And what it was extrapolated from, which was hidden by taking the greater of it and 0.
        let refused = probability(f64::NAN, 1e-9, f64::INFINITY).unwrap_err();
        assert_eq!(
            refused.of("the move error").to_string(),
            "the move error comes out as NaN, and a probability lies between 0 and 1: something is wrong with this \
             computation, so the figure is not given; please report it"
        );
    }

    #[test]
    fn only_the_stated_error_admits_what_lies_outside() {
        assert_eq!(probability(1.0 + 1e-12, 1e-9, 1.0), Ok(1.0));
        assert_eq!(probability(-1e-12, 1e-9, 1.0), Ok(0.0));
        for error in [0.0, 1e-13] {
            assert!(
                probability(1.0 + 1e-12, error, 1.0).is_err() && probability(-1e-12, error, 1.0).is_err()
            );
        }
        for possible in [0.0, 0.3, 1.0] {
            assert_eq!(probability(possible, 0.0, 0.0), Ok(possible));
        }
    }

    #[test]
    fn an_error_is_not_negative_and_not_above_the_tolerance() {
        for error in [-1e-300, f64::NAN] {
            assert!(matches!(probability(0.5, error, 1.0), Err(Impossible::NoError { .. })), "{error}");
        }
        assert_eq!(probability(0.5, 1e-5, 1e-5), Ok(0.5));
        assert_eq!(
            probability(0.5, 2e-5, 1e-5).unwrap_err().of("the move error at depth 3").to_string(),
            "the move error at depth 3 is known only to 2.0e-5 (0.5), not to 1e-5; allow a greater tolerance or \
             compute it in another way"
        );
        assert!(probability(0.5, f64::INFINITY, 1.0).is_err());
    }

    #[test]
    fn every_kind_has_its_range() {
        for (kind, possible, impossible) in [
            (Kind::Probability, 0.5, 1.5),
            (Kind::Percentage, 99.0, -1.0),
            (Kind::Difference, -100.0, 101.0),
            (Kind::Size, 1e300, -1e-300),
        ] {
            assert_eq!(kind.check(possible, 0.0, 0.0), Ok(possible));
            let refused = kind.check(impossible, 0.0, 0.0).unwrap_err().to_string();
            assert!(refused.contains(&kind.to_string()), "{refused}");
        }
        assert_eq!(Kind::Score.check(-3e7, 0.0, 0.0), Ok(-3e7));
        assert!(Kind::Score.check(f64::INFINITY, 0.0, 0.0).is_err());
    }

    #[test]
    fn intervals_keep_their_possible_part() {
        let check = |ends| Kind::Probability.check_interval(ends);
        assert_eq!(check([-0.1, 0.4]), Ok([0.0, 0.4]));
        assert_eq!(check([0.9, 1.0 + 1e-14]), Ok([0.9, 1.0]));
        assert_eq!(check([-1.0, 2.0]), Ok([0.0, 1.0]));
        for impossible in [[1.1, 1.2], [-0.2, -0.1], [0.6, 0.5], [f64::NAN, 0.5], [0.5, f64::NAN]] {
            assert!(check(impossible).is_err(), "{impossible:?}");
        }
        assert_eq!(Kind::Size.check_interval([-1.0, f64::INFINITY]), Ok([0.0, f64::INFINITY]));
        assert_eq!(
            check([1.25, 1.5]).unwrap_err().of("what Product wins").to_string(),
            "what Product wins is said to lie between 1.25 and 1.5, and a probability lies between 0 and 1: something is \
             wrong with this computation, so the figure is not given; please report it"
        );
    }

    #[test]
    fn enclosures_and_fractions_are_held_to_the_same_ranges() {
        let around = |middle: &str| {
            let [middle, margin] = [middle, "1/1000"].map(|text| Enclosure::of(&parse(text).unwrap(), 64));
            middle.widened(&margin)
        };
        let one = Kind::Probability.check_enclosure(&around("1")).unwrap();
        assert_eq!(one.high(), parse("1").unwrap());
        assert_eq!(one.low(), around("1").low());
        assert_eq!(Kind::Probability.check_enclosure(&around("1/2")), Ok(around("1/2")));
        assert!(Kind::Probability.check_enclosure(&around("3/2")).is_err());
        assert!(Kind::Size.check_enclosure(&around("-1")).is_err());
        assert_eq!(Kind::Size.check_enclosure(&around("1000000000000")), Ok(around("1000000000000")));
        assert_eq!(Kind::Score.check_enclosure(&around("-1")), Ok(around("-1")));
        let fraction = |numerator: i32, denominator: i32| {
            Kind::Probability
                .check_fraction(&Fraction::new(BigInt::from(numerator), BigInt::from(denominator)))
        };
        assert_eq!((fraction(0, 1), fraction(1, 1), fraction(1, 35)), (Ok(()), Ok(()), Ok(())));
        assert!(fraction(36, 35).is_err() && fraction(-1, 35).is_err());
    }

    #[test]
    fn a_share_is_a_part_of_a_whole() {
        assert_eq!((share(0, 0), share(1, 4), share(4, 4)), (Ok(None), Ok(Some(0.25)), Ok(Some(1.0))));
        assert!(share(5, 4).is_err() && share(1, 0).is_err());
    }
}
