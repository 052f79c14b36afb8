//! `prodmax perft`: how many sequences of moves there are.

use clap::Args;
use prodmax_games::answer::{PerftAnswer, PerftAnswers};
use prodmax_games::effort;
use prodmax_games::game::MoveList;
use prodmax_games::search::MAX_DEPTH;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::game_args::GameArgs;
use crate::guard;
use crate::output::{CommandResult, Output};
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
        let count = |depth| Some(PerftAnswer { depth, sequences: position.perft(depth)?.into() });
        let counts = (1..=self.depth).map(count).collect::<Option<_>>().ok_or(Error::TooManySequences)?;
        drop(meter);
        Ok(CommandResult::Figures(Output::answer(&PerftAnswers { counts, game: game.title() })))
    }
}
