//! What is counted: exact integers per tree, so that runs can be added in any order.

use serde::{Deserialize, Serialize};

use crate::contest::Pairs;

/// Counts of one depth, of one tree or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthCounts {
    /// The depth d of all searches.
    pub d: usize,
    /// Game pairs, which is also the number of move decisions of each player.
    pub pairs: u64,
    /// Nodes in which exactly one of the moves wins.
    pub decisive: u64,
    /// Wrong decisions of Minimax.
    pub minimax_errors: u64,
    /// Wrong decisions of Product with estimated probabilities.
    pub estimated_errors: u64,
    /// Wrong decisions of Product with actual probabilities.
    pub actual_errors: u64,
    /// Minimax against Product with estimated probabilities (Table III).
    pub estimated: Pairs,
    /// Minimax against Product with actual probabilities (Table IV).
    pub actual: Pairs,
}

impl DepthCounts {
    /// Adds the counts of other trees at the same depth.
    pub fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.decisive += other.decisive;
        self.minimax_errors += other.minimax_errors;
        self.estimated_errors += other.estimated_errors;
        self.actual_errors += other.actual_errors;
        for (mine, theirs) in [(&mut self.estimated, &other.estimated), (&mut self.actual, &other.actual)] {
            mine.minimax_wins += theirs.minimax_wins;
            mine.product_wins += theirs.product_wins;
        }
    }
}

/// Counts of one tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeCounts {
    /// The number of the tree.
    pub tree: u64,
    /// One entry per depth, in the order of the spec.
    pub depths: Vec<DepthCounts>,
}
