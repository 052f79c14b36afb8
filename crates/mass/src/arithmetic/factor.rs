//! Powers of exact weights as factors: whole numbers of any size, or doubles.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// A kind of number for products of powers of weights.
pub trait Factor: Clone + Send + Sync {
    /// A whole number of any size.
    fn whole(value: &BigUint) -> Self;
    /// base^exponent.
    fn power(base: u128, exponent: u32) -> Self;
    /// The product.
    fn product(&self, other: &Self) -> Self;
}

impl Factor for BigUint {
    fn whole(value: &BigUint) -> Self {
        value.clone()
    }
    fn power(base: u128, exponent: u32) -> Self {
        Self::from(base).pow(exponent)
    }
    fn product(&self, other: &Self) -> Self {
        self * other
    }
}

impl Factor for BigInt {
    fn whole(value: &BigUint) -> Self {
        value.clone().into()
    }
    fn power(base: u128, exponent: u32) -> Self {
        Self::from(base).pow(exponent)
    }
    fn product(&self, other: &Self) -> Self {
        self * other
    }
}

impl Factor for f64 {
    /// The nearest double; infinite beyond their range.
    fn whole(value: &BigUint) -> Self {
        value.to_u128().map_or_else(|| value.to_f64().unwrap_or(Self::INFINITY), |small| small as Self)
    }
    /// By repeated multiplication, which is the same everywhere.
    fn power(base: u128, exponent: u32) -> Self {
        let base = base as Self;
        let bits = u32::BITS - exponent.leading_zeros();
        (0..bits).rev().fold(1.0, |power: Self, bit| {
            let square = power * power;
            if exponent >> bit & 1 == 1 { square * base } else { square }
        })
    }
    fn product(&self, other: &Self) -> Self {
        self * other
    }
}
