//! What `play --replay` answers: all games, or one of them position by position.

use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Column, Table};
use serde::Serialize;

use super::board_table;
use crate::game::MoveList;
use crate::play::log::{Drawn, PairOfGames};
use crate::play::{LogError, MatchResults};
use crate::player::Resource;
use crate::position::{Outcome, Side};

/// A game that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameKeys {
    /// its number, from 1
    game: usize,
    /// the number of its start
    start: u64,
    /// what bounded the searches
    resource: Resource,
    /// the player who began
    first: String,
    /// the other player
    second: String,
    /// `1-0`, `0-1` or `1/2`, for the player who began first
    result: String,
}

impl GameKeys {
    /// A game by its number, from 1, and the pair it belongs to.
    fn of(results: &MatchResults, number: usize) -> Option<(Self, &PairOfGames, usize)> {
        let (pair, index) = (number.checked_sub(1)? / 2, (number - 1) % 2);
        let pair = results.pairs.get(pair)?;
        let names = &results.spec.players;
        let result = match pair.games[index].outcome {
            Outcome::First => "1-0",
            Outcome::Draw => "1/2",
            Outcome::Second => "0-1",
        };
        let keys = Self {
            game: number,
            start: pair.start,
            resource: pair.resource,
            first: names[index].to_string(),
            second: names[1 - index].to_string(),
            result: result.to_owned(),
        };
        Some((keys, pair, index))
    }
}

/// A game in a list of all games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedGame {
    #[serde(flatten)]
    keys: GameKeys,
    /// the moves of the opening
    opening: MoveList,
    /// the moves after it
    moves: MoveList,
}

/// The games of a match.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct GameList {
    games: Vec<ListedGame>,
    #[serde(skip)]
    title: String,
}

impl From<&MatchResults> for GameList {
    fn from(results: &MatchResults) -> Self {
        let listed = |number| {
            let (keys, pair, index) = GameKeys::of(results, number)?;
            let (opening, moves) = (pair.opening.clone(), pair.games[index].moves.clone());
            Some(ListedGame { keys, opening, moves })
        };
        let spec = &results.spec;
        let [first, second] = &spec.players;
        Self {
            games: (1..=results.games()).filter_map(listed).collect(),
            title: format!("Games of {first} against {second}: {}", spec.game.title()),
        }
    }
}

impl Answer for GameList {
    fn view(&self) -> View {
        let mut rows = Rows::new("games", self.title.clone(), self.games.iter().collect());
        rows.column(Column::right("game"), |of| of.keys.game.into());
        rows.column(Column::right("start"), |of| of.keys.start.into());
        rows.column(Column::left("resource"), |of| of.keys.resource.into());
        rows.column(Column::left("first"), |of| (&of.keys.first).into());
        rows.column(Column::left("second"), |of| (&of.keys.second).into());
        rows.column(Column::left("result"), |of| (&of.keys.result).into());
        rows.column(Column::left("opening"), |of| (&of.opening).into());
        rows.column(Column::left("moves"), |of| (&of.moves).into());
        vec![rows.table()].into()
    }
}

/// One game, position by position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayedGame {
    #[serde(flatten)]
    keys: GameKeys,
    /// the positions; the first is the start of the game
    positions: Vec<ReplayedPosition>,
    #[serde(skip)]
    winner: Option<Side>,
}

/// A position of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayedPosition {
    /// who moved there: `first` or `second`; null in the first one
    side: Option<Side>,
    /// the move, a hole or column; null in the first one
    #[serde(rename = "move")]
    chosen: Option<usize>,
    /// whether the move belongs to the opening
    opening: bool,
    /// the position as text, line by line
    board: Vec<String>,
}

impl From<Drawn> for ReplayedPosition {
    fn from(drawn: Drawn) -> Self {
        let (side, chosen) = drawn.by.unzip();
        let board = drawn.board.lines().map(str::to_owned).collect();
        Self { side, chosen, opening: drawn.opening, board }
    }
}

impl ReplayedGame {
    /// A game by its number, from 1; `None` if there is none.
    pub fn new(results: &MatchResults, number: usize) -> Option<Result<Self, LogError>> {
        let (keys, pair, index) = GameKeys::of(results, number)?;
        let winner = pair.games[index].outcome.winner();
        let positions = results.replay(number)?.map(|all| all.into_iter().map(Into::into).collect());
        Some(positions.map(|positions| Self { keys, positions, winner }))
    }

    fn player(&self, side: Side) -> &str {
        match side {
            Side::First => &self.keys.first,
            Side::Second => &self.keys.second,
        }
    }

    fn heading(&self, place: usize, position: &ReplayedPosition) -> String {
        let GameKeys { game, resource, first, second, .. } = &self.keys;
        match (position.side, position.chosen) {
            (Some(side), Some(chosen)) => {
                let who = if position.opening { "opening" } else { self.player(side) };
                format!("{place}. {side} plays {chosen} ({who})")
            }
            _ => format!("Game {game}: {first} against {second}, {resource}"),
        }
    }
}

impl Answer for ReplayedGame {
    fn view(&self) -> View {
        let table = |(place, position): (usize, &ReplayedPosition)| {
            board_table(format!("position-{place}"), self.heading(place, position), &position.board)
        };
        let mut tables: Vec<Table> = self.positions.iter().enumerate().map(table).collect();
        if let Some(last) = tables.last_mut() {
            last.notes.push(match self.winner {
                None => "The game is drawn.".to_owned(),
                Some(side) => format!("{} ({side}) wins.", self.player(side)),
            });
        }
        tables.into()
    }
}
