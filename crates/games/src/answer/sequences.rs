//! What `perft` answers: how many sequences of moves there are.

use prodmax_number::Count;
use prodmax_output::Column;
use prodmax_output::answer::{Answer, Rows, View};
use serde::Serialize;

/// Sequences of one length, in a list of all lengths.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerftAnswer {
    /// the length of the sequences
    pub depth: usize,
    /// how many sequences of moves there are
    pub sequences: Count,
}

/// The answer of `perft`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct PerftAnswers {
    /// Length by length.
    pub counts: Vec<PerftAnswer>,
    /// The game for readers.
    #[serde(skip)]
    pub game: String,
}

impl Answer for PerftAnswers {
    fn view(&self) -> View {
        let title = format!("Sequences of moves: {}", self.game);
        let mut rows = Rows::new("perft", title, self.counts.iter().collect());
        rows.column(Column::right("depth"), |of| of.depth.into());
        rows.column(Column::right("sequences"), |of| (&of.sequences).into());
        vec![rows.table()].into()
    }
}
