//! The exact engine and the simulation on the same one-move games.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use prodmax_simulate::SimulationSpec;
use prodmax_simulate::link::{ExactRates, one_move_games};

fn spec(tree_depth: usize, root: i64, increment: i64, assignment: &str) -> SimulationSpec {
    let text = format!(
        r#"(id: "link", title: "", source: "", tree_depth: {tree_depth}, root: {root}, increment: {increment},
            truth: "arctan:4", assignment: "{assignment}", estimate: "arctan:1", depths: [1], trees: 1, seed: 8)"#
    );
    prodmax_spec::ron_file::parse(&text, "x").unwrap()
}

#[test]
fn drawn_trees_converge_to_the_exact_figures() {
    for (depth, root, increment) in [(2, -4, 8), (2, 1, 8), (3, -1, 3), (3, -3, 8)] {
        let spec = spec(depth, root, increment, "bottom-up");
        let exact = ExactRates::of(&spec).unwrap();
        let points = one_move_games(&spec, &[1_000, 10_000, 150_000]).unwrap();
        assert_eq!(points.len(), 3);
        for counts in &points {
            let rates = [
                (counts.critical, exact.critical),
                (counts.minimax_errors, exact.minimax_error),
                (counts.product_errors, exact.product_error),
            ];
            for (count, expected) in rates {
                let (rate, _) = counts.rate(count);
                // The standard error that the exact rate predicts: it is not 0 where nothing was found.
                let standard_error = (expected * (1.0 - expected) / counts.trees as f64).sqrt();
                assert!((rate - expected).abs() < 4.0 * standard_error, "{counts:?}: {rate}, {expected}");
            }
        }
        let (share, standard_error) = points[2].share().unwrap();
        assert!((share - exact.share()).abs() < 4.0 * standard_error, "{share}, {}", exact.share());
        assert!(standard_error < 0.02, "{standard_error}");
    }
}

#[test]
fn the_exact_figures_are_those_of_the_exact_engine() {
    // PAPERS: depth 2, a = 8, root -4: 28984 critical trees of 531441, Minimax error 54.523711 %.
    let exact = ExactRates::of(&spec(2, -4, 8, "bottom-up")).unwrap();
    assert!((exact.critical * 531_441.0 - 28_984.0).abs() < 1e-6);
    assert!((100.0 * exact.share() - 54.523_711).abs() < 1e-6);
}

#[test]
fn what_the_exact_engine_cannot_do_is_refused() {
    let message = |spec: &SimulationSpec| ExactRates::of(spec).unwrap_err().to_string();
    assert_eq!(
        message(&spec(2, -4, 8, "top-down")),
        "the exact engine knows true values of the leaves; use the assignment bottom-up"
    );
    assert!(message(&spec(12, -4, 8, "bottom-up")).contains("beyond h_max = 42"));
}
