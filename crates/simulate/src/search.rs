//! Full-width searches of every node at once.
//!
//! The value of a search to depth d at a node is the backup of its children's values to depth d - 1. So one array
//! holds the values of all nodes to depth 0 (their static values), and one pass from the root's level downwards,
//! in place, turns depth d - 1 into depth d for all nodes that are at least d levels above the leaves: level l
//! is overwritten from level l + 1, which still holds the values to depth d - 1. (A rule that depends on the depth of
//! the whole search has different values at every depth and starts over each time: see `players`.)
//!
//! Values are doubles, whatever the rule. A comparison of two moves can go wrong only if their values differ by less
//! than some 10^-15; so moves whose probabilities are both that close to 1 count as equal. (A test counts the choices
//! that differ from those of a search that keeps p and 1 - p to full relative precision.) Single precision would be
//! faster but would produce false ties.

use prodmax_enumerate::{Mover, Place};
use prodmax_rules::Backup;
use prodmax_rules::numbers::Doubles;

use crate::tree::{array_len, children, family};

/// The values of one rule at every node of a stored tree.
#[derive(Clone, Debug)]
pub struct SearchValues {
    values: Vec<f64>,
    depth: usize,
}

impl SearchValues {
    /// An array for trees of depth `tree_depth`.
    pub fn new(tree_depth: usize) -> Self {
        Self { values: vec![0.0; array_len(tree_depth)], depth: 0 }
    }

    /// Static values: those of `leaf` at the places of the nodes.
    pub fn start(&mut self, places: &[u16], leaf: &[f64]) {
        self.depth = 0;
        for (value, &place) in self.values.iter_mut().zip(places) {
            *value = leaf[usize::from(place)];
        }
    }

    /// The depth to which the values have been searched.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The values of all nodes at levels 0..=tree depth - [`SearchValues::depth`]; node j of level l at 2^l + j.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn tree_depth(&self) -> usize {
        self.values.len().ilog2() as usize - 1
    }

    /// Searches one level deeper.
    pub fn deepen(&mut self, rule: &impl Backup<Doubles>) {
        self.depth += 1;
        for level in 0..=self.tree_depth() - self.depth {
            let (nodes, first, second) = family(&mut self.values, level);
            let pairs = nodes.iter_mut().zip(first.iter().zip(second));
            // With a literal mover the compiler can specialise the loop for each.
            let height = self.depth;
            let node = |mover, a: &f64, b: &f64| rule.node(Place { mover, height }, &[*a, *b]);
            match Mover::at(level) {
                Mover::Max => pairs.for_each(|(value, (a, b))| *value = node(Mover::Max, a, b)),
                Mover::Min => pairs.for_each(|(value, (a, b))| *value = node(Mover::Min, a, b)),
            }
        }
    }

    /// The moves chosen by searches one level deeper than [`SearchValues::depth`], at every node that is high enough
    /// above the leaves: 0 for the first child, 1 for the second. If the values are equal, the first child is chosen.
    pub fn choose(&self, choices: &mut [u8]) {
        for level in 0..self.tree_depth() - self.depth {
            let (first, second) = children(&self.values, level);
            let nodes = &mut choices[1 << level..2 << level];
            let pairs = nodes.iter_mut().zip(first.iter().zip(second));
            match Mover::at(level) {
                Mover::Max => pairs.for_each(|(choice, (a, b))| *choice = u8::from(b > a)),
                Mover::Min => pairs.for_each(|(choice, (a, b))| *choice = u8::from(b < a)),
            }
        }
    }
}
