//! What readings share: the classes, orders and branches of every model of a target.

use prodmax_enumerate::{Model, ModelError};
use prodmax_mass::Critical;

use crate::branches::Branches;
use crate::dimension::{ScaledCurve, Statistic, Weights, ZeroReading};
use crate::grid::Grid;
use crate::measure;
use crate::pairing::Pairing;
use crate::reading::{Reading, ReadingError};
use crate::search::GridSearchError;
use crate::target::{Target, TargetModel};

/// Everything that readings with the same zero and estimate share, first for the target's cells and then for its
/// facts; `None` for a root that does not exist on the line.
pub(crate) struct Frame {
    zero: ZeroReading,
    estimate: ScaledCurve,
    pub(crate) models: Vec<Option<PreparedModel>>,
}

/// One model.
pub(crate) struct PreparedModel {
    pub(crate) critical: Critical,
    branches: Vec<(Weights, Branches)>,
}

impl Frame {
    pub(crate) fn new(
        reading: &Reading,
        weights: &[Weights],
        target: &Target,
    ) -> Result<Self, GridSearchError> {
        let cells = target.cells.iter().map(|cell| (&cell.model, true));
        let facts = target.facts.iter().map(|facts| (&facts.model, false));
        let mut models = Vec::new();
        for (model, is_required) in cells.chain(facts) {
            let own = Reading { truth: reading.estimate.clone(), ..reading.clone() };
            let prepared = on_line(model, &own)
                .map_err(ReadingError::from)
                .and_then(|model| PreparedModel::new(&model, reading, weights));
            models.push(match prepared {
                Ok(prepared) => Some(prepared),
                Err(source) if is_required => return Err(failed(model, reading, source)),
                Err(_) => None,
            });
        }
        Ok(Self { zero: reading.zero, estimate: reading.estimate.clone(), models })
    }

    pub(crate) fn is_of(&self, reading: &Reading) -> bool {
        self.zero == reading.zero && self.estimate == reading.estimate
    }
}

impl PreparedModel {
    fn new(model: &Model, reading: &Reading, weights: &[Weights]) -> Result<Self, ReadingError> {
        let critical = measure::classes(model, reading.zero, &reading.estimate)?;
        let mut branches = Vec::with_capacity(weights.len());
        for &weights in weights {
            let of = Branches::of(critical.table(), critical.classes(), reading.zero, weights)?;
            branches.push((weights, of));
        }
        Ok(Self { critical, branches })
    }

    pub(crate) fn pairing(&self, reading: &Reading) -> Option<Pairing<'_>> {
        let (_, branches) = self.branches.iter().find(|(weights, _)| *weights == reading.weights)?;
        Some(Pairing::new(&self.critical, branches, reading.weights, reading.ties, reading.same_increment))
    }

    /// Whether the truth curve covers all leaves. Cells were checked before; a depth-2 root may be out of range.
    pub(crate) fn fits(&self, reading: &Reading) -> bool {
        reading.model(self.critical.table().model()).is_ok()
    }
}

pub(crate) fn on_line(model: &TargetModel, reading: &Reading) -> Result<Model, ModelError> {
    let h_max = reading.truth.h_max.min(reading.estimate.h_max);
    Model::new(model.root, &model.increments, reading.zero.line(), h_max.into())
}

/// An error if some reading of a grid is impossible for some cell. All that matters is the line, the curves, and
/// whether pairs are visited or truth is shared.
pub(crate) fn check(grid: &Grid, target: &Target) -> Result<(), GridSearchError> {
    let mut inner: Vec<Reading> = Vec::new();
    for reading in (0..grid.block_len()).map(|index| grid.reading(index)) {
        let key = |r: &Reading| (r.sharing, r.statistic == Statistic::Majority);
        if !inner.iter().any(|other| key(other) == key(&reading)) {
            inner.push(reading);
        }
    }
    let mut outer: Vec<Reading> = Vec::new();
    for reading in (0..grid.len()).step_by(grid.block_len()).map(|index| grid.reading(index)) {
        let key = |r: &Reading| (r.zero, r.truth.clone(), r.estimate.clone());
        if !outer.iter().any(|other| key(other) == key(&reading)) {
            outer.push(reading);
        }
    }
    for outer in &outer {
        for inner in &inner {
            let Reading { estimate, zero, truth, .. } = outer.clone();
            let reading = Reading { estimate, zero, truth, ..inner.clone() };
            for cell in &target.cells {
                let possible = on_line(&cell.model, &reading)
                    .map_err(ReadingError::from)
                    .and_then(|model| reading.check_size(&model));
                possible.map_err(|source| failed(&cell.model, &reading, source))?;
            }
        }
    }
    Ok(())
}

fn failed(model: &TargetModel, reading: &Reading, source: ReadingError) -> GridSearchError {
    GridSearchError::Reading {
        root: model.root,
        increments: model.increments.clone(),
        zero: reading.zero,
        truth: reading.truth.to_string(),
        estimate: reading.estimate.to_string(),
        source: Box::new(source),
    }
}
