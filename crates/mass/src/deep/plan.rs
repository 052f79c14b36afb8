//! What a shard of a deep sweep will take, before it is queued.

use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, Plan, effort as classes};
use prodmax_jobs::Effort;

use super::PAIRS_PER_SECOND;
use super::block::{BYTES_PER_ITEM, bytes_per_pair};
use super::memory::default_block_pairs;
use super::partition::RANGES;

/// Seconds to rank an item and add up its vectors.
const ITEM_SECONDS: f64 = 3e-6;

/// Seconds to walk past an item when a cut is looked for.
const WALK_SECONDS: f64 = 8.5e-9;

/// What a sweep takes if it is divided. Times are those of one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepPlan {
    /// What every shard does before its blocks: classes, items, the ranges of all shards. The bytes are those that the
    /// threads share.
    pub set_up: Effort,
    /// The blocks of all shards; the bytes are those of one thread.
    pub blocks: Effort,
    /// The bytes that the sums of all blocks take when they are merged.
    pub sums_bytes: f64,
}

impl SweepPlan {
    /// For one sweep of a model in this many shards.
    pub fn of(model: &Model, shards: u32) -> Self {
        let plan = Plan::of(model);
        let levels = classes::table(&plan);
        let number = |count: &num_bigint::BigUint| count.to_f64().unwrap_or(f64::INFINITY);
        let items = plan.levels.get(1).map_or(1.0, |level| number(&level.classes));
        let pairs = number(plan.depth_one_classes());
        // The number of trees is the square of the total that multiplicities add up to.
        let wide = model.trees().bits() > 128;
        let pair = if wide { bytes_per_pair::<u128>() } else { bytes_per_pair::<u64>() };
        // A multiplicity and how much of it is won.
        let entry = if wide { 24.0 } else { 16.0 };
        let node_values = plan.levels.first().map_or(1, |level| level.values) as f64;
        let most = default_block_pairs(items.min(1e15) as usize) as f64;
        let all_pairs = items * (items + 1.0) / 2.0;
        // Blocks are halves of what is too large.
        let blocks = (1.5 * all_pairs / most).max(1.0);
        let ranges = blocks.min(1.5 * RANGES as f64 * f64::from(shards));
        let cut = WALK_SECONDS * items;
        let set_up = Effort {
            bytes: levels.bytes + items * node_values * entry,
            seconds: levels.seconds + items * ITEM_SECONDS + ranges * cut,
        };
        // For every minimax value, which is that of a leaf, a count and what is won of it; the rest of a block's sums and
        // its place in a map are a few hundred bytes.
        let leaf_values = plan.levels.last().map_or(1, |level| level.values) as f64;
        let sums_bytes = blocks * (24.0 * leaf_values + 300.0);
        let blocks = Effort {
            bytes: most.min(all_pairs) * pair as f64 + items * BYTES_PER_ITEM as f64,
            seconds: pairs / PAIRS_PER_SECOND + blocks * cut,
        };
        Self { set_up, blocks, sums_bytes }
    }

    /// What one of the shards takes on this many threads.
    pub fn shard(&self, shards: u32, threads: usize) -> Effort {
        let threads = threads.max(1) as f64;
        Effort {
            bytes: self.set_up.bytes + self.blocks.bytes * threads,
            seconds: self.set_up.seconds + self.blocks.seconds / f64::from(shards.max(1)) / threads,
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_enumerate::ZeroMode;

    use super::*;

    /// Depth 4 at full width has 231 million pairs; its set-up took 0.2 s and its peak memory was 45 MiB on two threads
    /// when they were measured, and the estimates should be within a factor of three.
    #[test]
    fn the_plan_of_a_measured_model_is_near_the_measurement() {
        let model = Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42).unwrap();
        let plan = SweepPlan::of(&model, 16);
        assert!((0.07..0.6).contains(&plan.set_up.seconds), "{plan:?}");
        assert!((10.0..60.0).contains(&plan.blocks.seconds), "{plan:?}");
        let shard = plan.shard(16, 2);
        assert!((15e6..140e6).contains(&shard.bytes), "{shard:?}");
        assert!(plan.shard(32, 2).seconds < shard.seconds && plan.shard(16, 4).bytes > shard.bytes);
    }

    /// 7 leaf values, 22 classes of level 2 below 3 node values, 205 depth-1 classes: one block and one range.
    #[test]
    fn a_small_sweep_is_planned_as_by_hand() {
        let model = Model::new(1, &[2, 1, 3], ZeroMode::Skip, 42).unwrap();
        let levels = classes::table(&Plan::of(&model));
        let plan = SweepPlan::of(&model, 5);
        let cut = 22.0 * 8.5e-9;
        let set_up = [levels.bytes + 22.0 * 3.0 * 16.0, levels.seconds + 22.0 * 3e-6 + cut];
        assert_relative_eq!(plan.set_up.bytes, set_up[0], max_relative = 1e-12);
        assert_relative_eq!(plan.set_up.seconds, set_up[1], max_relative = 1e-12);
        let pair = bytes_per_pair::<u64>() as f64;
        assert_relative_eq!(plan.blocks.bytes, 22.0 * 23.0 / 2.0 * pair + 22.0 * 12.0, max_relative = 1e-12);
        assert_relative_eq!(plan.blocks.seconds, 205.0 / PAIRS_PER_SECOND + cut, max_relative = 1e-12);
        assert_relative_eq!(plan.sums_bytes, 24.0 * 7.0 + 300.0, max_relative = 1e-12);
    }

    /// Blocks hold 2^18 pairs of items at most and half as many again are expected, in 1.5 · 32 ranges per shard. The 9^30
    /// trees are a number of 96 bits, so that multiplicities fit into 64.
    #[test]
    fn a_large_sweep_is_planned_in_blocks_and_ranges() {
        let model = Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42).unwrap();
        let counts = Plan::of(&model);
        let items = counts.levels[1].classes.to_f64().unwrap();
        let pairs = items * (items + 1.0) / 2.0;
        let blocks = 1.5 * pairs / (1u64 << 18) as f64;
        assert!(blocks > 3.0 * 48.0 && 2.0 * items < (1u64 << 18) as f64);
        for (shards, ranges) in [(1, 48.0), (3, 144.0), (1_000_000, blocks)] {
            let plan = SweepPlan::of(&model, shards);
            let levels = classes::table(&counts);
            let seconds = levels.seconds + items * 3e-6 + ranges * items * 8.5e-9;
            assert_relative_eq!(plan.set_up.seconds, seconds, max_relative = 1e-12);
            let leaf_values = counts.levels[3].values as f64;
            assert_relative_eq!(plan.sums_bytes, blocks * (24.0 * leaf_values + 300.0), max_relative = 1e-12);
            let pair = bytes_per_pair::<u64>() as f64;
            assert_relative_eq!(
                plan.blocks.bytes,
                (1u64 << 18) as f64 * pair + items * 12.0,
                max_relative = 1e-12
            );
            let shard = plan.shard(3, 2);
            assert_relative_eq!(
                shard.bytes,
                plan.set_up.bytes + 2.0 * plan.blocks.bytes,
                max_relative = 1e-12
            );
            let seconds = plan.set_up.seconds + plan.blocks.seconds / 6.0;
            assert_relative_eq!(shard.seconds, seconds, max_relative = 1e-12);
        }
    }

    /// With more than 2^128 trees, multiplicities take 128 bits.
    #[test]
    fn wide_multiplicities_take_more_memory() {
        let model = Model::new(1, &[20, 20, 20, 20, 20], ZeroMode::Skip, 200).unwrap();
        assert!(model.trees().bits() > 128);
        let counts = Plan::of(&model);
        let items = counts.levels[1].classes.to_f64().unwrap();
        let expected = classes::table(&counts).bytes + items * 21.0 * 24.0;
        assert_relative_eq!(SweepPlan::of(&model, 1).set_up.bytes, expected, max_relative = 1e-12);
    }
}
