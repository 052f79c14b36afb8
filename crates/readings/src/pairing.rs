//! Which pairs of branches are critical, and how much each pair counts.
//!
//! The weight of a pair of classes (M, P) is bilinear in their branches per first increment, so sums over all
//! critical pairs take one sweep in the order of product values, as in `prodmax-mass`; ties and equal first
//! increments only need the partial sums per first increment. The difference of the error masses needs no sum over
//! pairs at all: Pr(M won) Pr(P lost) - Pr(M lost) Pr(P won) = Pr(M won) - Pr(P won), so with [`Pairing::lead`] it
//! is one dot product per truth.

use prodmax_mass::Critical;

use crate::branches::Branches;
use crate::dimension::{SameIncrement, Ties, Weights};

/// The critical pairs of a model under a reading.
pub struct Pairing<'a> {
    critical: &'a Critical,
    branches: &'a Branches,
    ranks: usize,
    orders: f64,
    /// The factor of pairs with equal first increments.
    same: f64,
    /// The weight of a tie in minimax, by the first increments of M and P; empty for strict ties.
    ties: Vec<f64>,
    lead: Vec<f64>,
    share: Vec<f64>,
    critical_trees: f64,
    trees: f64,
}

/// The side whose partners a sweep adds up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// For each class the classes M of which it is the P.
    OfP,
    /// For each class the classes P of which it is the M.
    OfM,
}

impl<'a> Pairing<'a> {
    /// Prepares the sums that do not depend on the truth.
    pub fn new(
        critical: &'a Critical,
        branches: &'a Branches,
        weights: Weights,
        ties: Ties,
        same_increment: SameIncrement,
    ) -> Self {
        let increments = branches.increments();
        let same = same_increment.factor();
        let tie = |m, p| ties.weight(m, p) * if m == p { same } else { 1.0 };
        let table = (0..increments * increments).map(|mp| tie(mp / increments, mp % increments));
        let mut pairing = Self {
            critical,
            branches,
            ranks: critical.rankings()[0].groups().len(),
            orders: weights.orders(),
            same,
            ties: if ties == Ties::Strict { Vec::new() } else { table.collect() },
            lead: Vec::new(),
            share: Vec::new(),
            critical_trees: 0.0,
            trees: trees(branches, weights, same),
        };
        let ones = vec![1.0; branches.len()];
        let (as_m, as_p) = (pairing.sweep(Side::OfM, &ones), pairing.sweep(Side::OfP, &ones));
        pairing.critical_trees = as_p.iter().sum();
        pairing.lead = as_m.iter().zip(&as_p).map(|(m, p)| m - p).collect();
        pairing.share = as_m.iter().zip(&as_p).map(|(m, p)| m + p).collect();
        pairing
    }

    /// The classes and their orders.
    pub fn critical(&self) -> &Critical {
        self.critical
    }

    /// The number of critical trees.
    pub fn critical_trees(&self) -> f64 {
        self.critical_trees
    }

    /// The number of trees.
    pub fn trees(&self) -> f64 {
        self.trees
    }

    /// Per class, the number of critical trees in which it is M minus that of those in which it is P: eP - eM is the
    /// sum of these numbers times the probability that the class is won.
    pub fn lead(&self) -> &[f64] {
        &self.lead
    }

    /// eP - eM, given the probability of each class to be won.
    pub fn difference(&self, won: &[f64]) -> f64 {
        dot(&self.lead, won)
    }

    /// eP + eM.
    pub fn total(&self, won: &[f64]) -> f64 {
        dot(&self.share, won) - 2.0 * self.sum(won, won)
    }

    /// Σ x_M y_P over all critical trees.
    pub fn sum(&self, x: &[f64], y: &[f64]) -> f64 {
        dot(&self.sweep(Side::OfP, x), y)
    }

    /// Visits every critical pair of classes (M, P) with the number of trees it stands for. The time is proportional
    /// to the number of pairs: only for what sums over classes cannot give.
    pub fn for_each_pair(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let first = self.critical.rankings()[0].ranks();
        let mut before: Vec<u32> = Vec::with_capacity(self.branches.len());
        for group in self.critical.rankings()[1].groups().iter() {
            for &p in group {
                for &m in before.iter().filter(|&&m| first[m as usize] >= first[p as usize]) {
                    let weight = self.weight(m as usize, p as usize);
                    if weight > 0.0 {
                        visit(m as usize, p as usize, weight);
                    }
                }
            }
            before.extend_from_slice(group);
        }
    }

    /// The number of trees that a pair stands for, if M is below P by product value.
    fn weight(&self, m: usize, p: usize) -> f64 {
        let first = self.critical.rankings()[0].ranks();
        let tied = first[m] == first[p];
        if tied && self.ties.is_empty() {
            return 0.0;
        }
        let (of_m, of_p) = (self.branches.class(m), self.branches.class(p));
        let increments = self.branches.increments();
        let mut weight = 0.0;
        for (i, m) in of_m.iter().enumerate() {
            for (j, p) in of_p.iter().enumerate() {
                let plain = if i == j { self.same } else { 1.0 };
                weight += m * p * if tied { self.ties[i * increments + j] } else { plain };
            }
        }
        self.orders * weight
    }

    /// For each class the sum of x over its critical partners on the other side, weighted by trees.
    fn sweep(&self, side: Side, x: &[f64]) -> Vec<f64> {
        let (ranks, increments) = (self.ranks, self.branches.increments());
        let first = self.critical.rankings()[0].ranks();
        let groups: Vec<&[u32]> = self.critical.rankings()[1].groups().iter().collect();
        let mut sums = vec![0.0; self.branches.len()];
        // Per first increment and rank: the sum so far at this rank, and at the ranks that beat it.
        let mut at = vec![0.0; increments * ranks];
        let mut beating = vec![0.0; increments * ranks];
        let mut step = |group: &[u32]| {
            for &class in group {
                let (own, rank) = (self.branches.class(class as usize), first[class as usize] as usize);
                let strict = self.strict(own, &beating, rank);
                let tied = self.tied(side, own, &at, rank);
                sums[class as usize] = self.orders * (strict + tied);
            }
            for &class in group {
                let (own, rank) = (self.branches.class(class as usize), first[class as usize] as usize);
                // Minimax prefers M: a P is beaten by greater ranks, an M by lesser ones.
                let beaten = match side {
                    Side::OfP => 0..rank,
                    Side::OfM => rank + 1..ranks,
                };
                for (i, branches) in own.iter().enumerate().filter(|(_, branches)| **branches != 0.0) {
                    let amount = x[class as usize] * branches;
                    at[i * ranks + rank] += amount;
                    beating[i * ranks..][beaten.clone()].iter_mut().for_each(|sum| *sum += amount);
                }
            }
        };
        match side {
            Side::OfP => groups.into_iter().for_each(&mut step),
            Side::OfM => groups.into_iter().rev().for_each(&mut step),
        }
        sums
    }

    fn strict(&self, own: &[f64], beating: &[f64], rank: usize) -> f64 {
        let met = |i: usize| beating[i * self.ranks + rank];
        let all: f64 = (0..own.len()).map(met).sum();
        own.iter().enumerate().map(|(i, branches)| branches * (all + (self.same - 1.0) * met(i))).sum()
    }

    fn tied(&self, side: Side, own: &[f64], at: &[f64], rank: usize) -> f64 {
        if self.ties.is_empty() {
            return 0.0;
        }
        let increments = own.len();
        let mut sum = 0.0;
        for (i, branches) in own.iter().enumerate().filter(|(_, branches)| **branches != 0.0) {
            for j in 0..increments {
                let tie = match side {
                    Side::OfP => self.ties[j * increments + i],
                    Side::OfM => self.ties[i * increments + j],
                };
                sum += branches * tie * at[j * self.ranks + rank];
            }
        }
        sum
    }
}

/// The number of all trees: ordered pairs of branches, or unordered pairs with repetition.
fn trees(branches: &Branches, weights: Weights, same: f64) -> f64 {
    let totals = branches.totals();
    let all: f64 = totals.iter().sum();
    let diagonal: f64 = totals.iter().map(|t| t * t).sum();
    match weights {
        Weights::Ordered => all * all + (same - 1.0) * diagonal,
        _ => (all * all - diagonal) / 2.0 + same * (diagonal + all) / 2.0,
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}
