//! Integration gives the same values as an earlier, independent computation (numpy, other lattices).

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use prodmax_number::Approximate;
use prodmax_pathology::{Constant, Quantity, RealModel, Values, integrate, integrate_each, sigma_e_for};

/// Position and move error at d = 0, 1, 5, 10.
fn check(b: u32, expected: &[(usize, f64, Option<f64>)]) {
    let rows = integrate(&RealModel { b, ..RealModel::default() }, 1e-5).unwrap().rows;
    for &(d, position, choice) in expected {
        let ours = |quantity| rows[d].get(quantity).map(|figure| figure.value);
        let error = rows[d].figures.iter().flatten().map(Approximate::error).fold(0.0, f64::max);
        assert!(error <= 1e-5, "b = {b}, d = {d}: {error}");
        assert!((ours(Quantity::PositionError).unwrap() - position).abs() < 0.6e-5, "b = {b}, d = {d}");
        match choice {
            Some(choice) => assert!((ours(Quantity::MoveError).unwrap() - choice).abs() < 0.6e-5),
            None => assert_eq!(ours(Quantity::MoveError), None),
        }
    }
}

#[test]
fn table_1() {
    check(
        2,
        &[
            (0, 0.15958, None),
            (1, 0.15750, Some(0.03695)),
            (5, 0.14808, Some(0.03499)),
            (10, 0.13575, Some(0.03210)),
        ],
    );
    check(
        5,
        &[
            (0, 0.15958, None),
            (1, 0.15434, Some(0.09863)),
            (5, 0.12853, Some(0.08334)),
            (10, 0.10612, Some(0.06839)),
        ],
    );
}

#[test]
fn table_10_independent_column() {
    let model = RealModel { values: Values::Independent, ..RealModel::default() };
    let integration = integrate(&model, 1e-5).unwrap();
    let error = integration.rows[0].get(Quantity::TwoValueError).unwrap().value;
    assert!((integration.median.unwrap().value + 0.264).abs() < 5e-4, "{:?}", integration.median);
    assert!((error - 0.3256).abs() < 5e-5, "{error}");
}

#[test]
fn table_9_noise() {
    let dependent = [0.335, 0.326, 0.336, 0.340, 0.331, 0.327, 0.311, 0.293, 0.260, 0.200];
    let independent = [0.031, 0.037, 0.047, 0.056, 0.071, 0.085, 0.108, 0.131, 0.164, 0.200];
    let target = 0.2f64.atan() / std::f64::consts::PI;
    for (values, expected) in [(Values::Dependent, dependent), (Values::Independent, independent)] {
        let model = RealModel { values, ..RealModel::default() };
        let ours = sigma_e_for(&model, Constant::StaticMoveError, target).unwrap();
        assert_eq!(ours[0], None);
        let sigma_e: Vec<f64> = ours.iter().map(|figure| figure.map_or(0.2, |figure| figure.value)).collect();
        // The noise found gives the required static error …
        for row in &integrate_each(&model, &sigma_e, 1e-5).unwrap().rows[1..] {
            assert!((row.get(Quantity::StaticMoveError).unwrap().value - target).abs() < 1e-6, "{row:?}");
        }
        // … and agrees with what was found from samples, whose own error is a few percent where siblings are few.
        for (ours, expected) in sigma_e[1..].iter().zip(expected) {
            assert!((ours - expected).abs() < 0.05 * expected, "{ours} {expected}");
        }
        assert!((sigma_e[10] - 0.2).abs() < 1e-6);
    }
}
