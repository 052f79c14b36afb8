//! The results of Storm, an independent model checker, as written by `make verify-storm`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::record::Source;

/// The file below a report that `make verify-storm` writes.
pub const FILE: &str = "data/storm.json";

const SOURCE: Source =
    Source { target: "verify-storm", file: FILE, recorded: prodmax_data::text("golden/others/storm.json") };

/// One run of Storm over several models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StormRun {
    /// The version of Storm's Python package.
    pub stormpy: String,
    /// The program that was checked.
    pub prodmax: String,
    /// How far apart doubles may be.
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
    /// The name that readers see.
    pub name: String,
    /// The arguments of `prodmax mass` and `prodmax prism`.
    pub arguments: String,
    /// The names of the first and the second rule.
    pub rules: [String; 2],
    /// Whether fractions were compared.
    pub exact: bool,
    /// Whether both programs found the same.
    pub agrees: bool,
    /// The difference by prodmax.
    pub prodmax_difference_percent: f64,
    /// The difference by Storm.
    pub storm_difference_percent: f64,
    /// The probability that the first rule errs, a decimal or a fraction.
    pub storm_first_errs: String,
    /// The probability that the second rule errs.
    pub storm_second_errs: String,
    /// The number of states of the model that Storm built.
    pub states: u64,
    /// How long prodmax took, from start to end.
    pub prodmax_seconds: f64,
    /// How long Storm took to build the model and to check it.
    pub storm_seconds: f64,
}

impl StormRun {
    /// The run that was written below a report, or otherwise the recorded one.
    pub fn below(out: &Path) -> Result<Self, ReportError> {
        let (run, is_recorded) = SOURCE.read(out, |_: &Self| Ok(()))?;
        Ok(Self { is_recorded, ..run })
    }

    /// The number of models in which both programs found the same.
    pub fn agreeing(&self) -> usize {
        self.cases.iter().filter(|case| case.agrees).count()
    }
}

impl StormCase {
    /// How many times as long Storm took as prodmax.
    pub fn time_ratio(&self) -> f64 {
        self.storm_seconds / self.prodmax_seconds
    }
}
