//! Each enumerator checks the next: the same trees, the same multiplicities, the counts of the papers.

#![allow(clippy::unwrap_used, reason = "test helpers")]

use std::collections::BTreeMap;

use num_bigint::BigUint;
use prodmax_enumerate::canonicalize;
use prodmax_enumerate::{
    ClassTable, EnumerateError, Enumerator, HeuristicValue, Merged, Model, Naive, Place, Plan, Unordered,
    ZeroMode,
};
use proptest::prelude::*;

/// The multiset of canonical leaf structures, and the number of trees visited.
fn structures(model: &Model, mut enumerator: impl Enumerator) -> (BTreeMap<Vec<HeuristicValue>, u128>, u64) {
    let mut counts = BTreeMap::new();
    let mut visited = 0;
    while let Some(tree) = enumerator.next_tree() {
        let mut leaves = tree.leaves.to_vec();
        canonicalize(&mut leaves, model.branching());
        *counts.entry(leaves).or_default() += tree.multiplicity;
        visited += 1;
    }
    (counts, visited)
}

fn model(root: i64, increments: &[i64], zero: ZeroMode) -> Model {
    Model::new(root, increments, zero, 42).unwrap()
}

#[test]
fn in_canonical_order_the_smaller_subtree_comes_first() {
    let line = prodmax_enumerate::Line::new(42, ZeroMode::Skip).unwrap();
    let values = |values: [i64; 4]| values.map(|value| line.value(value).unwrap());
    for (given, expected) in
        [([4, 3, 2, 1], [1, 2, 3, 4]), ([1, 5, 2, 1], [1, 2, 1, 5]), ([2, 1, 1, 2], [1, 2, 1, 2])]
    {
        let mut leaves = values(given);
        canonicalize(&mut leaves, 2);
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
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    let binary = (increments, zero, -6i64..=6)
        .prop_filter_map("a root of 0 under skip", |(increments, zero, root)| {
            Model::new(root, &increments, zero, 42).ok()
        });
    prop_oneof![2 => binary, 1 => other_branching()]
}

/// Models with numbers of moves other than two and at most 70,000 trees.
fn other_branching() -> impl Strategy<Value = Model> {
    let shape = prop_oneof![
        (Just(1), prop::collection::vec(0i64..=5, 1..4)),
        (3i64..=5, prop::collection::vec(0i64..=8, 1)),
        (
            Just(3),
            prop::sample::select(vec![[1, 1], [2, 0], [0, 2], [3, 0], [4, 0], [2, 1]]).prop_map(Vec::from)
        ),
        (Just(4), prop::sample::select(vec![[1, 0], [2, 0], [5, 0], [1, 1]]).prop_map(Vec::from)),
        Just((5, vec![1, 0])),
        Just((3, vec![1, 1, 0])),
        Just((3, vec![0, 2, 0])),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    (shape, zero, -6i64..=6).prop_filter_map("too many trees", |((branching, increments), zero, root)| {
        let model = Model::new(root, &increments, zero, 42).ok()?.with_branching(branching).ok()?;
        (model.trees() <= BigUint::from(70_000u32)).then_some(model)
    })
}

/// A subtree whose root is at `level`, written from its leaves: nested tuples, each with the player who moves there.
fn written(model: &Model, leaves: &[HeuristicValue], level: usize) -> String {
    if level == model.depth() {
        return leaves[0].get().to_string();
    }
    let subtrees = leaves.chunks(leaves.len() / model.branching());
    let subtrees: Vec<String> = subtrees.map(|subtree| written(model, subtree, level + 1)).collect();
    let mover = if level.is_multiple_of(2) { "Max" } else { "Min" };
    format!("{mover}({})", subtrees.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_three_enumerators_agree(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let plan = Plan::of(&model);
        let (naive, trees) = structures(&model, Naive::new(&model));
        let (unordered, kinds) = structures(&model, Unordered::new(&model).unwrap());
        let (merged, multisets) = structures(&model, Merged::new(&table).unwrap());
        prop_assert_eq!(BigUint::from(trees), model.trees());
        prop_assert_eq!(BigUint::from(kinds), plan.kinds.clone());
        prop_assert_eq!(multisets, naive.len() as u64, "a merged tree is visited once");
        prop_assert_eq!(BigUint::from(multisets), plan.merged_trees());
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
            canonicalize(&mut leaves, model.branching());
            // Every first branch occurs with all combinations of the others.
            let others = total.pow(model.branching() as u32 - 1);
            prop_assert_eq!(classes.insert(leaves, top.multiplicities()[class] * others), None);
        }
        let mut branches = BTreeMap::new();
        let mut trees = Naive::new(&model);
        while let Some(tree) = trees.next_tree() {
            let mut first = tree.leaves[..model.leaves_below(1)].to_vec();
            canonicalize(&mut first, model.branching());
            *branches.entry(first).or_default() += 1;
        }
        prop_assert_eq!(classes, branches);
    }

    /// Values that record how they were computed show that leaves are backed up with the right mover at every node.
    #[test]
    fn values_are_backed_up_level_by_level(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        let leaf = |h: HeuristicValue| h.get().to_string();
        let node = |place: Place, children: &[&String]| {
            let children: Vec<&str> = children.iter().map(|child| child.as_str()).collect();
            format!("{:?}({})", place.mover, children.join(" "))
        };
        let stored = table.back_up(leaf, node);
        let leaves: Vec<String> = table.leaf_values().iter().map(|&h| leaf(h)).collect();
        for (class, value) in (0..).zip(&stored) {
            prop_assert_eq!(&table.back_up_class(table.top_level(), class, &leaves, &node), value);
        }
        let backed_up = top.back_up(&stored, node);
        prop_assert_eq!(backed_up.len(), top.len());
        for (class, value) in backed_up.iter().enumerate() {
            prop_assert_eq!(value, &written(&model, &table.leaves(&top, class), 1));
        }
    }

    #[test]
    fn the_plan_counts_what_is_built(model in small_model()) {
        let table = ClassTable::build(&model).unwrap();
        let top = table.depth_one().unwrap();
        let plan = Plan::of(&model);
        prop_assert_eq!(plan.depth_one_classes(), &BigUint::from(top.len()));
        let total = top.total().unwrap();
        prop_assert_eq!(BigUint::from(total).pow(model.branching() as u32), model.trees());
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
    assert_eq!(class_counts(&model(0, &[8, 8], ZeroMode::Allow)), [17, 117]);
    assert_eq!(class_counts(&model(-1, &[8, 8, 8], ZeroMode::Allow)), [25, 189, 15039]);
    assert_eq!(class_counts(&model(-1, &[3, 3, 3], ZeroMode::Skip)).last(), Some(&499));
}

/// At depth 2 with increments up to 8 a class is a multiset of b leaves that lie within nine neighbours out of the
/// 17. With a given least leaf, the b - 1 others are any of up to nine: nine times C(b + 7, 8), and with 8, 7, … 1 of
/// them at the upper end C(b + 7, 7) in all.
#[test]
fn class_counts_with_more_moves() {
    let branching = |increments: &[i64], b| model(1, increments, ZeroMode::Skip).with_branching(b).unwrap();
    assert_eq!(class_counts(&branching(&[2, 2], 3)), [5, 22]);
    let classes = |b| Plan::of(&branching(&[8, 8], b)).depth_one_classes().to_string();
    assert_eq!([classes(2), classes(8), classes(12)], ["117", "64350", "730626"]);
    let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
    for b in 2..=12u64 {
        let expected = 9 * choose(b + 7, 8) + choose(b + 7, 7);
        assert_eq!(classes(b as i64), expected.to_string(), "{b}");
    }
    assert_eq!(class_counts(&branching(&[8, 8], 8)).last(), Some(&64_350));
}

#[test]
fn too_many_moves_are_refused_with_their_size() {
    let table = ClassTable::build(&model(1, &[8, 8], ZeroMode::Skip).with_branching(40).unwrap()).unwrap();
    let message = table.depth_one().unwrap_err().to_string();
    assert!(message.starts_with("level 1 has 2893008954 classes, more than the 18302417"), "{message}");
    // Few classes, but more than 2^128 ways to reach each of them.
    let table = ClassTable::build(&model(1, &[1, 1], ZeroMode::Skip).with_branching(140).unwrap()).unwrap();
    assert_eq!(table.depth_one(), Err(EnumerateError::Multiplicity { level: 1 }));
}

#[test]
fn classes_do_not_depend_on_where_the_line_skips_zero() {
    // Only positions matter to the merging; values only name the leaves.
    let counts = |root, zero| class_counts(&model(root, &[4, 3, 2], zero));
    assert_eq!(counts(-4, ZeroMode::Skip), counts(2, ZeroMode::Allow));
}

#[test]
fn depth_four_at_full_width_has_known_levels() {
    let model = model(1, &[8, 8, 8, 8], ZeroMode::Skip);
    let table = ClassTable::build(&model).unwrap();
    let levels: Vec<_> = table.bottom_up().map(|(number, level)| (number, level.len())).collect();
    assert_eq!(levels, [(4, 33), (3, 261), (2, 23175)]);
}

#[test]
fn all_trees_of_depth_four_are_counted() {
    let model = model(1, &[3, 3, 3, 3], ZeroMode::Skip);
    let top = ClassTable::build(&model).unwrap().depth_one().unwrap();
    assert_eq!(top.len(), 237_541);
    let total = top.total().unwrap();
    assert_eq!(BigUint::from(total) * total, model.trees());
}

#[test]
fn the_naive_enumerator_starts_with_all_increments_zero() {
    let model = model(-1, &[1, 1], ZeroMode::Skip);
    let mut naive = Naive::new(&model);
    let first: Vec<_> = naive.next_tree().unwrap().leaves.iter().map(|v| v.get()).collect();
    let second: Vec<_> = naive.next_tree().unwrap().leaves.iter().map(|v| v.get()).collect();
    assert_eq!((first, second), (vec![-1, -1, -1, -1], vec![-1, -1, -1, -2]));
}

#[test]
fn a_level_too_large_to_store_is_refused_before_it_is_built() {
    let table = ClassTable::build(&model(1, &[8, 8, 8, 8, 8], ZeroMode::Skip));
    let Err(EnumerateError::TooManyClasses { level: 2, classes, .. }) = table else { panic!("built") };
    assert!(classes > BigUint::from(100_000_000u32));
    // Depth 4 is stored to level 2, but its depth-1 classes have to be streamed.
    let table = ClassTable::build(&model(1, &[8, 8, 8, 8], ZeroMode::Skip)).unwrap();
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
