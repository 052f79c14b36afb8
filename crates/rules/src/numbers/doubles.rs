//! Plain doubles: for simulation and play, where rounding does not matter.

use std::cmp::Ordering;

use prodmax_number::Fraction;
use prodmax_number::arctan::to_f64;

use super::{Numbers, Ordered};

/// Doubles, rounded to nearest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles;

impl Numbers for Doubles {
    type Number = f64;

    fn constant(self, value: &Fraction) -> f64 {
        to_f64(value)
    }
    #[inline]
    fn add(self, a: &f64, b: &f64) -> f64 {
        a + b
    }
    #[inline]
    fn sub(self, a: &f64, b: &f64) -> f64 {
        a - b
    }
    #[inline]
    fn mul(self, a: &f64, b: &f64) -> f64 {
        a * b
    }
    #[inline]
    fn parallel(self, a: &f64, b: &f64) -> f64 {
        if *a == 0.0 { 0.0 } else { a * (b / (a + b)) }
    }
    #[inline]
    fn greatest(self, a: &f64, b: &f64) -> f64 {
        if a < b { *b } else { *a }
    }
    #[inline]
    fn least(self, a: &f64, b: &f64) -> f64 {
        if b < a { *b } else { *a }
    }
    #[inline]
    fn compare(self, a: &f64, b: &f64) -> Option<Ordering> {
        Some(self.order(a, b))
    }
    #[inline]
    fn either(self, a: f64, _: f64) -> f64 {
        a
    }
    #[inline]
    fn complement(self, a: &f64) -> f64 {
        1.0 - a
    }
    #[inline]
    fn integer(self, value: u32) -> f64 {
        f64::from(value)
    }
    #[inline]
    fn reciprocal(self, value: u32) -> f64 {
        1.0 / f64::from(value)
    }
    #[inline]
    fn is_zero(self, a: &f64) -> bool {
        *a == 0.0
    }
}

impl Ordered for Doubles {
    #[inline]
    fn order(self, a: &f64, b: &f64) -> Ordering {
        // No rule produces a NaN; 0 and -0 are the same value.
        a.partial_cmp(b).unwrap_or(Ordering::Equal)
    }
}
