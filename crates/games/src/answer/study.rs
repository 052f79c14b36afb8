//! What `play study` answers: the record of a study, with the scores and shares that follow from it.

use prodmax_output::Column;
use prodmax_output::answer::{Answer, Rows, View};
use serde::Serialize;

use super::QualityAnswer;
use super::score::ScoreKeys;
use crate::play::MatchSpec;
use crate::player::Resource;
use crate::study::{GamesRecord, MatchRecord, PairResults, StudyResults};

/// Matches and measurements of quality. `--known` reads it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyAnswer {
    /// the program and its revision
    prodmax: String,
    /// for readers
    title: String,
    /// match by match
    matches: Vec<StudiedMatch>,
    /// measurement by measurement, as `prodmax play quality` prints them
    qualities: Vec<QualityAnswer>,
}

/// A match.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudiedMatch {
    /// the match
    spec: MatchSpec,
    /// bound by bound
    results: Vec<StudiedGames>,
}

/// The games with one bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudiedGames {
    /// what bounded the searches
    resource: Resource,
    /// the results for the first player, two games for each start: `1` won, `0` lost, `=` drawn
    games: PairResults,
    #[serde(flatten)]
    score: Option<ScoreKeys>,
}

impl From<&GamesRecord> for StudiedGames {
    fn from(GamesRecord { resource, games }: &GamesRecord) -> Self {
        let score = games.score().as_ref().map(ScoreKeys::from);
        Self { resource: *resource, games: games.clone(), score }
    }
}

impl From<&MatchRecord> for StudiedMatch {
    fn from(MatchRecord { spec, results }: &MatchRecord) -> Self {
        Self { spec: spec.clone(), results: results.iter().map(Into::into).collect() }
    }
}

impl From<&StudyResults> for StudyAnswer {
    fn from(results: &StudyResults) -> Self {
        Self {
            prodmax: results.prodmax.clone(),
            title: results.title.clone(),
            matches: results.matches.iter().map(Into::into).collect(),
            qualities: results.qualities.iter().map(Into::into).collect(),
        }
    }
}

impl Answer for StudyAnswer {
    fn view(&self) -> View {
        let all: Vec<(&MatchSpec, Resource, &ScoreKeys)> = self
            .matches
            .iter()
            .flat_map(|StudiedMatch { spec, results }| {
                results.iter().filter_map(move |games| Some((spec, games.resource, games.score.as_ref()?)))
            })
            .collect();
        let mut rows = Rows::new("matches", format!("Matches of {}", self.title), all.iter().collect());
        rows.column(Column::left("game"), |(spec, ..)| spec.game.title().into());
        rows.column(Column::left("first"), |(spec, ..)| (&spec.players[0]).into());
        rows.column(Column::left("second"), |(spec, ..)| (&spec.players[1]).into());
        rows.column(Column::left("resource"), |(_, resource, _)| (*resource).into());
        rows.columns(ScoreKeys::columns(), |(.., score)| score.cells(score.interval_95));
        rows.notes(["Wins, losses and score are those of the first player; a draw counts half.".to_owned()]);
        let mut tables = vec![rows.table()];
        tables.extend(self.qualities.iter().map(QualityAnswer::table));
        tables.into()
    }
}
