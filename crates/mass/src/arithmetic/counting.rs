//! Exact counts of trees.

use num_bigint::BigUint;

use super::{Ring, Weighted};

/// 128-bit counts. The caller has checked that the number of all trees, which bounds every sum and product here,
/// fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting;

impl Ring for Counting {
    type Number = u128;
    type Sum = u128;

    fn mul(&self, a: &u128, b: &u128) -> u128 {
        a * b
    }
    fn zero(&self) -> u128 {
        0
    }
    fn add(&self, sum: &mut u128, number: &u128) {
        *sum += number;
    }
    fn merge(&self, sum: &mut u128, other: &u128) {
        *sum += other;
    }
    fn total(&self, sum: &u128) -> u128 {
        *sum
    }
}

/// Counts of any size, for trees with more than two moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BigCounting;

impl Ring for BigCounting {
    type Number = BigUint;
    type Sum = BigUint;

    fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        a * b
    }
    fn zero(&self) -> BigUint {
        BigUint::ZERO
    }
    fn add(&self, sum: &mut BigUint, number: &BigUint) {
        *sum += number;
    }
    fn merge(&self, sum: &mut BigUint, other: &BigUint) {
        *sum += other;
    }
    fn total(&self, sum: &BigUint) -> BigUint {
        sum.clone()
    }
}

impl Weighted for BigCounting {
    type Factor = BigUint;

    fn times(&self, factor: &BigUint, number: &BigUint) -> BigUint {
        factor * number
    }
}
