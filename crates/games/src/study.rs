//! A study: several matches and measurements of quality, run together and recorded in one file.
//!
//! The record holds the result of every game and every position, so that each figure can be computed from it again and any
//! part of it can be checked by playing that part, and a later run can go on from it.

mod run;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::play::log::PairOfGames;
use crate::play::{LogError, MatchResults, MatchSpec, Score};
use crate::player::Resource;
use crate::position::{Outcome, Side};
use crate::quality::{QualityError, QualityResults, QualitySpec};

pub use run::StudyRun;

/// What is played and measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// The title that readers see.
    pub title: String,
    /// The matches.
    pub matches: Vec<MatchSpec>,
    /// The measurements of quality.
    pub qualities: Vec<QualitySpec>,
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyResults {
    /// The program and its revision.
    pub prodmax: String,
    /// The title that readers see.
    pub title: String,
    /// The matches, in the order of the spec.
    pub matches: Vec<MatchRecord>,
    /// The measurements, in the order of the spec.
    pub qualities: Vec<QualityResults>,
}

/// A match without its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// What was played.
    pub spec: MatchSpec,
    /// The games with each resource, in the order of the spec.
    pub results: Vec<GamesRecord>,
}

/// The games with one resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesRecord {
    /// What both players could use.
    pub resource: Resource,
    /// The results, two games for each start.
    pub games: PairResults,
}

/// Results of pairs of games for the first player, in the order of the starts: `1` won, `0` lost, `=` drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct PairResults(pub Vec<[Outcome; 2]>);

/// Why a study cannot be run or read.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StudyError {
    /// A match.
    #[error("the match `{id}`: {source}")]
    Match {
        /// Which.
        id: String,
        /// What is wrong.
        source: LogError,
    },
    /// A measurement.
    #[error("the quality `{id}`: {source}")]
    Quality {
        /// Which.
        id: String,
        /// What is wrong.
        source: QualityError,
    },
    /// A match that may end early.
    #[error(
        "the match `{0}` is to end when it is decided; a study plays all starts, so leave out until_decided"
    )]
    UntilDecided(String),
    /// Stopped.
    #[error("interrupted before the study was finished")]
    Interrupted,
    /// Not a record.
    #[error("is not the record of a study: {0}")]
    Record(String),
}

impl TryFrom<String> for PairResults {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let letters: Vec<char> = text.chars().collect();
        let (pairs, rest) = letters.as_chunks::<2>();
        if !rest.is_empty() {
            return Err("the number of results is odd; there are two games for each start".to_owned());
        }
        let read = |letter, side: Side| match letter {
            '1' => Ok(Outcome::win_of(side)),
            '0' => Ok(Outcome::win_of(side.opponent())),
            '=' => Ok(Outcome::Draw),
            _ => Err(format!("`{letter}` is not the result of a game; results are written 1, 0 and =")),
        };
        let pair = |&[a, b]: &[char; 2]| Ok([read(a, Side::First)?, read(b, Side::Second)?]);
        pairs.iter().map(pair).collect::<Result<_, _>>().map(Self)
    }
}

impl From<PairResults> for String {
    fn from(results: PairResults) -> Self {
        let letter = |(outcome, side): (&Outcome, Side)| match outcome.half_points(side) {
            2 => '1',
            1 => '=',
            _ => '0',
        };
        results.0.iter().flat_map(|pair| pair.iter().zip(Side::BOTH).map(letter)).collect()
    }
}

impl PairResults {
    fn of<'a>(pairs: impl Iterator<Item = &'a PairOfGames>) -> Self {
        Self(pairs.map(PairOfGames::outcomes).collect())
    }

    /// The score of the first player; `None` without games.
    pub fn score(&self) -> Option<Score> {
        Score::of_outcomes(self.0.iter().copied())
    }
}

impl MatchRecord {
    /// A match that was played.
    pub fn of(results: &MatchResults) -> Self {
        let with = |&resource: &Resource| GamesRecord {
            resource,
            games: PairResults::of(results.pairs.iter().filter(|pair| pair.resource == resource)),
        };
        Self { spec: results.spec.clone(), results: results.spec.resources.iter().map(with).collect() }
    }

    /// The score with a resource.
    pub fn score(&self, resource: Resource) -> Option<Score> {
        self.results.iter().find(|record| record.resource == resource)?.games.score()
    }

    fn is_whole(&self) -> bool {
        let resources = self.results.iter().map(|record| record.resource);
        resources.eq(self.spec.resources.iter().copied())
            && self.results.iter().all(|record| record.games.0.len() as u64 == self.spec.starts)
    }
}

impl StudySpec {
    /// How many pairs of games and positions there are.
    pub fn steps(&self) -> u64 {
        let pairs = self.matches.iter().map(|spec| spec.starts.saturating_mul(spec.resources.len() as u64));
        pairs.chain(self.qualities.iter().map(|spec| spec.positions)).fold(0, u64::saturating_add)
    }
}

impl StudyResults {
    /// Reads a record and checks that it is whole.
    pub fn read(text: &str) -> Result<Self, StudyError> {
        let results: Self =
            serde_json::from_str(text).map_err(|error| StudyError::Record(error.to_string()))?;
        let torn = results.matches.iter().find(|record| !record.is_whole()).map(|record| &record.spec.id);
        let torn = torn
            .or_else(|| results.qualities.iter().find(|found| !found.is_whole()).map(|found| &found.spec.id));
        match torn {
            Some(id) => Err(StudyError::Record(format!(
                "`{id}` does not have all the results that its spec asks for"
            ))),
            None => Ok(results),
        }
    }

    /// The match with an id.
    pub fn find_match(&self, id: &str) -> Option<&MatchRecord> {
        self.matches.iter().find(|record| record.spec.id == id)
    }

    /// The measurement of quality with an id.
    pub fn find_quality(&self, id: &str) -> Option<&QualityResults> {
        self.qualities.iter().find(|results| results.spec.id == id)
    }
}
