//! KHS's first reduction: the order of siblings is irrelevant, so each unordered combination of increments is
//! visited once, with the number of ordered trees it stands for.

use prodmax_rules::HeuristicValue;
use prodmax_rules::Mover;

use super::{Enumerator, WeightedTree, orders};
use crate::classes::EnumerateError;
use crate::model::Model;

/// Visits every tree once up to the order of siblings.
///
/// A *branch* that leads to level l is stored as its increment followed by the branches of its node, so that a branch
/// is one slice and the order of branches is the order of slices. A tree is visited if at every node no branch is
/// greater than the next one. Multiplicities must fit into 128 bits: [`Unordered::new`] refuses models for which they
/// might not, whose trees could not be visited in a lifetime anyway.
pub struct Unordered<'a> {
    model: &'a Model,
    branches: Option<Vec<i32>>,
    leaves: Vec<HeuristicValue>,
}

impl<'a> Unordered<'a> {
    /// An enumerator before its first tree; an error if the number of all trees does not fit into 128 bits.
    pub fn new(model: &'a Model) -> Result<Self, EnumerateError> {
        if model.trees().bits() > u128::BITS.into() {
            return Err(EnumerateError::Multiplicity { level: 0 });
        }
        Ok(Self { model, branches: None, leaves: Vec::new() })
    }

    fn advance(&mut self) -> bool {
        match &mut self.branches {
            None => {
                // One number per node except the root.
                let nodes: usize = (0..self.model.depth()).map(|level| self.model.leaves_below(level)).sum();
                self.branches = Some(vec![0; nodes]);
                true
            }
            Some(branches) => next_siblings(self.model, branches, 1),
        }
    }
}

/// The successor of the branches that lead to `level`: the last one that can advance does, and those behind it
/// restart from it.
fn next_siblings(model: &Model, siblings: &mut [i32], level: usize) -> bool {
    if siblings.is_empty() {
        return false;
    }
    let size = siblings.len() / model.branching();
    for place in (0..model.branching()).rev() {
        let (until, behind) = siblings.split_at_mut((place + 1) * size);
        let branch = &mut until[place * size..];
        if next_branch(model, branch, level) {
            behind.chunks_exact_mut(size).for_each(|later| later.copy_from_slice(branch));
            return true;
        }
    }
    false
}

/// The successor of one branch: first below its node, then by its own increment. After the last one everything is 0
/// again.
fn next_branch(model: &Model, branch: &mut [i32], level: usize) -> bool {
    let Some((increment, below)) = branch.split_first_mut() else { return false };
    if next_siblings(model, below, level + 1) {
        return true;
    }
    below.fill(0);
    *increment += 1;
    let more = *increment <= model.increment(level);
    if !more {
        *increment = 0;
    }
    more
}

/// Collects the leaves below a node and returns the number of ordered trees they stand for: at every node, the number
/// of different orders of its branches.
fn expand(
    model: &Model,
    siblings: &[i32],
    level: usize,
    position: i32,
    leaves: &mut Vec<HeuristicValue>,
) -> u128 {
    if siblings.is_empty() {
        leaves.push(model.value_at(position));
        return 1;
    }
    let branches: Vec<&[i32]> = siblings.chunks_exact(siblings.len() / model.branching()).collect();
    // Not more than the number of all trees, which fits, as the constructor checked.
    let mut multiplicity = orders(&branches).unwrap_or(u128::MAX);
    for branch in branches {
        let child = Mover::at(level).step(position, branch[0]);
        multiplicity *= expand(model, &branch[1..], level + 1, child, leaves);
    }
    multiplicity
}

impl Enumerator for Unordered<'_> {
    fn next_tree(&mut self) -> Option<WeightedTree<'_>> {
        if !self.advance() {
            return None;
        }
        let branches = self.branches.as_deref()?;
        let root = self.model.line().position(self.model.root());
        self.leaves.clear();
        let multiplicity = expand(self.model, branches, 0, root, &mut self.leaves);
        Some(WeightedTree { leaves: &self.leaves, multiplicity })
    }
}
