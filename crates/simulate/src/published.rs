//! Tables III and IV as KHS print them, read from `golden/simulate/`.

use prodmax_jobs::ron_file::{self, RonError};
use serde::Deserialize;

use crate::contest::Pairs;
use crate::counts::DepthCounts;

/// The number of stored trees behind the published tables: 393,213 = 3 (2^17 - 1) pairs at d = 2, and so on.
pub const PUBLISHED_TREES: usize = 3;

/// Where a rule that sees the estimate (like Product) gets its probabilities from, and so which table a contest
/// belongs to. Two such rules get them from the same curve: a contest compares rules, not what they know. Minimax,
/// which uses heuristic values directly, and the ideal rule, which always sees the truth, are the same player in
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probabilities {
    /// The estimate w_1 (Table III).
    Estimated,
    /// The actual w_16 (Table IV).
    Actual,
}

impl Probabilities {
    /// Both, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::Estimated, Self::Actual];

    /// The name that the paper uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Estimated => "estimated",
            Self::Actual => "actual",
        }
    }

    /// The number of the table in KHS.
    pub fn table(self) -> &'static str {
        match self {
            Self::Estimated => "Table III",
            Self::Actual => "Table IV",
        }
    }

    /// The contest with these probabilities.
    pub fn pairs(self, counts: &DepthCounts) -> Pairs {
        match self {
            Self::Estimated => counts.estimated,
            Self::Actual => counts.actual,
        }
    }

    /// The wrong decisions of the first and of the second rule with these probabilities.
    pub fn errors(self, counts: &DepthCounts) -> [u64; 2] {
        match self {
            Self::Estimated => counts.estimated_errors,
            Self::Actual => counts.actual_errors,
        }
    }

    /// The published table.
    pub fn published(self) -> Result<Vec<PublishedRow>, RonError> {
        match self {
            Self::Estimated => ron_file::parse(TABLE3, "golden/simulate/table3.ron"),
            Self::Actual => ron_file::parse(TABLE4, "golden/simulate/table4.ron"),
        }
    }
}

const TABLE3: &str = prodmax_data::text("golden/simulate/table3.ron");
const TABLE4: &str = prodmax_data::text("golden/simulate/table4.ron");

/// One printed row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// A unique name.
    pub id: String,
    /// Paper, table, row.
    pub source: String,
    /// The depth of all searches.
    pub d: usize,
    /// "Total game pairs".
    pub pairs: u64,
    /// "Critical game pairs".
    pub critical: u64,
    /// "Wins by Minimax".
    pub minimax_wins: u64,
    /// "Wins by Product".
    pub product_wins: u64,
    /// "Minimax % wins total", as printed.
    pub percent_total: String,
    /// "Minimax % wins critical", as printed.
    pub percent_critical: String,
    /// "Significance", as printed.
    pub significance: String,
}
