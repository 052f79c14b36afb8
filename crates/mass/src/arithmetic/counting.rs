//! Exact counts of trees.

use super::Ring;

/// 128-bit counts. Whoever sums with it has checked that the number of all trees, which bounds every sum and
/// product here, fits.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

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
