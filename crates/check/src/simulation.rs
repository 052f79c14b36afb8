//! The figures of Tables III and IV: what three trees are expected to give, by the simulation of a reading.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use prodmax_golden::Value;
use prodmax_golden::quantity::{SimulatedFigure, SimulatedTable};
use prodmax_simulate::published::PUBLISHED_TREES;
use prodmax_simulate::{
    DecisionErrors, Ratio, SimulationProgress, SimulationResults, SimulationSpec, TableComparison,
    decision_errors, simulate,
};

use crate::calculator::QuantityError;

/// What a simulation gives for Tables III and IV and for Fig. 6.
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
    SimulationSpec::built_in()?.into_iter().find(|spec| spec.id == id).ok_or_else(unknown)
}

/// Simulations that were played, by the ids of their specs.
#[derive(Default)]
pub(crate) struct Simulations {
    played: Mutex<HashMap<String, Arc<Simulated>>>,
}

impl Simulations {
    fn played(&self) -> MutexGuard<'_, HashMap<String, Arc<Simulated>>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a finished simulation, if it is one of this version and not another one with its id.
    pub(crate) fn keep(&self, results: &SimulationResults) -> Result<(), QuantityError> {
        if SimulationSpec::built_in()?.contains(&results.spec) {
            self.played().insert(results.spec.id.clone(), Arc::new(Simulated::of(results)?));
        }
        Ok(())
    }

    /// The simulation with this id, played if it was not played before.
    pub(crate) fn get(&self, id: &str, interrupt: &AtomicBool) -> Result<Arc<Simulated>, QuantityError> {
        let known = self.played().get(id).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let spec = spec(id)?;
        let results = simulate(
            SimulationResults::new(spec),
            interrupt,
            &mut |_: SimulationProgress, _: &SimulationResults| {},
        )?;
        let played = Arc::new(Simulated::of(&results)?);
        self.played().insert(id.to_owned(), Arc::clone(&played));
        Ok(played)
    }
}

/// A cell of a table as a sampled value: its error combines that of the three published trees and that of ours.
pub(crate) fn figure(
    [estimated, actual]: &[TableComparison; 2],
    table: SimulatedTable,
    d: usize,
    figure: SimulatedFigure,
) -> Result<Value, QuantityError> {
    let table = match table {
        SimulatedTable::Estimated => estimated,
        SimulatedTable::Actual => actual,
    };
    let row = table.rows.iter().find(|row| row.d == d).ok_or(QuantityError::NoRow(d))?;
    let (Some(critical), Some(share), Some(published)) = (row.critical, row.share, &row.published) else {
        return Ok(Value::Nothing);
    };
    let pairs = published.pairs as f64;
    // Wins are critical pairs times a share; the share's error dominates, and that of the pairs adds to it.
    let wins = |part: f64| {
        let (c, s) = (critical.ours, share.ours);
        let value = pairs * c.value * part;
        let relative = (error(c) / c.value).hypot(error(s) / part);
        Value::Sampled { value, error: value * relative }
    };
    Ok(match figure {
        SimulatedFigure::Critical => {
            Value::Sampled { value: pairs * critical.ours.value, error: pairs * error(critical.ours) }
        }
        SimulatedFigure::MinimaxWins => wins(share.ours.value),
        SimulatedFigure::ProductWins => wins(1.0 - share.ours.value),
        SimulatedFigure::MinimaxPercent => {
            Value::Sampled { value: 100.0 * share.ours.value, error: 100.0 * error(share.ours) }
        }
    })
}

/// The standard deviation of the difference between a mean over the published trees and ours.
fn error(ours: Ratio) -> f64 {
    let one_tree = ours.standard_error * (ours.trees as f64).sqrt();
    one_tree * (1.0 / PUBLISHED_TREES as f64 + 1.0 / ours.trees as f64).sqrt()
}
