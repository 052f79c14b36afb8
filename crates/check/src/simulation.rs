//! The figures of Tables III and IV and of HK's contest: what so many trees are expected to give, by the simulation of a
//! reading.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use prodmax_golden::quantity::{SimulatedFigure, SimulatedTable};
use prodmax_jobs::Job;
use prodmax_number::Approximate;
use prodmax_simulate::published::PUBLISHED_TREES;
use prodmax_simulate::{
    DecisionErrors, Ratio, Row, SimulationResults, SimulationSpec, TableComparison, decision_errors, simulate,
};

use crate::calculator::QuantityError;

/// What a simulation gives for Tables III and IV or for a contest, and for Fig. 6.
#[derive(Clone, Debug)]
pub(crate) struct Simulated {
    /// Tables III and IV.
    pub(crate) tables: [TableComparison; 2],
    /// Fig. 6.
    pub(crate) errors: Vec<DecisionErrors>,
}

impl Simulated {
    /// The tables of a simulation that was played.
    pub(crate) fn of(results: &SimulationResults) -> Result<Self, QuantityError> {
        Ok(Self { tables: TableComparison::both(results)?, errors: decision_errors(results) })
    }
}

/// A simulation of this version by its id.
pub(crate) fn spec(id: &str) -> Result<SimulationSpec, QuantityError> {
    let unknown = || QuantityError::NoSimulation(id.to_owned());
    let mut specs = SimulationSpec::built_in()?.into_iter().chain(SimulationSpec::contests()?);
    specs.find(|spec| spec.id == id).ok_or_else(unknown)
}

/// Simulations that were played, by the ids of their specs and the depths of their trees.
#[derive(Default)]
pub(crate) struct Simulations {
    played: Mutex<HashMap<(String, usize), Arc<Simulated>>>,
}

impl Simulations {
    fn played(&self) -> MutexGuard<'_, HashMap<(String, usize), Arc<Simulated>>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a finished simulation, if it is one of this version and not another one with its id.
    pub(crate) fn keep(&self, results: &SimulationResults) -> Result<(), QuantityError> {
        if SimulationSpec::built_in()?.contains(&results.spec) {
            self.played().insert(key(&results.spec), Arc::new(Simulated::of(results)?));
        }
        Ok(())
    }

    /// The simulation with this id, played if it was not played before; in trees of another depth if one is named.
    pub(crate) fn get(
        &self,
        id: &str,
        tree_depth: Option<usize>,
        interrupt: &AtomicBool,
    ) -> Result<Arc<Simulated>, QuantityError> {
        let mut spec = spec(id)?;
        spec.tree_depth = tree_depth.unwrap_or(spec.tree_depth);
        let key = key(&spec);
        let known = self.played().get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let results = simulate(&spec, &Job::new(interrupt))?;
        let played = Arc::new(Simulated::of(&results)?);
        self.played().insert(key, Arc::clone(&played));
        Ok(played)
    }
}

fn key(spec: &SimulationSpec) -> (String, usize) {
    (spec.id.clone(), spec.tree_depth)
}

/// How much a paper played.
#[derive(Clone, Copy, Debug)]
struct Sample {
    trees: u64,
    pairs: u64,
}

/// A cell of a table as a sampled value: its error combines that of the three published trees and that of ours.
pub(crate) fn figure(
    [estimated, actual]: &[TableComparison; 2],
    table: SimulatedTable,
    d: usize,
    figure: SimulatedFigure,
) -> Result<Option<Approximate>, QuantityError> {
    let table = match table {
        SimulatedTable::Estimated => estimated,
        SimulatedTable::Actual => actual,
    };
    let row = row(table, d)?;
    let Some(published) = &row.published else { return Ok(None) };
    Ok(expected(row, Sample { trees: PUBLISHED_TREES as u64, pairs: published.pairs }, figure))
}

/// What so many trees of the simulated depth are expected to give.
pub(crate) fn contested(
    simulated: &Simulated,
    trees: u64,
    d: usize,
    figure: SimulatedFigure,
) -> Result<Option<Approximate>, QuantityError> {
    let row = row(&simulated.tables[0], d)?;
    // Every tree has the same number of pairs.
    let ours = row.critical.map_or(0, |critical| critical.ours.trees as u64);
    let pairs = row.pairs.checked_div(ours).unwrap_or(0).saturating_mul(trees);
    Ok(expected(row, Sample { trees, pairs }, figure))
}

fn row(table: &TableComparison, d: usize) -> Result<&Row, QuantityError> {
    table.rows.iter().find(|row| row.d == d).ok_or(QuantityError::NoRow(d))
}

/// What a sample is expected to give; the error combines that of the sample and that of ours.
fn expected(row: &Row, sample: Sample, figure: SimulatedFigure) -> Option<Approximate> {
    let (critical, share) = (row.critical?, row.share?);
    let pairs = sample.pairs as f64;
    let error = |ours: Ratio| error(ours, sample.trees as f64);
    // Wins are critical pairs times a share; the share's error dominates, and that of the pairs adds to it.
    let wins = |part: f64| {
        let (c, s) = (critical.ours, share.ours);
        let value = pairs * c.value * part;
        let relative = (error(c) / c.value).hypot(error(s) / part);
        Approximate::sampled(value, value * relative)
    };
    Some(match figure {
        SimulatedFigure::Critical => {
            Approximate::sampled(pairs * critical.ours.value, pairs * error(critical.ours))
        }
        SimulatedFigure::MinimaxWins => wins(share.ours.value),
        SimulatedFigure::ProductWins => wins(1.0 - share.ours.value),
        SimulatedFigure::MinimaxPercent => {
            Approximate::sampled(100.0 * share.ours.value, 100.0 * error(share.ours))
        }
    })
}

/// The standard deviation of the difference between a mean over so many trees and ours.
fn error(ours: Ratio, trees: f64) -> f64 {
    let one_tree = ours.standard_error * (ours.trees as f64).sqrt();
    one_tree * (1.0 / trees + 1.0 / ours.trees as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: a tree of depth 3 has 7 pairs at depth 2 less the lowest level, so 4 trees have 12; a mean over as many trees
    /// as ours has √2 times our standard error.
    #[test]
    fn a_sample_has_the_pairs_of_its_trees_and_their_error() {
        let mut spec = SimulationSpec::contests().unwrap().remove(0);
        (spec.tree_depth, spec.trees) = (3, 400);
        let never = AtomicBool::new(false);
        let results = simulate(&spec, &Job::new(&never)).unwrap();
        let simulated = Simulated::of(&results).unwrap();
        let row = &simulated.tables[0].rows[0];
        assert_eq!((row.d, row.pairs, &row.published), (2, 3 * 400, &None));
        let rate = row.critical.unwrap().ours;
        let of = |trees| match contested(&simulated, trees, 2, SimulatedFigure::Critical).unwrap() {
            Some(sampled) => (sampled.value, sampled.error()),
            None => panic!("no figure"),
        };
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        let ((four, _), (all, error)) = (of(4), of(400));
        close(four, 12.0 * rate.value);
        close(all, row.critical_pairs() as f64);
        close(error, 1200.0 * rate.standard_error * 2f64.sqrt());
        assert!(matches!(
            contested(&simulated, 4, 3, SimulatedFigure::Critical),
            Err(QuantityError::NoRow(3))
        ));
    }
}
