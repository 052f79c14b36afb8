//! What `readings` and `mass --reading` answer: types of which JSON, tables and drawings are views.
//!
//! The comments of fields are their descriptions in `docs/json.md`.

mod measured;
mod search;

pub use measured::{ReadAnswer, ReadAnswers};
pub use search::{BestReading, SearchAnswer};
