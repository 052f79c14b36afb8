//! The win probability w(h): the curves of the papers, exactly named and rigorously evaluated.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock, PoisonError};

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use prodmax_number::arctan::{arctan, pi};
use prodmax_number::fraction::{FractionError, parse, to_f64};
use prodmax_number::{Enclosure, Fraction, RationalFunction};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::angles::Angles;
use crate::line::HeuristicValue;

/// A curve that gives each heuristic value h its win probability.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Curve {
    /// `arctan:C`, eq. (2): 1/2 + arctan(C h / h_max) / (2 arctan C); from 0 at -h_max to 1 at +h_max.
    Arctan(Fraction),
    /// `pearl:C`, Pearl's curve without the normalisation: 1/2 + arctan(C h / h_max) / π.
    Pearl(Fraction),
    /// `uniform:P`: every value is wrong with the same probability P, so a positive one wins with 1 - P, a
    /// negative one with P, and 0 with 1/2.
    Uniform(Fraction),
}

/// Why a text does not name a curve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CurveError {
    /// Not `kind:number`.
    #[error("`{0}` is not a curve; write arctan:C, pearl:C or uniform:P, e.g. arctan:4 or uniform:1/20")]
    Syntax(String),
    /// The part after the colon is not a number.
    #[error("in the curve `{text}`: {source}")]
    Number {
        /// The whole text.
        text: String,
        /// What is wrong with the number.
        source: FractionError,
    },
    /// A constant out of range.
    #[error("in the curve `{0}`: the constant must lie between 1/1000000 and 1000000")]
    Constant(String),
    /// A probability outside 0..=1.
    #[error("in the curve `{0}`: the error probability must lie between 0 and 1")]
    Probability(String),
}

impl FromStr for Curve {
    type Err = CurveError;

    fn from_str(text: &str) -> Result<Self, CurveError> {
        let syntax = || CurveError::Syntax(text.to_owned());
        let (kind, number) = text.split_once(':').ok_or_else(syntax)?;
        let number = parse(number).map_err(|source| CurveError::Number { text: text.to_owned(), source });
        match kind {
            "arctan" | "pearl" => {
                let c = number?;
                let million = Fraction::from_integer(1_000_000.into());
                if c < million.recip() || c > million {
                    return Err(CurveError::Constant(text.to_owned()));
                }
                Ok(if kind == "arctan" { Self::Arctan(c) } else { Self::Pearl(c) })
            }
            "uniform" => {
                let p = number?;
                if p.is_negative() || p > Fraction::one() {
                    return Err(CurveError::Probability(text.to_owned()));
                }
                Ok(Self::Uniform(p))
            }
            _ => Err(syntax()),
        }
    }
}

impl TryFrom<String> for Curve {
    type Error = CurveError;
    fn try_from(text: String) -> Result<Self, CurveError> {
        text.parse()
    }
}

impl From<Curve> for String {
    fn from(curve: Curve) -> Self {
        curve.to_string()
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arctan(c) => write!(f, "arctan:{c}"),
            Self::Pearl(c) => write!(f, "pearl:{c}"),
            Self::Uniform(p) => write!(f, "uniform:{p}"),
        }
    }
}

impl Curve {
    /// Eq. (2) with a whole constant.
    pub fn arctan(c: u32) -> Self {
        Self::Arctan(Fraction::from_integer(c.into()))
    }

    /// The exact value at h where it is rational: everywhere for a uniform curve, at 0 for every curve, at the
    /// ends for eq. (2).
    pub fn exact(&self, h: i32, h_max: i32) -> Option<Fraction> {
        match self {
            _ if h == 0 => Some(Fraction::new(1.into(), 2.into())),
            Self::Uniform(p) => Some(if h > 0 { Fraction::one() - p } else { p.clone() }),
            Self::Arctan(_) if h.abs() == h_max => {
                Some(if h > 0 { Fraction::one() } else { Fraction::zero() })
            }
            Self::Arctan(_) | Self::Pearl(_) => None,
        }
    }

    /// An enclosure of the value at h, a few units of 2^-bits wide.
    pub fn enclose(&self, h: i32, h_max: i32, bits: u32) -> Enclosure {
        self.enclose_with(&self.norm(bits), h, h_max, bits)
    }

    /// The divisor of the angle: 2 arctan C, or π.
    fn norm(&self, bits: u32) -> Enclosure {
        match self {
            Self::Arctan(c) => arctan(c, bits + Self::GUARD_BITS).scale(&2.into()),
            Self::Pearl(_) | Self::Uniform(_) => pi(bits + Self::GUARD_BITS),
        }
    }

    /// Dividing by the norm magnifies the width by 1 / arctan(c), at most 2^20.
    const GUARD_BITS: u32 = 32;

    fn enclose_with(&self, norm: &Enclosure, h: i32, h_max: i32, bits: u32) -> Enclosure {
        if let Some(exact) = self.exact(h, h_max) {
            return Enclosure::of(&exact, bits);
        }
        if h < 0 {
            return self.enclose_with(norm, -h, h_max, bits).complement();
        }
        let (Self::Arctan(c) | Self::Pearl(c) | Self::Uniform(c)) = self;
        let work = bits + Self::GUARD_BITS;
        let angle = arctan(&(c * Fraction::new(h.into(), h_max.into())), work);
        let half = Enclosure::of(&Fraction::new(1.into(), 2.into()), work);
        // The norm is not 0, as c is not.
        let part = angle.div(norm).unwrap_or_else(|| angle.clone());
        half.add(&part).rounded(bits)
    }
}

/// A curve on one line; its values are kept once they are computed and shared by all models on that line.
#[derive(Debug)]
pub struct CurveTable {
    curve: Curve,
    h_max: i32,
    doubles: Vec<OnceLock<f64>>,
    /// The norm of the curve for each precision asked for so far.
    norms: Mutex<BTreeMap<u32, Enclosure>>,
    angles: Angles,
}

impl CurveTable {
    /// The precision from which the nearest double is computed.
    const DOUBLE_BITS: u32 = 96;

    /// How far the middle of an enclosure with 96 places can be from the value: less than 2^-90.
    pub const DOUBLE_ERROR: f64 = 1.0 / (1u128 << 90) as f64;

    /// An empty table.
    pub fn new(curve: Curve, h_max: i32) -> Self {
        let values = 2 * h_max.unsigned_abs() as usize + 1;
        Self {
            curve,
            h_max,
            doubles: (0..values).map(|_| OnceLock::new()).collect(),
            norms: Mutex::default(),
            angles: Angles::default(),
        }
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The end of the line.
    pub fn h_max(&self) -> i32 {
        self.h_max
    }

    /// The double nearest to w(h): within 2^-53 of it, whatever the platform's own arctan does.
    pub fn double(&self, h: HeuristicValue) -> f64 {
        *self.doubles[(h.get() + self.h_max) as usize].get_or_init(|| self.formula(h.get()))
    }

    /// The double nearest to the curve's formula at a number that need not lie on the line, without clamping: the
    /// formula of eq. (2) leaves 0..1 beyond ±h_max.
    pub fn formula(&self, h: i32) -> f64 {
        to_f64(&self.enclose_formula(h, Self::DOUBLE_BITS).middle())
    }

    /// An enclosure of w(h).
    pub fn enclose(&self, h: HeuristicValue, bits: u32) -> Enclosure {
        self.enclose_formula(h.get(), bits)
    }

    /// An enclosure of the formula at h. The norm is computed once for each precision.
    fn enclose_formula(&self, h: i32, bits: u32) -> Enclosure {
        // Values in the map are never half written, so a thread that panicked elsewhere does no harm.
        let mut norms = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        let norm = norms.entry(bits).or_insert_with(|| self.curve.norm(bits)).clone();
        drop(norms);
        self.curve.enclose_with(&norm, h, self.h_max, bits)
    }

    /// w(h) exactly, for a rational curve.
    pub fn exact(&self, h: HeuristicValue) -> Option<Fraction> {
        self.curve.exact(h.get(), self.h_max)
    }

    /// 2 w(h) - 1 over independent angles, if the curve is made of arctans and the numbers are not too large.
    pub fn over_angles(&self, h: HeuristicValue) -> Option<RationalFunction> {
        self.angles.at(&self.curve, h.get(), self.h_max)
    }

    /// An integer that turns every rational value of the curve into an integer when multiplied by it.
    pub fn denominator(&self) -> BigInt {
        match &self.curve {
            Curve::Uniform(p) => p.denom() * 2,
            Curve::Arctan(_) | Curve::Pearl(_) => 2.into(),
        }
    }
}

/// The curves on one line: what is true and what Product believes. They are shared by many models.
#[derive(Debug)]
pub struct Curves {
    /// The probability that a leaf is won.
    pub truth: CurveTable,
    /// Product's estimate of it, f'.
    pub estimate: CurveTable,
}

impl Curves {
    /// Both curves on the line with this end.
    pub fn new(truth: Curve, estimate: Curve, h_max: i32) -> Self {
        Self { truth: CurveTable::new(truth, h_max), estimate: CurveTable::new(estimate, h_max) }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    fn curve(text: &str) -> Curve {
        text.parse().unwrap()
    }

    #[test]
    fn curves_are_read_and_printed() {
        for text in ["arctan:4", "pearl:1", "uniform:1/20", "arctan:1/2", "arctan:1/1000000", "pearl:1000000"]
        {
            assert_eq!(curve(text).to_string(), text);
            assert_eq!(String::from(curve(text)), text);
            assert_eq!(curve(text).exact(1, 42).is_some(), text.starts_with("uniform"));
        }
        assert_eq!(curve("uniform:0.05").to_string(), "uniform:1/20");
        assert!(curve("uniform:0").exact(1, 42).is_some() && curve("uniform:1").exact(1, 42).is_some());
    }

    #[test]
    fn bad_curves_get_a_sentence() {
        let message = |text: &str| text.parse::<Curve>().unwrap_err().to_string();
        assert_eq!(
            message("arctan:0"),
            "in the curve `arctan:0`: the constant must lie between 1/1000000 and 1000000"
        );
        assert_eq!(
            message("uniform:1.5"),
            "in the curve `uniform:1.5`: the error probability must lie between 0 and 1"
        );
        assert_eq!(
            message("pearl:x"),
            "in the curve `pearl:x`: `x` is not a number; write a fraction like 1/20 or a decimal like 0.05"
        );
        assert_eq!(
            message("sigmoid:1"),
            "`sigmoid:1` is not a curve; write arctan:C, pearl:C or uniform:P, e.g. arctan:4 or uniform:1/20"
        );
        assert!(message("arctan").contains("is not a curve"));
        for text in ["arctan:1/1000001", "pearl:1000001", "uniform:-1/9", "uniform:10/9"] {
            assert!(message(text).contains("must lie between"), "{text}");
        }
    }

    #[test]
    fn enclosures_contain_the_formula() {
        for h in [-42, -17, -1, 1, 5, 30, 42] {
            let x = f64::from(h) / 42.0;
            let arctan4 = 0.5 + (4.0 * x).atan() / (2.0 * 4f64.atan());
            let pearl1 = 0.5 + x.atan() / std::f64::consts::PI;
            for (text, expected) in [("arctan:4", arctan4), ("pearl:1", pearl1)] {
                let enclosure = curve(text).enclose(h, 42, 100);
                assert_relative_eq!(to_f64(&enclosure.middle()), expected, epsilon = 1e-15);
                assert!(to_f64(&enclosure.width()) < 1e-29);
            }
        }
    }

    #[test]
    fn the_value_of_position_f_is_pearls_curve() {
        // KHS print 0.50757 (truncated, not rounded) for the probability of losing at the value -1; eq. (2) would
        // give 0.51515.
        let lose = |text| 1.0 - to_f64(&curve(text).enclose(-1, 42, 64).middle());
        let cut_off = |value: f64| (value * 1e5).floor() as u32;
        assert_eq!(cut_off(lose("pearl:1")), 50757);
        assert_eq!(cut_off(lose("arctan:1")), 51515);
    }

    #[test]
    fn rational_values_have_a_common_denominator() {
        let denominator = |text| CurveTable::new(curve(text), 42).denominator();
        assert_eq!([denominator("uniform:3/20"), denominator("pearl:1")], [40, 2].map(BigInt::from));
    }

    #[test]
    fn rational_points_are_points() {
        assert_eq!(curve("arctan:4").enclose(42, 42, 64), Enclosure::integer(1, 64));
        assert_eq!(curve("arctan:4").enclose(-42, 42, 64), Enclosure::integer(0, 64));
        assert_eq!(curve("pearl:4").exact(0, 42), Some(parse("1/2").unwrap()));
        assert_eq!(curve("pearl:4").exact(42, 42), None);
        assert_eq!(curve("uniform:1/20").exact(-3, 42), Some(parse("0.05").unwrap()));
    }

    proptest! {
        #[test]
        fn random_text_is_a_curve_that_can_be_printed_or_an_error(
            text in "(arctan|pearl|uniform|x)?:?[-+0-9./ e]{0,12}|\\PC{0,20}",
        ) {
            if let Ok(curve) = text.parse::<Curve>() {
                prop_assert_eq!(curve.to_string().parse::<Curve>(), Ok(curve));
            }
        }
    }
}
