//! The errors of a search in Schruefer's model (3.4), what becomes of them, and the hints (3.5) to (3.8).

use num_traits::One;
use prodmax_number::Fraction;
use prodmax_number::fraction::{outwards, to_f64};
use prodmax_schruefer::errors::enumerated_says_won;
use prodmax_schruefer::{Basin, DeepHints, EvaluationErrors, Fate, Schruefer, Setting};
use serde_json::{Value, json};

use super::{shown, yes};
use crate::output::{Cell, Column, Table};

pub(super) fn errors_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
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
            "(3.4): errors of a search by its height, b = {}, n = {}, leaves wrong with {} and {}",
            setting.model.branching, setting.model.losses, setting.leaves.plus, setting.leaves.minus
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
        notes: vec![
            "e+: a Win is taken for a Loss; e-: a Loss for a Win. Positions are won or lost for the side to move there.".to_owned(),
        ],
    };
    (table, values, holds)
}

/// Models with up to this many moves are in the table of basins.
const MOST_MOVES: u32 = 4;

pub(super) fn basins_table() -> (Table, Vec<Value>) {
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    let models = (2..=MOST_MOVES)
        .flat_map(|branching| (1..=branching).map(move |losses| Schruefer { branching, losses }));
    for model in models {
        let Some(Basin { fate, plus, minus }) = model.basin() else { continue };
        let says = match fate {
            Fate::Grow => "grow, unless both are 0",
            Fate::Vanish => "vanish",
        };
        let bound = |[low, _]: &[Fraction; 2]| Cell::decimal(to_f64(low), 6);
        rows.push(vec![
            model.branching.into(),
            model.losses.into(),
            bound(&plus),
            bound(&minus),
            says.into(),
        ]);
        let ends = |[low, high]: &[Fraction; 2]| outwards(low, high, 18);
        values.push(json!({
            "branching": model.branching,
            "losses": model.losses,
            "plus_below": ends(&plus),
            "minus_below": ends(&minus),
            "vanish": fate == Fate::Vanish,
        }));
    }
    let table = Table {
        id: "schruefer-basins".to_owned(),
        title: "What becomes of the errors of the leaves when a search gets deeper".to_owned(),
        columns: vec![
            Column::right("b"),
            Column::right("n"),
            Column::right("e+ below"),
            Column::right("e- below"),
            Column::left("then the errors"),
        ],
        rows,
        notes: vec![
            "Certain for all errors below both bounds, by (3.4). With n = 1 e+ grows with every two plies until an error leaves the \
             rectangle; with n > 1 both tend to 0. The true region may be larger; with n = b it is not."
                .to_owned(),
        ],
    };
    (table, values)
}

fn errors_at(height: usize, errors: &EvaluationErrors) -> String {
    format!("e_{height}+ = {} and e_{height}- = {}", errors.plus, errors.minus)
}

/// The errors about a move that the hints are made of.
pub(super) fn of_move_json(errors: &EvaluationErrors) -> Value {
    json!({ "plus": errors.plus.to_string(), "minus": errors.minus.to_string() })
}

pub(super) fn hints_table(setting: &Setting) -> (Table, Vec<Value>) {
    let (shallow, deep) = (setting.errors(setting.shallow), setting.errors(setting.deep));
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
            format!(
                "A move wins if the position that it leads to is lost for the opponent. So about a move e+ is the position's e- of \
                 the table above, and e- its e+: {}, {}.",
                errors_at(setting.shallow, &shallow),
                errors_at(setting.deep, &deep)
            ),
            "Derived from the requirement that the posteriors (2.4), (2.5) are those after the deep search alone; the \
             prior cancels. The number in brackets is what the shallow search said, 1 for \"won\"; Baum uses 1 for moves with a \
             probability of at least 1/2, which is the same here."
                .to_owned(),
        ],
    };
    (table, values)
}
