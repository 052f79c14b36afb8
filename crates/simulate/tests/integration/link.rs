//! The exact engine and the simulation on the same one-move games.

use prodmax_simulate::SimulationSpec;
use prodmax_simulate::link::{ExactRates, one_move_games};

fn spec(tree_depth: usize, root: i64, increment: i64, assignment: &str) -> SimulationSpec {
    let text = format!(
        r#"(id: "link", title: "", source: "", tree_depth: {tree_depth}, root: {root}, increment: {increment},
            truth: "arctan:4", assignment: "{assignment}", estimate: "arctan:1", depths: [1], trees: 1, seed: 8)"#
    );
    prodmax_jobs::ron_file::parse(&text, "x").unwrap()
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
                (counts.first_errors, exact.first_error),
                (counts.second_errors, exact.second_error),
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

/// Every rule in turn, against others of all kinds.
const PAIRS: [(&str, &str); 7] = [
    ("minimax", "mean:4"),
    ("average:1/2", "product"),
    ("mean:2", "hints:9/10"),
    ("hints:0.6", "minimax"),
    ("baum:4/5:4/5", "minimax"),
    ("ideal", "minimax"),
    ("product", "ideal"),
];

#[test]
fn drawn_trees_converge_for_any_two_rules() {
    let mut critical = 0;
    for (first, second) in PAIRS {
        for (depth, root) in [(2, -4), (3, -1)] {
            let rules = vec![first.to_owned(), second.to_owned()].try_into().unwrap();
            let spec = SimulationSpec { rules, ..spec(depth, root, 4, "bottom-up") };
            let exact = ExactRates::of(&spec).unwrap();
            let counts = one_move_games(&spec, &[60_000]).unwrap()[0];
            let rates = [
                (counts.critical, exact.critical),
                (counts.first_errors, exact.first_error),
                (counts.second_errors, exact.second_error),
            ];
            for (count, expected) in rates {
                let standard_error = (expected * (1.0 - expected) / counts.trees as f64).sqrt();
                let (rate, _) = counts.rate(count);
                assert!(
                    (rate - expected).abs() <= 4.0 * standard_error,
                    "{first},{second} at depth {depth}: {counts:?}: {rate}, {expected}"
                );
            }
            critical += counts.critical;
        }
    }
    assert!(critical > 5_000, "{critical}");
}

#[test]
fn the_exact_quality_is_that_of_the_exact_engine_and_the_ideal_rule_has_the_best() {
    let of = |first: &str, second: &str| {
        let rules = vec![first.to_owned(), second.to_owned()].try_into().unwrap();
        ExactRates::of(&SimulationSpec { rules, ..spec(2, -4, 8, "bottom-up") }).unwrap()
    };
    for rule in ["minimax", "product", "average:1/2", "mean:4", "baum:4/5:4/5", "hints:9/10"] {
        let (exact, swapped) = (of(rule, "ideal"), of("ideal", rule));
        assert!(exact.second_won > exact.first_won, "{rule}: {exact:?}");
        assert_eq!((exact.first_won, exact.first_error), (swapped.second_won, swapped.second_error));
    }
    // prodmax mass --root 1 --increments 8,8 --quality: 34.290206 % and 34.556708 %.
    let exact = ExactRates::of(&spec(2, 1, 8, "bottom-up")).unwrap();
    assert!((100.0 * exact.first_won - 34.290_206).abs() < 1e-6, "{exact:?}");
    assert!((100.0 * exact.second_won - 34.556_708).abs() < 1e-6, "{exact:?}");
}

#[test]
fn the_exact_figures_are_those_of_the_exact_engine() {
    // golden/depth2.ron: root -4, increments up to 8: 28984 critical trees of 531441, Minimax error 54.523711 %.
    let exact = ExactRates::of(&spec(2, -4, 8, "bottom-up")).unwrap();
    assert!((exact.critical * 531_441.0 - 28_984.0).abs() < 1e-6);
    assert!((100.0 * exact.share() - 54.523_711).abs() < 1e-6);
}

#[test]
fn simulations_beyond_the_exact_engine_are_refused() {
    let message = |spec: &SimulationSpec| ExactRates::of(spec).unwrap_err().to_string();
    assert_eq!(
        message(&spec(2, -4, 8, "top-down")),
        "the exact engine derives true values from independent leaves; use the assignment bottom-up"
    );
    assert!(message(&spec(12, -4, 8, "bottom-up")).contains("beyond h_max = 42"));
}
