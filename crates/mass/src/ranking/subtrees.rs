//! The proved order of two single trees, as they are written down.

use std::cmp::Ordering;

use prodmax_enumerate::HeuristicValue;
use prodmax_enumerate::trees::canonicalize;
use prodmax_rules::Numbers;
use prodmax_rules::numbers::Enclosures;

use super::{FUNCTION_BITS, STAGES};
use crate::contestant::Contestant;
use crate::functions::{Functions, Unknowns};

impl Contestant<'_> {
    /// The proved order of two subtrees under a rule, given their leaves from left to right and the level of their
    /// roots. `None` if nothing could settle it, which no tree is known to need.
    pub fn compare_subtrees(&self, subtrees: [&[HeuristicValue]; 2], level: usize) -> Option<Ordering> {
        let [a, b] = subtrees.map(|leaves| {
            let mut leaves = leaves.to_vec();
            canonicalize(&mut leaves);
            leaves
        });
        if a == b {
            return Some(Ordering::Equal);
        }
        let depth = level + a.len().ilog2() as usize;
        let more = self.rule().extra_bits();
        let by_enclosures = |&bits: &u32| {
            let numbers = Enclosures { bits: bits + more };
            let player = self.prepare(numbers, depth);
            numbers.compare(&player.subtree(&a, level), &player.subtree(&b, level))
        };
        let by_functions = |&unknowns: &Unknowns| {
            let numbers = Functions { bits: FUNCTION_BITS + more, unknowns };
            let player = self.prepare(numbers, depth);
            let leaf = |h| numbers.leaf(self, depth, h);
            player.subtree_with(&a, level, &leaf).compare(&player.subtree_with(&b, level, &leaf))
        };
        STAGES.iter().find_map(by_enclosures).or_else(|| Unknowns::ALL.iter().find_map(by_functions))
    }
}
