//! The formulas of the case analysis against the enumerated masses, coefficient by coefficient: depth 2 for all
//! roots of KHS's Table II, depth 3 for several models, with zero skipped and allowed.

use num_bigint::BigUint;
use prodmax_check::verify::{Verification, verify};
use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::Curve;

fn verified(root: i64, increments: &[i64], zero: ZeroMode, estimate: &str) -> Verification {
    let model = Model::new(root, increments, zero, 42).unwrap();
    let verification = verify(&model, &estimate.parse::<Curve>().unwrap()).unwrap();
    assert!(verification.holds(), "{root}, {increments:?}, {zero}, {estimate}: {verification:?}");
    verification
}

fn all(roots: &[i64], increments: &[i64], estimates: &[&str]) -> BigUint {
    let mut critical = BigUint::ZERO;
    for estimate in estimates {
        for &root in roots {
            critical += verified(root, increments, ZeroMode::Skip, estimate).critical;
            critical += verified(root, increments, ZeroMode::Allow, estimate).critical;
        }
        critical += verified(0, increments, ZeroMode::Allow, estimate).critical;
    }
    critical
}

const ROOTS: [i64; 6] = [-4, -3, -2, -1, 1, 2];

#[test]
fn formulas_5_to_7_hold_at_every_root_of_table_2() {
    let critical = ROOTS.map(|root| verified(root, &[8, 8], ZeroMode::Skip, "arctan:1").critical);
    assert_eq!(critical, [28_984u32, 28_992, 28_536, 27_736, 26_896, 25_904].map(BigUint::from));
    assert_eq!(verified(0, &[8, 8], ZeroMode::Allow, "arctan:1").critical, BigUint::from(26_136u32));
    assert!(all(&ROOTS, &[8, 8], &["arctan:1", "pearl:1", "arctan:4"]) > BigUint::ZERO);
}

#[test]
fn formulas_hold_for_narrow_and_lopsided_models_of_depth_2() {
    for increments in [[1, 1], [2, 5], [5, 2], [0, 8], [8, 0]] {
        all(&ROOTS, &increments, &["arctan:1"]);
    }
}

#[test]
fn depth_3_holds_for_small_models() {
    for increments in [[1, 1, 3], [2, 2, 2], [3, 1, 2]] {
        assert!(all(&[-4, -1, 2], &increments, &["arctan:1", "arctan:4"]) > BigUint::ZERO, "{increments:?}");
    }
}

#[test]
fn depth_3_holds_for_a_row_of_table_2() {
    for (root, zero) in [(-1, ZeroMode::Skip), (-1, ZeroMode::Allow), (0, ZeroMode::Allow)] {
        assert!(verified(root, &[3, 3, 3], zero, "arctan:1").critical > BigUint::ZERO);
    }
}
