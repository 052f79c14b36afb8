//! Fractions, for rational curves.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use prodmax_enumerate::HeuristicValue;
use prodmax_number::Fraction;
use prodmax_number::possible::{Impossible, Kind};

use super::{Arithmetic, Compare, Field, Ring, Weighted};

/// Fractions; every leaf is evaluated wrongly with the same probability.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The probability that a leaf is evaluated wrongly.
    pub error: Fraction,
}

impl Ring for Exact {
    type Number = Fraction;
    type Sum = Fraction;

    fn mul(&self, a: &Fraction, b: &Fraction) -> Fraction {
        a * b
    }
    fn zero(&self) -> Fraction {
        Fraction::zero()
    }
    fn add(&self, sum: &mut Fraction, number: &Fraction) {
        *sum += number;
    }
    fn merge(&self, sum: &mut Fraction, other: &Fraction) {
        *sum += other;
    }
    fn total(&self, sum: &Fraction) -> Fraction {
        sum.clone()
    }
}

impl Weighted for Exact {
    type Factor = BigInt;

    fn times(&self, factor: &BigInt, number: &Fraction) -> Fraction {
        number * factor
    }
}

impl Arithmetic for Exact {
    fn leaf(&self, h: HeuristicValue) -> Fraction {
        match h.get().cmp(&0) {
            Ordering::Greater => Fraction::one() - &self.error,
            Ordering::Less => self.error.clone(),
            Ordering::Equal => Fraction::new(1.into(), 2.into()),
        }
    }
    fn complement(&self, a: &Fraction) -> Fraction {
        Fraction::one() - a
    }
    fn scale(&self, multiplicity: u128, a: &Fraction) -> Fraction {
        a * BigInt::from(multiplicity)
    }
}

impl Compare for Exact {
    fn compare(&self, a: &Fraction, b: &Fraction) -> Option<Ordering> {
        Some(a.cmp(b))
    }
}

impl Field for Exact {
    fn sub(&self, a: &Fraction, b: &Fraction) -> Fraction {
        a - b
    }
    fn div(&self, a: &Fraction, b: &Fraction) -> Option<Fraction> {
        (!b.is_zero()).then(|| a / b)
    }
    fn integer(&self, value: u128) -> Fraction {
        Fraction::from_integer(value.into())
    }
    fn whole(&self, value: &BigUint) -> Fraction {
        Fraction::from_integer(value.clone().into())
    }
    fn possible(&self, kind: Kind, figure: Fraction) -> Result<Fraction, Impossible> {
        kind.check_fraction(&figure).map(|()| figure)
    }
    fn at_most(&self, limit: &Fraction, figure: Fraction) -> Result<Fraction, Impossible> {
        self.possible(Kind::Size, limit - &figure).map(|_| figure)
    }
}
