//! The known models, each counted in every way that is feasible.

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, Enumerator, Merged, Model, Naive, Plan, Unordered};
use prodmax_tests::{KNOWN, Known};

/// Above this number of visits an enumerator is skipped, so that the tests stay fast.
const MAX_VISITS: u32 = 6_000_000;

fn is_feasible(visits: &BigUint) -> bool {
    *visits <= BigUint::from(MAX_VISITS)
}

/// The number of visited trees, and of the ordered trees they stand for.
fn visit(mut enumerator: impl Enumerator) -> (BigUint, u128) {
    let (mut visited, mut trees) = (0u64, 0);
    while let Some(tree) = enumerator.next_tree() {
        visited += 1;
        trees += tree.multiplicity;
    }
    (visited.into(), trees)
}

fn for_each_known(check: impl Fn(&Known, &Model)) {
    for known in KNOWN {
        check(known, &known.model().unwrap());
    }
}

#[test]
fn the_plan_has_the_known_counts() {
    for_each_known(|known, model| {
        let plan = Plan::of(model);
        assert_eq!(plan.trees, BigUint::from(known.trees), "{known:?}");
        let classes: Vec<_> = plan.levels.iter().map(|level| level.classes.clone()).collect();
        let expected: Vec<_> = known.classes.iter().map(|&classes| BigUint::from(classes)).collect();
        assert_eq!(classes, expected, "{known:?}");
    });
}

#[test]
fn the_class_table_has_the_known_counts() {
    for_each_known(|known, model| {
        let table = ClassTable::build(model).unwrap();
        for (number, level) in table.bottom_up() {
            assert_eq!(level.len() as u64, known.classes[number - 1], "{known:?}, level {number}");
        }
        if is_feasible(&known.classes[0].into()) {
            let top = table.depth_one().unwrap();
            assert_eq!(top.len() as u64, known.classes[0], "{known:?}");
            assert_eq!(top.total().unwrap().pow(2), known.trees, "{known:?}");
        }
    });
}

#[test]
fn every_enumerator_stands_for_all_trees() {
    for_each_known(|known, model| {
        let plan = Plan::of(model);
        let classes = plan.depth_one_classes();
        let pairs = classes * (classes + 1u32) / 2u32;
        if is_feasible(&plan.trees) {
            assert_eq!(visit(Naive::new(model)), (plan.trees.clone(), known.trees), "{known:?}");
        }
        if is_feasible(&plan.kinds) {
            assert_eq!(visit(Unordered::new(model).unwrap()), (plan.kinds.clone(), known.trees), "{known:?}");
        }
        if is_feasible(&pairs) {
            let table = ClassTable::build(model).unwrap();
            assert_eq!(visit(Merged::new(&table).unwrap()), (pairs, known.trees), "{known:?}");
        }
    });
}
