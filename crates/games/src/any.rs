//! Games whose types are not known: what commands do with a game, written once for all of them.

use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

use crate::analysis::{Analysis, AnalysisError, analyse, searchable};
use crate::board::{About, Board};
use crate::game::{GameError, MoveList, play_all};
use crate::perft::perft;
use crate::play::log::PairOfGames;
use crate::play::run::play_unless;
use crate::play::{MatchError, MatchSpec};
use crate::player::{Player, Resource};
use crate::position::{Outcome, Position, Side};
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
    /// Who moves.
    fn side(&self) -> Side;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// A drawing of the board.
    fn drawing(&self) -> String;

    /// The position after some moves, each of which must be legal.
    fn after(&self, moves: &MoveList) -> Result<Box<dyn AnyStart>, GameError>;

    /// The number of sequences of moves: see [`perft`].
    fn perft(&self, depth: usize) -> Option<u64>;

    /// An error if a player cannot search the position.
    fn check_search(&self, player: &Player, resource: Resource) -> Result<(), AnalysisError>;

    /// What a player finds in the position.
    fn analyse(&self, player: &Player, resource: Resource, ply: Ply) -> Result<Analysis, AnalysisError>;

    /// An error if a match from here is not possible.
    fn check_match(&self, spec: &MatchSpec) -> Result<(), MatchError>;

    /// Plays both games of one pair of a match; `None` if `interrupt` became true before they ended.
    fn play_pair(
        &self,
        spec: &MatchSpec,
        resource: Resource,
        number: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<PairOfGames>, MatchError>;

    /// Lets players search positions whose best moves are known: see [`QualitySpec::measure`].
    fn measure(
        &self,
        spec: &QualitySpec,
        interrupt: &AtomicBool,
        step: &(dyn Fn() + Sync),
    ) -> Result<QualityResults, QualityError>;
}

impl<B: Board> AnyStart for B {
    fn side(&self) -> Side {
        Position::side(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(self)
    }

    fn drawing(&self) -> String {
        self.to_string()
    }

    fn after(&self, moves: &MoveList) -> Result<Box<dyn AnyStart>, GameError> {
        Ok(Box::new(play_all(*self, moves)?))
    }

    fn perft(&self, depth: usize) -> Option<u64> {
        perft(self, depth)
    }

    fn check_search(&self, player: &Player, resource: Resource) -> Result<(), AnalysisError> {
        searchable(self, player, resource).map(drop)
    }

    fn analyse(&self, player: &Player, resource: Resource, ply: Ply) -> Result<Analysis, AnalysisError> {
        analyse(self, player, resource, ply)
    }

    fn check_match(&self, spec: &MatchSpec) -> Result<(), MatchError> {
        spec.check(self)
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

    fn measure(
        &self,
        spec: &QualitySpec,
        interrupt: &AtomicBool,
        step: &(dyn Fn() + Sync),
    ) -> Result<QualityResults, QualityError> {
        measure_from(self, spec, interrupt, step)
    }
}
