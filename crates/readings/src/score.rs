//! How far a reading is from a target.

use serde::Serialize;

use crate::target::{FactKind, Facts, Target};

/// The score of one reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Root mean square of the differences from the printed cells, in percentage points; infinite if a cell has no
    /// value.
    pub rms: f64,
    /// The number of cells that round to the printed digits.
    pub within: u32,
    /// The number of cells with the printed sign.
    pub signs: u32,
    /// The depth-2 figures at the root that fits them best.
    pub facts: Option<FactScore>,
}

/// The depth-2 figures of one root.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactScore {
    /// figures within rounding
    pub matched: u32,
    /// the root at which most figures match
    pub root: i64,
    /// critical trees
    pub critical: f64,
    /// Minimax's share of the errors, in percent
    pub minimax_percent: Option<f64>,
    /// by formula (7)
    pub threshold_percent: Option<f64>,
    /// N(I2)/N(I4)
    pub ratio: Option<f64>,
}

impl Score {
    /// The score of the cells' values, in the order of the target.
    pub fn of(target: &Target, values: &[Option<f64>], facts: Option<FactScore>) -> Self {
        let (mut squares, mut within, mut signs) = (0.0, 0, 0);
        for (cell, value) in target.cells.iter().zip(values) {
            let value = value.unwrap_or(f64::INFINITY);
            squares += (value - cell.published.value).powi(2);
            within += u32::from(cell.published.agrees(value));
            signs += u32::from(value.is_finite() && cell.published.same_sign(value));
        }
        Self { rms: (squares / target.cells.len() as f64).sqrt(), within, signs, facts }
    }
}

impl FactScore {
    /// Counts the published figures that these agree with.
    pub fn matching(mut self, facts: &Facts) -> Self {
        let value = |kind| match kind {
            FactKind::Critical => Some(self.critical),
            FactKind::ShareMinimax => self.minimax_percent,
            FactKind::ShareProduct => self.minimax_percent.map(|share| 100.0 - share),
            FactKind::Difference => self.minimax_percent.map(|share| 100.0 - 2.0 * share),
            FactKind::Threshold => self.threshold_percent,
            FactKind::Ratio => self.ratio,
        };
        let agrees = |(kind, published): &&(FactKind, crate::target::PrintedNumber)| {
            value(*kind).is_some_and(|value| published.agrees(value))
        };
        self.matched = facts.published.iter().filter(agrees).count() as u32;
        self
    }

    /// Distance of Minimax's share from the printed one, to choose among roots with equally many matches.
    pub fn share_distance(&self, facts: &Facts) -> f64 {
        let printed = facts.published.iter().find(|(kind, _)| *kind == FactKind::ShareMinimax);
        match (printed, self.minimax_percent) {
            (Some((_, printed)), Some(share)) => (share - printed.value).abs(),
            _ => f64::INFINITY,
        }
    }
}
