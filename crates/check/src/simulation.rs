//! The figures of Tables III and IV: what three trees are expected to give, by the simulation that comes closest.

use std::sync::atomic::AtomicBool;

use prodmax_golden::Value;
use prodmax_golden::quantity::{SimulatedFigure, SimulatedTable};
use prodmax_simulate::published::PUBLISHED_TREES;
use prodmax_simulate::{
    Ratio, SimulationProgress, SimulationResults, SimulationSpec, TableComparison, simulate,
};

use crate::calculator::QuantityError;

/// The simulation that golden entries are computed from.
pub fn spec() -> Result<SimulationSpec, QuantityError> {
    Ok(SimulationSpec::reading_b()?)
}

/// Plays that simulation.
pub(crate) fn play(interrupt: &AtomicBool) -> Result<[TableComparison; 2], QuantityError> {
    let results = simulate(
        SimulationResults::new(spec()?),
        interrupt,
        &mut |_: SimulationProgress, _: &SimulationResults| {},
    )?;
    Ok(TableComparison::both(&results)?)
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
