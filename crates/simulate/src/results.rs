//! The counts of a run, tree by tree.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::counts::{DepthCounts, TreeCounts};
use crate::published::Probabilities;
use crate::spec::{SimulationSpec, SpecError};

/// A simulation and the counts of its finished trees, which may be fewer than the spec asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationResults {
    /// What was simulated.
    pub spec: SimulationSpec,
    /// The finished trees in ascending order of their numbers.
    pub trees: Vec<TreeCounts>,
}

/// Why results cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SimulationResultsError {
    /// The spec itself is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Trees out of order, twice, or outside the range of the spec.
    #[error("tree {0} is out of order, counted twice, or not asked for by the spec")]
    Order(u64),
    /// Counts that no tree of the spec can have.
    #[error("the counts of tree {tree} at depth {d} cannot be those of a tree of depth {tree_depth}")]
    Counts {
        /// The tree.
        tree: u64,
        /// The search depth.
        d: usize,
        /// d_g of the spec.
        tree_depth: usize,
    },
}

impl SimulationResults {
    /// Checks results that were read from a file.
    pub fn check(&self) -> Result<(), SimulationResultsError> {
        self.spec.check()?;
        let range = self.spec.tree_indices();
        let mut next = range.start;
        for counts in &self.trees {
            if counts.tree < next || counts.tree >= range.end {
                return Err(SimulationResultsError::Order(counts.tree));
            }
            next = counts.tree + 1;
            if let Some(d) = counts.impossible_depth(&self.spec) {
                let (tree, tree_depth) = (counts.tree, self.spec.tree_depth);
                return Err(SimulationResultsError::Counts { tree, d, tree_depth });
            }
        }
        Ok(())
    }

    /// The numbers of the trees that the spec asks for but that are not finished.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        let mut finished = self.trees.iter().map(|counts| counts.tree).peekable();
        self.spec.tree_indices().filter(move |tree| finished.next_if_eq(tree).is_none())
    }

    /// The names of the numbers of [`Self::counts`].
    pub fn count_names(&self) -> Vec<String> {
        let common = ["tree", "d", "pairs", "decisive"];
        let khs = [
            "minimax_errors",
            "estimated_errors",
            "actual_errors",
            "estimated_minimax_wins",
            "estimated_product_wins",
            "actual_minimax_wins",
            "actual_product_wins",
        ];
        let mut names: Vec<String> = common.map(str::to_owned).into();
        if self.spec.rules.is_khs() {
            names.extend(khs.map(str::to_owned));
            return names;
        }
        for what in ["errors", "wins"] {
            for probabilities in Probabilities::ALL {
                let name = |rule: &str| format!("{} {rule} {what}", probabilities.name());
                names.extend(self.spec.rules.names().map(name));
            }
        }
        names
    }

    /// What was counted in every tree at every depth, for tables.
    pub fn counts(&self) -> impl Iterator<Item = Vec<u64>> {
        let khs = self.spec.rules.is_khs();
        self.trees.iter().flat_map(move |tree| {
            tree.depths.iter().map(move |at| {
                let errors = [at.estimated_errors, at.actual_errors];
                let wins = [at.estimated, at.actual].map(|pairs| [pairs.first_wins, pairs.second_wins]);
                let mut numbers = vec![tree.tree, at.d as u64, at.pairs, at.decisive];
                match khs {
                    // Minimax is the same player in both contests.
                    true => numbers.extend([errors[0][0], errors[0][1], errors[1][1]]),
                    false => numbers.extend(errors.as_flattened()),
                }
                numbers.extend(wins.as_flattened());
                numbers
            })
        })
    }

    /// The exact sums over all finished trees, one entry per depth.
    pub fn totals(&self) -> Vec<DepthCounts> {
        let mut totals: Vec<_> =
            self.spec.depths.iter().map(|&d| DepthCounts { d, ..DepthCounts::default() }).collect();
        for counts in &self.trees {
            totals.iter_mut().zip(&counts.depths).for_each(|(total, depth)| total.add(depth));
        }
        totals
    }
}
