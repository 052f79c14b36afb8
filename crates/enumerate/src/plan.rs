//! What an enumeration will cost, counted exactly before anything is built.
//!
//! Whether two classes can be siblings depends only on where their vectors of node values begin and end (see
//! [`crate::classes`]). There are few such windows, so counting the classes per window gives the exact number
//! of classes of every level, however large, at once.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::One;

use crate::classes::{EnumerateError, MAX_STORED};
use crate::model::Model;
use crate::reach::reaching_values;

/// The counts of one level. The last three count what can hang at level `level`: naively, up to the order of
/// siblings, and with equal structures merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPlan {
    /// The level; the root is 0, the leaves have the number of the depth.
    pub level: usize,
    /// Different values that a node of this level can have.
    pub values: usize,
    /// Nodes of this level in all ordered trees cut off below it.
    pub nodes: BigUint,
    /// Paths from the root with the ordered subtree below them.
    pub subtrees: BigUint,
    /// Paths from the root with the subtree below them up to the order of siblings.
    pub kinds: BigUint,
    /// Merged classes.
    pub classes: BigUint,
    /// Entries of all vectors of multiplicities of this level.
    pub entries: BigUint,
}

impl LevelPlan {
    /// An error if this level has more than `most` classes.
    pub(crate) fn check_classes(&self, most: u32) -> Result<(), EnumerateError> {
        if self.classes <= BigUint::from(most) {
            return Ok(());
        }
        Err(EnumerateError::TooManyClasses { level: self.level, classes: self.classes.clone(), most })
    }
}

/// The exact size of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Ordered trees.
    pub trees: BigUint,
    /// Trees up to the order of siblings.
    pub kinds: BigUint,
    /// Levels 1..=depth.
    pub levels: Vec<LevelPlan>,
}

impl Plan {
    /// Counts without building.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, Plan, Zero};
    /// let plan = Plan::of(&Model::new(1, &[8, 8, 8, 8], Zero::Skip, 42)?);
    /// let classes: Vec<_> = plan.levels.iter().map(|l| l.classes.to_string()).collect();
    /// assert_eq!(classes, ["231317496", "23175", "261", "33"]);
    /// # Ok::<(), prodmax_enumerate::ModelError>(())
    /// ```
    pub fn of(model: &Model) -> Self {
        let depth = model.depth();
        // How many classes of the current level have each window (first and last position of its node).
        let [low, high] = model.position_range(depth);
        let mut windows: BTreeMap<[i32; 2], BigUint> =
            (low..=high).map(|position| ([position, position], BigUint::one())).collect();
        let mut kinds = BigUint::one();
        let mut levels = Vec::with_capacity(depth);
        for level in (1..=depth).rev() {
            if level < depth {
                windows = pair_windows(model, level, &windows);
                kinds = unordered_pairs(&(branches(model, level + 1) * kinds));
            }
            let paths: BigUint = (1..=level).map(|l| branches(model, l)).product();
            levels.push(LevelPlan {
                level,
                values: model.values(level),
                nodes: model.trees_to(level) << level,
                subtrees: &paths * subtrees_at(model, level),
                kinds: paths * &kinds,
                classes: windows.values().sum(),
                entries: windows
                    .iter()
                    .map(|(&window, classes)| {
                        let [start, end] = reaching_values(model, level, window);
                        classes * BigUint::from(end.abs_diff(start) + 1)
                    })
                    .sum(),
            });
        }
        levels.reverse();
        let kinds = unordered_pairs(&(branches(model, 1) * kinds));
        Self { trees: model.trees(), kinds, levels }
    }

    /// The number of depth-1 classes.
    pub fn depth_one_classes(&self) -> &BigUint {
        &self.levels[0].classes
    }

    /// An error if a level below the depth-1 classes has more classes than can be stored.
    pub fn check_stored(&self) -> Result<(), EnumerateError> {
        self.levels[1..].iter().try_for_each(|level| level.check_classes(MAX_STORED))
    }

    /// Bytes that the stored levels take: the pairs and vectors of every level but the first, and for the
    /// depth-1 classes a pair and a multiplicity each.
    pub fn bytes(&self) -> BigUint {
        let vector = |level: &LevelPlan| &level.classes * 20u32 + &level.entries * 16u32;
        let stored: BigUint = self.levels[1..].iter().map(vector).sum();
        stored + self.depth_one_classes() * 24u32
    }
}

fn branches(model: &Model, level: usize) -> BigUint {
    BigUint::from(model.increment(level).unsigned_abs()) + 1u32
}

/// Ordered subtrees below a node of `level`.
fn subtrees_at(model: &Model, level: usize) -> BigUint {
    (level + 1..=model.depth()).map(|l| branches(model, l).pow(1 << (l - level))).product()
}

fn unordered_pairs(n: &BigUint) -> BigUint {
    n * (n + 1u32) / 2u32
}

/// The windows of the classes of `level` from those of the level below.
fn pair_windows(
    model: &Model,
    level: usize,
    below: &BTreeMap<[i32; 2], BigUint>,
) -> BTreeMap<[i32; 2], BigUint> {
    // Different windows below can reach the same window here, so classes are summed by what they reach.
    let mut reach: BTreeMap<[i32; 2], BigUint> = BTreeMap::new();
    for (&window, classes) in below {
        *reach.entry(reaching_values(model, level + 1, window)).or_default() += classes;
    }
    let mut windows: BTreeMap<[i32; 2], BigUint> = BTreeMap::new();
    for (index, (b, b_classes)) in reach.iter().enumerate() {
        for (c, c_classes) in reach.iter().skip(index) {
            let common = [b[0].max(c[0]), b[1].min(c[1])];
            if common[0] <= common[1] {
                let pairs = if b == c { unordered_pairs(b_classes) } else { b_classes * c_classes };
                *windows.entry(common).or_default() += pairs;
            }
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Zero;

    /// 3, 2 and 4 branches at the levels, counted by hand: the values +1..+3, -1..+3 without 0 and -1..+6.
    #[test]
    fn a_small_plan_is_what_is_counted_by_hand() {
        let plan = Plan::of(&Model::new(1, &[2, 1, 3], Zero::Skip, 42).unwrap());
        let level = |level, values, [nodes, subtrees, kinds, classes, entries]: [u32; 5]| LevelPlan {
            level,
            values,
            nodes: nodes.into(),
            subtrees: subtrees.into(),
            kinds: kinds.into(),
            classes: classes.into(),
            entries: entries.into(),
        };
        let one = &plan.levels[0];
        assert_eq!((&one.nodes, &one.subtrees), (&BigUint::from(2 * 9u32), &BigUint::from(3 * 4 * 256u32)));
        // Two leaves up to order: 4 · 5 / 2 = 10; two such nodes with 2 branches each: 20 · 21 / 2 = 210.
        assert_eq!(one.kinds, BigUint::from(3 * 210u32));
        // Pairs of seven leaves at most 3 apart: 7 + 6 + 5 + 4 = 22.
        assert_eq!(plan.levels[1], level(2, 4, [4 * 144, 6 * 16, 6 * 10, 22, 42]));
        // Each of the 4 values of level 2 leads to 4 leaves.
        assert_eq!(plan.levels[2], level(3, 7, [8 * 144 * 65536, 24, 24, 7, 16]));
        assert_eq!(plan.trees, BigUint::from(144 * 65536u32));
        assert_eq!(plan.kinds, BigUint::from(630 * 631 / 2u32));
        assert_eq!(*plan.depth_one_classes(), BigUint::from(205u32));
        assert_eq!(plan.bytes(), BigUint::from(20 * (22 + 7u32) + 16 * (42 + 16) + 24 * 205));
    }
}
