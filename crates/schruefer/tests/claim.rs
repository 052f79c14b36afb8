//! Baum's claim, settled by enumeration.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use prodmax_number::Fraction;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::{EvaluationErrors, Schruefer, Setting, Superscripts, World, compare};

fn f(p: i32, q: i32) -> Fraction {
    Fraction::new(p.into(), q.into())
}

fn settings() -> Vec<Setting> {
    let mut all = Vec::new();
    for (branching, losses) in [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)] {
        for deep in 1..=2 {
            for shallow in 0..deep {
                for leaves in [
                    EvaluationErrors::new(f(1, 10), f(1, 10)),
                    EvaluationErrors::new(f(1, 20), f(1, 5)),
                    EvaluationErrors::new(f(1, 100), f(1, 3)),
                ] {
                    let model = Schruefer { branching, losses };
                    all.push(Setting {
                        model,
                        leaves,
                        shallow,
                        deep,
                        won: f(3, 5),
                        superscripts: Superscripts::Move,
                    });
                }
            }
        }
    }
    all
}

#[test]
fn with_independent_moves_and_a_blurred_shallow_search_the_formula_is_exact() {
    let mut compared = 0;
    for setting in settings() {
        for row in compare(World::Blurred, &setting).unwrap_or_default() {
            assert_eq!(row.formula, row.exact, "{setting:?}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn probabilities_add_up_and_values_are_probabilities() {
    for world in World::ALL {
        for setting in settings() {
            let Some(rows) = compare(world, &setting) else { continue };
            let sum = rows.iter().fold(f(0, 1), |sum, row| sum + &row.probability);
            assert_eq!(sum, f(1, 1));
            assert!(rows.iter().all(|row| row.exact <= f(1, 1) && row.exact >= f(0, 1)));
        }
    }
}

#[test]
fn in_schruefers_model_itself_the_formula_is_not_exact() {
    let leaves = EvaluationErrors::new(f(1, 10), f(1, 10));
    assert_eq!(smallest_counterexample(World::Blurred, &leaves, &f(1, 2), Superscripts::Move), None);
    // With n = 1 a deeper search is worse than a shallow one, and with one move there is no choice.
    let smallest = Setting {
        model: Schruefer { branching: 2, losses: 2 },
        leaves: leaves.clone(),
        shallow: 0,
        deep: 2,
        won: f(1, 2),
        superscripts: Superscripts::Move,
    };
    // Both moves win or both lose. If the shallow search says "lost" about both, the odds that they win are
    // 1/100 : 81/100, whatever is chosen.
    let (setting, row) =
        smallest_counterexample(World::Schruefer, &leaves, &f(1, 2), Superscripts::Move).unwrap();
    assert_eq!((&setting, &row.seen), (&smallest, &vec![false, false]));
    assert_eq!((row.exact, row.formula), (f(1, 82), f(25_522_361, 147_500_000)));
    // Nor is it with independent moves, where the later search adds to the earlier one instead of replacing it.
    let (setting, row) =
        smallest_counterexample(World::IndependentSearches, &leaves, &f(1, 2), Superscripts::Move).unwrap();
    assert_eq!(
        (setting, row.exact, row.formula),
        (smallest.clone(), f(578, 3125), f(25_522_361, 147_500_000))
    );
    // Nor with the errors of positions in the hints. The exact value is the same.
    let (literal, row) =
        smallest_counterexample(World::Schruefer, &leaves, &f(1, 2), Superscripts::Position).unwrap();
    assert_eq!(literal, Setting { superscripts: Superscripts::Position, ..smallest });
    assert_eq!(row.exact, f(1, 82));
    assert_ne!(row.formula, row.exact);
}
