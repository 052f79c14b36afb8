//! The games by name, and sequences of moves as people type them.

mod written;

#[cfg(feature = "schema")]
pub(crate) use written::solved_schema;

use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::any::{AnyGame, AnyStart, Listed};
use crate::board::{About, Board, listed};
use crate::connect4::Connect4;
use crate::kalah::Kalah;
use crate::position::{Move, Position};

/// The games of this crate.
#[rustfmt::skip] // One line each.
pub static GAMES: &[&dyn AnyGame] = &[
    &Listed::<Kalah>::NEW,
    &Listed::<Connect4>::NEW,
];

/// Games of other crates.
static ADDED: OnceLock<&'static [&'static dyn AnyGame]> = OnceLock::new();

/// All games that can be named.
pub fn games() -> impl Iterator<Item = &'static dyn AnyGame> {
    GAMES.iter().chain(ADDED.get().copied().unwrap_or_default()).copied()
}

/// Adds games of other crates, before any game is read; whether that was still possible, which it is once.
#[must_use]
pub fn add_games(games: &'static [&'static dyn AnyGame]) -> bool {
    ADDED.set(games).is_ok()
}

/// A game with the sizes of its board and its evaluator. It is read from texts like `kalah`, `kalah:6:4` or
/// `connect4:7x6:squares`, and in files also as `kalah(holes: 6, stones: 4)`.
///
/// ```
/// use prodmax_games::game::Game;
/// let game: Game = "kalah:6:4".parse()?;
/// assert_eq!((game.size("stones"), game.evaluator()), (Some(4), Some("clamped")));
/// assert_eq!(game.title(), "Kalah, 6 holes of 4 stones");
/// // Sequences of three moves.
/// assert_eq!(game.begin()?.perft(3), Some(185));
/// # Ok::<(), prodmax_games::game::GameError>(())
/// ```
#[derive(Clone)]
pub struct Game {
    kind: &'static dyn AnyGame,
    /// As many as the game has.
    sizes: Vec<usize>,
    /// One of the game's; `None` if it has none.
    evaluator: Option<&'static str>,
}

impl Game {
    /// A game with its usual sizes and evaluator.
    pub fn usual(kind: &'static dyn AnyGame) -> Self {
        let about = kind.about();
        let sizes = about.sizes.iter().map(|size| size.usual).collect();
        Self { kind, sizes, evaluator: about.evaluators.first().copied() }
    }

    /// What is the same for all sizes of the board.
    pub fn about(&self) -> &'static About {
        self.kind.about()
    }

    /// Whether positions of the game are of this type.
    pub fn is<B: Board>(&self) -> bool {
        self.about().name == B::ABOUT.name
    }

    /// A size of the board by its name, if it has such a size.
    pub fn size(&self, name: &str) -> Option<usize> {
        let place = self.about().sizes.iter().position(|size| size.name == name)?;
        self.sizes.get(place).copied()
    }

    /// The evaluator, if the game has more than one.
    pub fn evaluator(&self) -> Option<&'static str> {
        self.evaluator
    }

    /// The evaluator, unless it goes without saying.
    fn named_evaluator(&self) -> Option<&'static str> {
        let usual = self.about().evaluators.first().copied();
        self.evaluator.filter(|_| self.about().names_usual_evaluator || self.evaluator != usual)
    }

    /// The game with another size.
    pub fn with_size(mut self, name: &str, size: usize) -> Result<Self, GameError> {
        let place = self.about().sizes.iter().position(|size| size.name == name);
        match place.and_then(|place| self.sizes.get_mut(place)) {
            Some(place) => *place = size,
            None => return Err(GameError::NoSetting { setting: quoted(name), game: self.about().title }),
        }
        Ok(self)
    }

    /// The game with another evaluator.
    pub fn with_evaluator(self, name: &str) -> Result<Self, GameError> {
        let about = self.about();
        match about.evaluators.iter().find(|evaluator| **evaluator == name) {
            Some(evaluator) => Ok(Self { evaluator: Some(evaluator), ..self }),
            None if about.evaluators.is_empty() => {
                Err(GameError::NoSetting { setting: "evaluator".to_owned(), game: about.title })
            }
            None => Err(GameError::Evaluator { text: quoted(name), about }),
        }
    }

    /// The game, its sizes and its evaluator for readers.
    pub fn title(&self) -> String {
        let evaluator = self.named_evaluator().map(|name| format!(", evaluator {name}"));
        format!("{}{}", self.kind.title(&self.sizes), evaluator.unwrap_or_default())
    }

    /// The beginning of a game; an error if there is no such board.
    pub fn begin(&self) -> Result<Box<dyn AnyStart>, GameError> {
        self.kind.begin(&self.sizes, self.evaluator)
    }

    /// The same with the type of its positions, if they are of this type.
    pub fn begin_as<B: Board>(&self) -> Option<Result<B, GameError>> {
        self.is::<B>().then(|| B::begin(&self.sizes, self.evaluator))
    }
}

/// The beginning of a text that a message quotes.
fn quoted(text: &str) -> String {
    text.chars().take(40).collect()
}

/// How all games are written.
fn syntaxes() -> String {
    listed(&games().map(|game| game.about().syntax()).collect::<Vec<_>>(), "and")
}

/// `did you mean …? ` if a name is similar enough.
fn suggestion(text: &str) -> String {
    let given = text.split(':').next().unwrap_or(text);
    let similar = prodmax_rules::similar_name(given, games().map(|game| game.about().name));
    similar.filter(|name| *name != given).map_or_else(String::new, |name| format!("did you mean {name}? "))
}

/// Why a game or position is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// No game is written like this.
    #[error("`{0}` is not a game; {suggestion}the games are {all}", suggestion = suggestion(.0), all = syntaxes())]
    Unknown(String),
    /// Neither a text nor settings.
    #[error("a game is written as a text in quotes; the games are {}", syntaxes())]
    NotWritten,
    /// The evaluator of another game, or of none.
    #[error("`{text}` is not an evaluator of {}; write {}", about.title, about.evaluator_names())]
    Evaluator {
        /// The given text.
        text: String,
        /// What there is.
        about: &'static About,
    },
    /// A setting of another game, or of none.
    #[error("{game} has no setting `{setting}`; leave it out")]
    NoSetting {
        /// The given name.
        setting: String,
        /// The game, for readers.
        game: &'static str,
    },
    /// A setting that is named twice.
    #[error("the setting `{0}` is given twice; give it once")]
    SettingTwice(String),
    /// A size that is not a number, or an evaluator that is not a name.
    #[error("the setting `{setting}` must be {kind}")]
    SettingKind {
        /// Its name.
        setting: String,
        /// What it must be.
        kind: &'static str,
    },
    /// The board is impossible: what the game says.
    #[error("{0}")]
    Board(String),
    /// Not a list of numbers.
    #[error("`{0}` is not a move; write a list of numbers like 4,4,1")]
    NoMove(String),
    /// A move that the rules do not allow.
    #[error("move {number}, {chosen}, is not legal there; the legal moves are {legal}")]
    Illegal {
        /// The place of the move in the list, from 1.
        number: usize,
        /// The move as typed.
        chosen: usize,
        /// The legal moves.
        legal: String,
    },
    /// Moves after the end.
    #[error("move {number}, {chosen}, cannot be made: the game is already over")]
    Over {
        /// The place of the move in the list, from 1.
        number: usize,
        /// The move as typed.
        chosen: usize,
    },
}

/// Moves as people write them: numbers from 1, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct MoveList(pub Vec<Move>);

impl FromStr for MoveList {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let read = |part: &str| {
            let number = part.trim().parse::<Move>().ok().and_then(|number| number.checked_sub(1));
            number.ok_or_else(|| GameError::NoMove(quoted(part.trim())))
        };
        text.split(',').map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl TryFrom<String> for MoveList {
    type Error = GameError;
    fn try_from(text: String) -> Result<Self, GameError> {
        text.parse()
    }
}

impl From<MoveList> for String {
    fn from(list: MoveList) -> Self {
        list.to_string()
    }
}

impl std::fmt::Display for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> =
            self.0.iter().map(|chosen| (usize::from(*chosen) + 1).to_string()).collect();
        f.write_str(&numbers.join(","))
    }
}

/// Plays a list of moves, each of which must be legal.
///
/// ```
/// use prodmax_games::{game::play_all, kalah::Kalah};
/// let message = play_all(Kalah::start(6, 4)?, &"3,3".parse()?).unwrap_err().to_string();
/// assert_eq!(message, "move 2, 3, is not legal there; the legal moves are 1, 2, 4, 5 and 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_all<P: Position>(start: P, list: &MoveList) -> Result<P, GameError> {
    let mut position = start;
    for (index, &next) in list.0.iter().enumerate() {
        let (number, chosen) = (index + 1, usize::from(next) + 1);
        if position.outcome().is_some() {
            return Err(GameError::Over { number, chosen });
        }
        if !position.moves().any(|legal| legal == next) {
            let legal: Vec<String> =
                position.moves().map(|legal| (usize::from(legal) + 1).to_string()).collect();
            return Err(GameError::Illegal { number, chosen, legal: listed(&legal, "and") });
        }
        position = position.play(next);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Kalah;

    #[test]
    fn lists_are_read_and_printed() {
        let list: MoveList = "4, 4,1".parse().unwrap();
        assert_eq!((list.0.as_slice(), list.to_string().as_str()), (&[3, 3, 0][..], "4,4,1"));
        assert_eq!(" ".parse::<MoveList>().unwrap(), MoveList::default());
        for bad in ["0", "x", "1,,2", "-1", "1.5", "300"] {
            let message = bad.parse::<MoveList>().unwrap_err().to_string();
            assert!(message.ends_with("is not a move; write a list of numbers like 4,4,1"), "{message}");
        }
    }

    #[test]
    fn moves_after_the_end_are_refused() {
        let start = Kalah::start(1, 1).unwrap();
        let message = play_all(start, &"1,1".parse().unwrap()).unwrap_err().to_string();
        assert_eq!(message, "move 2, 1, cannot be made: the game is already over");
    }
}
