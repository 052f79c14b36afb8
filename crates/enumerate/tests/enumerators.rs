//! Each enumerator checks the next: the same trees, the same multiplicities, the counts of the papers.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use num_bigint::BigUint;
use prodmax_enumerate::trees::canonicalize;
use prodmax_enumerate::{
    ClassTable, EnumerateError, Enumerator, HeuristicValue, Merged, Model, Naive, Place, Plan, Unordered,
    Zero,
};
use proptest::prelude::*;

/// The multiset of canonical leaf structures, and how many trees were visited.
fn structures(mut enumerator: impl Enumerator) -> (BTreeMap<Vec<HeuristicValue>, u128>, u64) {
    let mut counts = BTreeMap::new();
    let mut visited = 0;
    while let Some(tree) = enumerator.next_tree() {
        let mut leaves = tree.leaves.to_vec();
        canonicalize(&mut leaves);
        *counts.entry(leaves).or_default() += tree.multiplicity;
        visited += 1;
    }
    (counts, visited)
}

fn model(root: i64, increments: &[i64], zero: Zero) -> Model {
    Model::new(root, increments, zero, 42).unwrap()
}

#[test]
fn in_canonical_order_the_lesser_subtree_comes_first() {
    let line = prodmax_enumerate::Line::new(42, Zero::Skip).unwrap();
    let values = |values: [i64; 4]| values.map(|value| line.value(value).unwrap());
    for (given, expected) in
        [([4, 3, 2, 1], [1, 2, 3, 4]), ([1, 5, 2, 1], [1, 2, 1, 5]), ([2, 1, 1, 2], [1, 2, 1, 2])]
    {
        let mut leaves = values(given);
        canonicalize(&mut leaves);
        assert_eq!(leaves, values(expected), "{given:?}");
    }
}

/// Models whose naive enumeration has at most 70,000 trees.
fn small_model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=12, 1),
        prop::collection::vec(0i64..=4, 2),
        Just(vec![0, 0, 3]),
        Just(vec![1, 1, 1]),
        Just(vec![2, 0, 1]),
        Just(vec![0, 2, 1]),
        Just(vec![1, 3, 0]),
        Just(vec![3, 1, 0]),
        Just(vec![0, 0, 0, 1]),
        Just(vec![1, 1, 0, 0]),
        Just(vec![0, 1, 1, 0]),
    ];
    let zero = prop_oneof![Just(Zero::Skip), Just(Zero::Allow)];
    (increments, zero, -6i64..=6).prop_filter_map("a root of 0 under skip", |(increments, zero, root)| {
        Model::new(root, &increments, zero, 42).ok()
    })
}

/// A subtree whose root is at `level`, from its leaves: pairs of pairs, each with who moves there.
fn written(leaves: &[HeuristicValue], level: usize) -> String {
    if let [leaf] = leaves {
        return leaf.get().to_string();
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    let mover = if level.is_multiple_of(2) { "Max" } else { "Min" };
    format!("{mover}({} {})", written(left, level + 1), written(right, level + 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_three_enumerators_agree(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let plan = Plan::of(&model);
        let (naive, trees) = structures(Naive::new(&model));
        let (unordered, kinds) = structures(Unordered::new(&model));
        let (merged, pairs) = structures(Merged::new(&table).unwrap());
        prop_assert_eq!(BigUint::from(trees), model.trees());
        prop_assert_eq!(BigUint::from(kinds), plan.kinds);
        prop_assert_eq!(pairs, naive.len() as u64, "a merged tree is visited once");
        prop_assert_eq!(&naive, &unordered);
        prop_assert_eq!(&naive, &merged);
    }

    #[test]
    fn depth_one_classes_are_the_branches_of_all_trees(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        let total = top.total().unwrap();
        let mut classes = BTreeMap::new();
        for class in 0..top.len() {
            let mut leaves = table.leaves(&top, class);
            canonicalize(&mut leaves);
            // Every left branch is met with every right one.
            prop_assert_eq!(classes.insert(leaves, top.multiplicities()[class] * total), None);
        }
        let mut branches = BTreeMap::new();
        let mut trees = Naive::new(&model);
        while let Some(tree) = trees.next_tree() {
            let mut left = tree.leaves[..tree.leaves.len() / 2].to_vec();
            canonicalize(&mut left);
            *branches.entry(left).or_default() += 1;
        }
        prop_assert_eq!(classes, branches);
    }

    /// Values that tell how they came about are backed up as the leaves say, with the right mover at every node.
    #[test]
    fn values_are_backed_up_level_by_level(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        let leaf = |h: HeuristicValue| h.get().to_string();
        let node = |place: Place, children: &[&String]| {
            format!("{:?}({} {})", place.mover, children[0], children[1])
        };
        let stored = table.back_up(leaf, node);
        let leaves: Vec<String> = table.leaf_values().iter().map(|&h| leaf(h)).collect();
        for (class, value) in (0..).zip(&stored) {
            prop_assert_eq!(&table.back_up_class(table.top_level(), class, &leaves, &node), value);
        }
        let backed_up = top.back_up(&stored, node);
        prop_assert_eq!(backed_up.len(), top.len());
        for (class, value) in backed_up.iter().enumerate() {
            prop_assert_eq!(value, &written(&table.leaves(&top, class), 1));
        }
    }

    #[test]
    fn the_plan_counts_what_is_built(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        let plan = Plan::of(&model);
        prop_assert_eq!(plan.depth_one_classes(), &BigUint::from(top.len()));
        let total = top.total().unwrap();
        prop_assert_eq!(BigUint::from(total) * total, model.trees());
        for (number, level) in table.bottom_up().filter(|(number, _)| *number > 1) {
            let planned = &plan.levels[number - 1];
            prop_assert_eq!(&planned.classes, &BigUint::from(level.len()));
            let entries: usize = (0..level.len()).map(|class| level.reach(class).1.len()).sum();
            prop_assert_eq!(&planned.entries, &BigUint::from(entries));
        }
    }
}

fn class_counts(model: &Model) -> Vec<usize> {
    let table = ClassTable::build(model).unwrap();
    let top = table.depth_one().unwrap();
    let stored = table.bottom_up().filter(|(number, _)| *number > 1).map(|(_, level)| level.len());
    stored.chain([top.len()]).collect()
}

#[test]
fn class_counts_of_known_models() {
    assert_eq!(class_counts(&model(0, &[8, 8], Zero::Allow)), [17, 117]);
    assert_eq!(class_counts(&model(-1, &[8, 8, 8], Zero::Allow)), [25, 189, 15039]);
    assert_eq!(class_counts(&model(-1, &[3, 3, 3], Zero::Skip)).last(), Some(&499));
}

#[test]
fn classes_do_not_depend_on_where_the_line_skips_zero() {
    // Positions are all that matters to the merging; values only name the leaves.
    let counts = |root, zero| class_counts(&model(root, &[4, 3, 2], zero));
    assert_eq!(counts(-4, Zero::Skip), counts(2, Zero::Allow));
}

#[test]
fn depth_four_at_full_width_has_known_levels() {
    let model = model(1, &[8, 8, 8, 8], Zero::Skip);
    let table = ClassTable::build(&model).unwrap();
    let levels: Vec<_> = table.bottom_up().map(|(number, level)| (number, level.len())).collect();
    assert_eq!(levels, [(4, 33), (3, 261), (2, 23175)]);
}

#[test]
fn all_trees_of_depth_four_are_counted() {
    let model = model(1, &[3, 3, 3, 3], Zero::Skip);
    let top = ClassTable::build(&model).unwrap().depth_one().unwrap();
    assert_eq!(top.len(), 237_541);
    let total = top.total().unwrap();
    assert_eq!(BigUint::from(total) * total, model.trees());
}

#[test]
fn the_naive_enumerator_starts_with_all_increments_zero() {
    let model = model(-1, &[1, 1], Zero::Skip);
    let mut naive = Naive::new(&model);
    let first: Vec<_> = naive.next_tree().unwrap().leaves.iter().map(|v| v.get()).collect();
    let second: Vec<_> = naive.next_tree().unwrap().leaves.iter().map(|v| v.get()).collect();
    assert_eq!((first, second), (vec![-1, -1, -1, -1], vec![-1, -1, -1, -2]));
}

#[test]
fn a_level_too_large_to_store_is_refused_before_it_is_built() {
    let table = ClassTable::build(&model(1, &[8, 8, 8, 8, 8], Zero::Skip));
    let Err(EnumerateError::TooManyClasses { level: 2, classes, .. }) = table else { panic!("built") };
    assert!(classes > BigUint::from(100_000_000u32));
    // Depth 4 is stored to level 2, but its depth-1 classes have to be streamed.
    let table = ClassTable::build(&model(1, &[8, 8, 8, 8], Zero::Skip)).unwrap();
    let windows: Vec<_> = (0..table.top().len())
        .map(|class| table.top().reach(class))
        .map(|(start, ways)| (start, start + ways.len() as i32))
        .collect();
    let compatible = windows
        .iter()
        .enumerate()
        .map(|(first, b)| windows[first..].iter().filter(|c| b.0.max(c.0) < b.1.min(c.1)).count());
    let expected = BigUint::from(compatible.sum::<usize>());
    let Err(EnumerateError::TooManyClasses { level: 1, classes, .. }) = table.depth_one() else {
        panic!("built")
    };
    assert_eq!(classes, expected);
    assert_eq!(classes, BigUint::from(231_317_496u32));
}
