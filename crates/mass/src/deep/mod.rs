//! The last level of deep models: exact counts and error masses without ever holding the depth-1 classes.
//!
//! At depth 4 with all increments up to 8, level 2 has 23,175 classes and their pairs, the depth-1 classes, are
//! 231 million. [`crate::Critical`] keeps and sorts all of them; here they pass through memory block by block:
//!
//! 1. level-2 classes that no comparison tells apart are merged (`items`);
//! 2. the range of values is cut into blocks where no comparison across a cut is in doubt (`partition`);
//! 3. the pairs of each block are generated, sorted exactly and swept (`block`, `running`), in parallel;
//! 4. what pairs of different blocks contribute follows from the blocks' totals (`combine`).
//!
//! Counts are exact. Masses are doubles with a proven bound on their error (`bound`). The partition depends only on
//! the model and the estimate, and the blocks are combined in order, so the result is the same to the last bit for any
//! number of threads, however often the run was interrupted, and on however many machines it was done (`kept`).

mod block;
mod bound;
mod combine;
mod estimate;
mod items;
mod joint;
mod kept;
mod memory;
mod partition;
mod plan;
mod run;
mod running;
mod sharing;
mod weight;

use std::path::Path;
use std::sync::atomic::AtomicBool;

pub use estimate::{Estimate, PAIRS_PER_SECOND};
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, Zero};
pub use plan::SweepPlan;
use prodmax_enumerate::{EnumerateError, Model, Plan};
pub use prodmax_jobs::checkpoint::CheckpointError;
use prodmax_jobs::{PartError, Work};
use prodmax_number::{Enclosure, Fraction};
use prodmax_rules::minimax::Minimax;
use prodmax_rules::{PairShape, Rule};
pub use run::{mass, sweep};
pub use sharing::sweeps;
use thiserror::Error;

use crate::critical::{Counts, Mass, MassError};
use crate::engine::{MAX_IN_MEMORY, is_deep};
use crate::ranking::Comparisons;

/// How a deep enumeration is run.
pub struct Options<'a> {
    /// Memory for the vectors of level 2 and the blocks of all threads; the classes themselves
    /// ([`prodmax_enumerate::Plan::bytes`]) come on top.
    pub memory_bytes: u64,
    /// The maximum number of pairs in a block; by default it follows from the model. The last bits of the masses
    /// depend on it.
    pub block_pairs: Option<u64>,
    /// The file in which finished blocks are kept, and from which they are read if it exists. Only one run at a time
    /// can use it.
    pub checkpoint: Option<&'a Path>,
    /// All blocks, those of one shard, or none because they are read from parts. Only whole work uses the checkpoint.
    pub work: Work<'a>,
    /// The flag that asks the work to stop: blocks in progress are finished and kept.
    pub interrupt: &'a AtomicBool,
    /// Called after each block with the number of finished blocks and the number of all, possibly by several threads
    /// at once.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl<'a> Options<'a> {
    /// 1 GiB of memory for the blocks, no checkpoint and no shards.
    pub fn new(interrupt: &'a AtomicBool, progress: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self {
            memory_bytes: 1 << 30,
            block_pairs: None,
            checkpoint: None,
            work: Work::Whole,
            interrupt,
            progress,
        }
    }
}

/// Why a deep enumeration fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeepError {
    /// The model or its comparisons failed.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// A model without level 2.
    #[error("a model of depth 1 has no last level to sweep; use the sweep in memory")]
    TooShallow,
    /// Rules that cannot be swept.
    #[error(
        "the model has too many depth-1 classes for memory, and block by block only minimax can be set against product, \
         average:A (A < 1), mean:P or ideal, not {first} against {second}; use smaller increments"
    )]
    Rules {
        /// The first rule.
        first: String,
        /// The second rule.
        second: String,
    },
    /// A tournament without Minimax.
    #[error(
        "the model has too many depth-1 classes for memory, and block by block rules are set against minimax only; name \
         it, too, or use smaller increments"
    )]
    NoMinimax,
    /// More or fewer than two moves.
    #[error(
        "only models with two moves everywhere are swept block by block, and this one has {0}; use the sweep in memory"
    )]
    Branching(usize),
    /// More or fewer than two moves, and too many classes for memory.
    #[error(
        "the model has {classes} depth-1 classes, more than the {most} that are held in memory, and only models with two moves \
         everywhere are swept block by block, not with {branching}; use smaller increments, fewer levels or fewer moves"
    )]
    TooManyMoves {
        /// The number of classes.
        classes: BigUint,
        /// The maximum number in memory.
        most: u32,
        /// Moves of every node.
        branching: usize,
    },
    /// Fractions are not summed block by block.
    #[error(
        "exact fractions are summed in memory only, and the model has too many classes for it; use certified numbers"
    )]
    Exact,
    /// A curve table for another line.
    #[error("the curve table is for h_max = {curve}, the model has h_max = {model}")]
    OtherLine {
        /// The h_max of the curve table.
        curve: i32,
        /// The h_max of the model.
        model: i32,
    },
    /// Too little memory even for one block at a time.
    #[error("this takes at least {needed} bytes of memory; {given} are allowed")]
    Memory {
        /// The bytes needed for one thread.
        needed: u64,
        /// The bytes allowed by the options.
        given: u64,
    },
    /// Stopped by the interrupt flag.
    #[error("interrupted after {done} of {blocks} blocks")]
    Interrupted {
        /// Blocks in the checkpoint, if there is one.
        done: u64,
        /// All blocks.
        blocks: u64,
    },
    /// The checkpoint failed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A part failed.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A file with a block that the run does not have.
    #[error(
        "the file of finished blocks holds one that begins at pair {0}, which this run does not have; delete the file"
    )]
    ForeignBlock(u64),
    /// Parts that do not hold all pairs.
    #[error(
        "the blocks of all parts do not fit together between the pairs {from} and {to}; compute the shards again"
    )]
    Gap {
        /// The first pair that no block holds, or that two hold.
        from: u64,
        /// The pair at which the blocks continue.
        to: u64,
    },
    /// A result was requested from a single shard.
    #[error("a shard has no result of its own; merge the parts of all shards")]
    OnlyShard,
    /// More work than can be done.
    #[error("needs about {pairs} class pairs, {time}; try a smaller increment at level {level}")]
    Hopeless {
        /// The number of pairs.
        pairs: String,
        /// The time in a readable form, e.g. `about 18 h`.
        time: String,
        /// The level at which a smaller increment helps most.
        level: usize,
    },
    /// The counts contradict each other: a fault of the program, the processor or the checkpoint.
    #[error("the counts add up to {found} trees, but the model has {expected}; the result cannot be trusted")]
    Inconsistent {
        /// The sum of critical, agreeing and tied trees.
        found: BigUint,
        /// The number of all trees.
        expected: BigUint,
    },
}

impl From<EnumerateError> for DeepError {
    fn from(error: EnumerateError) -> Self {
        Self::Mass(error.into())
    }
}

/// Refuses models that cannot be swept: a block is made of pairs of classes.
pub fn check_model(model: &Model) -> Result<(), DeepError> {
    if model.is_binary() {
        return Ok(());
    }
    let branching = model.branching();
    if !is_deep(model) {
        return Err(DeepError::Branching(branching));
    }
    let classes = Plan::of(model).depth_one_classes().clone();
    Err(DeepError::TooManyMoves { classes, most: MAX_IN_MEMORY, branching })
}

/// Refuses models with other numbers of moves than two that do not fit into memory.
pub fn check_size(model: &Model) -> Result<(), DeepError> {
    if is_deep(model) { check_model(model) } else { Ok(()) }
}

/// Refuses rules that cannot be swept: one of them must be Minimax, which has few values, and the other one must be
/// strictly monotone, or its plateaus would be ties of millions of classes. Returns the shape of the latter's MIN
/// nodes.
pub fn check_rules([first, second]: [&Rule; 2]) -> Result<PairShape, DeepError> {
    let minimax = Rule::from(Minimax);
    let other = [(first, second), (second, first)].into_iter().find(|(rule, _)| **rule == minimax);
    other
        .and_then(|(_, other)| other.pair_shape())
        .ok_or_else(|| DeepError::Rules { first: first.to_string(), second: second.to_string() })
}

/// Refuses a list of rules if one of them cannot be swept against Minimax, or if Minimax is not in the list.
pub fn check_tournament(rules: &[Rule]) -> Result<(), DeepError> {
    let minimax = Rule::from(Minimax);
    if !rules.contains(&minimax) {
        return Err(DeepError::NoMinimax);
    }
    let others = rules.iter().filter(|rule| **rule != minimax);
    others.map(|rule| check_rules([&minimax, rule])).try_for_each(|shape| shape.map(|_| ()))
}

/// The result of a deep enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct DeepMass {
    /// The exact counts.
    pub counts: Counts,
    /// The masses as doubles.
    pub mass: Mass<f64>,
    /// Each mass is proven to be within this distance of the exact one.
    pub bound: f64,
    /// How often the moves chosen by the rules are won.
    pub won: DeepWon,
    /// How the order by the second rule was proved.
    pub comparisons: Comparisons,
    /// The number of classes of level 2.
    pub classes: usize,
    /// The number of items that they were merged into.
    pub items: usize,
    /// Pairs of items that occur below some depth-1 node. Without ties at level 2 these are the depth-1 classes.
    pub pairs: u64,
    /// The number of blocks.
    pub blocks: u64,
    /// How many of them came from the checkpoint.
    pub resumed: u64,
}

/// The probabilities that chosen moves are won, as doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct DeepWon {
    /// For the moves that Minimax and the second rule choose.
    pub rules: [f64; 2],
    /// For a random move.
    pub random: f64,
    /// Each is proven to be within this distance of the exact one.
    pub bound: f64,
}

impl DeepMass {
    /// The masses as intervals that contain them.
    pub fn certified(&self, bits: u32) -> Mass<Enclosure> {
        let enclose = |value| within(self.bound, value, bits);
        Mass { first_error: enclose(self.mass.first_error), second_error: enclose(self.mass.second_error) }
    }
}

/// The interval of all numbers within `distance` of a double.
pub(crate) fn within(distance: f64, value: f64, bits: u32) -> Enclosure {
    let exact = |value: f64| {
        // A finite double is a fraction.
        Enclosure::of(&Fraction::from_f64(value).unwrap_or_else(|| Fraction::from(BigInt::zero())), bits)
    };
    exact(value).widened(&exact(distance))
}
