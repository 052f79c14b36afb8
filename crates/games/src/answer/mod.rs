//! What the commands answer that search and play: types of which JSON and tables are views.
//!
//! The comments of fields are their descriptions in `docs/json.md`.

mod quality;
mod replay;
mod score;
mod search;
mod sequences;
mod study;

use prodmax_output::{Column, Table};

pub use quality::{QualityAnswer, SearchQuality};
pub use replay::{GameKeys, GameList, ListedGame, ReplayedGame, ReplayedPosition};
pub use score::{BoundScore, PlayAnswer, ScoreKeys, TotalScore};
pub use search::{MoveAnswer, SearchAnswer};
pub use sequences::{PerftAnswer, PerftAnswers};
pub use study::{StudiedGames, StudiedMatch, StudyAnswer};

/// A drawing of the board as a table of one column.
fn board_table(id: impl Into<String>, title: String, board: &[String]) -> Table {
    Table {
        id: id.into(),
        title,
        columns: vec![Column::left("board")],
        rows: board.iter().map(|line| vec![line.into()]).collect(),
        notes: Vec::new(),
    }
}
