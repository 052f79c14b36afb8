//! The three enumerators of whole trees behind one interface, and the canonical form that compares them.

mod merged;
mod naive;
mod unordered;

pub use merged::Merged;
pub use naive::Naive;
pub use unordered::Unordered;

use crate::line::HeuristicValue;

/// One tree with the number of ordered trees it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedTree<'a> {
    /// The 2^depth leaf values from left to right.
    pub leaves: &'a [HeuristicValue],
    /// How many ordered trees have this leaf structure and are not visited on their own.
    pub multiplicity: u128,
}

/// A source of all trees of a model, one at a time.
pub trait Enumerator {
    /// The next tree; `None` after the last. It borrows the enumerator: only one tree exists at any moment.
    fn next_tree(&mut self) -> Option<WeightedTree<'_>>;
}

/// Brings the leaves of a tree into canonical order: at every node the lesser subtree comes first. Two trees
/// have the same canonical leaves exactly if they differ in the order of siblings only.
pub fn canonicalize(leaves: &mut [HeuristicValue]) {
    if leaves.len() < 2 {
        return;
    }
    let (left, right) = leaves.split_at_mut(leaves.len() / 2);
    canonicalize(left);
    canonicalize(right);
    if *left > *right {
        left.swap_with_slice(right);
    }
}
