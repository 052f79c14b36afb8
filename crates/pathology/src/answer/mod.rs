//! What `pathology` answers: types of which JSON and tables are views.
//!
//! The comments of fields are their descriptions in `docs/json.md`.

mod by_rules;
mod compared;
mod errors;
mod map;

use prodmax_number::{Approximate, Figure};
use prodmax_output::Cell;

pub use by_rules::RulesAnswer;
pub use compared::{CellKeys, ComparedAnswer, Verdicts};
pub use errors::{ErrorsAnswer, RowKeys};
pub use map::{MapAnswer, map_table};

/// The value of a figure and how accurate it is.
pub fn with_error(figure: Option<&Figure>) -> [Cell; 2] {
    match figure {
        Some(figure) => [Cell::decimal(figure.double(), 6), error(figure)],
        None => ["-".into(), "-".into()],
    }
}

fn error(figure: &Figure) -> Cell {
    format!("{:.0e}", figure.error().unwrap_or(0.0)).into()
}

fn figure(approximate: Option<Approximate>) -> Option<Figure> {
    approximate.map(Figure::from)
}
