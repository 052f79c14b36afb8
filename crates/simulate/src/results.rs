//! The counts of a run, tree by tree. They can be written, read back, continued and merged.

use serde::Deserialize;
use thiserror::Error;

use crate::counts::{DepthCounts, TreeCounts};
use crate::published::Probabilities;
use crate::spec::{Difference, SimulationSpec, SpecError};
use crate::written::WrittenResults;

/// A simulation and the counts of its finished trees, which may be fewer than the spec asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "WrittenResults<'_>")]
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
    /// Counts that were changed since they were written.
    #[error("the results are damaged: their checksum is wrong; simulate them again")]
    Damaged,
    /// Results without a checksum.
    #[error(
        "the results have no checksum, like those of prodmax 0.1, and cannot be trusted; simulate them again"
    )]
    Unchecked,
    /// Counts that are missing.
    #[error("the counts of tree {tree} at depth {d} have no {what}")]
    Missing {
        /// The tree.
        tree: u64,
        /// The search depth.
        d: usize,
        /// The name of the count.
        what: String,
    },
    /// Two different simulations.
    #[error(
        "the results belong to different simulations (`{}` and `{}`): `{}` is {} in one and {} in the other; \
         only the range of trees may differ",
        ids[0], ids[1], difference.field, difference.first, difference.second
    )]
    Different {
        /// Their names.
        ids: [String; 2],
        /// How they differ.
        difference: Box<Difference>,
    },
    /// The same tree in both.
    #[error("tree {0} is in both results; it would be counted twice")]
    Twice(u64),
}

impl SimulationResults {
    /// Results without any trees yet.
    pub fn new(spec: SimulationSpec) -> Self {
        Self { spec, trees: Vec::new() }
    }

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
            self.check_tree(counts)?;
        }
        Ok(())
    }

    fn check_tree(&self, counts: &TreeCounts) -> Result<(), SimulationResultsError> {
        let (tree, tree_depth) = (counts.tree, self.spec.tree_depth);
        let wrong = |d| SimulationResultsError::Counts { tree, d, tree_depth };
        if counts.depths.len() != self.spec.depths.len() {
            return Err(wrong(counts.depths.len()));
        }
        // A rule that does not see the estimate decides the same with actual probabilities.
        let estimating = self.spec.rules.estimating();
        for (&d, counts) in self.spec.depths.iter().zip(&counts.depths) {
            let errors = [counts.estimated_errors, counts.actual_errors];
            let contests = [counts.estimated, counts.actual];
            let alike = |rule: usize| estimating[rule] || errors[0][rule] == errors[1][rule];
            let possible = counts.d == d
                && counts.pairs == (2u64 << (tree_depth - d)) - 1
                && counts.decisive <= counts.pairs
                && errors.as_flattened().iter().all(|&errors| errors <= counts.decisive)
                && contests.iter().all(|c| c.first_wins <= counts.pairs)
                && contests.iter().all(|c| c.second_wins <= counts.pairs - c.first_wins)
                && (0..2).all(alike)
                && (estimating.contains(&true) || contests[0] == contests[1]);
            if !possible {
                return Err(wrong(d));
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

    /// Adds finished trees, in any order.
    pub fn extend(&mut self, trees: impl IntoIterator<Item = TreeCounts>) {
        let before = self.trees.len().saturating_sub(1);
        self.trees.extend(trees);
        // Usually they are already in order.
        if !self.trees[before..].is_sorted_by_key(|counts| counts.tree) {
            self.trees.sort_by_key(|counts| counts.tree);
        }
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

    /// Both results combined. The range of the merged spec extends from the first to the last tree of both; trees in
    /// a gap between them are [`SimulationResults::missing`]. The names are those of the first.
    pub fn merge(&self, other: &Self) -> Result<Self, SimulationResultsError> {
        if let Some(difference) = self.spec.difference(&other.spec) {
            let ids = [self.spec.id.clone(), other.spec.id.clone()];
            return Err(SimulationResultsError::Different { ids, difference: Box::new(difference) });
        }
        let (a, b) = (self.spec.tree_indices(), other.spec.tree_indices());
        let (first_tree, end) = (a.start.min(b.start), a.end.max(b.end));
        let spec = SimulationSpec { first_tree, trees: end - first_tree, ..self.spec.clone() };
        spec.check()?;
        let mut merged = Self { spec, trees: self.trees.clone() };
        merged.extend(other.trees.iter().cloned());
        if let Some(pair) = merged.trees.windows(2).find(|pair| pair[0].tree == pair[1].tree) {
            return Err(SimulationResultsError::Twice(pair[0].tree));
        }
        Ok(merged)
    }
}
