//! What a search needs from a game: a position that can be copied, its moves, its outcome and its evaluation.

use std::fmt;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// A move: a number from 0 (a hole, a column, or its place in the list of all legal moves). Readers see it counted from 1.
pub type Move = u8;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player who makes the first move of the game.
    First,
    /// The opponent.
    Second,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other one.
    #[must_use]
    #[inline]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 or 1.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The first player won.
    First,
    /// Nobody won.
    Draw,
    /// The second player won.
    Second,
}

impl Outcome {
    /// A win for one side.
    #[inline]
    pub fn win_of(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// Who won, if anybody.
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::First => Some(Side::First),
            Self::Draw => None,
            Self::Second => Some(Side::Second),
        }
    }

    /// The half points of a side: 2 for a win, 1 for a draw.
    #[inline]
    pub fn half_points(self, side: Side) -> u8 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::First, Side::First) | (Self::Second, Side::Second) => 2,
            _ => 0,
        }
    }

    /// What the game is worth to a side: 1, 1/2 or 0.
    #[inline]
    pub fn worth(self, side: Side) -> f64 {
        f64::from(self.half_points(side)) / 2.0
    }
}

/// A set of up to sixteen moves, in ascending order: what most games need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves(u16);

impl Moves {
    /// From a bit per move.
    #[inline]
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let next = self.0.trailing_zeros() as Move;
        self.0 &= self.0 - 1;
        Some(next)
    }

    #[inline]
    fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// A position of a two-player game without chance. It is small and copied freely: searches allocate nothing per node.
///
/// Its `Display` form is a drawing of the board.
pub trait Position: Copy + Eq + Hash + Send + Sync + fmt::Debug + fmt::Display {
    /// The legal moves of a position: [`Moves`], unless there can be more than sixteen.
    type Moves: Iterator<Item = Move> + Clone;

    /// The maximum number of moves in any position; at most 255.
    const MAX_MOVES: usize;

    /// Who moves. The sides need not alternate.
    fn side(&self) -> Side;

    /// The legal moves, each once and in ascending order; none if the game is over.
    fn moves(&self) -> Self::Moves;

    /// The position after a move, which must be legal.
    #[must_use]
    fn play(&self, chosen: Move) -> Self;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The estimated probability, between 0 and 1, that a side wins a game that is not over. The estimates for both
    /// sides add up to 1, up to rounding; a search uses only one side's, so that equal positions have equal values to
    /// the last bit.
    fn evaluation(&self, side: Side) -> f64;

    /// Whether evaluations are probabilities; otherwise they are scores that can be less than 0 or greater than 1.
    #[inline]
    fn is_probability(&self) -> bool {
        true
    }

    /// The same position with another of the game's evaluators; `None` if it has none of this name.
    fn evaluated(self, evaluator: &str) -> Option<Self> {
        let _ = evaluator;
        None
    }

    /// A hash for tables of positions.
    fn hash64(&self) -> u64;

    /// The value of the position for a side without looking ahead: its outcome or its evaluation.
    #[inline]
    fn static_value(&self, side: Side) -> f64 {
        match self.outcome() {
            Some(outcome) => outcome.worth(side),
            None => self.evaluation(side),
        }
    }
}
