//! `prodmax formulas --baum`: the theory of Baum's rule, derived and checked in fractions.

mod claim;
mod errors;
mod others;

use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::{EvaluationErrors, Schruefer, Setting, Superscripts, World};
use serde_json::json;

use self::claim::{claim_table, counterexample_json, counterexample_table, two_points_table};
use self::errors::{basins_table, errors_table, hints_table, of_move_json};
use self::others::{correlation_table, outcomes_table};
use crate::output::{Cell, Output};

fn fraction(p: i32, q: i32) -> Fraction {
    Fraction::new(p.into(), q.into())
}

/// A fraction, and as a decimal.
fn shown(value: &Fraction) -> [Cell; 2] {
    [value.into(), Cell::decimal(to_f64(value), 6)]
}

fn yes(holds: bool) -> Cell {
    if holds { "yes" } else { "no" }.into()
}

/// The example: the smallest model in which a deeper search is better.
fn example() -> Setting {
    Setting {
        model: Schruefer { branching: 2, losses: 2 },
        leaves: EvaluationErrors::new(fraction(1, 10), fraction(1, 10)),
        shallow: 0,
        deep: 2,
        won: fraction(1, 2),
        superscripts: Superscripts::Move,
    }
}

pub(super) fn output() -> Output {
    let setting = example();
    let (errors, errors_json, recursion_holds) = errors_table(&setting);
    let (basins, basins_json) = basins_table();
    let (hints, hints_json) = hints_table(&setting);
    let (claim, claim_json, exact_where_supposed) = claim_table(&setting);
    let (two_points, two_points_json, two_points_hold) = two_points_table(&setting);
    let (correlated, correlated_json, correlation_holds) = correlation_table();
    let (three, outcomes_json, outcomes_hold) = outcomes_table();
    let refuted: Vec<_> = [Superscripts::Move, Superscripts::Position]
        .into_iter()
        .filter_map(|whose| smallest_counterexample(World::Schruefer, &setting.leaves, &setting.won, whose))
        .collect();
    let value = json!({
        "branching": setting.model.branching,
        "losses": setting.model.losses,
        "errors": errors_json,
        "basins": basins_json,
        "errors_of_move": {
            "shallow": of_move_json(&setting.errors(setting.shallow)),
            "deep": of_move_json(&setting.errors(setting.deep)),
        },
        "hints": hints_json,
        "claim": claim_json,
        "two_points": two_points_json,
        "correlation": correlated_json,
        "outcomes": outcomes_json,
        "counterexamples": refuted.iter().map(counterexample_json).collect::<Vec<_>>(),
        "recursion_holds": recursion_holds,
        "exact_where_supposed": exact_where_supposed,
        "two_points_hold": two_points_hold,
        "correlation_holds": correlation_holds,
        "outcomes_hold": outcomes_hold,
        "exact_in_schruefers_model": refuted.is_empty(),
    });
    let holds =
        recursion_holds && exact_where_supposed && two_points_hold && correlation_holds && outcomes_hold;
    let mut tables = vec![errors, basins, hints, two_points, claim];
    if !refuted.is_empty() {
        tables.push(counterexample_table(&refuted));
    }
    tables.extend([correlated, three]);
    Output { holds, ..Output::figures(value, tables) }
}
