//! What is counted: exact integers per tree, so that runs can be added in any order.

use crate::contest::Pairs;

/// Counts for one depth, over one tree or many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthCounts {
    /// The depth d of all searches.
    pub d: usize,
    /// Game pairs, which is also the number of move decisions of each player.
    pub pairs: u64,
    /// Nodes where exactly one of the moves wins.
    pub decisive: u64,
    /// Wrong decisions of the first and of the second rule with estimated probabilities.
    pub estimated_errors: [u64; 2],
    /// Wrong decisions of the first and of the second rule with actual probabilities. Those of a rule that does not see
    /// the estimate are the same as above.
    pub actual_errors: [u64; 2],
    /// The first rule against the second with estimated probabilities (Table III).
    pub estimated: Pairs,
    /// The first rule against the second with actual probabilities (Table IV).
    pub actual: Pairs,
}

impl DepthCounts {
    /// Adds the counts of other trees at the same depth.
    pub fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.decisive += other.decisive;
        let errors = self.estimated_errors.iter_mut().chain(&mut self.actual_errors);
        errors.zip(other.estimated_errors.iter().chain(&other.actual_errors)).for_each(|(a, b)| *a += b);
        for (mine, theirs) in [(&mut self.estimated, &other.estimated), (&mut self.actual, &other.actual)] {
            mine.first_wins += theirs.first_wins;
            mine.second_wins += theirs.second_wins;
        }
    }
}

/// Counts of one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCounts {
    /// The number of the tree.
    pub tree: u64,
    /// One entry per depth, in the order of the spec.
    pub depths: Vec<DepthCounts>,
}
