//! Every ordered tree, by counting through all increments: slow and obviously right.

use prodmax_rules::Mover;

use super::{Enumerator, WeightedTree};
use crate::line::HeuristicValue;
use crate::model::Model;

/// Visits every ordered tree of a model, each with multiplicity 1.
pub struct Naive<'a> {
    model: &'a Model,
    /// The increment of the move to each node in heap order: node n has the children 2n and 2n + 1, the root
    /// is 1; entries 0 and 1 are unused. `None` before the first tree.
    increments: Option<Vec<i32>>,
    leaves: Vec<HeuristicValue>,
}

impl<'a> Naive<'a> {
    /// An enumerator before its first tree.
    pub fn new(model: &'a Model) -> Self {
        Self { model, increments: None, leaves: Vec::new() }
    }

    fn level(node: usize) -> usize {
        node.ilog2() as usize
    }

    /// Counts one up, the last node fastest; false when every combination has been seen.
    fn advance(&mut self) -> bool {
        let nodes = 2usize << self.model.depth();
        let Some(increments) = &mut self.increments else {
            self.increments = Some(vec![0; nodes]);
            return true;
        };
        for node in (2..nodes).rev() {
            if increments[node] < self.model.increment(Self::level(node)) {
                increments[node] += 1;
                return true;
            }
            increments[node] = 0;
        }
        false
    }

    fn position(&self, increments: &[i32], node: usize) -> i32 {
        if node == 1 {
            return self.model.line().position(self.model.root());
        }
        let parent = self.position(increments, node / 2);
        match Mover::at(Self::level(node / 2)) {
            Mover::Max => parent + increments[node],
            Mover::Min => parent - increments[node],
        }
    }
}

impl Enumerator for Naive<'_> {
    fn next_tree(&mut self) -> Option<WeightedTree<'_>> {
        if !self.advance() {
            return None;
        }
        let increments = self.increments.as_deref()?;
        let first_leaf = 1usize << self.model.depth();
        let leaves = (first_leaf..2 * first_leaf).map(|n| self.model.value_at(self.position(increments, n)));
        self.leaves = leaves.collect();
        Some(WeightedTree { leaves: &self.leaves, multiplicity: 1 })
    }
}
