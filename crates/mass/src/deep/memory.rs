//! How the memory is divided.

use super::block::{BYTES_PER_ITEM, bytes_per_pair};
use super::items::{self, Items};
use super::partition::Block;
use super::weight::Weight;
use super::{DeepError, Options};

/// The number of pairs in a block: its records stay in or near the second-level cache.
const BLOCK_PAIRS: u64 = 1 << 18;

/// Finding the pairs of a block takes a walk over all items, so a block has this many pairs per item at least.
const PAIRS_PER_ITEM: u64 = 2;

/// The maximum number of pairs in a block for this number of items. It follows from the model alone: the last bits of
/// the masses depend on it, and they should be the same on every machine.
pub(super) fn block_pairs(options: &Options<'_>, items: usize) -> u64 {
    options.block_pairs.unwrap_or_else(|| default_block_pairs(items))
}

/// The default.
pub(super) fn default_block_pairs(items: usize) -> u64 {
    BLOCK_PAIRS.max(PAIRS_PER_ITEM * items as u64)
}

/// How the given memory is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// The memory in the options.
    pub(super) given: u64,
}

impl Memory {
    /// An error if this number of bytes is too many.
    pub(super) fn check(&self, needed: u64) -> Result<(), DeepError> {
        if needed <= self.given { Ok(()) } else { Err(DeepError::Memory { needed, given: self.given }) }
    }

    /// The number of workers that the memory allows; an error if there is not enough for one.
    pub(super) fn workers<W: Weight>(&self, items: &Items<W>, blocks: &[Block]) -> Result<usize, DeepError> {
        let largest = blocks.iter().map(|block| block.pairs).max().unwrap_or(0);
        let vectors = items::bytes::<W>(items.node_values, items.len());
        let worker = largest * bytes_per_pair::<W>() + items.len() as u64 * BYTES_PER_ITEM;
        self.check(vectors + worker)?;
        if largest > u64::from(u32::MAX) {
            // Positions in a block have 32 bits.
            return Err(DeepError::Memory { needed: u64::MAX, given: self.given });
        }
        Ok(rayon::current_num_threads().min(self.fitting(vectors, worker)).min(blocks.len()))
    }

    /// The number of workers that fit next to the vectors.
    fn fitting(&self, vectors: u64, worker: u64) -> usize {
        ((self.given - vectors) / worker.max(1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use prodmax_enumerate::{ClassTable, Model, ZeroMode};
    use prodmax_rules::product::Product;
    use prodmax_rules::{Curve, CurveTable};

    use super::*;
    use crate::deep::joint::Products;
    use crate::ranking::{Comparisons, RuleOrder};
    use prodmax_rules::Contestant;

    #[test]
    fn blocks_follow_from_the_model_and_workers_from_the_memory() {
        // Twice a record of value, count, won and name, and a position of four bytes.
        assert_eq!((bytes_per_pair::<u64>(), bytes_per_pair::<u128>()), (68, 100));
        let interrupt = AtomicBool::new(false);
        let options = Options::new(&interrupt, &|_, _| {});
        let pairs = |items: usize| block_pairs(&options, items);
        // The 23,175 items of depth 4 at full width, and the 326,000 or so of depth 5 with increments up to 3.
        assert_eq!([pairs(1), pairs(23_175), pairs(131_072)], [262_144; 3]);
        assert_eq!(pairs(326_000), 652_000);
        assert_eq!(block_pairs(&Options { block_pairs: Some(7), ..options }, 326_000), 7);
        let memory = Memory { given: 1000 };
        assert_eq!([memory.fitting(400, 200), memory.fitting(400, 201), memory.fitting(999, 0)], [3, 2, 1]);
        assert!(Memory { given: 5 }.check(5).is_ok() && Memory { given: 5 }.check(6).is_err());
    }

    #[test]
    fn positions_in_a_block_have_32_bits() {
        let table = ClassTable::build(&Model::new(1, &[1, 1], ZeroMode::Skip, 42).unwrap()).unwrap();
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let product = Contestant::through(Product.into(), &curve);
        let (order, memory) = (RuleOrder::new(&table, &product), Memory { given: 1 << 50 });
        let items =
            Items::<u64>::new(&table, &order, Products::new(2), &curve, memory, &mut Comparisons::default())
                .unwrap();
        let workers = |pairs| memory.workers(&items, &[Block { start: 0, low: 0.0, high: 1.0, pairs }]);
        assert_eq!(workers((1 << 32) - 1).unwrap(), 1);
        for pairs in [1 << 32, 1 << 33] {
            assert!(matches!(workers(pairs), Err(DeepError::Memory { needed: u64::MAX, .. })));
        }
    }
}
