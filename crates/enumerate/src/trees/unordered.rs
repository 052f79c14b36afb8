//! KHS's first reduction: the order of siblings is irrelevant, so each unordered combination of increments is
//! visited once, with the number of ordered trees it stands for.

use prodmax_rules::Mover;

use super::{Enumerator, WeightedTree};
use crate::line::HeuristicValue;
use crate::model::Model;

/// Visits every tree once up to the order of siblings.
///
/// A *branch* that leads to level l is stored as its increment followed by the two branches of its node, so
/// that a branch is one slice and the order of branches is the order of slices. A tree is visited if at every
/// node the left branch is not greater than the right one.
pub struct Unordered<'a> {
    model: &'a Model,
    branches: Option<Vec<i32>>,
    leaves: Vec<HeuristicValue>,
}

impl<'a> Unordered<'a> {
    /// An enumerator before its first tree.
    pub fn new(model: &'a Model) -> Self {
        Self { model, branches: None, leaves: Vec::new() }
    }

    fn advance(&mut self) -> bool {
        match &mut self.branches {
            None => {
                self.branches = Some(vec![0; (2 << self.model.depth()) - 2]);
                true
            }
            Some(branches) => next_pair(self.model, branches, 1),
        }
    }
}

/// The successor of the two branches that lead to `level`: the right one advances; when it is at its end the
/// left one does, and the right one restarts from it.
fn next_pair(model: &Model, pair: &mut [i32], level: usize) -> bool {
    if pair.is_empty() {
        return false;
    }
    let (left, right) = pair.split_at_mut(pair.len() / 2);
    if next_branch(model, right, level) {
        return true;
    }
    let more = next_branch(model, left, level);
    right.copy_from_slice(left);
    more
}

/// The successor of one branch: first below its node, then by its own increment. At the end all is 0 again.
fn next_branch(model: &Model, branch: &mut [i32], level: usize) -> bool {
    let Some((increment, below)) = branch.split_first_mut() else { return false };
    if next_pair(model, below, level + 1) {
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

/// Collects the leaves below a node and returns the number of ordered trees they stand for: a factor 2 for
/// every node with two different branches.
fn expand(
    model: &Model,
    pair: &[i32],
    level: usize,
    position: i32,
    leaves: &mut Vec<HeuristicValue>,
) -> u128 {
    if pair.is_empty() {
        leaves.push(model.value_at(position));
        return 1;
    }
    let (left, right) = pair.split_at(pair.len() / 2);
    let mut multiplicity = if left == right { 1 } else { 2 };
    for branch in [left, right] {
        let child = match Mover::at(level) {
            Mover::Max => position + branch[0],
            Mover::Min => position - branch[0],
        };
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
