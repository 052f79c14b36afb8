//! The sums of a sweep over pairs in ascending order of product value.
//!
//! When a pair P is met, it is compared with all pairs M met before it, whose product values are less. With K the
//! number of trees and W the number of won trees, summed over the earlier pairs with a *greater* minimax value, P
//! adds k_P K critical trees and, to the masses,
//!
//! - A = Σ won_P K: P is won, whatever M is;
//! - B = Σ won_P W: both are won;
//! - C = Σ k_P W: M is won, whatever P is.
//!
//! Minimax errs where M is lost and P won, A - B; Product where M is won and P lost, C - B. Whatever their minimax
//! values, Product chooses P against the N trees of all pairs met before it, and in half of the cases against the G
//! trees of its own product value, so that
//!
//! - D = Σ won_P (N + G/2)
//!
//! is half of what Product wins over all ordered trees. All terms are positive, so every sum has a small relative error;
//! it is kept small by flushing plain running sums into compensated ones every few pairs (see [`super::bound`]).

use prodmax_number::CompensatedSum;

use super::weight::Weight;

/// The number of additions after which plain sums are flushed.
pub(super) const FLUSH: u32 = 32;

/// A, B, C and D.
pub(super) const MASSES: usize = 4;

/// The sums over one block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BlockSums {
    /// Critical trees, counting each pair of depth-1 classes once.
    pub(super) critical: u128,
    /// Agreeing trees, counted likewise.
    pub(super) agreeing: u128,
    /// Ordered trees with equal product values and different minimax values.
    pub(super) product_tied: u128,
    /// A, B, C and D, counting each pair of classes once.
    pub(super) masses: [f64; MASSES],
    /// Number of trees for each minimax value.
    pub(super) count: Vec<u128>,
    /// Number of won trees for each minimax value.
    pub(super) won: Vec<f64>,
    /// Pairs that occur below some depth-1 node.
    pub(super) pairs: u64,
    /// Neighbours whose order doubles could not settle.
    pub(super) escalated: u64,
    /// Neighbours whose order nothing could settle.
    pub(super) unresolved: u64,
}

/// The sums over the pairs met so far.
#[derive(Debug)]
pub(super) struct Running<W> {
    /// Trees with each minimax value, with a greater one, and in total.
    equal: Vec<W>,
    above: Vec<W>,
    all: W,
    /// Won trees with each minimax value and with a greater one: since the last flush, before it, and both as
    /// compensated sums. `before` is `above_sum` as a plain number.
    won_equal: Vec<f64>,
    won_above: Vec<f64>,
    before: Vec<f64>,
    equal_sum: Vec<CompensatedSum>,
    above_sum: Vec<CompensatedSum>,
    /// A, B, C, D since the last flush, and before.
    masses: [f64; MASSES],
    mass_sums: [CompensatedSum; MASSES],
    pending: u32,
    critical: u128,
    agreeing: u128,
    product_tied: u128,
}

/// A pair as the sweep sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<W> {
    pub(super) rank: usize,
    pub(super) count: W,
    pub(super) won: f64,
}

impl<W: Weight> Running<W> {
    pub(super) fn new(ranks: usize) -> Self {
        Self {
            equal: vec![W::default(); ranks],
            above: vec![W::default(); ranks],
            all: W::default(),
            won_equal: vec![0.0; ranks],
            won_above: vec![0.0; ranks],
            before: vec![0.0; ranks],
            equal_sum: vec![CompensatedSum::default(); ranks],
            above_sum: vec![CompensatedSum::default(); ranks],
            masses: [0.0; MASSES],
            mass_sums: [CompensatedSum::default(); MASSES],
            pending: 0,
            critical: 0,
            agreeing: 0,
            product_tied: 0,
        }
    }

    /// Adds a pair whose product value no other has.
    #[inline]
    pub(super) fn single(&mut self, pair: Met<W>) {
        self.meet(pair, pair.count);
        self.enter(pair);
    }

    /// Adds the pairs with one product value.
    pub(super) fn tie(&mut self, group: &[Met<W>]) {
        let mut all = W::default();
        group.iter().for_each(|pair| all += pair.count);
        group.iter().for_each(|&pair| self.meet(pair, all));
        let mut sums = vec![W::default(); self.equal.len()];
        for &pair in group {
            self.enter(pair);
            sums[pair.rank] += pair.count;
        }
        self.product_tied += all.times(all) - sums.iter().map(|&sum| sum.times(sum)).sum::<u128>();
    }

    /// Compares a pair with the earlier ones; `alike` is the number of trees with its product value. (As a call that
    /// is not inlined it costs a tenth of the sweep.)
    #[inline(always)]
    fn meet(&mut self, Met { rank, count, won }: Met<W>, alike: W) {
        let above = self.above[rank];
        self.critical += count.times(above);
        self.agreeing += count.times(self.all - above - self.equal[rank]);
        let won_above = self.before[rank] + self.won_above[rank];
        self.masses[0] += won * above.double();
        self.masses[1] += won * won_above;
        self.masses[2] += count.double() * won_above;
        self.masses[3] += won * (self.all.double() + 0.5 * alike.double());
        self.step();
    }

    #[inline(always)]
    fn enter(&mut self, Met { rank, count, won }: Met<W>) {
        self.all += count;
        self.equal[rank] += count;
        self.won_equal[rank] += won;
        self.above[..rank].iter_mut().for_each(|sum| *sum += count);
        self.won_above[..rank].iter_mut().for_each(|sum| *sum += won);
        self.step();
    }

    /// Both kinds of sums grow by at most one term per step.
    #[inline]
    fn step(&mut self) {
        self.pending += 1;
        if self.pending == 2 * FLUSH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.pending = 0;
        flush(&mut self.won_equal, &mut self.equal_sum);
        flush(&mut self.won_above, &mut self.above_sum);
        flush(&mut self.masses, &mut self.mass_sums);
        for (before, sum) in self.before.iter_mut().zip(&self.above_sum) {
            *before = sum.value();
        }
    }

    /// The sums of the block; resets them for the next one.
    pub(super) fn finish(&mut self) -> BlockSums {
        self.flush();
        let sums = BlockSums {
            critical: self.critical,
            agreeing: self.agreeing,
            product_tied: self.product_tied,
            masses: self.mass_sums.map(|sum| sum.value()),
            count: self.equal.iter().map(|sum| sum.exact()).collect(),
            won: self.equal_sum.iter().map(CompensatedSum::value).collect(),
            ..BlockSums::default()
        };
        *self = Self::new(self.equal.len());
        sums
    }
}

fn flush(pending: &mut [f64], sums: &mut [CompensatedSum]) {
    for (pending, sum) in pending.iter_mut().zip(sums) {
        sum.add(*pending);
        *pending = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound relies on plain sums having at most 2 FLUSH terms.
    #[test]
    fn plain_sums_are_flushed_after_the_set_number_of_steps_and_not_before() {
        let mut running = Running::<u64>::new(2);
        let lower = Met { rank: 0, count: 3, won: 0.5 };
        let upper = Met { rank: 1, count: 2, won: 0.25 };
        running.single(upper);
        (1..FLUSH - 1).for_each(|_| running.single(lower));
        running.meet(lower, lower.count);
        assert_eq!((running.pending, running.before[0]), (2 * FLUSH - 1, 0.0));
        assert_eq!(running.won_above[0], 0.25);
        running.enter(lower);
        assert_eq!((running.pending, running.before[0]), (0, 0.25));
        assert!(
            [&running.won_equal, &running.won_above].iter().all(|sums| sums.iter().all(|&sum| sum == 0.0))
        );
        assert_eq!(running.masses, [0.0; MASSES]);
        running.single(lower);
        // 32 pairs (3 trees, 1/2 won) after one of 2 trees with 1/4 won.
        let sums = running.finish();
        assert_eq!((sums.critical, sums.agreeing, sums.count), (32 * 3 * 2, 0, vec![96, 2]));
        // D: 1/4 times half of 2, and 1/2 times 2, 5, 8, … trees before and half of 3 trees each.
        let chosen = 0.25 + (0..32).map(|n| 0.5 * (f64::from(2 + 3 * n) + 1.5)).sum::<f64>();
        assert_eq!((sums.masses, sums.won), ([32.0, 4.0, 24.0, chosen], vec![16.0, 0.25]));
        assert_eq!(running.finish(), Running::<u64>::new(2).finish(), "an empty start");
    }
}
