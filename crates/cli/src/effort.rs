//! Refuses models that could not even be counted in reasonable time, before any work is done.

use std::collections::BTreeSet;

use prodmax_enumerate::{Model, Mover};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::output::{Cell, Column};

/// As many steps of counting as take some ten seconds.
const MOST_STEPS: f64 = 3e7;

/// An error if planning the enumeration would take too long.
pub(crate) fn check(model: &Model) -> Result<(), Error> {
    let steps = planning_steps(model);
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let (root, increments) = name(model);
    Err(Error::Hopeless { root, increments, steps })
}

/// How a model is called in messages: its root and increments, and the number of its moves if it is not two.
pub(crate) fn name(model: &Model) -> (String, String) {
    let moves = match model.branching() {
        2 => String::new(),
        1 => " with 1 move".to_owned(),
        branching => format!(" with {branching} moves"),
    };
    (model.root().to_string(), format!("{}{moves}", increments(model)))
}

fn increments(model: &Model) -> String {
    let increments: Vec<_> = model.increments().iter().map(ToString::to_string).collect();
    increments.join(",")
}

/// How the models of a table are named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming {
    /// Whether the number of moves has a column: where it is not two everywhere.
    moves: bool,
}

impl Naming {
    /// For these models.
    pub(crate) fn of<'a>(models: impl IntoIterator<Item = &'a Model>) -> Self {
        Self { moves: models.into_iter().any(|model| !model.is_binary()) }
    }

    /// Whether all models are binary.
    pub(crate) fn is_binary(self) -> bool {
        !self.moves
    }

    /// The columns.
    pub(crate) fn columns(self) -> Vec<Column> {
        let columns = [Column::right("root"), Column::left("increments")];
        columns.into_iter().chain(self.moves.then(|| Column::right("moves"))).collect()
    }

    /// The cells of a model.
    pub(crate) fn cells(self, model: &Model) -> Vec<Cell> {
        let cells = [Cell::from(model.root().to_string()), increments(model).into()];
        cells.into_iter().chain(self.moves.then(|| model.branching().into())).collect()
    }
}

/// Adds the number of moves to what a program gets about a model, behind `h_max`, if it is not two.
pub(crate) fn put_branching(object: &mut Map<String, Value>, model: &Model) {
    if !model.is_binary() {
        let place = object.keys().position(|key| key == "h_max").map_or(object.len(), |h_max| h_max + 1);
        object.shift_insert(place, "branching".to_owned(), model.branching().into());
    }
}

/// The steps that [`prodmax_enumerate::Plan`] takes, or more than [`MOST_STEPS`]. The plan pairs, level by level,
/// the windows of node values that classes can have and multiplies the class counts of each pair; here only the
/// windows are followed. The counts have about b times as many digits on every level up.
fn planning_steps(model: &Model) -> f64 {
    let [low, high] = model.position_range(model.depth());
    let mut windows: BTreeSet<[i32; 2]> = (low..=high).map(|position| [position, position]).collect();
    let (mut steps, mut bits) = (0.0, 1.0);
    let moves = model.branching() as f64;
    for level in (1..model.depth()).rev() {
        let reach: BTreeSet<_> = windows.iter().map(|&window| reaching(model, level + 1, window)).collect();
        let pairs = reach.len() as f64 * (reach.len() as f64 + 1.0) / 2.0;
        // A product of long numbers outweighs the bookkeeping from about 20 words of 64 bits on.
        steps += pairs * (moves - 1.0).max(1.0) * (1.0 + (bits / 64.0 / 20.0_f64).powf(1.6));
        if steps > MOST_STEPS || level == 1 {
            break;
        }
        bits = moves * bits + (pairs + 1.0).log2();
        windows.clear();
        // Row by row: all pairs at once would take much memory.
        for b in &reach {
            windows.extend(reach.range(*b..).filter_map(|c| common(*b, *c)));
        }
    }
    steps
}

/// The positions of the level above from which a move leads into a window of `level`.
fn reaching(model: &Model, level: usize, [start, end]: [i32; 2]) -> [i32; 2] {
    let [low, high] = model.position_range(level - 1);
    match Mover::at(level - 1) {
        Mover::Max => [low.max(start - model.increment(level)), high.min(end)],
        Mover::Min => [low.max(start), high.min(end + model.increment(level))],
    }
}

fn common(b: [i32; 2], c: [i32; 2]) -> Option<[i32; 2]> {
    let window = [b[0].max(c[0]), b[1].min(c[1])];
    (window[0] <= window[1]).then_some(window)
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::Zero;

    use super::*;

    fn refused(increments: &[i64], h_max: i64) -> bool {
        check(&Model::new(1, increments, Zero::Skip, h_max).unwrap()).is_err()
    }

    #[test]
    fn only_hopeless_models_are_refused() {
        assert!(!refused(&[8; 5], 42));
        assert!(!refused(&[5; 16], 42));
        assert!(!refused(&[1000, 1000], 10_000));
        assert!(!refused(&[300, 300, 300], 10_000));
        assert!(refused(&[100; 6], 400));
        assert!(refused(&[9000, 9000], 10_000));
    }
}
