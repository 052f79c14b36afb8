//! Full-width search: every line to the same depth, values backed up by any rule of `prodmax-rules`.
//!
//! A value is the estimated probability of a win for the side to move in the searched position, so that side is MAX.
//! A finished game is worth 1, 1/2 or 0. The height of a node is the number of plies still to be searched below it.
//!
//! | module | what lives there |
//! | --- | --- |
//! | `full_width` | the search by any rule, with equal positions merged or not |
//! | `choice` | the moves that it chooses, without valuing every line |
//! | [`alpha_beta`] | the same values for minimaxing, with fewer nodes |
//! | [`deepening`] | alpha-beta with iterative deepening, bounded by calls or time |
//! | [`merging`] | the table of positions already valued |
//! | `rule` | the rule of a search, in doubles or in single precision |
//! | `single` | any rule in single precision, and product propagation in it without valuing every line |

pub mod alpha_beta;
mod choice;
pub mod deepening;
mod full_width;
pub mod merging;
mod rule;
mod single;

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_rules::{Leaves, Rule};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::any::AnyGame;
use crate::board::listed;
use crate::game::games;
use crate::position::{Move, Position};

pub use choice::{Choice, Turn};
pub use full_width::FullWidth;
pub use rule::SearchRule;
pub use single::InSingle;

/// What counts as a ply in games where a side can move again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ply {
    /// Every move.
    #[default]
    Move,
    /// A whole turn: extra moves belong to the same ply as the first. Each of them is still a separate node.
    Turn,
    /// A whole turn as a single move: the children of a node are the positions after complete turns, one for each
    /// sequence of moves. Below the searched position, minimaxing and product propagation find the same values as with
    /// [`Self::Turn`].
    Whole,
}

impl Ply {
    /// All readings.
    pub const ALL: [Self; 3] = [Self::Move, Self::Turn, Self::Whole];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Turn => "turn",
            Self::Whole => "whole",
        }
    }

    /// Whether a child lies within a turn that is a single move.
    #[inline]
    pub(crate) fn goes_on<P: Position>(self, parent: &P, child: &P) -> bool {
        self == Self::Whole && child.outcome().is_none() && child.side() == parent.side()
    }

    /// The height of a child of a node of height `height`, which is at least 1.
    #[inline]
    pub(crate) fn height_below<P: Position>(self, parent: &P, child: &P, height: usize) -> usize {
        if self != Self::Move && parent.side() == child.side() { height } else { height - 1 }
    }
}

impl FromStr for Ply {
    type Err = SearchError;
    fn from_str(text: &str) -> Result<Self, SearchError> {
        let named = Self::ALL.into_iter().find(|ply| ply.name() == text);
        named.ok_or_else(|| SearchError::Ply(text.chars().take(40).collect()))
    }
}

/// Why a search is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Too shallow or too deep.
    #[error("a search of depth {0} is not possible; give a depth between 1 and {most}", most = MAX_DEPTH)]
    Depth(usize),
    /// The rule needs the truth, which is unknown.
    #[error("{0} sees the true probabilities, which nobody knows in a real game; name another rule")]
    Truth(String),
    /// The rule needs probabilities.
    #[error(
        "this rule needs probabilities, but the evaluator gives scores, which can be less than 0 or greater than 1; name minimax, \
         alphabeta or single:product"
    )]
    Scores,
    /// Not a reading of ply.
    #[error(
        "`{0}` is not a reading of ply; write move (every move counts), turn (extra moves belong to the same ply) or whole \
         (a whole turn is a single move)"
    )]
    Ply(String),
    /// Stopped from outside.
    #[error("the search was interrupted")]
    Interrupted,
    /// The evaluator gives something that is not a probability.
    #[error(
        "the evaluator gives {0}, which is not a probability; the penalty search needs values between 0 and 1, which it makes \
         positive"
    )]
    Improbable(String),
    /// An evaluator of another game.
    #[error(
        "{player} evaluates by {evaluator}, which belongs to {}; name alphabeta",
        with_evaluator(evaluator)
    )]
    NoEvaluator {
        /// The player.
        player: String,
        /// Its evaluator.
        evaluator: String,
    },
    /// No clock.
    #[error(
        "this system does not report the processor time of a thread ({0}); give --calls or --depth instead"
    )]
    NoClock(String),
    /// Nothing to search.
    #[error("the game is over in this position, so there is no move to search")]
    Over,
}

/// The games that have an evaluator.
fn with_evaluator(name: &str) -> String {
    let all = games().map(AnyGame::about).filter(|about| about.evaluators.contains(&name));
    listed(&all.map(|about| about.title.to_owned()).collect::<Vec<_>>(), "and")
}

/// A flag that a search checks now and then to see whether to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl<'a> Stop<'a> {
    /// Nodes of this height and above check the flag: the time between two checks is that of some hundred leaves.
    pub(crate) const HEIGHT: usize = 4;

    /// Stops when the flag becomes true. The default never stops.
    pub fn when(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    /// Whether to stop now.
    #[inline]
    pub fn now(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The deepest search allowed: a deeper one would never finish.
pub const MAX_DEPTH: usize = 40;

/// An error if a rule cannot be searched to this depth.
pub fn check(rule: &Rule, depth: usize) -> Result<(), SearchError> {
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(SearchError::Depth(depth));
    }
    if rule.leaves() == Leaves::Truth {
        return Err(SearchError::Truth(rule.to_string()));
    }
    Ok(())
}

/// A move and the value that a search found for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// The move.
    pub chosen: Move,
    /// The value as the rule backs it up: a power for means, odds for product propagation.
    pub value: f64,
}

/// The first move with the greatest value.
pub fn best(values: &[MoveValue]) -> Option<MoveValue> {
    let better = |best: MoveValue, next: &MoveValue| if next.value > best.value { *next } else { best };
    values.split_first().map(|(first, rest)| rest.iter().fold(*first, better))
}
