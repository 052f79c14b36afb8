//! KHS's second reduction as whole trees: every unordered pair of depth-1 classes once.

use super::{Enumerator, WeightedTree};
use crate::classes::{ClassTable, DepthOne, EnumerateError};
use crate::line::HeuristicValue;

/// Visits every pair of depth-1 classes of a [`ClassTable`] with the number of ordered trees it stands for.
pub struct Merged<'a> {
    table: &'a ClassTable,
    top: DepthOne,
    /// The pair to visit next.
    next: (usize, usize),
    leaves: Vec<HeuristicValue>,
}

impl<'a> Merged<'a> {
    /// An enumerator before its first tree; an error if the number of all trees does not fit into 128 bits.
    pub fn new(table: &'a ClassTable) -> Result<Self, EnumerateError> {
        let top = table.depth_one()?;
        let total = top.total()?;
        total.checked_mul(total).ok_or(EnumerateError::Multiplicity { level: 0 })?;
        Ok(Self { table, top, next: (0, 0), leaves: Vec::new() })
    }
}

impl Enumerator for Merged<'_> {
    fn next_tree(&mut self) -> Option<WeightedTree<'_>> {
        let (first, second) = self.next;
        if first == self.top.len() {
            return None;
        }
        self.next = if second + 1 < self.top.len() { (first, second + 1) } else { (first + 1, first + 1) };
        self.leaves.clear();
        for class in [first, second] {
            self.table.push_leaves(1, self.top.nodes(), class, &mut self.leaves);
        }
        let orders = if first == second { 1 } else { 2 };
        let [mu, nu] = [first, second].map(|class| self.top.multiplicities()[class]);
        Some(WeightedTree { leaves: &self.leaves, multiplicity: mu * nu * orders })
    }
}
