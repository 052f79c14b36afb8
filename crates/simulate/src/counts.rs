//! What is counted: exact integers per tree, so that runs can be added in any order.

use serde::{Deserialize, Serialize};

use crate::contest::Pairs;
use crate::spec::SimulationSpec;

/// Counts for one depth, over one tree or many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeCounts {
    /// The number of the tree.
    pub tree: u64,
    /// One entry per depth, in the order of the spec.
    pub depths: Vec<DepthCounts>,
}

impl TreeCounts {
    /// The first search depth at which no tree of a simulation can have these counts; the number of depths if it is
    /// another one.
    pub(crate) fn impossible_depth(&self, spec: &SimulationSpec) -> Option<usize> {
        if self.depths.len() != spec.depths.len() {
            return Some(self.depths.len());
        }
        // A rule that does not see the estimate decides the same with actual probabilities.
        let estimating = spec.rules.estimating();
        let is_possible = |d: usize, counts: &DepthCounts| {
            let errors = [counts.estimated_errors, counts.actual_errors];
            let contests = [counts.estimated, counts.actual];
            let alike = |rule: usize| estimating[rule] || errors[0][rule] == errors[1][rule];
            counts.d == d
                && counts.pairs == spec.pairs(d)
                && counts.decisive <= counts.pairs
                && errors.as_flattened().iter().all(|&errors| errors <= counts.decisive)
                && contests.iter().all(|c| c.first_wins <= counts.pairs)
                && contests.iter().all(|c| c.second_wins <= counts.pairs - c.first_wins)
                && (0..2).all(alike)
                && (estimating.contains(&true) || contests[0] == contests[1])
        };
        let mut depths = spec.depths.iter().copied().zip(&self.depths);
        depths.find(|(d, counts)| !is_possible(*d, counts)).map(|(d, _)| d)
    }
}
