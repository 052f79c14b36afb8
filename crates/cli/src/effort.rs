//! Refuses models that could not even be counted in a reasonable time, before any work is done.

use prodmax_enumerate::Model;
use prodmax_enumerate::effort::{MAX_STEPS, planning_steps};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::output::{Cell, Column};

/// An error if planning the enumeration would take too long.
pub(crate) fn check(model: &Model) -> Result<(), Error> {
    let steps = planning_steps(model);
    if steps <= MAX_STEPS {
        return Ok(());
    }
    let (root, increments) = name(model);
    Err(Error::Hopeless { root, increments, steps })
}

/// The name of a model in messages: its root and increments, and its number of moves if it is not two.
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
    /// Whether there is a column for the number of moves: if it is not two for all models.
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

/// Adds the number of moves to the JSON of a model, after `h_max`, if it is not two.
pub(crate) fn put_branching(object: &mut Map<String, Value>, model: &Model) {
    if !model.is_binary() {
        let place = object.keys().position(|key| key == "h_max").map_or(object.len(), |h_max| h_max + 1);
        object.shift_insert(place, "branching".to_owned(), model.branching().into());
    }
}

/// The same in a few words, e.g. `root +1, increments 8,8`; `3 models` if there are several.
pub(crate) fn names(models: &[&Model]) -> String {
    match models {
        [model] => {
            let (root, increments) = name(model);
            format!("root {root}, increments {increments}")
        }
        several => format!("{} models", several.len()),
    }
}
