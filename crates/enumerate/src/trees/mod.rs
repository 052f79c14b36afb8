//! The three enumerators of whole trees behind one interface, and the canonical form by which they are compared.

mod merged;
mod naive;
mod unordered;

pub use merged::Merged;
pub use naive::Naive;
pub use unordered::Unordered;

use prodmax_rules::HeuristicValue;

/// One tree with the number of ordered trees it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedTree<'a> {
    /// The b^depth leaf values from left to right.
    pub leaves: &'a [HeuristicValue],
    /// The number of ordered trees that this visit stands for.
    pub multiplicity: u128,
}

/// A source of all trees of a model, one at a time.
///
/// All three enumerators of the 2^6 ordered trees of a model, each with fewer visits: pairs of the 3 + 3 subtrees up to
/// the order of siblings, 6 · 7 / 2 of them, and pairs of the five classes, 5 · 6 / 2 of them.
///
/// ```
/// use prodmax_enumerate::{ClassTable, Enumerator, Merged, Model, Naive, Unordered, ZeroMode};
///
/// fn visits_and_trees(mut trees: impl Enumerator) -> (u32, u128) {
///     let mut count = (0, 0);
///     while let Some(tree) = trees.next_tree() {
///         count = (count.0 + 1, count.1 + tree.multiplicity);
///     }
///     count
/// }
///
/// let model = Model::new(1, &[1, 1], ZeroMode::Skip, 42)?;
/// assert_eq!(visits_and_trees(Naive::new(&model)), (64, 64));
/// assert_eq!(visits_and_trees(Unordered::new(&model)?), (21, 64));
/// let table = ClassTable::build(&model)?;
/// assert_eq!(visits_and_trees(Merged::new(&table)?), (15, 64));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Enumerator {
    /// The next tree; `None` after the last. It borrows the enumerator: only one tree exists at any moment.
    fn next_tree(&mut self) -> Option<WeightedTree<'_>>;
}

/// Brings the leaves of a tree with `branching` moves at every node into canonical order: at every node smaller
/// subtrees come first. Two trees have the same canonical leaves exactly if they differ only in the order of
/// siblings.
pub fn canonicalize(leaves: &mut [HeuristicValue], branching: usize) {
    if leaves.len() < 2 {
        return;
    }
    let size = leaves.len() / branching;
    leaves.chunks_exact_mut(size).for_each(|subtree| canonicalize(subtree, branching));
    if let [left, right] = leaves.chunks_exact_mut(size).collect::<Vec<_>>().as_mut_slice() {
        // Two subtrees are exchanged in place.
        if *left > *right {
            left.swap_with_slice(right);
        }
        return;
    }
    let mut subtrees: Vec<Vec<HeuristicValue>> = leaves.chunks_exact(size).map(<[_]>::to_vec).collect();
    subtrees.sort_unstable();
    leaves.copy_from_slice(&subtrees.concat());
}

/// The number of different orders of the elements of an ascending list, if it fits.
pub(crate) fn orders<T: PartialEq>(ascending: &[T]) -> Option<u128> {
    let mut orders = 1u128;
    let mut run = 0;
    for (place, thing) in ascending.iter().enumerate() {
        run = if place > 0 && ascending[place - 1] == *thing { run + 1 } else { 1 };
        orders = orders.checked_mul(place as u128 + 1)? / run;
    }
    Some(orders)
}
