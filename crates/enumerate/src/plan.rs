//! What an enumeration will cost, counted exactly before anything is built.
//!
//! Whether classes can be siblings depends only on where their vectors of node values begin and end (see
//! [`crate::classes`]). There are few such windows, so counting the classes per window gives the exact number
//! of classes of every level, however large, at once.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_traits::{One, Zero};
use prodmax_jobs::stop;

use crate::classes::{EnumerateError, MAX_STORED};
use crate::model::Model;
use crate::reach::reaching_values;

/// The counts of one level. `subtrees`, `kinds` and `classes` count what can hang at this level: naively, up to the
/// order of siblings, and with equal structures merged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelPlan {
    /// The level: 0 is the root, the depth is the leaf level.
    pub level: usize,
    /// The number of different values that a node of this level can have.
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
#[non_exhaustive]
pub struct Plan {
    /// Ordered trees.
    pub trees: BigUint,
    /// Trees up to the order of siblings.
    pub kinds: BigUint,
    /// Levels 1..=depth.
    pub levels: Vec<LevelPlan>,
    /// Moves of every node.
    pub branching: usize,
}

impl Plan {
    /// Counts everything without building it.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, Plan, ZeroMode};
    /// let plan = Plan::of(&Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42)?);
    /// let classes: Vec<_> = plan.levels.iter().map(|l| l.classes.to_string()).collect();
    /// assert_eq!(classes, ["231317496", "23175", "261", "33"]);
    /// # Ok::<(), prodmax_enumerate::ModelError>(())
    /// ```
    pub fn of(model: &Model) -> Self {
        let (depth, branching) = (model.depth(), model.branching());
        // How many classes of the current level have each window (first and last position of its node).
        let [low, high] = model.position_range(depth);
        let mut windows: BTreeMap<[i32; 2], BigUint> =
            (low..=high).map(|position| ([position, position], BigUint::one())).collect();
        let mut kinds = BigUint::one();
        let mut levels = Vec::with_capacity(depth);
        for level in (1..=depth).rev() {
            if level < depth {
                windows = inner_windows(model, level, &windows);
                kinds = multisets(&(branches(model, level + 1) * kinds), branching);
            }
            let paths: BigUint = (1..=level).map(|l| branches(model, l)).product();
            levels.push(LevelPlan {
                level,
                values: model.values(level),
                nodes: model.trees_to(level) * branching.pow(level as u32),
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
        let kinds = multisets(&(branches(model, 1) * kinds), branching);
        Self { trees: model.trees(), kinds, levels, branching }
    }

    /// The number of depth-1 classes.
    pub fn depth_one_classes(&self) -> &BigUint {
        &self.levels[0].classes
    }

    /// An error if a level below the depth-1 classes has more classes than can be stored.
    pub fn check_stored(&self) -> Result<(), EnumerateError> {
        self.levels[1..].iter().try_for_each(|level| level.check_classes(MAX_STORED))
    }

    /// The number of multisets of depth-1 classes that the root's moves can lead to: the number of trees left once
    /// equal subtrees are merged (in a binary model, pairs of classes).
    pub fn merged_trees(&self) -> BigUint {
        multisets(self.depth_one_classes(), self.branching)
    }

    /// The bytes that the stored levels take: the children and vectors of every level except the first, and for each
    /// depth-1 class its children and its multiplicity.
    pub fn bytes(&self) -> BigUint {
        let children = 4 * self.branching;
        let vector = |level: &LevelPlan| &level.classes * (children + 12) + &level.entries * 16u32;
        let stored: BigUint = self.levels[1..].iter().map(vector).sum();
        stored + self.depth_one_bytes()
    }

    /// The bytes that the depth-1 classes take.
    pub(crate) fn depth_one_bytes(&self) -> BigUint {
        self.depth_one_classes() * (4 * self.branching + 16)
    }

    /// The number of moves of every node.
    pub fn branching(&self) -> usize {
        self.branching
    }
}

fn branches(model: &Model, level: usize) -> BigUint {
    BigUint::from(model.increment(level).unsigned_abs()) + 1u32
}

/// Ordered subtrees below a node of `level`.
fn subtrees_at(model: &Model, level: usize) -> BigUint {
    let edges = |l: usize| model.branching().pow((l - level) as u32) as u32;
    (level + 1..=model.depth()).map(|l| branches(model, l).pow(edges(l))).product()
}

/// The number of multisets of `size` elements out of n: n (n + 1) … (n + size - 1) / size!.
pub(crate) fn multisets(n: &BigUint, size: usize) -> BigUint {
    if size == 0 {
        return BigUint::one();
    }
    (1..size as u32).fold(n.clone(), |product, chosen| product * (n + chosen) / (chosen + 1))
}

/// The windows of the classes of `level` from those of the level below.
///
/// The window of a class is what its children's windows have in common: from the last of their starts to the first of
/// their ends. So the classes whose window contains [s, e] are the multisets of children whose windows all do, and
/// those with exactly this window follow by inclusion and exclusion of the next earlier start and the next later end.
fn inner_windows(
    model: &Model,
    level: usize,
    below: &BTreeMap<[i32; 2], BigUint>,
) -> BTreeMap<[i32; 2], BigUint> {
    // Different windows below can reach the same window here, so classes are grouped by what they reach.
    let mut reach: BTreeMap<[i32; 2], BigUint> = BTreeMap::new();
    for (&window, classes) in below {
        *reach.entry(reaching_values(model, level + 1, window)).or_default() += classes;
    }
    let starts: BTreeSet<i32> = reach.keys().map(|window| window[0]).collect();
    let ends: BTreeSet<i32> = reach.keys().map(|window| window[1]).collect();
    // For the previous start: how many classes begin there or earlier, and how many multisets of them there are, by
    // the end of the window they contain, the last end first.
    let mut children = vec![BigUint::ZERO; ends.len()];
    let mut before = vec![BigUint::ZERO; ends.len()];
    let mut windows = BTreeMap::new();
    for &start in &starts {
        stop::check();
        let mut later = BigUint::ZERO;
        let mut outer: Option<[BigUint; 2]> = None;
        for (place, &end) in ends.iter().rev().enumerate() {
            later += reach.get(&[start, end]).unwrap_or(&BigUint::ZERO);
            children[place] += &later;
            if end < start {
                continue;
            }
            let containing = multisets(&children[place], model.branching());
            let [outer_now, outer_before] = outer.unwrap_or_default();
            let exactly = (&containing + &outer_before) - &before[place] - outer_now;
            if !exactly.is_zero() {
                windows.insert([start, end], exactly);
            }
            outer = Some([containing.clone(), std::mem::replace(&mut before[place], containing)]);
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use prodmax_rules::ZeroMode;

    use super::*;

    #[test]
    fn multisets_are_counted() {
        let count = |n: u32, size| multisets(&BigUint::from(n), size);
        assert_eq!(count(4, 2), BigUint::from(10u32));
        assert_eq!(count(4, 3), BigUint::from(20u32));
        assert_eq!([count(7, 0), count(7, 1), count(0, 3)], [1u32, 7, 0].map(BigUint::from));
    }

    /// Root +1, increments up to 1, three moves: the values are +1, +2 and -1, +1, +2. A node of value v has leaves of v
    /// and the value below, so its classes are multisets {v, v, v}, …: 4 for each v, and {1, 1, 1} belongs to both.
    #[test]
    fn a_plan_with_three_moves_agrees_with_a_count_by_hand() {
        let plan = Plan::of(&Model::new(1, &[1, 1], ZeroMode::Skip, 42).unwrap().with_branching(3).unwrap());
        assert_eq!(*plan.depth_one_classes(), BigUint::from(7u32));
        assert_eq!(plan.trees, BigUint::from(1u32 << 12));
        // Three leaves of two kinds: 4 kinds of node; with 2 branches, multisets of three out of 8: 8 · 9 · 10 / 6.
        assert_eq!(plan.kinds, BigUint::from(120u32));
        assert_eq!(plan.merged_trees(), BigUint::from(84u32), "7 · 8 · 9 / 6");
        assert_eq!(plan.levels[0].nodes, BigUint::from(3 * 8u32));
        assert_eq!(plan.levels[1].nodes, BigUint::from(9 * 4096u32));
        assert_eq!(plan.levels[0].subtrees, BigUint::from(2 * 8u32));
        assert_eq!(plan.bytes(), BigUint::from(7 * 28 + 3 * 24 + 4 * 16u32));
    }

    /// 3, 2 and 4 branches at the levels, counted by hand: the values +1..+3, -1..+3 without 0 and -1..+6.
    #[test]
    fn a_small_plan_agrees_with_a_count_by_hand() {
        let plan = Plan::of(&Model::new(1, &[2, 1, 3], ZeroMode::Skip, 42).unwrap());
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
