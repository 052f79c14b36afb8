//! The results of Storm, an independent model checker, as `make verify-storm` writes them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ReportError;

/// Longer records are not ours.
const MOST_BYTES: u64 = 16 << 20;

/// Where `make verify-storm` writes below a report.
pub const FILE: &str = "data/storm.json";

/// The last run that was recorded, for reports without one of their own.
const RECORDED: &str = include_str!("../../../tests/storm/recorded.json");

/// One run of Storm over several models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StormRun {
    /// The version of Storm's Python package.
    pub stormpy: String,
    /// The program that was checked.
    pub prodmax: String,
    /// How far doubles may be apart.
    pub relative_tolerance: f64,
    /// The models.
    pub cases: Vec<StormCase>,
    /// Whether this is the recorded run and not the report's own.
    #[serde(skip)]
    pub is_recorded: bool,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StormCase {
    /// For readers.
    pub name: String,
    /// For `prodmax mass` and `prodmax prism`.
    pub arguments: String,
    /// The names of the first and the second rule.
    pub rules: [String; 2],
    /// Whether fractions were compared.
    pub exact: bool,
    /// Whether both programs found the same.
    pub agrees: bool,
    /// By prodmax.
    pub prodmax_difference_percent: f64,
    /// By Storm.
    pub storm_difference_percent: f64,
    /// The probability that the first rule errs, a decimal or a fraction.
    pub storm_first_errs: String,
    /// The probability that the second rule errs.
    pub storm_second_errs: String,
    /// States of the model that Storm built.
    pub states: u64,
    /// How long prodmax took, from start to end.
    pub prodmax_seconds: f64,
    /// How long Storm took to build the model and to check it.
    pub storm_seconds: f64,
}

impl StormRun {
    /// The run that was written below a report, or else the recorded one.
    pub fn below(out: &Path) -> Result<Self, ReportError> {
        let path = out.join(FILE);
        let failed = |reason: String| ReportError::Storm { path: path.clone(), reason };
        if path.exists() {
            let text = prodmax_store::read_text(&path, MOST_BYTES)?;
            return serde_json::from_str(&text).map_err(|error| failed(error.to_string()));
        }
        let recorded: Self = serde_json::from_str(RECORDED).map_err(|error| failed(error.to_string()))?;
        Ok(Self { is_recorded: true, ..recorded })
    }

    /// Models in which both programs found the same.
    pub fn agreeing(&self) -> usize {
        self.cases.iter().filter(|case| case.agrees).count()
    }
}

impl StormCase {
    /// How many times as long as prodmax Storm took.
    pub fn time_ratio(&self) -> f64 {
        self.storm_seconds / self.prodmax_seconds
    }
}
