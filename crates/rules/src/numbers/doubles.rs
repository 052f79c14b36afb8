//! Plain doubles: for simulation and play, where rounding does not matter.

use std::cmp::Ordering;

use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;

use super::{Numbers, Ordered};

/// Doubles, rounded to nearest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubles;

// Networks that sort a given number of values with the fewest exchanges.
const THREE: [(usize, usize); 3] = [(0, 2), (0, 1), (1, 2)];
const FOUR: [(usize, usize); 5] = [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)];
const FIVE: [(usize, usize); 9] = [(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)];
const SIX: [(usize, usize); 12] =
    [(0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3), (2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4)];

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
    fn sort_descending(self, values: &mut [f64]) {
        match values.len() {
            2 => exchange::<2, 1>(values, [(0, 1)]),
            3 => exchange::<3, 3>(values, THREE),
            4 => exchange::<4, 5>(values, FOUR),
            5 => exchange::<5, 9>(values, FIVE),
            6 => exchange::<6, 12>(values, SIX),
            _ => values.sort_unstable_by(|a, b| self.order(b, a)),
        }
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

/// Sorts by a network: which places are compared does not depend on the values, so there is no branch to mispredict.
#[inline]
fn exchange<const COUNT: usize, const EXCHANGES: usize>(
    values: &mut [f64],
    network: [(usize, usize); EXCHANGES],
) {
    let Ok(values) = <&mut [f64; COUNT]>::try_from(values) else { return };
    let mut sorted = *values;
    for (before, after) in network {
        let (a, b) = (sorted[before], sorted[after]);
        (sorted[before], sorted[after]) = (if a < b { b } else { a }, if a < b { a } else { b });
    }
    *values = sorted;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that sorts all sequences of zeros and ones sorts everything.
    #[test]
    fn a_few_numbers_are_sorted() {
        for count in 0..=8 {
            for bits in 0..1u32 << count {
                let mut values: Vec<f64> = (0..count).map(|place| f64::from(bits >> place & 1)).collect();
                Doubles.sort_descending(&mut values);
                let ones = bits.count_ones() as usize;
                assert!(values[..ones].iter().all(|value| *value == 1.0), "{count} {bits:b}: {values:?}");
                assert!(values[ones..].iter().all(|value| *value == 0.0), "{count} {bits:b}: {values:?}");
            }
        }
        let mut values = [0.25, 0.75, 0.5, 1.0, 0.125, 0.5];
        Doubles.sort_descending(&mut values);
        assert_eq!(values, [1.0, 0.75, 0.5, 0.5, 0.25, 0.125]);
    }
}
