//! DAG merging: subtrees with the same canonical leaf structure are one class wherever they hang.
//!
//! A class of the leaf level is a leaf value; a class of level l is a multiset of b classes of level l + 1, an
//! unordered pair in a binary model. What increments led to a class shows only in its *multiplicities*: for every value v that a node of
//! level l can have, the number of ordered subtrees below such a node that have this structure. Going up is
//! exact and cheap:
//!
//! - a node of level l reaches class c by one move in as many ways as the sum of c's multiplicities over the
//!   window of values that its increments lead to ([`Level::reach`]);
//! - a multiset of children then has, at each node value, the product of theirs, times the number of different orders in
//!   which they can stand: b! / Π m! for children that occur m times (2 for a pair of different ones).
//!
//! The values at which a class occurs at all are contiguous, so a class is a short vector with an offset. The
//! depth-1 classes, of which there can be hundreds of millions, need only their total over the root's
//! increments: of a pair, the dot product of two vectors of the level below. They are never stored by [`ClassTable`]
//! itself but computed as a [`DepthOne`] table or streamed as [`ClassTable::depth_one_row`].
//!
//! Multiplicities are checked 128-bit integers. One branch of the root has Π (a_l + 1)^(b^(l-1)) forms, which leaves 128
//! bits only in models with very many moves and very small increments (b = 128 with increments up to 1, at depth 2);
//! others have too many classes for the memory long before. Such models are refused, never counted wrongly.

#![allow(clippy::len_without_is_empty, reason = "every level of a model has a class")]

use num_bigint::BigUint;
use prodmax_jobs::stop;
use prodmax_rules::HeuristicValue;
use prodmax_rules::Place;
use rayon::prelude::*;
use thiserror::Error;

use crate::children::{Children, Found, Nodes, Overflow, node_value, visit_row};
use crate::model::Model;
use crate::plan::{LevelPlan, Plan};
use crate::reach::{Vectors, reaching_values, sum, sum_checked};

/// Levels with fewer pairs than this are built in one thread.
const PARALLEL_PAIRS: usize = 1 << 14;

/// The maximum number of classes in a stored level: their vectors take a few hundred bytes each.
pub(crate) const MAX_STORED: u32 = 1 << 24;

/// The maximum number of bytes for depth-1 classes in memory: 2^27 classes of 24 bytes each in a binary model. Larger
/// tables have to be streamed.
const MAX_DEPTH_ONE_BYTES: u32 = 24 << 27;

/// Why an enumeration cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EnumerateError {
    /// A multiplicity does not fit into 128 bits.
    #[error(
        "a multiplicity at level {level} does not fit into 128 bits; use fewer levels or smaller increments"
    )]
    Multiplicity {
        /// Where it happened; 0 stands for whole trees.
        level: usize,
    },
    /// More classes than fit into memory.
    #[error(
        "level {level} has {classes} classes, more than the {most} that can be held in memory; \
         use fewer levels or smaller increments"
    )]
    TooManyClasses {
        /// The level.
        level: usize,
        /// The number of its classes.
        classes: BigUint,
        /// How many can be held in memory.
        most: u32,
    },
    /// Two ways of counting that differ: a fault of the program or of the machine.
    #[error("internal error: {what}: the plan says {}, the class table {}; please report this", counts[0], counts[1])]
    Mismatch {
        /// What was counted.
        what: String,
        /// By the plan, and by the class table.
        counts: Box<[BigUint; 2]>,
    },
}

/// The classes of one level >= 2 (or of the leaf level of a model of depth 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    nodes: Nodes,
    /// For each class, in how many ways a node of the level *above* reaches it by one move, per value of that
    /// node.
    reach: Vectors,
}

impl Level {
    /// What the classes are.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// In how many ways (move and subtree) a node of the level above reaches `class`: the position of the
    /// first node value for which it does at all, and the number of ways for this value and the next ones.
    pub fn reach(&self, class: usize) -> (i32, &[u128]) {
        self.reach.get(class)
    }
}

/// The depth-1 classes with their multiplicities: what the root's moves lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthOne {
    /// Depth of the model.
    depth: usize,
    nodes: Nodes,
    multiplicities: Vec<u128>,
}

impl DepthOne {
    /// What the classes are.
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// In how many ways one move of the root and the subtree below it lead to each class.
    pub fn multiplicities(&self) -> &[u128] {
        &self.multiplicities
    }

    /// The sum of the multiplicities: the number of ordered trees is its b-th power.
    pub fn total(&self) -> Result<u128, EnumerateError> {
        sum(self.multiplicities.iter().copied()).ok_or(EnumerateError::Multiplicity { level: 1 })
    }
}

/// The merged classes of a model, level by level.
#[derive(Clone, Debug)]
pub struct ClassTable {
    model: Model,
    /// The levels from the leaves up to level 2 (level 1 for a model of depth 1).
    levels: Vec<Level>,
    /// How many depth-1 classes there are.
    depth_one: LevelPlan,
}

impl ClassTable {
    /// Builds every level below the depth-1 classes, bottom up.
    ///
    /// With root +1 and increments 0 or 1 the moves lead to +1 and +2, and from there to leaves +1 and -1, or +2 and
    /// +1. Of the eight ways to a MIN node and its two leaves, two lead to the leaves (+1, +1), one by either move:
    ///
    /// ```
    /// use prodmax_enumerate::{ClassTable, Model, ZeroMode};
    ///
    /// let table = ClassTable::build(&Model::new(1, &[1, 1], ZeroMode::Skip, 42)?)?;
    /// let classes = table.depth_one()?;
    /// let leaves = |class| table.leaves(&classes, class).iter().map(|leaf| leaf.get()).collect::<Vec<i32>>();
    /// let found: Vec<(Vec<i32>, u128)> =
    ///     (0..classes.len()).map(|class| (leaves(class), classes.multiplicities()[class])).collect();
    /// assert_eq!(found.len(), 5);
    /// assert!(found.contains(&(vec![1, 1], 2)) && found.contains(&(vec![-1, -1], 1)));
    /// assert_eq!(classes.total()?, 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(model: &Model) -> Result<Self, EnumerateError> {
        let depth = model.depth();
        let plan = Plan::of(model);
        plan.check_stored()?;
        let mut planned = plan.levels;
        let mut levels = vec![leaf_level(model)];
        for level in (2..depth).rev() {
            let below = &levels[levels.len() - 1];
            let next = inner_level(model, level, below)?;
            levels.push(next);
        }
        Ok(Self { model: model.clone(), levels, depth_one: planned.swap_remove(0) })
    }

    /// The same classes with other leaf values, e.g. with 0 read as +1. Nothing is merged again: different classes
    /// may end up with the same leaves.
    pub fn map_leaves(mut self, value: impl Fn(HeuristicValue) -> HeuristicValue) -> Self {
        if let Nodes::Leaves(leaves) = &mut self.levels[0].nodes {
            leaves.iter_mut().for_each(|leaf| *leaf = value(*leaf));
        }
        self
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The classes of a level from the top stored one (2, or 1 if the depth is 1) to the leaf level.
    ///
    /// # Panics
    /// For any other level.
    pub fn level(&self, level: usize) -> &Level {
        &self.levels[self.model.depth() - level]
    }

    /// The levels from the leaves upwards, each with its number.
    pub fn bottom_up(&self) -> impl Iterator<Item = (usize, &Level)> {
        self.levels.iter().enumerate().map(|(index, level)| (self.model.depth() - index, level))
    }

    /// The highest stored level.
    pub fn top(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// Visits the depth-1 classes whose least child is class `first` of level 2, in order: their children but the last,
    /// the last one, and the multiplicity. One row of the stream of all depth-1 classes of a model of depth 2 or more;
    /// nothing is stored.
    pub fn depth_one_row(
        &self,
        first: usize,
        mut visit: impl FnMut(&[u32], u32, u128) -> Result<(), EnumerateError>,
    ) -> Result<(), EnumerateError> {
        let overflow = EnumerateError::Multiplicity { level: 1 };
        let mut visit_found = |found: &Found<'_>| {
            let ways = sum_checked(found.multiplicities()).ok_or_else(|| overflow.clone())?;
            Ok(visit(found.first, found.last, ways)?)
        };
        visit_row(&self.top().reach, self.model.branching(), first, &mut visit_found)
            .map_err(|stopped: Stopped| stopped.at(1))
    }

    /// All depth-1 classes in memory. For large models use [`crate::Plan`] first to see how many there are.
    pub fn depth_one(&self) -> Result<DepthOne, EnumerateError> {
        let top = self.top();
        if self.model.depth() == 1 {
            let ways = |class| sum(top.reach(class).1.iter().copied());
            let multiplicities = (0..top.len()).map(ways).collect::<Option<Vec<_>>>();
            return Ok(DepthOne {
                depth: 1,
                nodes: top.nodes.clone(),
                multiplicities: multiplicities.ok_or(EnumerateError::Multiplicity { level: 1 })?,
            });
        }
        let branching = self.model.branching();
        let most = MAX_DEPTH_ONE_BYTES / (4 * branching as u32 + 16);
        self.depth_one.check_classes(most)?;
        let row = |first: usize| -> Result<(Children, Vec<u128>), EnumerateError> {
            let (mut children, mut multiplicities) = (Children::new(branching), Vec::new());
            self.depth_one_row(first, |but_last, last, ways| {
                stop::check();
                children.push(but_last, last);
                multiplicities.push(ways);
                Ok(())
            })?;
            Ok((children, multiplicities))
        };
        let rows = rows(top.len(), row)?;
        let (children, multiplicities): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        Ok(DepthOne {
            depth: self.model.depth(),
            nodes: Nodes::Inner(Children::concat(branching, &children)),
            multiplicities: multiplicities.concat(),
        })
    }

    /// The leaves of a depth-1 class from left to right.
    pub fn leaves(&self, classes: &DepthOne, class: usize) -> Vec<HeuristicValue> {
        let mut leaves = Vec::with_capacity(self.model.leaves_below(1));
        self.push_leaves(1, &classes.nodes, class, &mut leaves);
        leaves
    }

    /// Appends the leaves of a class of `level`.
    pub(crate) fn push_leaves(
        &self,
        level: usize,
        nodes: &Nodes,
        class: usize,
        leaves: &mut Vec<HeuristicValue>,
    ) {
        match nodes {
            Nodes::Leaves(values) => leaves.push(values[class]),
            Nodes::Inner(children) => {
                for &child in children.get(class) {
                    self.push_leaves(level + 1, &self.level(level + 1).nodes, child as usize, leaves);
                }
            }
        }
    }

    /// Backs values up through all stored levels: `leaf` gives the value of a leaf, `node` that of a node from
    /// its children's. Returns the values of the [`ClassTable::top`] level's classes.
    pub fn back_up<V>(&self, leaf: impl Fn(HeuristicValue) -> V, node: impl Fn(Place, &[&V]) -> V) -> Vec<V> {
        let mut values = Vec::new();
        for (number, level) in self.bottom_up() {
            let place = Place::in_tree(number, self.model.depth());
            values = back_up_once(&level.nodes, place, &values, &leaf, &node);
        }
        values
    }

    /// The value of one class of a stored level, computed from the values of the leaf classes: for the few classes of
    /// a large level for which an expensive kind of value is needed.
    ///
    /// # Panics
    /// For a level that is not stored, see [`ClassTable::level`].
    pub fn back_up_class<V: Clone>(
        &self,
        level: usize,
        class: u32,
        leaves: &[V],
        node: &impl Fn(Place, &[&V]) -> V,
    ) -> V {
        match &self.level(level).nodes {
            Nodes::Leaves(_) => leaves[class as usize].clone(),
            Nodes::Inner(children) => {
                self.back_up_children(level, children.get(class as usize), leaves, node)
            }
        }
    }

    /// The value of a node of `level` with these children, classes of the level below.
    ///
    /// # Panics
    /// If the level below is not stored, see [`ClassTable::level`].
    pub fn back_up_children<V: Clone>(
        &self,
        level: usize,
        children: &[u32],
        leaves: &[V],
        node: &impl Fn(Place, &[&V]) -> V,
    ) -> V {
        let value = |&child: &u32| self.back_up_class(level + 1, child, leaves, node);
        let values: Vec<V> = children.iter().map(value).collect();
        node(Place::in_tree(level, self.model.depth()), &values.iter().collect::<Vec<_>>())
    }

    /// The number of the highest stored level: 2, or 1 if the depth is 1.
    pub fn top_level(&self) -> usize {
        self.model.depth() + 1 - self.levels.len()
    }

    /// The values of the leaf classes.
    pub fn leaf_values(&self) -> &[HeuristicValue] {
        match &self.levels[0].nodes {
            Nodes::Leaves(values) => values,
            Nodes::Inner(_) => &[],
        }
    }
}

/// The values of one level's classes from those of the level below.
pub(crate) fn back_up_once<V>(
    nodes: &Nodes,
    place: Place,
    below: &[V],
    leaf: impl Fn(HeuristicValue) -> V,
    node: impl Fn(Place, &[&V]) -> V,
) -> Vec<V> {
    match nodes {
        Nodes::Leaves(leaves) => leaves.iter().map(|&value| leaf(value)).collect(),
        Nodes::Inner(children) => {
            children.iter().map(|children| node_value(place, children, below, &node)).collect()
        }
    }
}

impl DepthOne {
    /// The values of the depth-1 classes from those of the classes of the [`ClassTable::top`] level (see
    /// [`ClassTable::back_up`]).
    pub fn back_up<V: Clone>(&self, top: &[V], node: impl Fn(Place, &[&V]) -> V) -> Vec<V> {
        match &self.nodes {
            Nodes::Leaves(_) => top.to_vec(),
            Nodes::Inner(children) => {
                let place = Place::in_tree(1, self.depth);
                children.iter().map(|children| node_value(place, children, top, &node)).collect()
            }
        }
    }
}

fn leaf_level(model: &Model) -> Level {
    let depth = model.depth();
    let [low, high] = model.position_range(depth);
    let mut reach = Vectors::default();
    for position in low..=high {
        let [start, end] = reaching_values(model, depth, [position, position]);
        reach.push(start, (start..=end).map(|_| 1));
    }
    Level { nodes: Nodes::Leaves((low..=high).map(|p| model.value_at(p)).collect()), reach }
}

fn inner_level(model: &Model, level: usize, below: &Level) -> Result<Level, EnumerateError> {
    let branching = model.branching();
    let row = |first: usize| -> Result<(Children, Vectors), Stopped> {
        let (mut children, mut reach) = (Children::new(branching), Vectors::default());
        let mut ways = Vec::new();
        visit_row(&below.reach, branching, first, &mut |found| {
            stop::check();
            ways.clear();
            for multiplicity in found.multiplicities() {
                ways.push(multiplicity.ok_or(Overflow)?);
            }
            reach.push_sums(model, level, found.common.start, &ways).ok_or(Overflow)?;
            children.push(found.first, found.last);
            Ok::<(), Stopped>(())
        })?;
        Ok((children, reach))
    };
    let rows = rows(below.len(), |first| row(first).map_err(|stopped| stopped.at(level)))?;
    let (children, vectors): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let mut reach = Vectors::default();
    vectors.iter().for_each(|row| reach.append(row));
    Ok(Level { nodes: Nodes::Inner(Children::concat(branching, &children)), reach })
}

/// Why a row ended early.
enum Stopped {
    Overflow,
    Because(EnumerateError),
}

impl From<Overflow> for Stopped {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl From<EnumerateError> for Stopped {
    fn from(error: EnumerateError) -> Self {
        Self::Because(error)
    }
}

impl Stopped {
    /// The error for a level.
    fn at(self, level: usize) -> EnumerateError {
        match self {
            Self::Overflow => EnumerateError::Multiplicity { level },
            Self::Because(error) => error,
        }
    }
}

/// All rows of a level in order, in parallel where it pays.
fn rows<T: Send>(
    classes: usize,
    row: impl Fn(usize) -> Result<T, EnumerateError> + Sync + Send,
) -> Result<Vec<T>, EnumerateError> {
    let row = |first| {
        stop::check();
        row(first)
    };
    if classes * classes < PARALLEL_PAIRS {
        (0..classes).map(row).collect()
    } else {
        (0..classes).into_par_iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_beyond_128_bits_is_an_error() {
        let mut children = Children::new(2);
        [0, 1].into_iter().for_each(|last| children.push(&[0], last));
        let nodes = Nodes::Inner(children);
        let fits = DepthOne { depth: 1, nodes: nodes.clone(), multiplicities: vec![u128::MAX - 1, 1] };
        let wraps = DepthOne { depth: 1, nodes, multiplicities: vec![u128::MAX, 1] };
        assert_eq!(fits.total(), Ok(u128::MAX));
        assert_eq!(wraps.total(), Err(EnumerateError::Multiplicity { level: 1 }));
    }
}
