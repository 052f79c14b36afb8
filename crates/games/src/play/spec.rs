//! What to play: the contents of a file in `specs/play/`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::{Game, GameError};
use crate::perft::perft;
use crate::player::{Player, PlayerError, Resource, TieBreak};
use crate::position::Position;
use crate::search::Ply;

/// Where games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Opening {
    /// after this number of random moves (each sowing is one), redrawn if the game is over after them
    Random(usize),
    /// with all openings of this number of moves, in the order of their moves: start 0 is the first of them
    All(usize),
}

/// A match of two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// a short name, unique among the specs
    pub id: String,
    /// the title that readers see
    pub title: String,
    /// the paper it belongs to, or where else it comes from
    pub source: String,
    /// the game and its size
    pub game: Game,
    /// first and second player; each moves first in one game of every pair
    pub players: [Player; 2],
    /// what bounds each search, one match per bound
    pub resources: Vec<Resource>,
    /// what counts as a ply in Kalah: `move`, `turn` or `whole`
    #[serde(default)]
    pub ply: Ply,
    /// which of equally good moves is chosen: `first` or `random`
    #[serde(default)]
    pub ties: TieBreak,
    /// how games start
    pub opening: Opening,
    /// how many starts
    pub starts: u64,
    /// the number of the first one
    #[serde(default)]
    pub first_start: u64,
    /// of the random numbers; every start uses its own streams of it
    #[serde(default)]
    pub seed: u64,
    /// whether the match ends, for each bound, with the first start after which it is decided
    #[serde(default)]
    pub until_decided: bool,
}

/// Why a match cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    /// The game is not possible.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A player is not possible.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// No resource.
    #[error("the match has no resource; give a depth, a number of calls or a time")]
    NoResource,
    /// A resource twice.
    #[error("{0} is named twice; name every resource once")]
    ResourceTwice(Resource),
    /// No start, or too many.
    #[error("there are {starts} starts from number {first} on; give at least one and at most {most}")]
    Starts {
        /// The number of starts.
        starts: u64,
        /// The number of the first.
        first: u64,
        /// The maximum number of starts possible.
        most: u64,
    },
    /// The opening is too long.
    #[error("an opening of {moves} moves is too long; give at most {most}")]
    Opening {
        /// The requested number of moves.
        moves: usize,
        /// The maximum.
        most: usize,
    },
    /// A match over a list of openings cannot be stopped early.
    #[error(
        "a match cannot be stopped when it is decided if it goes through a list of openings: those played would not be a \
         random sample of all; take random openings, or play all starts"
    )]
    ListedUntilDecided,
    /// All openings end the game.
    #[error("the game is over after any {0} random moves; give a shorter opening")]
    AlwaysOver(usize),
}

impl MatchSpec {
    /// The maximum number of starts in one run.
    pub const MAX_STARTS: u64 = 10_000_000;
    /// The longest random opening.
    pub const MAX_RANDOM_MOVES: usize = 60;
    /// The longest opening if all sequences are played.
    pub const MAX_LISTED_MOVES: usize = 6;

    /// An error if anything is wrong with the spec.
    pub fn check<P: Position>(&self, start: &P) -> Result<(), MatchError> {
        if self.resources.is_empty() {
            return Err(MatchError::NoResource);
        }
        for (index, resource) in self.resources.iter().enumerate() {
            if self.resources[..index].contains(resource) {
                return Err(MatchError::ResourceTwice(*resource));
            }
            for player in &self.players {
                player.check(*resource)?;
                player.sees(start).map_err(PlayerError::from)?;
            }
        }
        if self.until_decided && matches!(self.opening, Opening::All(_)) {
            return Err(MatchError::ListedUntilDecided);
        }
        let most = match self.opening {
            Opening::Random(moves) if moves > Self::MAX_RANDOM_MOVES => {
                return Err(MatchError::Opening { moves, most: Self::MAX_RANDOM_MOVES });
            }
            Opening::All(moves) if moves > Self::MAX_LISTED_MOVES => {
                return Err(MatchError::Opening { moves, most: Self::MAX_LISTED_MOVES });
            }
            Opening::Random(_) => Self::MAX_STARTS,
            Opening::All(moves) => perft(start, moves).unwrap_or(Self::MAX_STARTS),
        };
        let end = self.first_start.checked_add(self.starts);
        let bounded = match self.opening {
            Opening::Random(_) => self.starts <= most && end.is_some_and(|end| end < u64::MAX / 4),
            Opening::All(_) => end.is_some_and(|end| end <= most),
        };
        if self.starts == 0 || !bounded {
            return Err(MatchError::Starts { starts: self.starts, first: self.first_start, most });
        }
        Ok(())
    }

    /// The pairs of games in order: for each resource all starts.
    pub fn pairs(&self) -> impl Iterator<Item = (Resource, u64)> {
        let starts = self.first_start..self.first_start.saturating_add(self.starts);
        self.resources.iter().flat_map(move |resource| starts.clone().map(move |start| (*resource, start)))
    }

    /// Whether the other match would play the same games from the same starts: everything but names, resources, range
    /// and when it ends is equal.
    pub fn same_games(&self, other: &Self) -> bool {
        let unnamed = |spec: &Self| Self {
            id: String::new(),
            title: String::new(),
            source: String::new(),
            resources: Vec::new(),
            starts: 0,
            first_start: 0,
            until_decided: false,
            ..spec.clone()
        };
        unnamed(self) == unnamed(other)
    }
}
