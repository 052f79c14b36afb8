//! The games by name, and sequences of moves as people type them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::connect4::{self, Connect4Error};
use crate::kalah::{self, KalahError};
use crate::position::{Move, Position};

/// A game with the size of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub enum Game {
    /// Kalah.
    Kalah {
        /// Holes per side.
        #[serde(default = "six")]
        holes: usize,
        /// Stones in each hole.
        #[serde(default = "six")]
        stones: usize,
        /// How positions are evaluated.
        #[serde(default, skip_serializing_if = "kalah::Evaluator::is_default")]
        evaluator: kalah::Evaluator,
    },
    /// Connect-Four.
    Connect4 {
        /// Columns of the board.
        #[serde(default = "seven")]
        columns: usize,
        /// Rows of the board.
        #[serde(default = "six")]
        rows: usize,
        /// How positions are evaluated.
        #[serde(default)]
        evaluator: connect4::Evaluator,
    },
}

impl Game {
    /// Kalah with Baum's evaluator, clamped.
    pub fn kalah(holes: usize, stones: usize) -> Self {
        Self::Kalah { holes, stones, evaluator: kalah::Evaluator::default() }
    }
}

fn seven() -> usize {
    7
}

fn six() -> usize {
    6
}

/// Why a game or position is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The Kalah board is invalid.
    #[error(transparent)]
    Kalah(#[from] KalahError),
    /// The Connect-Four board is invalid.
    #[error(transparent)]
    Connect4(#[from] Connect4Error),
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
            number.ok_or_else(|| GameError::NoMove(part.trim().chars().take(40).collect()))
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
        if !position.moves().contains(next) {
            return Err(GameError::Illegal { number, chosen, legal: listed(position.moves().collect()) });
        }
        position = position.play(next);
    }
    Ok(position)
}

/// `1, 2 and 3`.
fn listed(moves: Vec<Move>) -> String {
    let texts: Vec<String> = moves.iter().map(|chosen| (chosen + 1).to_string()).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => texts.concat(),
    }
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
