//! `prodmax formulas --baum`: the theory of Baum's rule, derived and checked in fractions.

use num_traits::One;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_rules::formula_2_6::{Hint, value_with_hints};
use prodmax_rules::numbers::Fractions;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::errors::enumerated_says_won;
use prodmax_schruefer::{
    ClaimComparison, DeepHints, EvaluationErrors, Reliability, Schruefer, Setting, World, compare,
    correlation, revised,
};
use serde_json::{Value, json};

use crate::output::{Cell, Column, Output, Table};

fn fraction(p: i32, q: i32) -> Fraction {
    Fraction::new(p.into(), q.into())
}

/// A fraction, and as a decimal.
fn shown(value: &Fraction) -> [Cell; 2] {
    [value.into(), Cell::decimal(to_f64(value), 6)]
}

/// The example: the smallest model in which a deeper search is better.
fn example() -> Setting {
    Setting {
        model: Schruefer { branching: 2, losses: 2 },
        leaves: EvaluationErrors::new(fraction(1, 10), fraction(1, 10)),
        shallow: 0,
        deep: 2,
        won: fraction(1, 2),
    }
}

pub(super) fn output() -> Output {
    let setting = example();
    let (errors, errors_json, recursion_holds) = errors_table(&setting);
    let (hints, hints_json) = hints_table(&setting);
    let (claim, claim_json, exact_where_supposed) = claim_table(&setting);
    let (two_points, two_points_json, two_points_hold) = two_points_table(&setting);
    let (correlated, correlated_json, correlation_holds) = correlation_table();
    let refuted = smallest_counterexample(World::Schruefer, &setting.leaves, &setting.won);
    let value = json!({
        "branching": setting.model.branching,
        "losses": setting.model.losses,
        "errors": errors_json,
        "hints": hints_json,
        "claim": claim_json,
        "two_points": two_points_json,
        "correlation": correlated_json,
        "counterexample": refuted.as_ref().map(counterexample_json),
        "recursion_holds": recursion_holds,
        "exact_where_supposed": exact_where_supposed,
        "two_points_hold": two_points_hold,
        "correlation_holds": correlation_holds,
        "exact_in_schruefers_model": refuted.is_none(),
    });
    let holds = recursion_holds && exact_where_supposed && two_points_hold && correlation_holds;
    let mut tables = vec![errors, hints, two_points, claim];
    tables.extend(refuted.as_ref().map(counterexample_table));
    tables.push(correlated);
    Output { holds, ..Output::figures(value, tables) }
}

fn errors_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for height in 0..=3 {
        let errors = setting.model.at_height(&setting.leaves, height);
        let says = |won| enumerated_says_won(&setting.model, &setting.leaves, height, won);
        let agrees = errors.plus == Fraction::one() - says(true) && errors.minus == says(false);
        holds &= agrees;
        let mut row: Vec<Cell> = vec![height.into()];
        row.extend(shown(&errors.plus));
        row.extend(shown(&errors.minus));
        row.push(yes(agrees));
        rows.push(row);
        values.push(json!({
            "height": height,
            "plus": errors.plus.to_string(),
            "minus": errors.minus.to_string(),
            "enumerated": agrees,
        }));
    }
    let table = Table {
        id: "schruefer-errors".to_owned(),
        title: format!(
            "(3.4): errors of a search by its height, b = {}, n = {}, leaves wrong with 1/10",
            setting.model.branching, setting.model.losses
        ),
        columns: [
            Column::right("height"),
            Column::right("e+"),
            Column::right("≈").with_terminal("≈"),
            Column::right("e-"),
            Column::right("≈").with_terminal("≈"),
            Column::left("all outcomes agree"),
        ]
        .into(),
        rows,
        notes: vec!["e+: a Win is taken for a Loss; e-: a Loss for a Win.".to_owned()],
    };
    (table, values, holds)
}

fn hints_table(setting: &Setting) -> (Table, Vec<Value>) {
    let errors = |height| setting.model.at_height(&setting.leaves, height).of_move();
    let (shallow, deep) = (errors(setting.shallow), errors(setting.deep));
    let exact = DeepHints::of(&shallow, &deep);
    let near = DeepHints::approximate(&shallow, &deep);
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (said, formulas) in [(true, ["(3.5)", "(3.6)"]), (false, ["(3.7)", "(3.8)"])] {
        let (Some(exact), Some(near)) = (&exact, &near) else { continue };
        let (exact, near) = (exact.after(said), near.after(said));
        let both = [("P_W", &exact.won, &near.won), ("P_L", &exact.lost, &near.lost)];
        for ((name, exact, near), formula) in both.into_iter().zip(formulas) {
            let mut row: Vec<Cell> = vec![formula.into(), format!("{name}({})", u8::from(said)).into()];
            row.extend(shown(exact));
            row.push(Cell::decimal(to_f64(near), 6));
            rows.push(row);
            values.push(json!({
                "formula": formula,
                "name": name,
                "shallow_says": u8::from(said),
                "value": exact.to_string(),
                "approximation": near.to_string(),
            }));
        }
    }
    let table = Table {
        id: "schruefer-hints".to_owned(),
        title: format!(
            "(3.5) to (3.8): what a search of height {} will say about a move searched to height {}",
            setting.deep, setting.shallow
        ),
        columns: [
            Column::left("formula"),
            Column::left("hint"),
            Column::right("value"),
            Column::right("≈").with_terminal("≈"),
            Column::right("by (3.9)"),
        ]
        .into(),
        rows,
        notes: vec![
            "Derived from the requirement that the posteriors (2.4), (2.5) are those after the deep search alone; the \
             prior cancels."
                .to_owned(),
        ],
    };
    (table, values)
}

/// What the shallow search says about each move, all possibilities.
fn patterns(moves: u32) -> impl Iterator<Item = Vec<bool>> {
    (0u32..1 << moves).map(move |bits| (0..moves).map(|place| bits >> place & 1 == 1).collect())
}

fn said(pattern: &[bool]) -> String {
    pattern.iter().map(|&said| if said { '1' } else { '0' }).collect()
}

fn yes(holds: bool) -> Cell {
    if holds { "yes" } else { "no" }.into()
}

fn two_points_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for pattern in patterns(setting.model.branching) {
        let hinted: Option<Vec<(Fraction, Reliability)>> =
            pattern.iter().map(|&said| setting.hinted(said)).collect();
        let Some(hinted) = hinted else { continue };
        let by_3_3 = revised::value(
            &hinted.iter().map(|(x, hint)| revised::two_points(x, &hint.won, &hint.lost)).collect::<Vec<_>>(),
        );
        let hints = hinted.iter().map(|(x, hint)| (x.clone(), Hint::new(Fractions, &hint.won, &hint.lost)));
        let by_2_6 = value_with_hints(Fractions, &hints.collect::<Vec<_>>());
        let equal = by_3_3 == by_2_6;
        holds &= equal;
        let mut row: Vec<Cell> = vec![said(&pattern).into()];
        row.extend(shown(&by_3_3));
        row.extend([Cell::decimal(to_f64(&by_2_6), 6), yes(equal)]);
        rows.push(row);
        values.push(json!({
            "shallow_says": said(&pattern),
            "by_3_3": by_3_3.to_string(),
            "by_2_6": by_2_6.to_string(),
            "equal": equal,
        }));
    }
    let table = Table {
        id: "schruefer-two-points".to_owned(),
        title: "(3.3) with two revised estimates for each move, (2.4) and (2.5), is (2.6)".to_owned(),
        columns: [
            Column::left("shallow search"),
            Column::right("(3.3)"),
            Column::right("≈").with_terminal("≈"),
            Column::right("(2.6)"),
            Column::left("equal"),
        ]
        .into(),
        rows,
        notes: Vec::new(),
    };
    (table, values, holds)
}

/// (5.2) for three moves and hints that are right four times in five.
fn correlation_table() -> (Table, Vec<Value>, bool) {
    let hint = Reliability { won: fraction(4, 5), lost: fraction(4, 5) };
    let moves = [fraction(2, 3), fraction(1, 2), fraction(1, 5)];
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for k in [2, 3] {
        for g in [fraction(0, 1), fraction(1, 3), fraction(1, 1)] {
            let formula = correlation::value(&moves, &g, k, &hint);
            let enumerated = correlation::enumerated(&moves, &g, k, &hint);
            let (Some(formula), Some(enumerated)) = (formula, enumerated) else { continue };
            let equal = formula == enumerated;
            // In the limit of perfect correlation and two moves (5.2) is said to be minimax.
            let limit = k != 2 || !g.is_one() || formula == moves[0];
            holds &= equal && limit;
            let mut row: Vec<Cell> = vec![k.into(), (&g).into()];
            row.extend(shown(&formula));
            row.push(yes(equal));
            rows.push(row);
            values.push(json!({
                "best_moves": k,
                "correlation": g.to_string(),
                "value": formula.to_string(),
                "enumerated": equal,
            }));
        }
    }
    let table = Table {
        id: "schruefer-correlation".to_owned(),
        title: "(5.1), (5.2): correlated moves that win with 2/3, 1/2 and 1/5, hints right with 4/5".to_owned(),
        columns: [
            Column::right("k"),
            Column::right("γ").with_terminal("γ"),
            Column::right("value"),
            Column::right("≈").with_terminal("≈"),
            Column::left("all outcomes agree"),
        ]
        .into(),
        rows,
        notes: vec![
            "The k best moves are considered; with probability γ times the least of them all are won together. γ = 1 and k = 2 give \
             back the greatest value, minimax."
                .to_owned(),
        ],
    };
    (table, values, holds)
}

fn counterexample_json((setting, found): &(Setting, ClaimComparison)) -> Value {
    json!({
        "branching": setting.model.branching,
        "losses": setting.model.losses,
        "shallow": setting.shallow,
        "deep": setting.deep,
        "shallow_says": said(&found.seen),
        "formula": found.formula.to_string(),
        "exact": found.exact.to_string(),
    })
}

fn counterexample_table((setting, found): &(Setting, ClaimComparison)) -> Table {
    let mut row: Vec<Cell> = vec![
        setting.model.branching.into(),
        setting.model.losses.into(),
        setting.shallow.into(),
        setting.deep.into(),
        said(&found.seen).into(),
    ];
    row.extend(shown(&found.formula));
    row.extend(shown(&found.exact));
    let approximately = || Column::right("≈").with_terminal("≈");
    Table {
        id: "schruefer-counterexample".to_owned(),
        title: "The smallest of Schruefer's models in which (2.6) is not exact".to_owned(),
        columns: ["b", "n", "shallow", "deep"]
            .map(Column::right)
            .into_iter()
            .chain([Column::left("shallow search"), Column::right("(2.6)"), approximately()])
            .chain([Column::right("exact"), approximately()])
            .collect(),
        rows: vec![row],
        notes: vec![
            "By the number of moves, of those that win, and the heights of both searches. In smaller models a deeper search is no \
             better, or there is nothing to choose."
                .to_owned(),
        ],
    }
}

fn claim_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for world in World::ALL {
        for ClaimComparison { seen, probability, formula, exact } in
            compare(world, setting).unwrap_or_default()
        {
            let text = said(&seen);
            let equal = formula == exact;
            if world == World::Blurred {
                holds &= equal;
            }
            rows.push(vec![
                world.name().into(),
                text.clone().into(),
                Cell::decimal(to_f64(&formula), 6),
                Cell::decimal(to_f64(&exact), 6),
                yes(equal),
            ]);
            values.push(json!({
                "world": world.name(),
                "shallow_says": text,
                "probability": probability.to_string(),
                "formula": formula.to_string(),
                "exact": exact.to_string(),
                "equal": equal,
            }));
        }
    }
    let table = Table {
        id: "schruefer-claim".to_owned(),
        title: "Is (2.6) exact? Two moves, all outcomes enumerated in fractions".to_owned(),
        columns: [
            Column::left("world"),
            Column::left("shallow search"),
            Column::right("(2.6)"),
            Column::right("exact"),
            Column::left("equal"),
        ]
        .into(),
        rows,
        notes: vec![
            "Baum claims that (2.6) is exact in Schruefer's model. It is exact where moves are independent and the \
             deep search replaces the shallow one; in the model itself moves depend on each other (all of them win or \
             none does, here) and both searches count, so that it is not."
                .to_owned(),
        ],
    };
    (table, values, holds)
}
