//! What Baum adds to (2.6): correlated moves (5.1), (5.2), and draws.

use num_traits::One;
use prodmax_schruefer::outcomes::{Chances, Hints};
use prodmax_schruefer::{Reliability, correlation, outcomes};
use serde_json::{Value, json};

use super::{fraction, shown, yes};
use crate::output::{Cell, Column, Table};

/// (5.2) for three moves and hints that are right four times in five.
pub(super) fn correlation_table() -> (Table, Vec<Value>, bool) {
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

/// V_W and V_D for two moves, by what a draw is worth.
pub(super) fn outcomes_table() -> (Table, Vec<Value>, bool) {
    let moves = [
        Chances { win: fraction(1, 2), draw: fraction(1, 4) },
        Chances { win: fraction(2, 5), draw: fraction(2, 5) },
    ];
    // Hints say "good" of most won moves, of half of the drawn ones, and of few lost ones.
    let hints = Hints(vec![
        [fraction(4, 5), fraction(1, 2), fraction(1, 5)],
        [fraction(1, 5), fraction(1, 2), fraction(4, 5)],
    ]);
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for draw in [fraction(0, 1), fraction(1, 2), fraction(1, 1)] {
        let (formula, all) =
            (outcomes::value(&moves, &hints, &draw), outcomes::enumerated(&moves, &hints, &draw));
        let equal = formula == all;
        holds &= equal;
        let mut row: Vec<Cell> = vec![(&draw).into()];
        row.extend(shown(&formula.win));
        row.extend(shown(&formula.draw));
        row.push(yes(equal));
        rows.push(row);
        values.push(json!({
            "draw_is_worth": draw.to_string(),
            "win": formula.win.to_string(),
            "draw": formula.draw.to_string(),
            "enumerated": equal,
        }));
    }
    let table = Table {
        id: "baum-outcomes".to_owned(),
        title: "V_W and V_D: two moves that win with 1/2 and 2/5 and draw with 1/4 and 2/5".to_owned(),
        columns: vec![
            Column::right("a draw is worth"),
            Column::right("V_W"),
            Column::right("≈").with_terminal("≈"),
            Column::right("V_D"),
            Column::right("≈").with_terminal("≈"),
            Column::left("all outcomes agree"),
        ],
        rows,
        notes: vec![
            "Baum mentions equations like (2.6) for wins and draws without printing them; these are derived here. Hints say \"good\" of \
             4/5 of won moves, 1/2 of drawn ones and 1/5 of lost ones. The sums run over all outcomes and vectors of hints."
                .to_owned(),
        ],
    };
    (table, values, holds)
}
