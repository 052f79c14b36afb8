//! What the printed percentages are percentages of.

use std::fmt;

use prodmax_number::possible::Kind;
use serde::{Deserialize, Serialize};

use crate::measure::Sums;

/// How Table II's "percentage differences" are calculated; positive if Minimax errs less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// 100 (eP - eM) / (eP + eM).
    #[default]
    Share,
    /// 100 (eP - eM) / number of critical trees.
    PerCase,
    /// 100 (eP - eM) / number of trees.
    PerTree,
    /// 100 (eP - eM) / eM.
    PerMinimaxError,
    /// 100 (eP - eM) / eP.
    PerProductError,
    /// The number of critical trees in which Product is more likely to err, minus that of those in which Minimax is,
    /// in percent of all critical trees ("0.5% of all critical cases favor Product"). Visits pairs of branches: slow.
    Majority,
}

impl Statistic {
    /// Which values are possible: a lead among the errors of one rule may be many times as great as they are.
    pub fn kind(self) -> Kind {
        match self {
            Self::Share | Self::PerCase | Self::PerTree | Self::Majority => Kind::Difference,
            Self::PerMinimaxError | Self::PerProductError => Kind::Score,
        }
    }

    /// The statistic; `None` if its denominator is 0.
    pub fn of(self, sums: &Sums) -> Option<f64> {
        let lead = sums.product_error - sums.minimax_error;
        let (part, whole) = match self {
            Self::Share => (lead, sums.product_error + sums.minimax_error),
            Self::PerCase => (lead, sums.critical),
            Self::PerTree => (lead, sums.trees),
            Self::PerMinimaxError => (lead, sums.minimax_error),
            Self::PerProductError => (lead, sums.product_error),
            Self::Majority => (sums.majority?, sums.critical),
        };
        (whole > 0.0).then(|| 100.0 * part / whole)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Share => "share",
            Self::PerCase => "per_case",
            Self::PerTree => "per_tree",
            Self::PerMinimaxError => "per_minimax_error",
            Self::PerProductError => "per_product_error",
            Self::Majority => "majority",
        })
    }
}
