//! The sum over all critical trees with any number of moves, without visiting trees.
//!
//! A tree with b moves is critical if each rule has a unique best move and the two differ. Let M lead to class i and
//! P to class j, and write r(c) and s(c) for the ranks of a class by the first and by the second rule. M is the first
//! rule's choice and P the second's exactly if
//!
//! - r(j) < r(i) and s(i) < s(j), and
//! - each of the b - 2 other moves leads to a class c with r(c) < r(i) and s(c) < s(j).
//!
//! The others are independent of each other and arbitrary within these conditions, so there are μ_i μ_j W(i, j)^(b-2)
//! ways to fill in the tree, where W(i, j) is the sum of the multiplicities μ_c over all c with r(c) < r(i) and s(c)
//! < s(j): a two-dimensional cumulative weight. M and P can be in b (b - 1) places. So for numbers x and y attached
//! to the classes
//!
//! Σ over critical trees of x_M y_P = b (b - 1) Σ x_i y_j W(i, j)^(b-2) over pairs with r(j) < r(i), s(i) < s(j),
//!
//! with the multiplicities multiplied into x and y. With b = 2 that is the sum over critical pairs (`sweep.rs`).
//!
//! A sweep goes along the rule with more different values, in groups of equal value, ascending. Before the group of j
//! all classes with s(c) < s(j) have been met; by their ranks r = k, let X_k be the sum of their x and W_k the weight
//! of those with r < k. Then j contributes y_j Σ over k > r(j) of X_k W_k^(b-2). There are two ways to compute this
//! sum:
//!
//! - *Directly*, each term kept until X_k or W_k changes. It takes classes times ranks steps at most, and far fewer where
//!   both rules tend to agree, as few ranks above r(j) have been met then. That is for rules with few ranks: Minimax.
//! - By a *tree of moments* over the ranks. A node that stands for ranks k, k + 1, … holds its weight w and, for each m up to
//!   b - 2, A_m = Σ X_k V_k^m, where V_k is the weight of the node's own ranks below k. Whatever lies below the node
//!   adds a weight v to every V_k, and (v + V_k)^m is a binomial sum, so
//!
//!   A_m of both halves = A_m of the lower half + Σ_l C(m, l) w^(m-l) A_l of the upper half, w being that of the lower half.
//!
//!   A class changes one node of each size, at b² / 2 steps each: n log n b² in all, for any two rules.
//!
//! Both only add up terms that are not negative, so doubles lose nothing by cancellation. W is exact and becomes a
//! double once.
//!
//! Trees in which both rules choose the same move are simpler: the chosen class c has b places, and all others are
//! worse by both rules, so there are b Σ μ_c W(c, c)^(b-1) of them. The remaining trees are tied.

use num_bigint::BigUint;
use num_traits::One;
use prodmax_jobs::stop;
use rayon::prelude::*;

use crate::arithmetic::{Factor, Weighted};
use crate::sweep::Groups;

mod moments;

use moments::Moments;

/// The maximum number of parts in which groups are swept in parallel. How they are cut does not depend on the number
/// of threads.
const PARTS: usize = 64;

/// The minimum number of classes in a part.
const MIN_PART: usize = 1 << 10;

/// How two rules order the classes of a model with more than two moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveOrders<'a> {
    /// The rank of each class by the rule with fewer different values; equal values have equal ranks.
    pub(crate) ranks: &'a [u32],
    /// The number of ranks.
    pub(crate) count: usize,
    /// Classes grouped by equal value of the other rule, ascending: the order of the sweep.
    pub(crate) groups: &'a Groups,
    /// The multiplicities of the classes.
    pub(crate) weights: &'a [u128],
    /// Moves of every node; at least 2.
    pub(crate) branching: u32,
}

/// How sums over ranks are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SumMethod {
    /// Each term by itself.
    Direct,
    /// In a tree of moments.
    Moments,
}

impl MoveOrders<'_> {
    /// The number of entries of a tree of moments.
    pub(crate) fn moments(&self) -> u64 {
        2 * self.count.next_power_of_two() as u64 * u64::from(self.branching - 1)
    }

    /// The method that takes fewer steps in the worst case.
    pub(crate) fn method(&self) -> SumMethod {
        let [ranks, powers] = [self.count as u64, u64::from(self.branching - 1)];
        let log = |number: u64| u64::from(number.max(1).ilog2()) + 1;
        let (direct, moments) = (ranks * log(powers), log(ranks) * powers * (powers + 1) / 2);
        if direct <= 4 * moments { SumMethod::Direct } else { SumMethod::Moments }
    }

    /// Σ x_i y_j W(i, j)^(b-2) over the pairs in which the ranks prefer i and the groups j, for several x and y at
    /// once.
    pub(crate) fn sums<R: Weighted, const N: usize>(
        &self,
        ring: &R,
        method: SumMethod,
        x: [&[R::Number]; N],
        y: [&[R::Number]; N],
    ) -> [R::Number; N] {
        let sums = match method {
            SumMethod::Direct => self.direct(ring, x, y),
            SumMethod::Moments => self.by_moments(ring, x, y),
        };
        sums.map(|sum| ring.total(&sum))
    }

    /// The trees in which both rules choose the same move, divided by b: Σ μ_c W(c, c)^(b-1).
    pub(crate) fn agreeing(&self) -> BigUint {
        let mut below = Below { nodes: vec![0; self.count + 1] };
        let mut chosen: Vec<(u128, u128)> = Vec::with_capacity(self.weights.len());
        for group in self.groups.iter() {
            stop::check();
            for &class in group {
                chosen.push((self.weight(class), below.of(self.rank(class))));
            }
            group.iter().for_each(|&class| below.add(self.rank(class), self.weight(class)));
        }
        let ways = |&(weight, worse): &(u128, u128)| weight * BigUint::from(worse).pow(self.branching - 1);
        chosen.par_chunks(MIN_PART).map(|part| part.iter().map(ways).sum::<BigUint>()).sum()
    }

    fn rank(&self, class: u32) -> usize {
        self.ranks[class as usize] as usize
    }

    fn weight(&self, class: u32) -> u128 {
        self.weights[class as usize]
    }

    fn direct<R: Weighted, const N: usize>(
        &self,
        ring: &R,
        x: [&[R::Number]; N],
        y: [&[R::Number]; N],
    ) -> [R::Sum; N] {
        let parts = self.parts();
        // What each part begins with: everything that the parts before it have met.
        let met: Vec<Met<R, N>> = parts
            .par_iter()
            .map(|part| {
                let mut met = Met::new(ring, self.count);
                part.iter().copied().flatten().for_each(|&class| met.add(ring, self, class, x));
                met
            })
            .collect();
        let mut so_far = Met::new(ring, self.count);
        let before: Vec<Met<R, N>> = met
            .iter()
            .map(|part| {
                let before = so_far.copy();
                so_far.merge(ring, part);
                before
            })
            .collect();
        let sweep = |(part, mut met): (&Vec<&[u32]>, Met<R, N>)| {
            let mut total = std::array::from_fn(|_| ring.zero());
            for group in part {
                for &class in *group {
                    stop::check();
                    let above = met.above(ring, self.rank(class), self.branching - 2);
                    for (n, sum) in total.iter_mut().enumerate() {
                        ring.add(sum, &ring.mul(&ring.total(&above[n]), &y[n][class as usize]));
                    }
                }
                group.iter().for_each(|&class| met.add(ring, self, class, x));
            }
            total
        };
        let sums: Vec<[R::Sum; N]> = parts.par_iter().zip(before).map(sweep).collect();
        let mut total: [R::Sum; N] = std::array::from_fn(|_| ring.zero());
        for part in &sums {
            total.iter_mut().zip(part).for_each(|(sum, part)| ring.merge(sum, part));
        }
        total
    }

    /// The groups in parts of about the same number of classes.
    fn parts(&self) -> Vec<Vec<&[u32]>> {
        let size = (self.weights.len() / PARTS).max(MIN_PART);
        let mut parts: Vec<Vec<&[u32]>> = Vec::new();
        let mut room = 0usize;
        for group in self.groups.iter() {
            match parts.last_mut() {
                Some(part) if room >= group.len() => part.push(group),
                _ => {
                    parts.push(vec![group]);
                    room = size;
                }
            }
            room = room.saturating_sub(group.len());
        }
        parts
    }

    fn by_moments<R: Weighted, const N: usize>(
        &self,
        ring: &R,
        x: [&[R::Number]; N],
        y: [&[R::Number]; N],
    ) -> [R::Sum; N] {
        let mut total: [R::Sum; N] = std::array::from_fn(|_| ring.zero());
        let mut met = Moments::new(self.count, self.branching - 2);
        for group in self.groups.iter() {
            for &class in group {
                stop::check();
                let above = met.above(ring, self.rank(class));
                for (n, sum) in total.iter_mut().enumerate() {
                    ring.add(sum, &ring.mul(&above[n], &y[n][class as usize]));
                }
            }
            for &class in group {
                met.add(ring, self.rank(class), self.weight(class), x.map(|x| &x[class as usize]));
            }
        }
        total
    }
}

/// The classes that a sweep has met, by rank.
struct Met<R: Weighted, const N: usize> {
    /// The sums of x.
    sums: Vec<[R::Sum; N]>,
    /// The multiplicities.
    weights: Vec<u128>,
    /// X_k W_k^(b-2) of each rank, as long as it is valid; the inner `None` stands for a rank without classes.
    terms: Vec<Option<Term<R::Number, N>>>,
}

/// The term of a rank, if it has any class.
type Term<T, const N: usize> = Option<[T; N]>;

impl<R: Weighted, const N: usize> Met<R, N> {
    fn new(ring: &R, ranks: usize) -> Self {
        let zeros = || std::array::from_fn(|_| ring.zero());
        Self {
            sums: (0..ranks).map(|_| zeros()).collect(),
            weights: vec![0; ranks],
            terms: (0..ranks).map(|_| Some(None)).collect(),
        }
    }

    fn copy(&self) -> Self {
        Self { sums: self.sums.clone(), weights: self.weights.clone(), terms: self.terms.clone() }
    }

    fn add(&mut self, ring: &R, moves: &MoveOrders<'_>, class: u32, x: [&[R::Number]; N]) {
        let rank = moves.rank(class);
        self.weights[rank] += moves.weight(class);
        for (sum, x) in self.sums[rank].iter_mut().zip(x) {
            ring.add(sum, &x[class as usize]);
        }
        self.forget(rank);
    }

    /// A change at a rank invalidates the terms from there on.
    fn forget(&mut self, rank: usize) {
        for (term, &weight) in self.terms[rank..].iter_mut().zip(&self.weights[rank..]) {
            if weight > 0 {
                *term = None;
            }
        }
    }

    fn merge(&mut self, ring: &R, other: &Self) {
        for (rank, sums) in other.sums.iter().enumerate() {
            self.weights[rank] += other.weights[rank];
            self.sums[rank].iter_mut().zip(sums).for_each(|(sum, more)| ring.merge(sum, more));
        }
        self.forget(0);
    }

    /// Σ X_k W_k^others over k > rank.
    fn above(&mut self, ring: &R, rank: usize, others: u32) -> [R::Sum; N] {
        let mut above: [R::Sum; N] = std::array::from_fn(|_| ring.zero());
        let mut below: u128 = self.weights[..=rank].iter().sum();
        for rank in rank + 1..self.weights.len() {
            let sums = &self.sums[rank];
            let term = self.terms[rank].get_or_insert_with(|| {
                let power = R::Factor::power(below, others);
                Some(sums.each_ref().map(|sum| ring.times(&power, &ring.total(sum))))
            });
            if let Some(term) = term {
                above.iter_mut().zip(term).for_each(|(sum, term)| ring.add(sum, term));
            }
            below += self.weights[rank];
        }
        above
    }
}

/// Partial sums of weights over ranks (Fenwick), as in `sweep.rs`.
struct Below {
    nodes: Vec<u128>,
}

impl Below {
    fn add(&mut self, rank: usize, weight: u128) {
        let mut node = rank + 1;
        while node < self.nodes.len() {
            self.nodes[node] += weight;
            node += node & node.wrapping_neg();
        }
    }

    /// The weight of all ranks below `rank`.
    fn of(&self, rank: usize) -> u128 {
        let (mut sum, mut node) = (0, rank);
        while node > 0 {
            sum += self.nodes[node];
            node &= node - 1;
        }
        sum
    }
}

/// C(n, 0) … C(n, n) for n = 0..=most.
pub(crate) fn binomials(most: u32) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::one()]];
    for n in 1..=most as usize {
        let before = &rows[n - 1];
        let inner = before.windows(2).map(|pair| &pair[0] + &pair[1]);
        let row = std::iter::once(BigUint::one()).chain(inner).chain([BigUint::one()]).collect();
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests;
