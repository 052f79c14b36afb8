//! `prodmax search`: the result of a search from one position.

use clap::Args;
use prodmax_games::answer::SearchAnswer;
use prodmax_games::effort;
use prodmax_games::game::MoveList;
use prodmax_games::player::{Player, Resource};
use prodmax_games::search::{MAX_DEPTH, Ply};
use prodmax_rules::Rule;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::game_args::GameArgs;
use crate::guard;
use crate::output::{CommandResult, Output};
use crate::whole_number::within;

/// Search one position of a game and print the value of every move.
///
/// A value is the estimated probability that the side to move wins. With --rule
/// every line is searched to the same depth and values are backed up by the rule;
/// a finished game is worth 1, 1/2 or 0. Moves are numbered from 1: in Kalah the
/// holes towards the mover's own store, in Connect-Four the columns.
///
/// --player alphabeta searches by minimax, to a depth or with iterative deepening
/// as far as --calls allow; --player penalty:P is Rivest's min/max approximation
/// (penalty:P:reverse backs up the true minimum and maximum). A call is one
/// position generated. Both search for some processor time with --milliseconds;
/// what they find then depends on the machine and cannot be repeated exactly.
///
/// --player single:RULE backs values up by the rule in single precision, products as
/// probabilities: what is closer to 0 or 1 than they can tell becomes 0 or 1. With
/// --evaluator unclamped, Baum's E may be less than 0 or greater than 1; such scores
/// are for minimax, alphabeta and single:product only.
///
/// Examples:
///
///     prodmax search --game kalah --stones 4 --moves 4,4,1,2,2 --rule minimax --depth 5
///     prodmax search --game connect4 --moves 4,4,3 --player penalty:10 --calls 1000
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Search {
    #[command(flatten)]
    game: GameArgs,

    /// Moves from the start to the position, e.g. 4,4,1.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    moves: MoveList,

    /// Back values up by this rule (`prodmax rules` lists them).
    #[arg(long, value_name = "RULE", required_unless_present = "player", conflicts_with = "player")]
    rule: Option<Rule>,

    /// Search like this player: alphabeta, alphabeta:EVALUATOR (alphabeta:stores is Kalah evaluated by the stores alone),
    /// penalty:P, penalty:P:reverse or single:RULE.
    #[arg(long, value_name = "PLAYER")]
    player: Option<Player>,

    /// How many plies to search.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        required_unless_present_any = ["calls", "milliseconds"],
        conflicts_with_all = ["calls", "milliseconds"],
        value_parser = within::<usize>(1..=MAX_DEPTH as i128)
    )]
    depth: Option<usize>,

    /// How many positions may be generated.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=Resource::MAX_CALLS.into())
    )]
    calls: Option<u64>,

    /// How much processor time may be spent (--player only).
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "calls",
        value_parser = within::<u64>(1..=Resource::MAX_MILLISECONDS.into())
    )]
    milliseconds: Option<u64>,

    /// What a ply is: move (every move), turn (extra moves belong to the same ply) or whole (a whole turn is a single
    /// move).
    #[arg(long, value_name = "HOW", default_value = "move")]
    ply: Ply,
}

impl Search {
    fn player(&self) -> Result<Player, Error> {
        match (&self.rule, &self.player) {
            (Some(rule), _) => Ok(Player::Rule(rule.clone())),
            (None, Some(player)) => Ok(player.clone()),
            // The argument parser requires one of them.
            (None, None) => Err(Error::no_game()),
        }
    }

    fn resource(&self) -> Resource {
        match (self.depth, self.milliseconds) {
            (Some(depth), _) => Resource::Depth(depth),
            (None, Some(milliseconds)) => Resource::Milliseconds(milliseconds),
            // The argument parser requires one of the three.
            (None, None) => Resource::Calls(self.calls.unwrap_or(1)),
        }
    }
}

impl Run for Search {
    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let game = self.game.required()?;
        let (player, resource) = (self.player()?, self.resource());
        let position = game.begin()?.after(&self.moves)?;
        position.check_search(&player, resource)?;
        let (what, effort) = (format!("{player}, {resource}"), effort::search(&*position, &player, resource));
        let instead = "search less deep, or with fewer calls or less time";
        let meter = guard::admit(context, &what, effort, instead)?;
        let found = position.analyse(&player, resource, self.ply)?;
        drop(meter);
        let answer = SearchAnswer::new(game, self.moves.clone(), player, resource, self.ply, &found);
        Ok(CommandResult::Figures(Output::answer(&answer)))
    }
}
