//! KHS's second reduction as whole trees: every multiset of depth-1 classes, one class for each move of the root,
//! once.

use prodmax_rules::HeuristicValue;

use super::{Enumerator, WeightedTree, orders};
use crate::classes::{ClassTable, DepthOne, EnumerateError};

/// Visits every multiset of depth-1 classes of a [`ClassTable`] with the number of ordered trees it stands for.
pub struct Merged<'a> {
    table: &'a ClassTable,
    top: DepthOne,
    /// The multiset to visit next, ascending; `None` after the last.
    next: Option<Vec<usize>>,
    leaves: Vec<HeuristicValue>,
}

impl<'a> Merged<'a> {
    /// An enumerator before its first tree; an error if the number of all trees does not fit into 128 bits.
    pub fn new(table: &'a ClassTable) -> Result<Self, EnumerateError> {
        let top = table.depth_one()?;
        let branching = table.model().branching();
        top.total()?.checked_pow(branching as u32).ok_or(EnumerateError::Multiplicity { level: 0 })?;
        Ok(Self { table, top, next: Some(vec![0; branching]), leaves: Vec::new() })
    }

    /// The multiset after this one: the last class that can advance does, and all behind it restart from it.
    fn after(&self, classes: &[usize]) -> Option<Vec<usize>> {
        let place = classes.iter().rposition(|&class| class + 1 < self.top.len())?;
        let mut next = classes.to_vec();
        next[place..].fill(classes[place] + 1);
        Some(next)
    }
}

impl Enumerator for Merged<'_> {
    fn next_tree(&mut self) -> Option<WeightedTree<'_>> {
        let classes = self.next.take()?;
        self.next = self.after(&classes);
        self.leaves.clear();
        // Not more than the number of all trees, which fits.
        let mut multiplicity = orders(&classes)?;
        for class in classes {
            self.table.push_leaves(1, self.top.nodes(), class, &mut self.leaves);
            multiplicity *= self.top.multiplicities()[class];
        }
        Some(WeightedTree { leaves: &self.leaves, multiplicity })
    }
}
