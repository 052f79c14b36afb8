//! `prodmax formulas --baum`: the theory of Baum's rule, derived and checked in fractions.

use num_traits::One;
use prodmax_number::Fraction;
use prodmax_number::arctan::to_f64;
use prodmax_schruefer::claim::smallest_counterexample;
use prodmax_schruefer::errors::enumerated_says_won;
use prodmax_schruefer::{
    Comparison, Errors, Hints, Reliability, Schruefer, Setting, World, compare, correlation,
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
        leaves: Errors::new(fraction(1, 10), fraction(1, 10)),
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
    let correlated = {
        let hint = Reliability { won: fraction(4, 5), lost: fraction(4, 5) };
        let values = [fraction(2, 3), fraction(1, 2)];
        correlation::value(&values, &Fraction::one(), 2, &hint) == Some(fraction(2, 3))
    };
    let refuted = smallest_counterexample(World::Schruefer, &setting.leaves, &setting.won);
    let value = json!({
        "branching": setting.model.branching,
        "losses": setting.model.losses,
        "errors": errors_json,
        "hints": hints_json,
        "claim": claim_json,
        "recursion_holds": recursion_holds,
        "exact_where_supposed": exact_where_supposed,
        "correlation_gives_minimax": correlated,
        "exact_in_schruefers_model": refuted.is_none(),
    });
    let holds = recursion_holds && exact_where_supposed && correlated;
    Output { holds, ..Output::figures(value, vec![errors, hints, claim]) }
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
        row.push(if agrees { "yes" } else { "no" }.into());
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
    let exact = Hints::of(&shallow, &deep);
    let near = Hints::approximate(&shallow, &deep);
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
            "(3.5) to (3.8): what a search of height {} will tell of a move searched to height {}",
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
            "Derived from the demand that the posteriors (2.4), (2.5) are those after the deep search alone; the prior cancels."
                .to_owned(),
        ],
    };
    (table, values)
}

fn claim_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for world in World::ALL {
        for Comparison { seen, probability, formula, exact } in compare(world, setting).unwrap_or_default() {
            let text: String = seen.iter().map(|&said| if said { '1' } else { '0' }).collect();
            let equal = formula == exact;
            if world == World::Blurred {
                holds &= equal;
            }
            rows.push(vec![
                world.name().into(),
                text.clone().into(),
                Cell::decimal(to_f64(&formula), 6),
                Cell::decimal(to_f64(&exact), 6),
                if equal { "yes" } else { "no" }.into(),
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
            "Baum holds (2.6) to be exact in Schruefer's model. It is where moves are independent and the deep search replaces the \
             shallow one; in the model itself moves depend on each other (all of them win or none does, here) and both searches \
             count, so that it is not."
                .to_owned(),
        ],
    };
    (table, values, holds)
}
