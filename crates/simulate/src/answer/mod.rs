//! What `simulate` answers: a type of which JSON and tables are views.
//!
//! The comments of fields are their descriptions in `docs/json.md`.

mod tables;

use prodmax_jobs::divide::Record;
use prodmax_jobs::ron_file::RonError;
use prodmax_number::{Approximate, Figure};
use prodmax_rules::{ByRule, RulePair};
use serde::Serialize;
pub use tables::per_tree;

use crate::compare::{Cell, DecisionErrors, Fit, Row, TableComparison, decision_errors};
use crate::counts::{DepthCounts, TreeCounts};
use crate::published::{Probabilities, PublishedRow};
use crate::results::SimulationResults;
use crate::spec::SimulationSpec;
use crate::statistics::Ratio;

/// Game contests between two rules in random trees, and their wrong decisions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulationAnswer {
    /// what is simulated
    spec: SimulationSpec,
    /// the names of the rules, as typed
    rules: [String; 2],
    /// trees that are not finished
    missing: usize,
    /// Tables III and IV, or the same contests of other rules
    tables: Vec<ContestKeys>,
    /// wrong decisions as shares of all decisions (Fig. 6)
    decision_errors: Vec<DecisionKeys>,
    /// the counts of every tree
    trees: Vec<TreeKeys>,
    /// the same counts as `simulate merge` reads them; of every tree its number, 1, and for every depth the decisive nodes, the errors and
    /// the wins
    record: Record,
    #[serde(skip)]
    results: SimulationResults,
    #[serde(skip)]
    per_tree: bool,
}

/// A contest.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ContestKeys {
    /// the table of the paper; null if other rules play
    table: Option<&'static str>,
    /// `estimated` or `actual`
    probabilities: &'static str,
    /// row by row
    rows: Vec<RowKeys>,
    /// how far the published table is from ours; null without one
    fit: Option<Fit>,
}

/// A contest at one depth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RowKeys {
    /// the depth of all searches
    d: usize,
    /// game pairs
    pairs: u64,
    /// critical pairs: one player wins both games
    critical: u64,
    /// critical pairs won, by rule
    wins: ByRule<u64>,
    /// the first rule's share of all games
    total_share: f64,
    /// critical pairs among all
    critical_rate: Option<Figure>,
    /// the first rule's share of the critical pairs
    critical_share: Option<Figure>,
    /// the sign test
    significance: Option<f64>,
    /// with the standard error over trees
    clustered_significance: Option<f64>,
    /// the row as printed; null if no table has one for these settings
    published: Option<PublishedKeys>,
}

/// A published row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PublishedKeys {
    /// the name of the golden entry of the row
    id: String,
    /// the paper and the place in it
    source: String,
    /// game pairs
    pairs: u64,
    /// critical pairs
    critical: u64,
    /// critical pairs won, by rule
    wins: ByRule<u64>,
    /// critical pairs among all
    critical_rate: Option<PublishedFigure>,
    /// Minimax's share of the critical pairs
    critical_share: Option<PublishedFigure>,
    /// the sign test, as printed
    significance: String,
}

/// A published figure next to ours.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PublishedFigure {
    /// as printed
    value: f64,
    /// published minus ours, in standard errors
    deviation: Option<f64>,
    /// whether that is at most 2
    agrees: Option<bool>,
}

/// Wrong decisions at one depth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DecisionKeys {
    /// the depth of all searches
    d: usize,
    /// with estimated probabilities
    estimated: ByRule<Figure>,
    /// with actual probabilities
    actual: ByRule<Figure>,
}

/// The counts of a tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TreeKeys {
    /// its number
    tree: u64,
    /// by search depth
    depths: Vec<CountKeys>,
}

/// The counts of a tree at one depth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CountKeys {
    /// the depth of all searches
    d: usize,
    /// game pairs
    pairs: u64,
    /// nodes at which exactly one move wins
    decisive: u64,
    /// with estimated probabilities
    estimated: PairKeys,
    /// with actual probabilities
    actual: PairKeys,
}

/// What is counted of a contest.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PairKeys {
    /// wrong decisions, by rule
    errors: ByRule<u64>,
    /// critical pairs won, by rule
    wins: ByRule<u64>,
}

impl SimulationAnswer {
    /// The answer for finished trees; `per_tree` shows readers their counts instead of the tables.
    pub fn new(results: SimulationResults, per_tree: bool) -> Result<Self, RonError> {
        let rules = &results.spec.rules;
        let tables = TableComparison::both(&results)?;
        Ok(Self {
            rules: rules.names().map(str::to_owned),
            missing: results.missing().count(),
            tables: tables.into_iter().map(|table| ContestKeys::new(rules, table)).collect(),
            decision_errors: decision_errors(&results)
                .iter()
                .map(|at| DecisionKeys::new(rules, at))
                .collect(),
            trees: results.trees.iter().map(|tree| TreeKeys::new(rules, tree)).collect(),
            record: results.record(),
            spec: results.spec.clone(),
            results,
            per_tree,
        })
    }

    /// How many trees are not finished.
    pub fn missing(&self) -> usize {
        self.missing
    }
}

/// A value for each rule.
fn by_rule<T, U: Into<T>>(rules: &RulePair, both: [U; 2]) -> ByRule<T> {
    ByRule(rules.names().map(str::to_owned).into_iter().zip(both.map(Into::into)).collect())
}

impl From<Ratio> for Figure {
    fn from(ratio: Ratio) -> Self {
        Approximate::sampled(ratio.value, ratio.standard_error).into()
    }
}

impl PublishedFigure {
    fn of(cell: Cell) -> Option<Self> {
        Some(Self { value: cell.published?, deviation: cell.deviation(), agrees: cell.agrees() })
    }
}

impl PublishedKeys {
    fn new(rules: &RulePair, ours: &Row, row: PublishedRow) -> Self {
        Self {
            wins: by_rule(rules, [row.minimax_wins, row.product_wins]),
            critical_rate: ours.critical.and_then(PublishedFigure::of),
            critical_share: ours.share.and_then(PublishedFigure::of),
            id: row.id,
            source: row.source,
            pairs: row.pairs,
            critical: row.critical,
            significance: row.significance,
        }
    }
}

impl ContestKeys {
    fn new(rules: &RulePair, comparison: TableComparison) -> Self {
        let TableComparison { probabilities, rows, fit } = comparison;
        Self {
            table: rules.is_khs().then(|| probabilities.table()),
            probabilities: probabilities.name(),
            rows: rows.into_iter().map(|row| RowKeys::new(rules, row)).collect(),
            fit,
        }
    }
}

impl RowKeys {
    fn new(rules: &RulePair, row: Row) -> Self {
        Self {
            d: row.d,
            pairs: row.pairs,
            critical: row.critical_pairs(),
            wins: by_rule(rules, [row.first_wins, row.second_wins]),
            total_share: row.total_share(),
            critical_rate: row.critical.map(|cell| cell.ours.into()),
            critical_share: row.share.map(|cell| cell.ours.into()),
            significance: row.significance(),
            clustered_significance: row.clustered_significance(),
            published: row.published.clone().map(|published| PublishedKeys::new(rules, &row, published)),
        }
    }
}

impl DecisionKeys {
    fn new(rules: &RulePair, at: &DecisionErrors) -> Self {
        Self { d: at.d, estimated: by_rule(rules, at.estimated), actual: by_rule(rules, at.actual) }
    }
}

impl TreeKeys {
    fn new(rules: &RulePair, counts: &TreeCounts) -> Self {
        let contest = |at: &DepthCounts, probabilities: Probabilities| {
            let pairs = probabilities.pairs(at);
            PairKeys {
                errors: by_rule(rules, probabilities.errors(at)),
                wins: by_rule(rules, [pairs.first_wins, pairs.second_wins]),
            }
        };
        let depth = |at: &DepthCounts| CountKeys {
            d: at.d,
            pairs: at.pairs,
            decisive: at.decisive,
            estimated: contest(at, Probabilities::Estimated),
            actual: contest(at, Probabilities::Actual),
        };
        Self { tree: counts.tree, depths: counts.depths.iter().map(depth).collect() }
    }
}
