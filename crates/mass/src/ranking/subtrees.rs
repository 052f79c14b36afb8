//! The proven order of two single trees, given by their leaves.

use std::cmp::Ordering;

use prodmax_enumerate::{HeuristicValue, Shape, canonicalize};
use prodmax_rules::numbers::Enclosures;
use prodmax_rules::numbers::Numbers;

use super::{FUNCTION_BITS, STAGES};
use crate::functions::{Functions, Unknowns};
use prodmax_rules::Contestant;

/// The proven order of two subtrees under a rule, given their leaves from left to right and the level of their
/// roots in a tree of this depth and branching. `None` if nothing could settle it; no tree is known for which
/// this happens.
pub fn compare_subtrees(
    contestant: &Contestant<'_>,
    subtrees: [&[HeuristicValue]; 2],
    level: usize,
    shape: Shape,
) -> Option<Ordering> {
    let [a, b] = subtrees.map(|leaves| {
        let mut leaves = leaves.to_vec();
        canonicalize(&mut leaves, shape.branching);
        leaves
    });
    if a == b {
        return Some(Ordering::Equal);
    }
    let depth = shape.depth;
    let more = contestant.rule().extra_bits();
    let by_enclosures = |&bits: &u32| {
        let numbers = Enclosures { bits: bits + more };
        let player = contestant.prepare(numbers, depth);
        numbers
            .compare(&player.subtree(&a, level, shape.branching), &player.subtree(&b, level, shape.branching))
    };
    let by_functions = |&unknowns: &Unknowns| {
        let numbers = Functions { bits: FUNCTION_BITS + more, unknowns };
        let player = contestant.prepare(numbers, depth);
        let leaf = |h| numbers.leaf(contestant, depth, h);
        let [a, b] = [&a, &b].map(|leaves| player.subtree_with(leaves, level, shape.branching, &leaf));
        a.compare(&b)
    };
    STAGES.iter().find_map(by_enclosures).or_else(|| Unknowns::ALL.iter().find_map(by_functions))
}
