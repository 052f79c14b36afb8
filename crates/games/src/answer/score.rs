//! What `play` answers: who is ahead.

use prodmax_number::{Approximate, Figure};
use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Cell, Column};
use serde::Serialize;

use crate::play::{MatchResults, MatchSpec, Score};
use crate::player::Resource;

/// How the first player scores.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreKeys {
    /// of the first player
    wins: u64,
    /// of the first player
    losses: u64,
    /// draws
    draws: u64,
    /// of the first player, a draw counting half; its standard error is over starts
    score: Figure,
    /// 95 % confidence of the score if the number of starts was fixed beforehand: plus and minus 1.96 standard errors
    pub(super) interval_95: Option<[f64; 2]>,
    /// wins divided by wins and losses
    decided_share: Option<f64>,
    /// starts from which the first player won both games
    pairs_won: u64,
    /// starts from which it lost both
    pairs_lost: u64,
    /// games won by the side that moved first
    won_by_first_side: u64,
}

impl From<&Score> for ScoreKeys {
    fn from(score: &Score) -> Self {
        let figure = match score.standard_error {
            Some(error) => Approximate::sampled(score.score, error),
            None => Approximate::unstated(score.score),
        };
        Self {
            wins: score.wins,
            losses: score.losses,
            draws: score.draws,
            score: figure.into(),
            interval_95: score.interval(),
            decided_share: score.decided_share(),
            pairs_won: score.pairs_won,
            pairs_lost: score.pairs_lost,
            won_by_first_side: score.won_by_first_side,
        }
    }
}

/// A share in percent; a dash if there is none.
fn percent(share: Option<f64>) -> Cell {
    share.map_or_else(|| "-".into(), |share| Cell::decimal(100.0 * share, 2))
}

impl ScoreKeys {
    /// The heads of [`Self::cells`].
    pub(super) fn columns() -> Vec<Column> {
        let names = ["games", "wins", "losses", "draws", "score %", "s.e.", "from", "to", "decided %"];
        names.map(Column::right).into()
    }

    pub(super) fn cells(&self, interval: Option<[f64; 2]>) -> Vec<Cell> {
        let [from, to] = [0, 1].map(|end| percent(interval.map(|interval| interval[end])));
        vec![
            self.games().into(),
            self.wins.into(),
            self.losses.into(),
            self.draws.into(),
            percent(Some(self.score.double())),
            percent(self.score.error()),
            from,
            to,
            percent(self.decided_share),
        ]
    }

    fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

/// The score of some games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TotalScore {
    /// games played
    games: u64,
    #[serde(flatten)]
    score: ScoreKeys,
}

impl From<&Score> for TotalScore {
    fn from(score: &Score) -> Self {
        let score = ScoreKeys::from(score);
        Self { games: score.games(), score }
    }
}

/// The score with one bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundScore {
    /// what bounded the searches
    resource: Resource,
    #[serde(flatten)]
    total: TotalScore,
    /// with `--until-decided`: 95 % confidence, valid however often it is checked
    any_time_interval_95: Option<[f64; 2]>,
    /// with `--until-decided`: the number of starts that decided the match; null if it is not decided
    decided_after: Option<u64>,
}

impl BoundScore {
    fn new(results: &MatchResults, resource: Resource) -> Option<Self> {
        let score = results.score(Some(resource))?;
        Some(Self {
            resource,
            total: (&score).into(),
            any_time_interval_95: results.spec.until_decided.then(|| score.any_time_interval()),
            decided_after: results.decided_after(resource),
        })
    }
}

/// A match between two players.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayAnswer {
    /// the match
    spec: MatchSpec,
    /// bound by bound
    results: Vec<BoundScore>,
    /// all bounds together
    total: Option<TotalScore>,
}

impl From<&MatchResults> for PlayAnswer {
    fn from(results: &MatchResults) -> Self {
        let resources = results.spec.resources.iter();
        Self {
            spec: results.spec.clone(),
            results: resources.filter_map(|&resource| BoundScore::new(results, resource)).collect(),
            total: results.score(None).as_ref().map(Into::into),
        }
    }
}

impl Answer for PlayAnswer {
    fn view(&self) -> View {
        let spec = &self.spec;
        let [first, second] = &spec.players;
        // A match that ends when it is decided must not be given an interval for a number of starts fixed beforehand.
        let interval = |of: &BoundScore| match spec.until_decided {
            true => of.any_time_interval_95,
            false => of.total.score.interval_95,
        };
        let bounds = self.results.iter();
        let mut shown: Vec<(String, &ScoreKeys, Option<[f64; 2]>)> =
            bounds.map(|of| (of.resource.to_string(), &of.total.score, interval(of))).collect();
        if let (Some(all), true, false) = (&self.total, shown.len() > 1, spec.until_decided) {
            shown.push(("all".to_owned(), &all.score, all.score.interval_95));
        }
        let title = format!("{first} against {second}: {}", spec.game.title());
        let mut rows = Rows::new("match", title, shown.iter().collect());
        rows.column(Column::left("resource"), |(resource, ..)| resource.into());
        rows.columns(ScoreKeys::columns(), |(_, score, interval)| score.cells(*interval));
        let certainty = match spec.until_decided {
            true => "95 % confidence, valid however often it is checked",
            false => "95 % confidence",
        };
        rows.notes([format!(
            "Wins, losses and score are those of {first}; a draw counts half. s.e.: over starts, both games of a start \
             together; from, to: {certainty}; decided %: wins among the games that were not drawn."
        )]);
        if spec.until_decided {
            let decided_after = |wanted: Resource| {
                self.results.iter().find(|of| of.resource == wanted).and_then(|of| of.decided_after)
            };
            rows.notes(spec.resources.iter().map(|&resource| match decided_after(resource) {
                Some(starts) => {
                    format!("{resource}: decided after {starts} of at most {} starts.", spec.starts)
                }
                None => format!("{resource}: not decided."),
            }));
        }
        vec![rows.table()].into()
    }
}
