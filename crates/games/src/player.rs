//! Players by name: a rule with full-width search, alpha-beta, or the penalty search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use prodmax_rules::{Rule, RuleError};
use rand_core::Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::calls::Calls;
use crate::game::games;
use crate::penalty::{Penalty, PenaltyError, PenaltySearch};
use crate::position::{Move, Position};
use crate::search::deepening::deepen_until;
use crate::search::{Choice, FullWidth, MoveValue, Ply, SearchError, Stop, Turn, alpha_beta, best, check};

/// A player, without its resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum Player {
    /// Full-width search with values backed up by a rule.
    Rule(Rule),
    /// The same in single precision, products as probabilities: what vanishes in it vanishes.
    Single(Rule),
    /// Alpha-beta, to a depth or with iterative deepening; with an evaluator of its own, or with that of the game.
    AlphaBeta(Option<String>),
    /// Rivest's penalty search.
    Penalty(Penalty),
}

/// The bound on a player's search for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// plies
    Depth(usize),
    /// child positions generated
    Calls(u64),
    /// processor time of the searching thread; results depend on the machine and cannot be repeated exactly
    Milliseconds(u64),
}

/// How a player chooses among moves of equal value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TieBreak {
    /// The first one: the hole or column with the lowest number.
    #[default]
    First,
    /// One of them at random (full-width players only).
    Random,
}

/// Why a player is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// Neither a search nor a rule.
    #[error(
        "`{text}` is not a player: players are alphabeta, alphabeta:EVALUATOR, penalty:P, penalty:P:reverse, the rules and, in \
         single precision, single:RULE; {source}"
    )]
    Unknown {
        /// The given text.
        text: String,
        /// Why it is not a rule.
        source: RuleError,
    },
    /// The parameters of a rule are invalid.
    #[error(transparent)]
    Rule(RuleError),
    /// The parameters of a penalty search are invalid.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// The depth or the rule is not possible.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A rule cannot be bounded by calls.
    #[error("{0} searches full width to a depth, not to a number of calls; give --depth")]
    NeedsDepth(String),
    /// A rule cannot be bounded by time.
    #[error("{0} searches full width to a depth, not for a time; give --depth")]
    NotTimed(String),
    /// A penalty search cannot be bounded by depth.
    #[error("{0} has no depth: it expands one position after another; give --calls or --milliseconds")]
    NeedsCalls(String),
    /// No calls, or too many.
    #[error("{0} calls per move are not possible; give a number between 1 and {most}", most = Resource::MAX_CALLS)]
    Calls(u64),
    /// No time, or too much.
    #[error(
        "{0} milliseconds per move are not possible; give a number between 1 and {most}",
        most = Resource::MAX_MILLISECONDS
    )]
    Milliseconds(u64),
}

impl Resource {
    /// The maximum number of calls for one move.
    pub const MAX_CALLS: u64 = 100_000_000;
    /// The maximum processor time for one move: an hour.
    pub const MAX_MILLISECONDS: u64 = 3_600_000;

    /// Whether a search with this bound gives the same result in every run and on every machine.
    pub fn is_repeatable(self) -> bool {
        !matches!(self, Self::Milliseconds(_))
    }

    /// The calls of one search that begins now; their number is not bounded by a depth.
    pub fn calls(self) -> Result<Calls, SearchError> {
        match self {
            Self::Depth(_) => Ok(Calls::unbounded()),
            Self::Calls(calls) => Ok(Calls::new(calls)),
            Self::Milliseconds(milliseconds) => Calls::within(Duration::from_millis(milliseconds)),
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Calls(calls) => write!(f, "{calls} calls"),
            Self::Milliseconds(milliseconds) => write!(f, "{milliseconds} ms"),
        }
    }
}

impl Player {
    /// An error if the player cannot use the resource.
    pub fn check(&self, resource: Resource) -> Result<(), PlayerError> {
        match (self, resource) {
            (_, Resource::Calls(calls)) if !(1..=Resource::MAX_CALLS).contains(&calls) => {
                Err(PlayerError::Calls(calls))
            }
            (_, Resource::Milliseconds(milliseconds))
                if !(1..=Resource::MAX_MILLISECONDS).contains(&milliseconds) =>
            {
                Err(PlayerError::Milliseconds(milliseconds))
            }
            (Self::Rule(rule) | Self::Single(rule), Resource::Depth(depth)) => Ok(check(rule, depth)?),
            (Self::Rule(_) | Self::Single(_), Resource::Calls(_)) => {
                Err(PlayerError::NeedsDepth(self.to_string()))
            }
            (Self::Rule(_) | Self::Single(_), Resource::Milliseconds(_)) => {
                Err(PlayerError::NotTimed(self.to_string()))
            }
            (Self::Penalty(penalty), Resource::Depth(_)) => Err(PlayerError::NeedsCalls(penalty.to_string())),
            (Self::AlphaBeta(_), Resource::Depth(depth)) => {
                Ok(check(&Rule::Minimax(Default::default()), depth)?)
            }
            (Self::AlphaBeta(_) | Self::Penalty(_), Resource::Calls(_) | Resource::Milliseconds(_)) => Ok(()),
        }
    }

    /// A position as the player evaluates it; an error if the game has no such evaluation.
    pub fn sees<P: Position>(&self, position: &P) -> Result<P, SearchError> {
        let Self::AlphaBeta(Some(evaluator)) = self else { return Ok(*position) };
        let error = || SearchError::NoEvaluator { player: self.to_string(), evaluator: evaluator.clone() };
        position.evaluated(evaluator).ok_or_else(error)
    }

    /// The player, ready for a game.
    pub fn seat<P: Position>(
        &self,
        resource: Resource,
        ply: Ply,
        ties: TieBreak,
    ) -> Result<Seat<P>, PlayerError> {
        self.check(resource)?;
        let method = match (self, resource) {
            // The same moves as a full-width search, but faster.
            (Self::Rule(Rule::Minimax(_)) | Self::AlphaBeta(_), Resource::Depth(depth)) => {
                SearchMethod::AlphaBeta(depth)
            }
            (Self::Rule(rule), Resource::Depth(depth)) => match Choice::new(rule, depth, ply)? {
                Some(choice) => SearchMethod::Choice(choice),
                None => SearchMethod::FullWidth(FullWidth::new(rule, depth, ply)?),
            },
            (Self::Single(rule), Resource::Depth(depth)) => match Choice::in_single(rule, depth, ply)? {
                Some(choice) => SearchMethod::Choice(choice),
                None => SearchMethod::FullWidth(FullWidth::in_single(rule, depth, ply)?),
            },
            // Refused above.
            (Self::Rule(_) | Self::Single(_), _) => return Err(PlayerError::NeedsDepth(self.to_string())),
            (Self::AlphaBeta(_), _) => SearchMethod::Deepening(resource),
            (Self::Penalty(penalty), _) => SearchMethod::Penalty(*penalty, resource),
        };
        Ok(Seat { player: self.clone(), method, ply, ties, begun: None })
    }
}

/// Whether any game has an evaluator of this name.
fn is_evaluator(name: &str) -> bool {
    games().any(|game| game.about().evaluators.contains(&name))
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let text = text.trim();
        let parts: Vec<&str> = text.split(':').collect();
        let rule = |text: &str| {
            text.parse().map_err(|source| match source {
                RuleError::Unknown { text } => {
                    PlayerError::Unknown { text: text.clone(), source: RuleError::Unknown { text } }
                }
                other => PlayerError::Rule(other),
            })
        };
        match parts[..] {
            ["alphabeta"] => Ok(Self::AlphaBeta(None)),
            ["alphabeta", name] if is_evaluator(name) => Ok(Self::AlphaBeta(Some(name.to_owned()))),
            ["penalty", ref parameters @ ..] => Ok(Self::Penalty(Penalty::read(parameters)?)),
            ["single", ref rest @ ..] => rule(&rest.join(":")).map(Self::Single),
            _ => rule(text).map(Self::Rule),
        }
    }
}

impl TryFrom<String> for Player {
    type Error = PlayerError;
    fn try_from(text: String) -> Result<Self, PlayerError> {
        text.parse()
    }
}

impl From<Player> for String {
    fn from(player: Player) -> Self {
        player.to_string()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => rule.fmt(f),
            Self::Single(rule) => write!(f, "single:{rule}"),
            Self::AlphaBeta(None) => f.write_str("alphabeta"),
            Self::AlphaBeta(Some(evaluator)) => write!(f, "alphabeta:{evaluator}"),
            Self::Penalty(penalty) => penalty.fmt(f),
        }
    }
}

/// A player at the board.
#[derive(Clone, Debug)]
pub struct Seat<P> {
    player: Player,
    method: SearchMethod<P>,
    ply: Ply,
    ties: TieBreak,
    /// A turn in progress that was searched as a single move: the position it has reached, and the best ways to go on.
    begun: Option<(P, Vec<Turn>)>,
}

#[derive(Clone, Debug)]
enum SearchMethod<P> {
    FullWidth(FullWidth<P>),
    Choice(Choice),
    AlphaBeta(usize),
    Deepening(Resource),
    Penalty(Penalty, Resource),
}

impl<P: Position> Seat<P> {
    /// The move chosen in a position where the game is not over. `random` is used only to break ties at random. An error
    /// if the search was asked to stop.
    pub fn choose(
        &mut self,
        position: &P,
        random: &mut impl Rng,
        stop: Stop<'_>,
    ) -> Result<Move, SearchError> {
        let position = self.player.sees(position)?;
        let chosen = self.search(&position, random, stop)?;
        if stop.now() { Err(SearchError::Interrupted) } else { Ok(chosen) }
    }

    fn search(&mut self, position: &P, random: &mut impl Rng, stop: Stop<'_>) -> Result<Move, SearchError> {
        let first_legal = || position.moves().next().ok_or(SearchError::Over);
        match &mut self.method {
            SearchMethod::FullWidth(search) => {
                let values = search.move_values_until(position, stop)?;
                let mut moves: Vec<Move> =
                    search.best_moves(&values).iter().map(|each| each.chosen).collect();
                if self.ties == TieBreak::First {
                    moves.truncate(1);
                }
                drawn(&moves, random).ok_or(SearchError::Over)
            }
            SearchMethod::Choice(search) => {
                let turns = match self.begun.take() {
                    Some((reached, turns)) if reached == *position => turns,
                    _ => search.best_turns_until(position, stop)?.0,
                };
                let mut moves: Vec<Move> = turns.iter().filter_map(|turn| turn.first().copied()).collect();
                moves.dedup();
                if self.ties == TieBreak::First {
                    moves.truncate(1);
                }
                let chosen = drawn(&moves, random).ok_or(SearchError::Over)?;
                let rest = |turn: Turn| match turn.split_first() {
                    Some((first, rest)) if *first == chosen && !rest.is_empty() => Some(rest.to_vec()),
                    _ => None,
                };
                let rests: Vec<Turn> = turns.into_iter().filter_map(rest).collect();
                self.begun = (!rests.is_empty()).then(|| (position.play(chosen), rests));
                Ok(chosen)
            }
            SearchMethod::AlphaBeta(depth) => {
                let all = self.ties == TieBreak::Random;
                let (moves, _) = alpha_beta::best_moves_until(position, *depth, self.ply, all, stop)?;
                drawn(&moves, random).ok_or(SearchError::Over)
            }
            SearchMethod::Deepening(resource) => {
                let found = deepen_until(position, resource.calls()?, stop);
                Ok(found.ok_or(SearchError::Over)?.best.chosen)
            }
            SearchMethod::Penalty(penalty, resource) => {
                let mut search = PenaltySearch::with(*penalty, position, resource.calls()?);
                while !stop.now() && search.expand_next() {}
                if let Some(problem) = search.problem() {
                    return Err(problem);
                }
                best(&search.move_values()).map_or_else(first_legal, |best: MoveValue| Ok(best.chosen))
            }
        }
    }
}

/// One of the moves at random; a single one uses no random number.
pub(crate) fn drawn(moves: &[Move], random: &mut impl Rng) -> Option<Move> {
    match moves {
        [] => None,
        [only] => Some(*only),
        _ => {
            // The high half of a product: no noticeable bias for a handful of moves.
            let index = (u128::from(random.next_u64()) * moves.len() as u128) >> 64;
            moves.get(index as usize).copied()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_printed() {
        for text in [
            "alphabeta",
            "alphabeta:stores",
            "alphabeta:squares",
            "penalty:10",
            "penalty:2.5:reverse",
            "minimax",
            "hints:9/10",
            "single:product",
            "single:mean:4",
        ] {
            assert_eq!(text.parse::<Player>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_players_are_explained_in_a_sentence() {
        let message = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        assert!(
            message("nobody").starts_with(
                "`nobody` is not a player: players are alphabeta, alphabeta:EVALUATOR, penalty:P, penalty:P:reverse, the rules and, in \
                 single precision, single:RULE; `nobody` is not a rule; the rules are minimax"
            ),
            "{}",
            message("nobody")
        );
        assert_eq!(
            message("penalty:0"),
            "`0` is not an exponent of penalty:P; P must lie between 1 and 1000"
        );
        for bad in ["penalty", "penalty:x", "penalty:NaN", "penalty:inf", "penalty:-3", "penalty:1001"] {
            assert!(message(bad).ends_with("is not an exponent of penalty:P; P must lie between 1 and 1000"));
        }
        assert_eq!(
            message("penalty:10:sideways"),
            "`sideways` is not a scheme of the penalty search; write penalty:P or penalty:P:reverse"
        );
        assert_eq!(message("mean:0"), "in the rule `mean:0`: P must be an integer between 1 and 200");
        let refused =
            |text: &str, resource| text.parse::<Player>().unwrap().check(resource).unwrap_err().to_string();
        assert_eq!(
            refused("product", Resource::Calls(9)),
            "product searches full width to a depth, not to a number of calls; give --depth"
        );
        assert_eq!(
            refused("single:product", Resource::Calls(9)),
            "single:product searches full width to a depth, not to a number of calls; give --depth"
        );
        assert!(message("single:").starts_with("`` is not a player"), "{}", message("single:"));
        assert_eq!(
            refused("penalty:3", Resource::Depth(9)),
            "penalty:3 has no depth: it expands one position after another; give --calls or --milliseconds"
        );
        assert_eq!(
            refused("product", Resource::Milliseconds(9)),
            "product searches full width to a depth, not for a time; give --depth"
        );
        for impossible in [0, 3_600_001] {
            assert_eq!(
                refused("penalty:3", Resource::Milliseconds(impossible)),
                format!(
                    "{impossible} milliseconds per move are not possible; give a number between 1 and 3600000"
                )
            );
        }
        assert_eq!(
            refused("alphabeta", Resource::Calls(0)),
            "0 calls per move are not possible; give a number between 1 and 100000000"
        );
        assert_eq!(
            refused("alphabeta", Resource::Depth(60)),
            "a search of depth 60 is not possible; give a depth between 1 and 40"
        );
    }
}
