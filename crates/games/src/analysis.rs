//! What a player finds in one position: the values of its moves.

use serde::Serialize;
use thiserror::Error;

use crate::penalty::PenaltySearch;
use crate::player::{Player, PlayerError, Resource};
use crate::position::{Position, Side};
use crate::search::deepening::deepen_until;
use crate::search::{FullWidth, MoveValue, Ply, SearchError, Stop, alpha_beta, best};

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Who moves.
    pub side: Side,
    /// A drawing of the board.
    pub board: String,
    /// The moves and their values, as probabilities.
    pub values: Vec<MoveValue>,
    /// The best move.
    pub best: MoveValue,
    /// Whether the other moves are only known not to be better, so that their values are missing.
    pub only_best: bool,
    /// What the search took.
    pub effort: SearchEffort,
}

/// What a search took, as far as its method counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchEffort {
    /// positions that were evaluated, full width
    pub leaves: Option<u64>,
    /// child positions generated, with a bound on calls or time
    pub calls: Option<u64>,
    /// for alphabeta with such a bound: the deepest search that was finished
    pub depth: Option<u64>,
    /// for penalty searches: the depth of the deepest tip
    pub deepest: Option<u64>,
}

impl SearchEffort {
    /// The counts by their names.
    pub fn named(&self) -> [(&'static str, Option<u64>); 4] {
        let Self { leaves, calls, depth, deepest } = *self;
        [("leaves", leaves), ("calls", calls), ("depth", depth), ("deepest", deepest)]
    }
}

/// Why a position cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// The player or the search is not possible.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The search ended before every move had a value.
    #[error("{resource} are not enough for the {moves} moves of the position; give more")]
    TooLittle {
        /// What the player could use.
        resource: Resource,
        /// The number of moves.
        moves: usize,
    },
}

impl From<SearchError> for AnalysisError {
    fn from(error: SearchError) -> Self {
        Self::Player(error.into())
    }
}

/// The position as the player evaluates it; an error if the player cannot search it.
pub(crate) fn searchable<P: Position>(
    position: &P,
    player: &Player,
    resource: Resource,
) -> Result<P, AnalysisError> {
    player.check(resource)?;
    let position = player.sees(position)?;
    if position.outcome().is_some() { Err(SearchError::Over.into()) } else { Ok(position) }
}

/// Searches a position like a player.
pub fn analyse<P: Position>(
    position: &P,
    player: &Player,
    resource: Resource,
    ply: Ply,
) -> Result<Analysis, AnalysisError> {
    let position = searchable(position, player, resource)?;
    let (mut only_best, mut first_best) = (false, None);
    let (values, effort) = match (player, resource) {
        (Player::Rule(rule) | Player::Single(rule), Resource::Depth(depth)) => {
            let mut search = match player {
                Player::Single(_) => FullWidth::in_single(rule, depth, ply)?,
                _ => FullWidth::new(rule, depth, ply)?,
            };
            let mut values = search.move_values(&position)?;
            first_best = search.best_moves(&values).first().copied();
            // Means are backed up as powers, products as odds.
            values.iter_mut().for_each(|each| each.value = search.shown(each.value));
            (values, SearchEffort { leaves: Some(search.leaves()), ..SearchEffort::default() })
        }
        (Player::AlphaBeta(_), Resource::Depth(depth)) => {
            (alpha_beta::move_values(&position, depth, ply)?, SearchEffort::default())
        }
        (Player::AlphaBeta(_), Resource::Calls(_) | Resource::Milliseconds(_)) => {
            let found = deepen_until(&position, resource.calls()?, Stop::default());
            let found = found.ok_or(SearchError::Over)?;
            only_best = true;
            let (calls, depth) = (Some(found.calls), Some(found.depth as u64));
            (vec![found.best], SearchEffort { calls, depth, ..SearchEffort::default() })
        }
        (Player::Penalty(penalty), Resource::Calls(_) | Resource::Milliseconds(_)) => {
            let mut search = PenaltySearch::with(*penalty, &position, resource.calls()?);
            search.run();
            if let Some(problem) = search.problem() {
                return Err(problem.into());
            }
            let deepest = search.by_depth().len() as u64 - 1;
            if search.move_values().is_empty() {
                return Err(AnalysisError::TooLittle { resource, moves: position.moves().count() });
            }
            let (calls, deepest) = (Some(search.calls()), Some(deepest));
            (search.move_values(), SearchEffort { calls, deepest, ..SearchEffort::default() })
        }
        // Refused above.
        (Player::Rule(_) | Player::Single(_), _) | (Player::Penalty(_), Resource::Depth(_)) => {
            return Err(SearchError::Over.into());
        }
    };
    let best = first_best.or_else(|| best(&values)).ok_or(SearchError::Over)?;
    Ok(Analysis { side: position.side(), board: position.to_string(), values, best, only_best, effort })
}
