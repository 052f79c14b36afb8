//! One body of behaviour for every backup rule: what holds for all of them, whatever they back up.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::cmp::Ordering;

use prodmax_enumerate::{ClassTable, HeuristicValue, Model, Mover, Zero};
use prodmax_mass::arithmetic::{Certified, Exact, Float};
use prodmax_mass::rule::{BackupRule, Minimax, Product};
use prodmax_mass::{Curve, CurveTable};
use prodmax_number::fraction::parse;

fn models() -> Vec<Model> {
    let skip = |root, increments: &[i64]| Model::new(root, increments, Zero::Skip, 42).unwrap();
    let allow = |root, increments: &[i64]| Model::new(root, increments, Zero::Allow, 42).unwrap();
    vec![skip(-2, &[4]), skip(1, &[3, 2]), allow(0, &[2, 3]), skip(-1, &[2, 1, 2]), allow(1, &[1, 1, 1, 1])]
}

/// What every rule must do.
fn behaves<R: BackupRule>(name: &str, rule: &R) {
    let same =
        |a: &R::Value, b: &R::Value| !matches!(rule.compare(a, b), Some(Ordering::Less | Ordering::Greater));
    let not_above = |a: &R::Value, b: &R::Value| rule.compare(a, b) != Some(Ordering::Greater);
    for model in models() {
        let [low, high] = model.position_range(model.depth());
        let leaves: Vec<HeuristicValue> = (low..=high).map(|position| model.value_at(position)).collect();
        for (index, &a) in leaves.iter().enumerate() {
            for &b in &leaves[index..] {
                let (x, y) = (rule.leaf(a), rule.leaf(b));
                assert!(not_above(&x, &y), "{name}: a greater heuristic value is never worth less");
                for mover in [Mover::Max, Mover::Min] {
                    let (one, other) = (rule.node(mover, &x, &y), rule.node(mover, &y, &x));
                    assert!(same(&one, &other), "{name}: the order of children does not matter");
                }
                let (least, most) = (rule.min_node(&x, &y), rule.max_node(&x, &y));
                assert!(
                    not_above(&least, &x) && not_above(&y, &most),
                    "{name}: MIN is no better, MAX no worse"
                );
            }
        }
        // A class has the value of the tree it stands for.
        let table = ClassTable::build(&model).unwrap();
        let classes = table.depth_one().unwrap();
        for (class, value) in rule.depth_one_values(&table, &classes).iter().enumerate() {
            let tree = rule.of_tree(&table.leaves(&classes, class), 1);
            assert!(same(value, &tree), "{name}: class {class} of {model:?}");
        }
    }
}

#[test]
fn every_rule_behaves() {
    let estimate = CurveTable::new(Curve::arctan(1), 42);
    behaves("minimax", &Minimax);
    behaves("product in doubles", &Product(&Float(&estimate)));
    behaves("product in enclosures", &Product(&Certified { curve: &estimate, bits: 96 }));
    behaves("product in fractions", &Product(&Exact { error: parse("1/5").unwrap() }));
}
