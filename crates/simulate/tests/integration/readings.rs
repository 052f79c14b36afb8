//! Readings A, B and T0 at 40 trees: a smoke test with bounds of 4 of its own standard errors. The full 1000 trees
//! are run by `cargo run --release -p prodmax-simulate --example readings`.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use prodmax_jobs::{Job, ron_file};
use prodmax_simulate::{
    Overflow, Probabilities, SimulationResults, SimulationSpec, TableComparison, decision_errors, simulate,
};

const TREES: u64 = 40;

fn run(name: &str, change: impl Fn(SimulationSpec) -> SimulationSpec) -> SimulationResults {
    let path = format!("{}/../../specs/simulate/{name}.ron", env!("CARGO_MANIFEST_DIR"));
    let spec: SimulationSpec = ron_file::read(Path::new(&path)).unwrap();
    let spec = change(SimulationSpec { trees: TREES, ..spec });
    simulate(&spec, &Job::new(&AtomicBool::new(false))).unwrap()
}

fn table(results: &SimulationResults, probabilities: Probabilities) -> TableComparison {
    TableComparison::new(results, probabilities, &probabilities.published().unwrap())
}

/// Measured shares (of 1000 trees, rounded) for d = 2..8.
fn check_shares(results: &SimulationResults, probabilities: Probabilities, expected: [f64; 7]) {
    let rows = &table(results, probabilities).rows[1..];
    for (row, expected) in rows.iter().zip(expected) {
        let share = row.share.unwrap().ours;
        let bound = 4.0 * 100.0 * share.standard_error + 0.05;
        let ours = 100.0 * share.value;
        assert!((ours - expected).abs() < bound, "{} d = {}: {ours:.2}, {expected}", results.spec.id, row.d);
    }
}

#[test]
fn reading_a() {
    let a = run("a", |spec| spec);
    check_shares(&a, Probabilities::Estimated, [46.9, 49.0, 49.3, 49.5, 50.4, 48.4, 49.6]);
    check_shares(&a, Probabilities::Actual, [45.4, 44.8, 40.7, 40.2, 34.8, 34.8, 28.9]);
}

#[test]
fn reading_b_and_its_critical_pairs() {
    let b = run("b", |spec| spec);
    check_shares(&b, Probabilities::Estimated, [47.4, 49.4, 49.3, 50.3, 51.0, 51.6, 52.8]);
    check_shares(&b, Probabilities::Actual, [46.1, 45.5, 41.7, 41.1, 36.3, 36.8, 31.5]);
    let table = table(&b, Probabilities::Actual);
    for (row, expected) in table.rows[1..].iter().zip([2.38, 3.15, 2.88, 3.29, 2.75, 3.11, 2.56]) {
        let critical = row.critical.unwrap().ours;
        let bound = 4.0 * 100.0 * critical.standard_error + 0.005;
        assert!((100.0 * critical.value - expected).abs() < bound, "d = {}: {critical:?}", row.d);
    }
    let fit = table.fit.unwrap();
    assert_eq!((fit.cells, fit.triples), (14, 13));
    // At depth 1 both players order the moves by the same values.
    assert_eq!((table.rows[0].critical_pairs(), table.rows[0].share), (0, None));
}

#[test]
fn reading_t0() {
    let t0 = run("t0", |spec| spec);
    check_shares(&t0, Probabilities::Estimated, [49.8, 51.5, 55.3, 55.7, 60.4, 58.3, 64.0]);
    check_shares(&t0, Probabilities::Actual, [49.9, 44.7, 50.2, 42.9, 48.7, 41.2, 46.7]);
}

#[test]
fn decisions_get_better_with_depth_and_with_actual_probabilities() {
    // Fig. 6 over two levels (odd and even depths differ).
    let errors = decision_errors(&run("b", |spec| spec));
    assert_eq!(errors.len(), 8);
    for pair in errors.windows(3) {
        assert!(pair[2].estimated[0].value < pair[0].estimated[0].value, "{pair:?}");
    }
    for at in &errors[1..] {
        let [minimax, estimated] = at.estimated;
        let actual = at.actual[1];
        assert!(actual.value < minimax.value && actual.value < estimated.value, "{at:?}");
        assert_eq!(at.actual[0], minimax, "Minimax plays the same in both contests");
    }
}

#[test]
fn what_happens_beyond_h_max_hardly_matters() {
    let clamped = run("b", |spec| SimulationSpec { trees: 10, ..spec });
    for overflow in [Overflow::Saturate, Overflow::Extend] {
        let other = run("b", |spec| SimulationSpec { trees: 10, overflow, ..spec });
        for (a, b) in clamped.totals().iter().zip(&other.totals()).skip(1) {
            let (a, b) = (a.actual.critical(), b.actual.critical());
            assert!(a.abs_diff(b) as f64 <= 0.002 * a as f64, "{overflow:?}: {a}, {b}");
        }
        assert_ne!(clamped.totals(), other.totals(), "{overflow:?} changes nothing at all");
    }
}
