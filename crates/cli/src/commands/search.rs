//! `prodmax search`: the result of a search from one position.

use clap::Args;
use prodmax_games::game::MoveList;
use prodmax_games::penalty::PenaltySearch;
use prodmax_games::player::{Player, Resource};
use prodmax_games::search::deepening::deepen_until;
use prodmax_games::search::{FullWidth, MAX_DEPTH, MoveValue, Ply, SearchError, Stop, alpha_beta, best};
use prodmax_games::{Position, Side, effort};
use prodmax_rules::Rule;
use serde_json::{Value, json};

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::game_args::{GameArgs, WithPosition, at_position, board_table, title};
use crate::guard;
use crate::output::{Cell, Column, CommandResult, Output, Table};
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

    /// Search like this player: alphabeta, alphabeta:stores (Kalah evaluated by the stores alone), penalty:P,
    /// penalty:P:reverse or single:RULE.
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

/// The result of a search.
pub(crate) struct Found {
    side: Side,
    board: String,
    values: Vec<MoveValue>,
    best: MoveValue,
    /// Name and number: leaves, calls, depth reached.
    effort: Vec<(&'static str, u64)>,
    note: Option<&'static str>,
}

impl Search {
    fn player(&self) -> Result<Player, Error> {
        match (&self.rule, &self.player) {
            (Some(rule), _) => Ok(Player::Rule(rule.clone())),
            (None, Some(player)) => Ok(player.clone()),
            // The argument parser requires one of them.
            (None, None) => Err(Error::NoGame),
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

impl WithPosition for Search {
    type Found = Found;

    fn with<P: Position>(&self, context: &Context, position: P) -> Result<Found, Error> {
        let (player, resource) = (self.player()?, self.resource());
        player.check(resource)?;
        let position = player.sees(&position)?;
        if position.outcome().is_some() {
            return Err(SearchError::Over.into());
        }
        let effort = effort::search(&position, &player, resource);
        let what = format!("{player}, {resource}");
        let _meter =
            guard::admit(context, &what, effort, "search less deep, or with fewer calls or less time")?;
        let (mut note, mut first_best) = (None, None);
        let (values, effort) = match (&player, resource) {
            (Player::Rule(rule) | Player::Single(rule), Resource::Depth(depth)) => {
                let mut search = match player {
                    Player::Single(_) => FullWidth::in_single(rule, depth, self.ply)?,
                    _ => FullWidth::new(rule, depth, self.ply)?,
                };
                let mut values = search.move_values(&position)?;
                first_best = search.best_moves(&values).first().copied();
                // Means are backed up as powers, products as odds.
                values.iter_mut().for_each(|each| each.value = search.shown(each.value));
                (values, vec![("leaves", search.leaves())])
            }
            (Player::AlphaBeta(_), Resource::Depth(depth)) => {
                (alpha_beta::move_values(&position, depth, self.ply)?, Vec::new())
            }
            (Player::AlphaBeta(_), Resource::Calls(_) | Resource::Milliseconds(_)) => {
                let found = deepen_until(&position, resource.calls()?, Stop::default());
                let found = found.ok_or(SearchError::Over)?;
                note = Some("Of the other moves, alpha-beta only knows that they are not better.");
                (vec![found.best], vec![("calls", found.calls), ("depth", found.depth as u64)])
            }
            (Player::Penalty(penalty), Resource::Calls(_) | Resource::Milliseconds(_)) => {
                let mut search = PenaltySearch::with(*penalty, &position, resource.calls()?);
                search.run();
                if let Some(problem) = search.problem() {
                    return Err(problem.into());
                }
                let deepest = search.by_depth().len() - 1;
                if search.move_values().is_empty() {
                    return Err(Error::TooLittle { resource, moves: position.moves().count() });
                }
                let effort = vec![("calls", search.calls()), ("deepest", deepest as u64)];
                (search.move_values(), effort)
            }
            // Refused above.
            (Player::Rule(_) | Player::Single(_), _) | (Player::Penalty(_), Resource::Depth(_)) => {
                return Err(SearchError::Over.into());
            }
        };
        let best = first_best.or_else(|| best(&values)).ok_or(SearchError::Over)?;
        Ok(Found { side: position.side(), board: position.to_string(), values, best, effort, note })
    }
}

impl Run for Search {
    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let game = self.game.required()?;
        let found = at_position(context, game, &self.moves, self)?;
        let (player, resource) = (self.player()?.to_string(), self.resource());
        let number = |each: &MoveValue| usize::from(each.chosen) + 1;
        let moves: Vec<Value> =
            found.values.iter().map(|each| json!({ "move": number(each), "value": each.value })).collect();
        let mut value = json!({
            "game": game,
            "played": self.moves,
            "side": found.side,
            "board": found.board.lines().collect::<Vec<_>>(),
            "player": player,
            "resource": resource,
            "ply": self.ply,
            "moves": moves,
            "best": number(&found.best),
        });
        let mut notes = vec![format!("The best move is {}.", number(&found.best))];
        for (name, count) in &found.effort {
            value[*name] = json!(count);
            notes.push(format!("{name}: {count}"));
        }
        notes.extend(found.note.map(str::to_owned));
        let table = Table {
            id: "search".to_owned(),
            title: format!("{player}, {resource}: the probability that the side to move wins"),
            columns: ["move", "value"].map(Column::right).into(),
            rows: found
                .values
                .iter()
                .map(|each| vec![number(each).into(), Cell::decimal(each.value, 12)])
                .collect(),
            notes,
        };
        let board = board_table(title(game), &found.board);
        Ok(CommandResult::Figures(Output::figures(value, vec![board, table])))
    }
}
