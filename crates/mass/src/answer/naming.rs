//! How models are named in tables and in messages.

use prodmax_enumerate::Model;
use prodmax_output::{Cell, Column, large};

/// The name of a model in messages: its root and increments, and its number of moves if it is not two.
pub fn name(model: &Model) -> (String, String) {
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

/// A number of trees for a table: in full for binary models.
pub fn count_cell(model: &Model, number: &num_bigint::BigUint) -> Cell {
    if model.is_binary() { number.clone().into() } else { large::cell(number) }
}

/// How the models of a table are named.
#[derive(Clone, Copy, Debug)]
pub struct Naming {
    /// Whether there is a column for the number of moves: if it is not two for all models.
    moves: bool,
}

impl Naming {
    /// For these models.
    pub fn of<'a>(models: impl IntoIterator<Item = &'a Model>) -> Self {
        Self { moves: models.into_iter().any(|model| !model.is_binary()) }
    }

    /// Whether all models are binary.
    pub fn is_binary(self) -> bool {
        !self.moves
    }

    /// The columns.
    pub fn columns(self) -> Vec<Column> {
        let columns = [Column::right("root"), Column::left("increments")];
        columns.into_iter().chain(self.moves.then(|| Column::right("moves").at(["branching"]))).collect()
    }

    /// The cells of a model.
    pub fn cells(self, model: &Model) -> Vec<Cell> {
        let cells = [Cell::from(model.root().to_string()), increments(model).into()];
        cells.into_iter().chain(self.moves.then(|| model.branching().into())).collect()
    }
}
