//! Doubles with an error bound. They prove most comparisons at the price of a few more operations.

use std::cmp::Ordering;

use num_traits::Zero;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;

use super::Numbers;

/// Half a unit in the last place of 1: the largest relative error of one rounding.
const U: f64 = f64::EPSILON / 2.0;

/// Covers the rounding errors of the bound itself, which is computed with fewer than eight operations.
const SLACK: f64 = 1.0 + 16.0 * U;

/// A number that is known to lie within `error` of `value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedDouble {
    /// The double.
    pub value: f64,
    /// How far the true value can be from it.
    pub error: f64,
}

impl BoundedDouble {
    /// A double that was rounded once, with the error inherited from its operands.
    #[inline]
    fn rounded(value: f64, inherited: f64) -> Self {
        // Below the normal range a rounding error is no longer relative.
        Self { value, error: (inherited + value.abs() * U) * SLACK + f64::MIN_POSITIVE }
    }

    /// The lower end of the interval.
    #[inline]
    pub fn low(&self) -> f64 {
        self.value - self.error * SLACK - self.value.abs() * U
    }

    /// The upper end of the interval.
    #[inline]
    pub fn high(&self) -> f64 {
        self.value + self.error * SLACK + self.value.abs() * U
    }

    /// Whether it is certain that this number is less than the other one.
    #[inline]
    pub fn is_below(&self, other: &Self) -> bool {
        // The difference of two doubles is off by at most one rounding.
        let distance = other.value - self.value;
        distance * (1.0 - U) > (self.error + other.error) * SLACK
    }

    /// Whether the number is exactly the double.
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.error == 0.0
    }
}

/// Doubles with an error bound that every operation carries along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounded;

impl Numbers for Bounded {
    type Number = BoundedDouble;

    fn constant(self, value: &Fraction) -> BoundedDouble {
        let double = to_f64(value);
        let exact = Fraction::from_float(double).is_some_and(|rounded| (rounded - value).is_zero());
        if exact { BoundedDouble { value: double, error: 0.0 } } else { BoundedDouble::rounded(double, 0.0) }
    }
    #[inline]
    fn add(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        BoundedDouble::rounded(a.value + b.value, a.error + b.error)
    }
    #[inline]
    fn sub(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        BoundedDouble::rounded(a.value - b.value, a.error + b.error)
    }
    #[inline]
    fn mul(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        let inherited = a.value.abs() * b.error + b.value.abs() * a.error + a.error * b.error;
        BoundedDouble::rounded(a.value * b.value, inherited)
    }
    #[inline]
    fn parallel(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        // The value grows with a and b, by at most as much as they do; three roundings.
        let value = if a.value > 0.0 { a.value * (b.value / (a.value + b.value)) } else { 0.0 };
        BoundedDouble::rounded(value, a.error + b.error + 3.0 * value * U)
    }
    #[inline]
    fn greatest(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        BoundedDouble {
            value: if a.value < b.value { b.value } else { a.value },
            error: a.error.max(b.error),
        }
    }
    #[inline]
    fn least(self, a: &BoundedDouble, b: &BoundedDouble) -> BoundedDouble {
        BoundedDouble {
            value: if b.value < a.value { b.value } else { a.value },
            error: a.error.max(b.error),
        }
    }
    #[inline]
    fn compare(self, a: &BoundedDouble, b: &BoundedDouble) -> Option<Ordering> {
        if a.is_below(b) {
            Some(Ordering::Less)
        } else if b.is_below(a) {
            Some(Ordering::Greater)
        } else {
            (a.is_exact() && b.is_exact()).then_some(Ordering::Equal)
        }
    }
    #[inline]
    fn either(self, a: BoundedDouble, b: BoundedDouble) -> BoundedDouble {
        BoundedDouble {
            value: a.value,
            error: a.error.max((b.value - a.value).abs() * SLACK + b.error) * SLACK,
        }
    }
    #[inline]
    fn complement(self, a: &BoundedDouble) -> BoundedDouble {
        BoundedDouble::rounded(1.0 - a.value, a.error)
    }
    #[inline]
    fn integer(self, value: u32) -> BoundedDouble {
        BoundedDouble { value: f64::from(value), error: 0.0 }
    }
}
