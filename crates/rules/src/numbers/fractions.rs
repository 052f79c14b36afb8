//! Exact fractions.

use std::cmp::Ordering;

use num_traits::{One, Zero};
use prodmax_number::Fraction;

use super::{Numbers, Ordered};

/// Fractions: every operation is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fractions;

impl Numbers for Fractions {
    type Number = Fraction;

    fn constant(self, value: &Fraction) -> Fraction {
        value.clone()
    }
    fn add(self, a: &Fraction, b: &Fraction) -> Fraction {
        a + b
    }
    fn sub(self, a: &Fraction, b: &Fraction) -> Fraction {
        a - b
    }
    fn mul(self, a: &Fraction, b: &Fraction) -> Fraction {
        a * b
    }
    fn parallel(self, a: &Fraction, b: &Fraction) -> Fraction {
        if a.is_zero() { Fraction::zero() } else { a * b / (a + b) }
    }
    fn greatest(self, a: &Fraction, b: &Fraction) -> Fraction {
        a.max(b).clone()
    }
    fn least(self, a: &Fraction, b: &Fraction) -> Fraction {
        a.min(b).clone()
    }
    fn compare(self, a: &Fraction, b: &Fraction) -> Option<Ordering> {
        Some(a.cmp(b))
    }
    fn either(self, a: Fraction, _: Fraction) -> Fraction {
        a
    }
    fn complement(self, a: &Fraction) -> Fraction {
        Fraction::one() - a
    }
    fn is_zero(self, a: &Fraction) -> bool {
        a.is_zero()
    }
}

impl Ordered for Fractions {
    fn order(self, a: &Fraction, b: &Fraction) -> Ordering {
        a.cmp(b)
    }
}
