//! What `play quality` answers: how often a search finds a best move.

use prodmax_number::{Approximate, Figure};
use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Column, Table};
use serde::Serialize;

use crate::player::{Player, Resource};
use crate::quality::{Found, QualityResults, QualityRow, QualitySpec};

/// How often searches find a game-theoretically best move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QualityAnswer {
    /// what was measured
    spec: QualitySpec,
    /// the share of positions in which a random move is a best one
    chance: f64,
    /// search by search
    rows: Vec<SearchQuality>,
}

/// One search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchQuality {
    /// the rule or search
    player: Player,
    /// what bounded it
    resource: Resource,
    /// the share of positions in which it found a best move; its standard error is binomial
    share: Figure,
    /// position by position: `1` found, `0` not
    found: Found,
}

impl From<&QualityRow> for SearchQuality {
    fn from(row: &QualityRow) -> Self {
        Self {
            player: row.player.clone(),
            resource: row.resource,
            share: Approximate::sampled(row.found.share(), row.found.standard_error()).into(),
            found: row.found.clone(),
        }
    }
}

impl From<&QualityResults> for QualityAnswer {
    fn from(results: &QualityResults) -> Self {
        let rows = results.rows.iter().map(Into::into).collect();
        Self { spec: results.spec.clone(), chance: results.chance, rows }
    }
}

impl QualityAnswer {
    /// The shares for readers.
    pub(super) fn table(&self) -> Table {
        let spec = &self.spec;
        let title = format!("Positions in which a best move is found: {}", spec.game.title());
        let mut rows = Rows::new(format!("quality-{}", spec.id), title, self.rows.iter().collect());
        let percent = |share: f64| format!("{:.2}", 100.0 * share).into();
        rows.column(Column::left("player"), |row| (&row.player).into());
        rows.column(Column::left("resource"), |row| row.resource.into());
        rows.column(Column::right("found %"), |row| percent(row.share.double()));
        rows.column(Column::right("s.e."), |row| percent(row.share.error().unwrap_or(f64::NAN)));
        rows.notes([format!(
            "{} positions with {} to {} discs, seed {}, in which nobody can win at once and some moves are better than others; \
             a random move is a best one in {:.2} %.",
            spec.positions,
            spec.discs[0],
            spec.discs[1],
            spec.seed,
            100.0 * self.chance
        )]);
        rows.table()
    }
}

impl Answer for QualityAnswer {
    fn view(&self) -> View {
        vec![self.table()].into()
    }
}
