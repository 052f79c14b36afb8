//! A tree of moments over ranks: sums of X_k W_k^e for ranks above a bound, see the parent module.

use crate::arithmetic::{Factor, Weighted};

use super::binomials;

/// The sums of what a sweep has met, for `N` kinds of numbers x at once.
pub(super) struct Moments<R: Weighted, const N: usize> {
    /// e: the highest power.
    exponent: usize,
    /// The number of ranks that fit into the tree: a power of two. Rank k is node `size + k`, node n has the halves
    /// 2n and 2n + 1.
    size: usize,
    /// The weight of each node.
    weights: Vec<u128>,
    /// A_0 … A_e of each node, end to end; empty for a node without classes.
    moments: Vec<Vec<[R::Number; N]>>,
    /// C(m, l).
    binomials: Vec<Vec<R::Factor>>,
}

impl<R: Weighted, const N: usize> Moments<R, N> {
    pub(super) fn new(ranks: usize, exponent: u32) -> Self {
        let size = ranks.next_power_of_two();
        let row = |row: Vec<_>| row.iter().map(R::Factor::whole).collect();
        Self {
            exponent: exponent as usize,
            size,
            weights: vec![0; 2 * size],
            moments: vec![Vec::new(); 2 * size],
            binomials: binomials(exponent).into_iter().map(row).collect(),
        }
    }

    /// Adds a class.
    pub(super) fn add(&mut self, ring: &R, rank: usize, weight: u128, x: [&R::Number; N]) {
        let leaf = self.size + rank;
        self.weights[leaf] += weight;
        let sum = |n: usize, before: Option<&R::Number>| {
            let mut sum = ring.zero();
            before.into_iter().for_each(|before| ring.add(&mut sum, before));
            ring.add(&mut sum, x[n]);
            ring.total(&sum)
        };
        // A single rank has no weight below itself: all moments except the first are 0 and left out.
        let first = self.moments[leaf].first();
        let first = std::array::from_fn(|n| sum(n, first.map(|sums| &sums[n])));
        self.moments[leaf] = vec![first];
        let mut node = leaf / 2;
        while node > 0 {
            self.weights[node] += weight;
            self.moments[node] = self.joined(ring, node);
            node /= 2;
        }
    }

    /// The moments of a node from those of its halves.
    fn joined(&self, ring: &R, node: usize) -> Vec<[R::Number; N]> {
        let [lower, upper] = [&self.moments[2 * node], &self.moments[2 * node + 1]];
        let weight = self.weights[2 * node];
        if upper.is_empty() || weight == 0 {
            return if upper.is_empty() { lower.clone() } else { upper.clone() };
        }
        let powers: Vec<R::Factor> =
            (0..=self.exponent as u32).map(|e| R::Factor::power(weight, e)).collect();
        let moment = |m: usize| self.shifted(ring, upper, &powers, m, lower.get(m));
        (0..=self.exponent).map(moment).collect()
    }

    /// Σ_l C(m, l) w^(m-l) A_l, plus another number.
    fn shifted(
        &self,
        ring: &R,
        moments: &[[R::Number; N]],
        powers: &[R::Factor],
        m: usize,
        more: Option<&[R::Number; N]>,
    ) -> [R::Number; N] {
        let mut sums: [R::Sum; N] = std::array::from_fn(|_| ring.zero());
        let mut add = |numbers: &[R::Number; N]| {
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| ring.add(sum, number));
        };
        more.into_iter().for_each(&mut add);
        for (l, moment) in moments.iter().enumerate().take(m + 1) {
            let factor = self.binomials[m][l].product(&powers[m - l]);
            add(&moment.each_ref().map(|number| ring.times(&factor, number)));
        }
        sums.map(|sum| ring.total(&sum))
    }

    /// Σ X_k W_k^e over k > rank.
    pub(super) fn above(&self, ring: &R, rank: usize) -> [R::Number; N] {
        // The upper halves next to the path from the rank to the root, from the bottom up: ever higher ranks.
        let mut sums: [R::Sum; N] = std::array::from_fn(|_| ring.zero());
        let mut below = self.weights[self.size + rank] + self.below(rank);
        let mut node = self.size + rank;
        while node > 1 {
            if node.is_multiple_of(2) {
                let upper = node + 1;
                let moments = &self.moments[upper];
                if !moments.is_empty() {
                    let powers: Vec<R::Factor> =
                        (0..=self.exponent as u32).map(|e| R::Factor::power(below, e)).collect();
                    let term = self.shifted(ring, moments, &powers, self.exponent, None);
                    sums.iter_mut().zip(&term).for_each(|(sum, term)| ring.add(sum, term));
                }
                below += self.weights[upper];
            }
            node /= 2;
        }
        sums.map(|sum| ring.total(&sum))
    }

    /// The weight of all ranks below the given one.
    fn below(&self, rank: usize) -> u128 {
        let (mut weight, mut node) = (0, self.size + rank);
        while node > 1 {
            if !node.is_multiple_of(2) {
                weight += self.weights[node - 1];
            }
            node /= 2;
        }
        weight
    }
}
