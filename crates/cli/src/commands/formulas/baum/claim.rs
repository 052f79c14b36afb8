//! The reduction of (3.3) to (2.6), and whether (2.6) is exact.

use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_schruefer::revised::both_formulas;
use prodmax_schruefer::{ClaimComparison, Reliability, Setting, Superscripts, World, compare};
use serde_json::{Value, json};

use super::{shown, yes};
use crate::output::{Cell, Column, Table};

/// What the shallow search says about each move, all possibilities.
fn patterns(moves: u32) -> impl Iterator<Item = Vec<bool>> {
    (0u32..1 << moves).map(move |bits| (0..moves).map(|place| bits >> place & 1 == 1).collect())
}

fn said(pattern: &[bool]) -> String {
    pattern.iter().map(|&said| if said { '1' } else { '0' }).collect()
}

pub(super) fn two_points_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
    let (mut rows, mut values, mut holds) = (Vec::new(), Vec::new(), true);
    for pattern in patterns(setting.model.branching) {
        let hinted: Option<Vec<(Fraction, Reliability)>> =
            pattern.iter().map(|&said| setting.hinted(said)).collect();
        let Some(hinted) = hinted else { continue };
        let [by_3_3, by_2_6] = both_formulas(&hinted);
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
        notes: vec![
            "The reduction that Baum derives holds: if a hint revises an estimate to one of two values, (3.3) is (2.6), whatever the \
             probabilities and hints. Both suppose that moves are independent."
                .to_owned(),
        ],
    };
    (table, values, holds)
}

/// A counterexample for hints with either errors.
type Found = (Setting, ClaimComparison);

/// Whose errors are in the hints, in words.
fn whose(superscripts: Superscripts) -> &'static str {
    match superscripts {
        Superscripts::Move => "move",
        Superscripts::Position => "position",
    }
}

pub(super) fn counterexample_json((setting, found): &Found) -> Value {
    json!({
        "errors_of": whose(setting.superscripts),
        "branching": setting.model.branching,
        "losses": setting.model.losses,
        "shallow": setting.shallow,
        "deep": setting.deep,
        "shallow_says": said(&found.seen),
        "formula": found.formula.to_string(),
        "exact": found.exact.to_string(),
    })
}

pub(super) fn counterexample_table(found: &[Found]) -> Table {
    let row = |(setting, found): &Found| {
        let mut row: Vec<Cell> = vec![
            whose(setting.superscripts).into(),
            setting.model.branching.into(),
            setting.model.losses.into(),
            setting.shallow.into(),
            setting.deep.into(),
            said(&found.seen).into(),
        ];
        row.extend(shown(&found.formula));
        row.extend(shown(&found.exact));
        row
    };
    let approximately = || Column::right("≈").with_terminal("≈");
    Table {
        id: "schruefer-counterexample".to_owned(),
        title: "The smallest of Schruefer's models in which (2.6) is not exact".to_owned(),
        columns: [Column::left("errors about a")]
            .into_iter()
            .chain(["b", "n", "shallow", "deep"].map(Column::right))
            .chain([Column::left("shallow search"), Column::right("(2.6)"), approximately()])
            .chain([Column::right("exact"), approximately()])
            .collect(),
        rows: found.iter().map(row).collect(),
        notes: vec![
            "By the number of moves, of those that win, and the heights of both searches. In smaller models a deeper search is no \
             better, or there is nothing to choose. The hints have the errors about a move, as their derivation needs; with those \
             of positions, as the letters of (3.4) would have it, (2.6) is not exact either."
                .to_owned(),
        ],
    }
}

pub(super) fn claim_table(setting: &Setting) -> (Table, Vec<Value>, bool) {
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
            "Baum claims that (2.6) with the hints (3.5) to (3.8) is exact in Schruefer's model. It is exact where moves are \
             independent and the shallow search is a blurred deep one, so that the deep one replaces it. What is refuted is \
             that it is exact in the model itself: there moves depend on each other (of those of a Win exactly n win, of a Loss none), which already (3.3) \
             leaves out, and what the shallow search found still counts, because it saw other leaves."
                .to_owned(),
        ],
    };
    (table, values, holds)
}
