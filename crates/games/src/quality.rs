//! Decision quality: how often a search chooses a move that keeps the game-theoretic value, which an exact solver knows.
//!
//! Positions are drawn at random: as many moves (in Connect-Four, discs) as are drawn evenly from a range, each in a random column.
//! Positions are drawn again in which the game is over, one more disc of either side would end it (every search finds or
//! prevents that), or no move is better than another. Position number n of a seed has a
//! stream of random numbers of its own, so it depends on nothing but the spec and n.

mod results;

use std::sync::atomic::{AtomicBool, Ordering};

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use results::{Found, QualityResults, QualityRow};

use crate::board::{BestMoves, Board, Solving, listed};
use crate::game::{Game, GameError, games};
use crate::player::{Player, PlayerError, Resource, TieBreak, drawn};
use crate::position::{Move, Position};
use crate::search::{Ply, Stop};

/// What is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct QualitySpec {
    /// a short name
    pub id: String,
    /// the title that readers see
    pub title: String,
    /// the game and its size; there must be a solver
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::game::solved_schema"))]
    pub game: Game,
    /// the fewest and the most discs on the board
    pub discs: [usize; 2],
    /// how many positions
    pub positions: u64,
    /// of the random numbers; position number n takes a stream of it that belongs to n alone
    #[serde(default)]
    pub seed: u64,
    /// who searches
    pub players: Vec<Player>,
    /// what bounds each search: every player searches every position with each of these
    pub resources: Vec<Resource>,
}

/// Why quality cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QualityError {
    /// No solver.
    #[error("the quality of decisions is measured in {all} only, because {0} has no solver here", all = solved())]
    NoSolver(&'static str),
    /// The board.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The discs.
    #[error(
        "{from} to {to} discs on {squares} squares are not possible; give a range that leaves at least 1 and at most \
         {most} squares free",
        most = QualitySpec::MAX_EMPTY
    )]
    Discs {
        /// As given.
        from: usize,
        /// As given.
        to: usize,
        /// Of the board.
        squares: usize,
    },
    /// How many.
    #[error("{0} positions cannot be measured; give at least 1 and at most {most}", most = QualitySpec::MAX_POSITIONS)]
    Positions(u64),
    /// Nobody, or nothing.
    #[error("there is nothing to measure; name at least one player and one number of calls, depth or time")]
    Nothing,
    /// The board is too small.
    #[error(
        "no position with {from} to {to} discs was found in which nobody can win at once and one move is better than \
         another; give another range of discs"
    )]
    NoChoice {
        /// As given.
        from: usize,
        /// As given.
        to: usize,
    },
    /// Stopped.
    #[error("interrupted before all positions were searched")]
    Interrupted,
}

/// The games that can be solved.
fn solved() -> String {
    let solved = games().filter(|game| game.is_solved()).map(|game| game.about().title.to_owned());
    listed(&solved.collect::<Vec<_>>(), "and")
}

/// A position whose best moves are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedPosition<P> {
    /// The position.
    pub position: P,
    /// Its moves from the start on.
    pub moves: Vec<Move>,
    /// The moves that keep its value; there are others.
    pub best: Vec<Move>,
}

/// The maximum number of positions drawn to find one with a choice.
const MAX_DRAWS: usize = 10_000;

impl QualitySpec {
    /// The maximum number of free squares: more take the solver seconds or minutes.
    pub const MAX_EMPTY: usize = 30;
    /// The maximum number of positions in one run.
    pub const MAX_POSITIONS: u64 = 1_000_000;

    /// Checks everything that can be wrong from a start; how its game is solved.
    pub fn check<B: Board>(&self, start: &B) -> Result<Solving<B>, QualityError> {
        let solving = B::SOLVING.ok_or(QualityError::NoSolver(B::ABOUT.title))?;
        let ([from, to], squares) = (self.discs, (solving.longest)(start));
        if from > to || to >= squares || squares - from > Self::MAX_EMPTY {
            return Err(QualityError::Discs { from, to, squares });
        }
        if !(1..=Self::MAX_POSITIONS).contains(&self.positions) {
            return Err(QualityError::Positions(self.positions));
        }
        if self.players.is_empty() || self.resources.is_empty() {
            return Err(QualityError::Nothing);
        }
        for player in &self.players {
            for resource in &self.resources {
                player.check(*resource)?;
            }
        }
        Ok(solving)
    }

    /// The position with a number, from a start.
    pub fn position<B: Board>(
        &self,
        start: &B,
        number: u64,
        best_moves: &mut BestMoves<B>,
    ) -> Result<SolvedPosition<B>, QualityError> {
        let solving = self.check(start)?;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        let [from, to] = self.discs;
        let counts: Vec<Move> =
            (0..=(to - from).min(usize::from(Move::MAX))).map(|more| more as Move).collect();
        for _ in 0..MAX_DRAWS {
            let discs = from + usize::from(drawn(&counts, &mut random).unwrap_or(0));
            let (mut position, mut moves) = (*start, Vec::with_capacity(discs));
            while moves.len() < discs {
                let legal: Vec<Move> = position.moves().collect();
                let Some(chosen) = drawn(&legal, &mut random) else { break };
                position = position.play(chosen);
                moves.push(chosen);
            }
            if moves.len() < discs || position.outcome().is_some() || (solving.is_urgent)(&position) {
                continue;
            }
            let best = best_moves(&position);
            if best.len() < position.moves().count() {
                return Ok(SolvedPosition { position, moves, best });
            }
        }
        Err(QualityError::NoChoice { from, to })
    }

    /// Lets all players search all positions, on all threads. `step` is called after every finished position. When
    /// `interrupt` becomes true, no further position is begun.
    pub fn measure(
        &self,
        interrupt: &AtomicBool,
        step: &(dyn Fn() + Sync),
    ) -> Result<QualityResults, QualityError> {
        self.game.begin()?.measure(self, interrupt, step)
    }
}

/// [`QualitySpec::measure`] from a start.
pub(crate) fn measure_from<B: Board>(
    start: &B,
    spec: &QualitySpec,
    interrupt: &AtomicBool,
    step: &(dyn Fn() + Sync),
) -> Result<QualityResults, QualityError> {
    let solving = spec.check(start)?;
    let searches: Vec<(&Player, Resource)> = spec
        .players
        .iter()
        .flat_map(|player| spec.resources.iter().map(move |&resource| (player, resource)))
        .collect();
    let one = |best_moves: &mut BestMoves<B>, number: u32| {
        if interrupt.load(Ordering::Relaxed) {
            return Err(QualityError::Interrupted);
        }
        let solved = spec.position(start, number.into(), best_moves)?;
        let finds = |&(player, resource): &(&Player, Resource)| {
            Ok(solved.best.contains(&choose(player, resource, &solved.position, Stop::when(interrupt))?))
        };
        let found = searches.iter().map(finds).collect::<Result<Vec<bool>, QualityError>>()?;
        step();
        Ok((solved.best.len() as f64 / solved.position.moves().count() as f64, found))
    };
    let positions: Vec<(f64, Vec<bool>)> = (0..spec.positions as u32)
        .into_par_iter()
        .with_max_len(8)
        .map_init(solving.solver, one)
        .collect::<Result<_, _>>()?;
    let row = |(index, (player, resource)): (usize, &(&Player, Resource))| QualityRow {
        player: (*player).clone(),
        resource: *resource,
        found: Found(positions.iter().map(|(_, found)| found[index]).collect()),
    };
    Ok(QualityResults {
        spec: spec.clone(),
        chance: positions.iter().map(|(chance, _)| chance).sum::<f64>() / positions.len() as f64,
        rows: searches.iter().enumerate().map(row).collect(),
    })
}

/// The move that a player chooses; of equally good ones the first.
fn choose<P: Position>(
    player: &Player,
    resource: Resource,
    position: &P,
    stop: Stop<'_>,
) -> Result<Move, PlayerError> {
    let mut seat = player.seat::<P>(resource, Ply::Move, TieBreak::First)?;
    // Used only where ties are broken at random.
    let mut random = ChaCha8Rng::seed_from_u64(0);
    Ok(seat.choose(position, &mut random, stop)?)
}
