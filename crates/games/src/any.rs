//! Games whose types are not known: what commands do with a game, written once for all of them.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use prodmax_jobs::Effort;

use crate::analysis::{Analysis, AnalysisError, analyse, searchable};
use crate::board::{About, Board};
use crate::effort;
use crate::game::{GameError, MoveList, play_all};
use crate::perft::perft;
use crate::play::log::{Drawn, PairOfGames, check_pair, draw};
use crate::play::run::play_unless;
use crate::play::{LogError, MatchError, MatchSpec};
use crate::player::{Player, Resource};
use crate::quality::{QualityError, QualityResults, QualitySpec, measure_from};
use crate::search::Ply;

/// A game in the list of all games.
pub trait AnyGame: Send + Sync {
    /// See [`Board::ABOUT`].
    fn about(&self) -> &'static About;
    /// Whether there is a solver: see [`Board::SOLVING`].
    fn is_solved(&self) -> bool;
    /// See [`Board::title`].
    fn title(&self, sizes: &[usize]) -> String;
    /// See [`Board::begin`].
    fn begin(&self, sizes: &[usize], evaluator: Option<&str>) -> Result<Box<dyn AnyStart>, GameError>;
}

/// A type of positions as a game of the list.
pub struct Listed<B>(PhantomData<fn() -> B>);

impl<B> Listed<B> {
    /// The only one.
    pub const NEW: Self = Self(PhantomData);
}

impl<B: Board> AnyGame for Listed<B> {
    fn about(&self) -> &'static About {
        &B::ABOUT
    }

    fn is_solved(&self) -> bool {
        B::SOLVING.is_some()
    }

    fn title(&self, sizes: &[usize]) -> String {
        B::title(sizes)
    }

    fn begin(&self, sizes: &[usize], evaluator: Option<&str>) -> Result<Box<dyn AnyStart>, GameError> {
        Ok(Box::new(B::begin(sizes, evaluator)?))
    }
}

/// A position of any game, and all that begins there.
pub trait AnyStart: Send + Sync {
    /// The position after some moves, each of which must be legal.
    fn after(&self, moves: &MoveList) -> Result<Box<dyn AnyStart>, GameError>;

    /// The number of sequences of moves: see [`perft`].
    fn perft(&self, depth: usize) -> Option<u64>;

    /// What counting the sequences up to a depth takes.
    fn counting_effort(&self, depth: usize) -> Effort;

    /// What a search takes; an error if it is not possible.
    fn search_effort(&self, player: &Player, resource: Resource) -> Result<Effort, AnalysisError>;

    /// What a player finds in this position.
    fn analyse(&self, player: &Player, resource: Resource, ply: Ply) -> Result<Analysis, AnalysisError>;

    /// An error if a match from here is not possible.
    fn check_match(&self, spec: &MatchSpec) -> Result<(), MatchError>;

    /// What a match takes on this many threads.
    fn match_effort(&self, spec: &MatchSpec, threads: usize) -> Effort;

    /// Plays both games of one pair of a match; `None` if `interrupt` became true before they ended.
    fn play_pair(
        &self,
        spec: &MatchSpec,
        resource: Resource,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<PairOfGames>, MatchError>;

    /// An error if a pair of games does not follow the rules.
    fn check_pair(&self, pair: &PairOfGames) -> Result<(), LogError>;

    /// All positions of a game whose first `opening` moves are its opening.
    fn replay(&self, moves: &MoveList, opening: usize) -> Result<Vec<Drawn>, GameError>;

    /// Lets players search positions whose best moves are known: see [`QualitySpec::measure`].
    fn measure(
        &self,
        spec: &QualitySpec,
        interrupt: &AtomicBool,
        step: &(dyn Fn() + Sync),
    ) -> Result<QualityResults, QualityError>;
}

impl<B: Board> AnyStart for B {
    fn after(&self, moves: &MoveList) -> Result<Box<dyn AnyStart>, GameError> {
        Ok(Box::new(play_all(*self, moves)?))
    }

    fn perft(&self, depth: usize) -> Option<u64> {
        perft(self, depth)
    }

    fn counting_effort(&self, depth: usize) -> Effort {
        effort::counting(self, depth)
    }

    fn search_effort(&self, player: &Player, resource: Resource) -> Result<Effort, AnalysisError> {
        Ok(effort::search(&searchable(self, player, resource)?, player, resource))
    }

    fn analyse(&self, player: &Player, resource: Resource, ply: Ply) -> Result<Analysis, AnalysisError> {
        analyse(self, player, resource, ply)
    }

    fn check_match(&self, spec: &MatchSpec) -> Result<(), MatchError> {
        spec.check(self)
    }

    fn match_effort(&self, spec: &MatchSpec, threads: usize) -> Effort {
        effort::of_match(spec, self, threads)
    }

    fn play_pair(
        &self,
        spec: &MatchSpec,
        resource: Resource,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<PairOfGames>, MatchError> {
        play_unless(spec, self, resource, number, interrupt)
    }

    fn check_pair(&self, pair: &PairOfGames) -> Result<(), LogError> {
        check_pair(self, pair)
    }

    fn replay(&self, moves: &MoveList, opening: usize) -> Result<Vec<Drawn>, GameError> {
        draw(*self, moves, opening)
    }

    fn measure(
        &self,
        spec: &QualitySpec,
        interrupt: &AtomicBool,
        step: &(dyn Fn() + Sync),
    ) -> Result<QualityResults, QualityError> {
        measure_from(self, spec, interrupt, step)
    }
}
