//! How far the error masses can be from their exact values.
//!
//! Let u = 2^-53. Every term of every sum is a product of numbers that are not negative, so each rounding
//! changes a sum by at most u times itself, and n roundings in a row by at most n u (1 + n u). All bounds are
//! relative to *counts*, not to masses: k is a number of trees, exact, and won = k T with 0 <= T <= 1.
//!
//! 1. A truth of level 2 is within τ of the exact one ([`error_bound`]), and at most 1.
//! 2. An entry of T·R is a compensated sum (2u) of products (u) of it with a multiplicity as a double (u): off by
//!    at most R (τ + 4u).
//! 3. won of a pair is a dot product over V node values: off by at most k (2 (τ + 4u) + (V + 1) u) = k ε.
//! 4. A plain running sum has at most 2 FLUSH = f terms between flushes: f u. What it is flushed into is
//!    compensated: the error of such a sum of n terms that are not negative is u + (n u)², below 2u for the
//!    n < 2^26 of any feasible block. Adding the sum before the flush and the one since is another u. So W is
//!    off by K (ε + (f + 4) u).
//! 5. A term of A, B, C inside a block has the error of its factors, three roundings (two conversions of
//!    counts, the product), is one of f terms of a plain sum, then of compensated ones (2u inside the block, 2u
//!    over the blocks): beside ε for each factor won or W, (2f + 4 + 3 + 4) u.
//! 6. A term of A, B, C between blocks has totals of two blocks: (f + 2) u each, a compensated sum over blocks
//!    (2u) and a plain sum over L minimax values (L u), the same three roundings, 2u for the sum: beside ε for
//!    each factor, (2f + L + 11) u.
//!
//! With q = critical / 2 pairs of trees, A and C are off by q (ε + s) and B by q (2ε + s), s = (2f + L + 12) u,
//! and the masses 2 (A - B) and 2 (C - B) by critical (3ε + 2s) and one more rounding. A factor 1.01 covers the
//! products of errors, as all of them together are far below 0.01, the rounding of the bound itself, and numbers
//! below the normal range, whose absolute error is no more than 2^-1074.
//!
//! What a rule wins is a sum of D's kind: of won times a number of trees, over numbers that add up to half of the
//! square of all trees. A term of D has, like one of A, ε, two conversions, a sum and a product of doubles, and is one of
//! f terms of a plain sum or has a block's total as a factor: it is covered by ε + s. So is what Minimax wins, a plain sum
//! over L minimax values of totals. Divided by all trees, twice, both are off by ε + s and 2u of the divisions; a random
//! choice likewise.

use super::running::FLUSH;

const U: f64 = f64::EPSILON / 2.0;

/// A bound on the error of a double that product propagation backed up through `height` levels. A leaf is within
/// 2^-53; a node has the errors of both children (all factors are at most 1) and at most four roundings of 2^-54,
/// here counted as 2^-51.
pub(super) fn error_bound(height: usize) -> f64 {
    let (leaf, node) = (f64::EPSILON / 2.0, f64::EPSILON * 2.0);
    (0..height).fold(leaf, |child, _| 2.0 * child + node)
}

/// The sizes that the bound depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Depth of the model.
    pub(super) depth: usize,
    /// V: values of a depth-1 node.
    pub(super) node_values: usize,
    /// L: minimax values.
    pub(super) levels: usize,
}

impl Bound {
    /// The bound on the error of each mass.
    pub(super) fn of_masses(&self, critical: u128) -> f64 {
        1.01 * critical as f64 * (3.0 * self.pair() + 2.0 * self.sums() + U)
    }

    /// The bound on the error of the probability that a chosen move is won.
    pub(super) fn of_won(&self) -> f64 {
        1.01 * (self.pair() + self.sums() + 2.0 * U)
    }

    /// ε.
    fn pair(&self) -> f64 {
        2.0 * (error_bound(self.depth - 2) + 4.0 * U) + (self.node_values + 1) as f64 * U
    }

    /// s.
    fn sums(&self) -> f64 {
        (2.0 * 2.0 * f64::from(FLUSH) + self.levels as f64 + 12.0) * U
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn errors_grow_with_the_height() {
        let bounds = [0, 1, 2].map(|height| error_bound(height) / f64::EPSILON);
        assert_eq!(bounds, [0.5, 3.0, 8.0]);
    }

    /// In units of u: τ of three levels is 36, so ε = 2 (36 + 4) + 10 = 90; s = 4 FLUSH + 17 + 12.
    #[test]
    fn the_bound_is_that_of_the_formula() {
        let bound = Bound { depth: 5, node_values: 9, levels: 17 };
        let units = 3 * 90 + 2 * (4 * FLUSH + 17 + 12) + 1;
        assert_relative_eq!(bound.of_masses(1000), 1.01 * 1000.0 * f64::from(units) * 2f64.powi(-53));
        let units = 90 + (4 * FLUSH + 17 + 12) + 2;
        assert_relative_eq!(bound.of_won(), 1.01 * f64::from(units) * 2f64.powi(-53));
    }
}
