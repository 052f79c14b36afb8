//! `prodmax perft`: how many sequences of moves there are.

use clap::Args;
use prodmax_games::effort;
use prodmax_games::game::MoveList;
use prodmax_games::search::MAX_DEPTH;
use serde_json::json;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::game_args::GameArgs;
use crate::guard;
use crate::output::{Column, CommandResult, Output, Table};
use crate::whole_number::within;

/// Count the sequences of moves from a position of a game.
///
/// The usual check of a move generator: how many different sequences of 1, 2, …
/// moves there are. Every move counts, also one after which the same side moves
/// again; a game that is over has no further moves.
///
/// Examples:
///
///     prodmax perft --game kalah --stones 4 --depth 7
///     prodmax perft --game connect4 --depth 7
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Perft {
    #[command(flatten)]
    game: GameArgs,

    /// Moves made before counting begins, e.g. 4,4,1.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    moves: MoveList,

    /// Count sequences of up to N moves.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=MAX_DEPTH as i128)
    )]
    depth: usize,
}

impl Run for Perft {
    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let game = self.game.required()?;
        let position = game.begin()?.after(&self.moves)?;
        let (what, effort) = (format!("depth {}", self.depth), effort::counting(&*position, self.depth));
        let meter = guard::admit(context, &what, effort, "count to a smaller depth")?;
        let count = |depth| position.perft(depth).map(|sequences| (depth, sequences));
        let counts: Option<Vec<(usize, u64)>> = (1..=self.depth).map(count).collect();
        let counts = counts.ok_or(Error::TooManySequences)?;
        drop(meter);
        let value = counts
            .iter()
            .map(|(depth, sequences)| json!({ "depth": depth, "sequences": sequences }))
            .collect();
        let table = Table {
            id: "perft".to_owned(),
            title: format!("Sequences of moves: {}", game.title()),
            columns: ["depth", "sequences"].map(Column::right).into(),
            rows: counts.iter().map(|(depth, sequences)| vec![depth.into(), sequences.into()]).collect(),
            notes: Vec::new(),
        };
        Ok(CommandResult::Figures(Output::figures(value, vec![table])))
    }
}
