//! How well one rule does against another in whole games, in one number per depth.

use prodmax_jobs::Job;
use prodmax_rules::RulePair;
use std::sync::atomic::AtomicBool;

use crate::compare::TableComparison;
use crate::published::Probabilities;
use crate::results::SimulationResults;
use crate::run::{SimulationError, simulate};
use crate::spec::SimulationSpec;
use crate::statistics::Ratio;

/// The critical game pairs of one depth and who won them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstShare {
    /// The depth of all searches.
    pub d: usize,
    /// Game pairs.
    pub pairs: u64,
    /// Pairs in which one rule won both games.
    pub critical: u64,
    /// The share of the critical pairs that the first rule won, with its standard error over trees (delete-one
    /// jackknife); `None` with fewer than two trees or if one tree has all critical pairs.
    pub share: Option<Ratio>,
}

/// The shares of the first rule in finished results.
pub fn first_shares(results: &SimulationResults, probabilities: Probabilities) -> Vec<FirstShare> {
    let rows = TableComparison::new(results, probabilities, &[]).rows;
    rows.iter()
        .map(|row| FirstShare {
            d: row.d,
            pairs: row.pairs,
            critical: row.critical_pairs(),
            share: row.share.map(|cell| cell.ours),
        })
        .collect()
}

/// Plays all games of a spec with these rules instead of its own (the trees are the same for every pair of rules) and
/// returns the shares of the first rule.
pub fn play_for_shares(
    rules: &RulePair,
    spec: &SimulationSpec,
    probabilities: Probabilities,
) -> Result<Vec<FirstShare>, SimulationError> {
    let spec = SimulationSpec { rules: rules.clone(), ..spec.clone() };
    let results = simulate(&spec, &Job::new(&AtomicBool::new(false)))?;
    Ok(first_shares(&results, probabilities))
}
