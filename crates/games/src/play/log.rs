//! The games of a match in a file of lines: the spec in the first line, then one pair of games per line. The file is
//! both checkpoint and game log. Every line is JSON, so other programs can read it; every game is replayed when it is
//! read.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::any_time::is_decided;
use super::score::Score;
use super::spec::{MatchError, MatchSpec};
use crate::any::AnyStart;
use crate::game::{GameError, MoveList};
use crate::player::Resource;
use crate::position::{Outcome, Side};

/// A game, from the end of the opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The moves after the opening.
    pub moves: MoveList,
    /// Who won.
    pub outcome: Outcome,
}

/// Both games from one start. The first player of the match moves first in the first game, the second player in the
/// other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairOfGames {
    /// What the players could use for each move.
    pub resource: Resource,
    /// The number of the start.
    pub start: u64,
    /// The moves of the opening.
    pub opening: MoveList,
    /// The games.
    pub games: [GameRecord; 2],
}

impl PairOfGames {
    /// Who won the two games.
    pub fn outcomes(&self) -> [Outcome; 2] {
        self.games.each_ref().map(|game| game.outcome)
    }
}

/// A match and its finished games.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResults {
    /// What was played.
    pub spec: MatchSpec,
    /// The finished pairs, in the order of the spec.
    pub pairs: Vec<PairOfGames>,
}

/// Why games cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// The spec is invalid.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A malformed line.
    #[error("line {line} is not a line of a game log: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What the reader says.
        reason: String,
    },
    /// An empty file.
    #[error("the file is empty; a game log begins with a line that says what was played")]
    Empty,
    /// A pair that the spec does not ask for, or that occurs twice.
    #[error("start {start} with {resource} is not asked for by the spec, or occurs twice")]
    NotAsked {
        /// The start.
        start: u64,
        /// The resource.
        resource: Resource,
    },
    /// A game against the rules.
    #[error("start {start} with {resource}, game {game}: {source}")]
    Rules {
        /// The start.
        start: u64,
        /// The resource.
        resource: Resource,
        /// 1 or 2.
        game: usize,
        /// What is wrong.
        source: GameError,
    },
    /// A game with the wrong result.
    #[error("start {start} with {resource}, game {game}: the moves do not lead to the recorded result")]
    Outcome {
        /// The start.
        start: u64,
        /// The resource.
        resource: Resource,
        /// 1 or 2.
        game: usize,
    },
    /// Two different matches.
    #[error("the games belong to different matches (`{0}` and `{1}`): only starts and resources may differ")]
    Different(String, String),
    /// Other games from the same start.
    #[error(
        "start {start} with {resource} was played twice, and the games are not the same{}; merge files with different \
         starts or resources",
        if resource.is_repeatable() { "" } else { ", because games by time cannot be repeated exactly" }
    )]
    PlayedTwice {
        /// The start.
        start: u64,
        /// The resource.
        resource: Resource,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    prodmax_match: MatchSpec,
}

impl MatchResults {
    /// Results without any games yet.
    pub fn new(spec: MatchSpec) -> Self {
        Self { spec, pairs: Vec::new() }
    }

    /// The pairs that the spec asks for but that are not finished.
    pub fn missing(&self) -> Vec<(Resource, u64)> {
        let finished: std::collections::HashSet<(Resource, u64)> =
            self.pairs.iter().map(|pair| (pair.resource, pair.start)).collect();
        let ends = self.ends();
        let counts = |(resource, start): &(Resource, u64)| ends.get(resource).is_none_or(|end| start < end);
        self.spec.pairs().filter(|pair| counts(pair) && !finished.contains(pair)).collect()
    }

    /// After how many starts the match with a resource is decided, counted in their order; `None` if it is not, or if
    /// the spec asks for all starts.
    pub fn decided_after(&self, resource: Resource) -> Option<u64> {
        if !self.spec.until_decided {
            return None;
        }
        let mut pairs: Vec<&PairOfGames> =
            self.pairs.iter().filter(|pair| pair.resource == resource).collect();
        pairs.sort_by_key(|pair| pair.start);
        let mut by_half_points = [0; 5];
        // What comes after a start that is not finished does not count yet.
        let in_order =
            pairs.into_iter().zip(self.spec.first_start..).take_while(|(pair, start)| pair.start == *start);
        for (pair, start) in in_order {
            let half_points =
                pair.outcomes().into_iter().zip(Side::BOTH).map(|(outcome, side)| outcome.half_points(side));
            by_half_points[usize::from(half_points.sum::<u8>())] += 1;
            if is_decided(&by_half_points) {
                return Some(start - self.spec.first_start + 1);
            }
        }
        None
    }

    /// The resources with which the match is decided, and the number of the first start that does not count any more.
    fn ends(&self) -> std::collections::HashMap<Resource, u64> {
        let end =
            |&resource: &Resource| Some((resource, self.spec.first_start + self.decided_after(resource)?));
        self.spec.resources.iter().filter_map(end).collect()
    }

    /// Sorts the pairs in the order of the spec.
    pub fn sort(&mut self) {
        let place = |resource: Resource| self.spec.resources.iter().position(|each| *each == resource);
        let mut keyed: Vec<_> =
            self.pairs.drain(..).map(|pair| ((place(pair.resource), pair.start), pair)).collect();
        keyed.sort_by_key(|(key, _)| *key);
        self.pairs = keyed.into_iter().map(|(_, pair)| pair).collect();
    }

    /// Checks that all games are asked for, occur only once and follow the rules.
    pub fn check(&self) -> Result<(), LogError> {
        let mut asked: std::collections::HashSet<(Resource, u64)> = self.spec.pairs().collect();
        for pair in &self.pairs {
            if !asked.remove(&(pair.resource, pair.start)) {
                return Err(LogError::NotAsked { start: pair.start, resource: pair.resource });
            }
        }
        let start = self.spec.game.begin().map_err(MatchError::from)?;
        self.pairs.iter().try_for_each(|pair| check_pair(&*start, pair))
    }

    /// The text of the file, as [`Self::read`] reads it.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(&Header { prodmax_match: self.spec.clone() })?;
        text.push('\n');
        for pair in &self.pairs {
            text += &serde_json::to_string(pair)?;
            text.push('\n');
        }
        Ok(text)
    }

    /// Reads a game log and checks it.
    pub fn read(text: &str) -> Result<Self, LogError> {
        let bad =
            |line: usize| move |error: serde_json::Error| LogError::Line { line, reason: error.to_string() };
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().ok_or(LogError::Empty)?;
        let header: Header = serde_json::from_str(first).map_err(bad(1))?;
        let pairs = lines.map(|(index, line)| serde_json::from_str(line).map_err(bad(index + 1)));
        let results = Self { spec: header.prodmax_match, pairs: pairs.collect::<Result<_, _>>()? };
        results.check()?;
        Ok(results)
    }

    /// Both results combined: all resources and starts of both. A pair that both contain must be the same in both and
    /// counts once.
    pub fn merge(&self, other: &Self) -> Result<Self, LogError> {
        if !self.spec.same_games(&other.spec) {
            return Err(LogError::Different(self.spec.id.clone(), other.spec.id.clone()));
        }
        let mut spec = self.spec.clone();
        for resource in &other.spec.resources {
            if !spec.resources.contains(resource) {
                spec.resources.push(*resource);
            }
        }
        let end = |spec: &MatchSpec| spec.first_start.saturating_add(spec.starts);
        spec.first_start = self.spec.first_start.min(other.spec.first_start);
        spec.starts = end(&self.spec).max(end(&other.spec)) - spec.first_start;
        let mut merged = Self { spec, pairs: self.pairs.clone() };
        let known: std::collections::HashMap<(Resource, u64), &PairOfGames> =
            self.pairs.iter().map(|pair| ((pair.resource, pair.start), pair)).collect();
        for pair in &other.pairs {
            match known.get(&(pair.resource, pair.start)) {
                None => merged.pairs.push(pair.clone()),
                Some(same) if *same == pair => {}
                Some(_) => {
                    return Err(LogError::PlayedTwice { start: pair.start, resource: pair.resource });
                }
            }
        }
        merged.sort();
        merged.check()?;
        Ok(merged)
    }

    /// The score of all games with one resource, or of all games; without those after the start that decided a match.
    pub fn score(&self, resource: Option<Resource>) -> Option<Score> {
        let ends = self.ends();
        let counts = |pair: &&PairOfGames| {
            resource.is_none_or(|wanted| wanted == pair.resource)
                && ends.get(&pair.resource).is_none_or(|end| pair.start < *end)
        };
        Score::of(self.pairs.iter().filter(counts))
    }

    /// The number of finished games: two for every pair. Games 2 k + 1 and 2 k + 2 belong to pair k.
    pub fn games(&self) -> usize {
        2 * self.pairs.len()
    }

    /// The positions of a game from its start, drawn as text, each with the move that led to it.
    pub fn replay(&self, game: usize) -> Option<Result<Vec<Drawn>, LogError>> {
        let index = game.checked_sub(1)?;
        let pair = self.pairs.get(index / 2)?;
        let record = &pair.games[index % 2];
        let moves = MoveList([&pair.opening.0[..], &record.moves.0[..]].concat());
        let drawn = self.spec.game.begin().and_then(|start| draw(start, &moves, pair.opening.0.len()));
        Some(drawn.map_err(|source| LogError::Match(source.into())))
    }
}

/// A position of a replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Who moved and the move, counted from 1; `None` for the start.
    pub by: Option<(crate::position::Side, usize)>,
    /// Whether the move belongs to the opening.
    pub opening: bool,
    /// The board after it.
    pub board: String,
}

/// All positions of a game whose first `opening` moves are its opening.
fn draw(start: Box<dyn AnyStart>, moves: &MoveList, opening: usize) -> Result<Vec<Drawn>, GameError> {
    let mut drawn = vec![Drawn { by: None, opening: true, board: start.drawing() }];
    let mut position = start;
    for (index, &chosen) in moves.0.iter().enumerate() {
        let by = (position.side(), usize::from(chosen) + 1);
        position = position.after(&MoveList(vec![chosen]))?;
        drawn.push(Drawn { by: Some(by), opening: index < opening, board: position.drawing() });
    }
    Ok(drawn)
}

/// An error if a pair of games does not follow the rules.
fn check_pair(start: &dyn AnyStart, pair: &PairOfGames) -> Result<(), LogError> {
    for (index, record) in pair.games.iter().enumerate() {
        let (number, resource, game) = (pair.start, pair.resource, index + 1);
        let rules = |source| LogError::Rules { start: number, resource, game, source };
        let begun = start.after(&pair.opening).map_err(rules)?;
        let end = begun.after(&record.moves).map_err(rules)?;
        if end.outcome() != Some(record.outcome) {
            return Err(LogError::Outcome { start: number, resource, game });
        }
    }
    Ok(())
}
