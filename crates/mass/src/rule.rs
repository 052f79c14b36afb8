//! Backup rules: what turns leaf values into the value of a depth-1 node. Adding a rule is adding one file
//! that implements [`BackupRule`].

mod minimax;
mod product;

use std::cmp::Ordering;

pub use minimax::Minimax;
use prodmax_enumerate::{ClassTable, DepthOne, HeuristicValue, Mover};
pub use product::Product;

/// A rule that backs values up from the leaves; at the root the child with the greater value is chosen.
pub trait BackupRule {
    /// What is backed up.
    type Value: Clone;

    /// The value of a leaf.
    fn leaf(&self, h: HeuristicValue) -> Self::Value;

    /// The value of a MAX node from its children's.
    fn max_node(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// The value of a MIN node from its children's.
    fn min_node(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// The order of two values; `None` where the precision of the values cannot tell.
    fn compare(&self, a: &Self::Value, b: &Self::Value) -> Option<Ordering>;

    /// The value of a node from its children's.
    fn node(&self, mover: Mover, a: &Self::Value, b: &Self::Value) -> Self::Value {
        match mover {
            Mover::Max => self.max_node(a, b),
            Mover::Min => self.min_node(a, b),
        }
    }

    /// The value of a concrete subtree, given its leaves from left to right and the level of its root.
    fn of_tree(&self, leaves: &[HeuristicValue], level: usize) -> Self::Value {
        match leaves {
            [leaf] => self.leaf(*leaf),
            _ => {
                let (left, right) = leaves.split_at(leaves.len() / 2);
                let [a, b] = [left, right].map(|side| self.of_tree(side, level + 1));
                self.node(Mover::at(level), &a, &b)
            }
        }
    }

    /// The values of the classes of the table's top level.
    fn top_values(&self, table: &ClassTable) -> Vec<Self::Value> {
        table.back_up(|h| self.leaf(h), |mover, a, b| self.node(mover, a, b))
    }

    /// The values of the depth-1 classes.
    fn depth_one_values(&self, table: &ClassTable, classes: &DepthOne) -> Vec<Self::Value> {
        classes.back_up(&self.top_values(table), |mover, a, b| self.node(mover, a, b))
    }
}
