//! The number types in which multiplicities are summed.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Sub};

/// Whole numbers below 2^53 are exact as doubles, and so is every sum and product of them below it.
const EXACT_DOUBLES: u128 = 1 << 53;

/// A multiplicity or a sum of multiplicities. Whoever chooses a type has checked that the sum of all multiplicities,
/// which bounds every value that occurs, fits, so that every operation is exact.
pub(super) trait Weight:
    Copy
    + Debug
    + Default
    + Send
    + Sync
    + PartialEq
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
{
    /// Whether a sum of all multiplicities fits.
    fn fits(total: u128) -> bool;
    /// From an exact number that fits.
    fn from_exact(value: u128) -> Self;
    /// The exact number.
    fn exact(self) -> u128;
    /// The nearest double.
    fn double(self) -> f64;
    /// Half of an even number.
    fn half(self) -> Self;
    /// The product of two sums: bounded by the number of all trees, which fits into 128 bits.
    fn times(self, other: Self) -> u128;
}

impl Weight for f64 {
    fn fits(total: u128) -> bool {
        total < EXACT_DOUBLES
    }
    fn from_exact(value: u128) -> Self {
        value as f64
    }
    #[inline]
    fn exact(self) -> u128 {
        // Via the signed type, for which processors have an instruction.
        u128::from((self as i64).cast_unsigned())
    }
    #[inline]
    fn double(self) -> f64 {
        self
    }
    #[inline]
    fn half(self) -> Self {
        self / 2.0
    }
    #[inline]
    fn times(self, other: Self) -> u128 {
        self.exact() * other.exact()
    }
}

impl Weight for u64 {
    fn fits(total: u128) -> bool {
        total <= u128::from(Self::MAX)
    }
    fn from_exact(value: u128) -> Self {
        value as Self
    }
    #[inline]
    fn exact(self) -> u128 {
        self.into()
    }
    #[inline]
    fn double(self) -> f64 {
        self as f64
    }
    #[inline]
    fn half(self) -> Self {
        self / 2
    }
    #[inline]
    fn times(self, other: Self) -> u128 {
        u128::from(self) * u128::from(other)
    }
}

impl Weight for u128 {
    fn fits(_: u128) -> bool {
        true
    }
    fn from_exact(value: u128) -> Self {
        value
    }
    fn exact(self) -> u128 {
        self
    }
    fn double(self) -> f64 {
        self as f64
    }
    fn half(self) -> Self {
        self / 2
    }
    fn times(self, other: Self) -> u128 {
        self * other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behaves<W: Weight>(greatest: u128) {
        assert!(W::fits(greatest));
        let [six, seven] = [6, 7].map(W::from_exact);
        assert_eq!((six.exact(), six.half().exact(), six.times(seven)), (6, 3, 42));
        assert_eq!((seven - six).double(), 1.0);
        assert_eq!(W::from_exact(greatest).exact(), greatest);
    }

    #[test]
    fn every_weight_is_exact_as_far_as_it_fits() {
        behaves::<f64>((1 << 53) - 1);
        behaves::<u64>(u64::MAX.into());
        behaves::<u128>(u128::MAX);
        assert!(!f64::fits(1 << 53) && !f64::fits(u128::MAX));
        assert!(!u64::fits(1 << 64));
    }
}
