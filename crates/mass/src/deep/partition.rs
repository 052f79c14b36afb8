//! The range of product values cut into blocks.
//!
//! Items are sorted by the doubles of their values, and joining them to pairs is monotone (`joint`): for a fixed
//! first item i, the double of a pair (i, j) grows with j. So the pairs (i, j <= i) below a bound are, for each i, the
//! seconds below some index, the *frontier*, which falls as i grows. One walk along it counts them and finds the
//! pairs next to the bound on both sides.
//!
//! A double is within an error of the exact value. A bound is therefore only used as a *cut* if the greatest
//! double below it and the least one from it on are further apart than both errors: then every pair below the cut has
//! a lesser exact value than every pair above it, and no comparison across a cut is ever in doubt. Where pairs
//! lie too close, as the pairs of a tie do, the cut moves up behind them.

use prodmax_jobs::Shard;
use rayon::join;
use rayon::prelude::*;

use super::joint::Joint;

/// How often a cut may move up before the attempt is given up.
const MAX_MOVES: usize = 64;

/// Partitions are searched for in parallel above this number of pairs.
const PARALLEL_PAIRS: u64 = 1 << 22;

/// Shards are made of ranges of about this part of a shard at most, so that they differ little in size.
pub(super) const RANGES: u64 = 32;

/// A bound between pairs whose order is certain, and the number of pairs below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The least double of a pair above.
    pub(super) bound: f64,
    /// The number of pairs below the bound.
    pub(super) below: u64,
}

/// The pairs from one cut to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    /// The number of pairs below the block, which is its name in files.
    pub(super) start: u64,
    /// No double is below this.
    pub(super) low: f64,
    /// All doubles are below this.
    pub(super) high: f64,
    /// The number of pairs (including those that no depth-1 node has).
    pub(super) pairs: u64,
}

/// The doubles of all pairs, given those of the items in ascending order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs<'a, J> {
    /// The doubles of the items.
    pub(super) value: &'a [f64],
    /// How the items are joined.
    pub(super) joint: J,
}

/// What lies on either side of a bound.
struct Sides {
    below: u64,
    greatest_below: Option<f64>,
    least_above: Option<f64>,
}

impl<J: Joint> Pairs<'_, J> {
    /// For each first item, the number of second items (of all items) whose pair with it is below the bound.
    pub(super) fn frontier(&self, bound: f64) -> impl Iterator<Item = usize> {
        let mut second = self.value.len();
        self.value.iter().map(move |first| {
            while second > 0 && self.joint.pair(*first, self.value[second - 1]) >= bound {
                second -= 1;
            }
            second
        })
    }

    fn sides(&self, bound: f64) -> Sides {
        let (mut below, mut greatest, mut least) = (0, f64::NEG_INFINITY, f64::INFINITY);
        for (first, end) in self.frontier(bound).enumerate() {
            let inside = end.min(first + 1);
            below += inside as u64;
            if inside > 0 {
                greatest = greatest.max(self.joint.pair(self.value[first], self.value[inside - 1]));
            }
            if end <= first {
                least = least.min(self.joint.pair(self.value[first], self.value[end]));
            }
        }
        let finite = |value: f64| value.is_finite().then_some(value);
        Sides { below, greatest_below: finite(greatest), least_above: finite(least) }
    }

    /// The first cut at or above a bound, if there is one nearby.
    fn cut(&self, mut bound: f64) -> Option<Cut> {
        for _ in 0..MAX_MOVES {
            let sides = self.sides(bound);
            let least = sides.least_above?;
            // The subtraction is exact for near neighbours (Sterbenz), and others are far apart.
            if sides.greatest_below.is_none_or(|greatest| !self.joint.near(greatest, least)) {
                return Some(Cut { bound: least, below: sides.below });
            }
            bound = (least + 2.0 * self.joint.error(least)).next_up();
        }
        None
    }

    /// The number of pairs.
    pub(super) fn count(&self) -> u64 {
        let items = self.value.len() as u64;
        items * (items + 1) / 2
    }

    /// Blocks of at most `most` pairs, wherever cuts allow it, in ascending order. The result depends only on the
    /// arguments.
    pub(super) fn partition(&self, most: u64) -> Vec<Block> {
        let Some(&greatest) = self.value.last() else { return Vec::new() };
        let first = Cut { bound: self.joint.lowest(self.value), below: 0 };
        let last = Cut { bound: self.joint.pair(greatest, greatest).next_up(), below: self.count() };
        self.split(first, last, most.max(1))
    }

    /// The blocks of a shard, in ascending order: some of those of [`Self::partition`]. A block is what is left when
    /// larger ranges are cut again and again, so a shard cuts only its own ranges down to blocks.
    pub(super) fn share(&self, most: u64, shard: Shard) -> Vec<Block> {
        let ranges = self.partition(most.max(self.count() / (RANGES * u64::from(shard.of()))));
        let costs: Vec<u64> = ranges.iter().map(|range| range.pairs).collect();
        let own = shard.units(&costs);
        let blocks = own.par_iter().map(|&range| {
            let Block { start, low, high, pairs } = ranges[range];
            let [low, high] =
                [(low, start), (high, start + pairs)].map(|(bound, below)| Cut { bound, below });
            self.split(low, high, most.max(1))
        });
        blocks.collect::<Vec<_>>().concat()
    }

    fn split(&self, low: Cut, high: Cut, most: u64) -> Vec<Block> {
        let pairs = high.below - low.below;
        let middle = if pairs > most { self.middle(low, high) } else { None };
        let Some(middle) = middle else {
            return vec![Block { start: low.below, low: low.bound, high: high.bound, pairs }];
        };
        let parts = [(low, middle), (middle, high)];
        let [mut blocks, above] = if pairs > PARALLEL_PAIRS {
            let [a, b] = parts.map(|(low, high)| move || self.split(low, high, most));
            join(a, b).into()
        } else {
            parts.map(|(low, high)| self.split(low, high, most))
        };
        blocks.extend(above);
        blocks
    }

    /// A cut strictly between two others: bisection by value, away from an empty half.
    fn middle(&self, low: Cut, high: Cut) -> Option<Cut> {
        let (mut from, mut to) = (low.bound, high.bound);
        loop {
            let middle = from + (to - from) / 2.0;
            if middle <= from || middle >= to {
                return None;
            }
            match self.cut(middle) {
                Some(cut) if cut.below <= low.below => from = middle,
                Some(cut) if cut.below < high.below => return Some(cut),
                // No cut before the end: there can be one further down.
                _ => to = middle,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::deep::joint::Products;

    fn blocks_of(value: &[f64], error: f64, most: u64) -> Vec<Block> {
        Pairs { value, joint: Products::with_error(error) }.partition(most)
    }

    #[test]
    fn a_tie_is_never_cut() {
        let value = [0.5; 20];
        let blocks = blocks_of(&value, 1e-15, 3);
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].pairs, 210);
    }

    /// Squares and products of 1, 2, 4: 1 2 4 4 8 16.
    #[test]
    fn a_block_as_large_as_allowed_is_not_cut() {
        let value = [1.0, 2.0, 4.0];
        assert_eq!(
            blocks_of(&value, 1e-15, 6),
            [Block { start: 0, low: 0.0, high: 16f64.next_up(), pairs: 6 }]
        );
        let sizes = |most| blocks_of(&value, 1e-15, most).iter().map(|block| block.pairs).collect::<Vec<_>>();
        assert!(sizes(5).len() > 1);
        assert_eq!(sizes(1), [1, 1, 2, 1, 1], "the two of value 4 stay together");
        assert!(blocks_of(&[], 1e-15, 5).is_empty());
    }

    /// Doubles that are up to 2 errors apart can stand for equal values; only a wider gap can be cut.
    #[test]
    fn a_cut_is_wider_than_twice_the_error() {
        let value = [0.5, 1.0];
        assert_eq!(blocks_of(&value, 0.125, 1).len(), 2, "1/4 and 1/2 are together");
        assert_eq!(blocks_of(&value, 0.124, 1).len(), 3);
        let pairs = Pairs { value: &value, joint: Products::with_error(0.125) };
        assert_eq!(pairs.cut(0.3), Some(Cut { bound: 1.0, below: 2 }), "moved up behind what lies too close");
        assert_eq!(pairs.cut(1.1), None, "there is nothing above");
    }

    proptest! {
        #[test]
        fn blocks_hold_all_pairs_once_and_lie_apart(
            steps in prop::collection::vec((0u32..40, 0u32..3), 1..30), most in 1u64..50
        ) {
            // Values with ties, near ties and zeros.
            let error = 1e-9;
            let mut value: Vec<f64> =
                steps.iter().map(|&(a, b)| f64::from(a) / 40.0 + f64::from(b) * 3e-10).collect();
            value.sort_by(f64::total_cmp);
            let mut pairs: Vec<f64> =
                (0..value.len()).flat_map(|i| value[..=i].iter().map(move |w| (i, *w))).map(|(i, w)| value[i] * w).collect();
            pairs.sort_by(f64::total_cmp);
            let blocks = blocks_of(&value, error, most);
            let inside = |block: &Block| pairs.iter().filter(|&&p| block.low <= p && p < block.high).count() as u64;
            prop_assert!(blocks.iter().all(|block| inside(block) == block.pairs && block.pairs > 0));
            prop_assert_eq!(blocks.iter().map(|block| block.pairs).sum::<u64>(), pairs.len() as u64);
            for pair in blocks.windows(2) {
                prop_assert_eq!(pair[0].high, pair[1].low);
                prop_assert_eq!(pair[0].start + pair[0].pairs, pair[1].start);
                let cut = pairs.partition_point(|&p| p < pair[1].low);
                prop_assert!(pairs[cut] - pairs[cut - 1] > 2.0 * error);
            }
            // Shards have the same blocks, each one once.
            for of in [1, 2, 5] {
                let pairs = Pairs { value: &value, joint: Products::with_error(error) };
                let mut shared: Vec<Block> =
                    (1..=of).flat_map(|number| pairs.share(most, Shard::new(number, of).unwrap())).collect();
                shared.sort_by_key(|block| block.start);
                prop_assert_eq!(&shared, &blocks);
            }
            // A block that is too large cannot be cut except near its ends.
            for block in blocks.iter().filter(|block| block.pairs > most) {
                let inner: Vec<f64> = pairs.iter().copied().filter(|p| block.low <= *p && *p < block.high).collect();
                prop_assert!(inner.windows(2).all(|w| w[1] - w[0] <= 2.0 * error + 1e-15));
            }
        }
    }
}
