//! The arguments that name a game and a position of it.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use prodmax_games::game::{Game, MoveList};
use prodmax_games::{connect4, kalah};
use thiserror::Error;

use crate::context::Context;
use crate::error::Error;
use crate::output::{Column, Table};

/// The games by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameName {
    /// Kalah
    Kalah,
    /// Connect-Four
    Connect4,
}

/// A game and the size of its board.
#[derive(Debug, Args)]
#[command(next_help_heading = "Game")]
pub(crate) struct GameArgs {
    /// The game.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) game: Option<GameName>,

    /// Kalah: holes a side [default: 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::whole_number::within::<usize>(0..=1000))]
    holes: Option<usize>,

    /// Kalah: stones in each hole [default: 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::whole_number::within::<usize>(0..=1000))]
    stones: Option<usize>,

    /// Connect-Four: columns of the board [default: 7]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::whole_number::within::<usize>(0..=1000))]
    columns: Option<usize>,

    /// Connect-Four: rows of the board [default: 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::whole_number::within::<usize>(0..=1000))]
    rows: Option<usize>,

    /// How positions are evaluated: lines or squares in Connect-Four [default: lines], clamped or unclamped in Kalah
    /// [default: clamped]
    #[arg(long, value_name = "HOW")]
    evaluator: Option<Evaluator>,
}

/// An evaluator of one of the games.
#[derive(Clone, Copy, Debug)]
enum Evaluator {
    Kalah(kalah::Evaluator),
    Connect4(connect4::Evaluator),
}

/// The text is not an evaluator of any game.
#[derive(Clone, Debug, Error)]
#[error("`{0}` is not an evaluator; write lines or squares for Connect-Four, clamped or unclamped for Kalah")]
struct EvaluatorError(String);

impl FromStr for Evaluator {
    type Err = EvaluatorError;

    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        let of_kalah = text.parse().map(Self::Kalah).ok();
        let found = of_kalah.or_else(|| text.parse().map(Self::Connect4).ok());
        found.ok_or_else(|| EvaluatorError(text.chars().take(40).collect()))
    }
}

impl Evaluator {
    fn of_kalah(self) -> Option<kalah::Evaluator> {
        match self {
            Self::Kalah(evaluator) => Some(evaluator),
            Self::Connect4(_) => None,
        }
    }

    fn of_connect4(self) -> Option<connect4::Evaluator> {
        match self {
            Self::Connect4(evaluator) => Some(evaluator),
            Self::Kalah(_) => None,
        }
    }
}

impl GameArgs {
    /// The game, if one is named.
    pub(crate) fn game(&self) -> Result<Option<Game>, Error> {
        let default = self.game.map(|name| match name {
            GameName::Kalah => Game::kalah(6, 6),
            GameName::Connect4 => {
                Game::Connect4 { columns: 7, rows: 6, evaluator: connect4::Evaluator::default() }
            }
        });
        default.map(|game| self.sized(game)).transpose()
    }

    /// The game that is named, or the given one with the sizes that are named.
    pub(crate) fn changed(&self, game: Game) -> Result<Game, Error> {
        self.game()?.map_or_else(|| self.sized(game), Ok)
    }

    /// The game with the sizes that are named.
    fn sized(&self, game: Game) -> Result<Game, Error> {
        let of_kalah = self.evaluator.and_then(Evaluator::of_kalah);
        let of_connect4 = self.evaluator.and_then(Evaluator::of_connect4);
        let only_kalah = [
            ("--holes", self.holes.is_some()),
            ("--stones", self.stones.is_some()),
            ("this --evaluator", of_kalah.is_some()),
        ];
        let only_connect4 = [
            ("--columns", self.columns.is_some()),
            ("--rows", self.rows.is_some()),
            ("this --evaluator", of_connect4.is_some()),
        ];
        let (foreign, other) = match game {
            Game::Kalah { .. } => (&only_connect4[..], "Connect-Four"),
            Game::Connect4 { .. } => (&only_kalah[..], "Kalah"),
        };
        if let Some((option, _)) = foreign.iter().find(|(_, given)| *given) {
            return Err(Error::ForeignOption { option, game: other });
        }
        Ok(match game {
            Game::Kalah { holes, stones, evaluator } => Game::Kalah {
                holes: self.holes.unwrap_or(holes),
                stones: self.stones.unwrap_or(stones),
                evaluator: of_kalah.unwrap_or(evaluator),
            },
            Game::Connect4 { columns, rows, evaluator } => Game::Connect4 {
                columns: self.columns.unwrap_or(columns),
                rows: self.rows.unwrap_or(rows),
                evaluator: of_connect4.unwrap_or(evaluator),
            },
        })
    }

    /// The game, which must be named.
    pub(crate) fn required(&self) -> Result<Game, Error> {
        self.game()?.ok_or(Error::NoGame)
    }
}

/// What a command does with a position of any game.
pub(crate) trait WithPosition {
    type Found;
    fn with<P: prodmax_games::Position>(&self, context: &Context, position: P) -> Result<Self::Found, Error>;
}

/// Finds the position after some moves and hands it over.
pub(crate) fn at_position<W: WithPosition>(
    context: &Context,
    game: Game,
    moves: &MoveList,
    work: &W,
) -> Result<W::Found, Error> {
    use prodmax_games::connect4::Connect4;
    use prodmax_games::game::{GameError, play_all};
    use prodmax_games::kalah::Kalah;
    match game {
        Game::Kalah { holes, stones, evaluator } => work.with(
            context,
            play_all(Kalah::start_with(holes, stones, evaluator).map_err(GameError::from)?, moves)?,
        ),
        Game::Connect4 { columns, rows, evaluator } => {
            let start = Connect4::start(columns, rows, evaluator).map_err(GameError::from)?;
            work.with(context, play_all(start, moves)?)
        }
    }
}

/// The name of the game for readers.
pub(crate) fn title(game: Game) -> String {
    match game {
        Game::Kalah { holes, stones, evaluator } => {
            let scores = if evaluator == kalah::Evaluator::default() { "" } else { ", evaluator unclamped" };
            format!("Kalah, {holes} holes of {stones} stones{scores}")
        }
        Game::Connect4 { columns, rows, evaluator } => {
            format!("Connect-Four, {columns} x {rows}, evaluator {}", evaluator.name())
        }
    }
}

/// A drawing of the board as a table of one column.
pub(crate) fn board_table(title: String, board: &str) -> Table {
    Table {
        id: "board".to_owned(),
        title,
        columns: vec![Column::left("board")],
        rows: board.lines().map(|line| vec![line.into()]).collect(),
        notes: Vec::new(),
    }
}
