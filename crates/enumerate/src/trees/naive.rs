//! Every ordered tree, by counting through all increments: slow and obviously correct.

use prodmax_rules::HeuristicValue;
use prodmax_rules::Mover;

use super::{Enumerator, WeightedTree};
use crate::model::Model;

/// Visits every ordered tree of a model, each with multiplicity 1.
pub struct Naive<'a> {
    model: &'a Model,
    /// The level of each node in heap order: node n has the children bn + 1 … bn + b, the root is 0.
    levels: Vec<usize>,
    /// The increment of the move to each node (that of the root is unused). `None` before the first tree.
    increments: Option<Vec<i32>>,
    positions: Vec<i32>,
    leaves: Vec<HeuristicValue>,
}

impl<'a> Naive<'a> {
    /// An enumerator before its first tree.
    pub fn new(model: &'a Model) -> Self {
        let levels: Vec<usize> = (0..=model.depth())
            .flat_map(|level| std::iter::repeat_n(level, model.branching().pow(level as u32)))
            .collect();
        let positions = vec![0; levels.len()];
        Self { model, levels, increments: None, positions, leaves: Vec::new() }
    }

    /// Advances to the next combination, the last node fastest; false when every combination has been seen.
    fn advance(&mut self) -> bool {
        let nodes = self.levels.len();
        let Some(increments) = &mut self.increments else {
            self.increments = Some(vec![0; nodes]);
            return true;
        };
        for node in (1..nodes).rev() {
            if increments[node] < self.model.increment(self.levels[node]) {
                increments[node] += 1;
                return true;
            }
            increments[node] = 0;
        }
        false
    }
}

impl Enumerator for Naive<'_> {
    fn next_tree(&mut self) -> Option<WeightedTree<'_>> {
        if !self.advance() {
            return None;
        }
        let increments = self.increments.as_deref()?;
        self.positions[0] = self.model.line().position(self.model.root());
        for (node, (&level, &increment)) in self.levels.iter().zip(increments).enumerate().skip(1) {
            let parent = self.positions[(node - 1) / self.model.branching()];
            self.positions[node] = Mover::at(level - 1).step(parent, increment);
        }
        let first_leaf = self.levels.len() - self.model.leaves_below(0);
        self.leaves = self.positions[first_leaf..].iter().map(|&p| self.model.value_at(p)).collect();
        Some(WeightedTree { leaves: &self.leaves, multiplicity: 1 })
    }
}
