//! The heuristic values that nodes of a stored tree can have, numbered from 0 in ascending order: a node keeps
//! the number (its *place*), tables by place give everything else.

use prodmax_enumerate::{HeuristicValue, Line, Mover};
use prodmax_mass::CurveTable;

use crate::spec::{Overflow, SimulationSpec, SpecError};

/// All values that a simulation can meet.
#[derive(Clone, Debug)]
pub struct Scale {
    line: Line,
    overflow: Overflow,
    values: Vec<HeuristicValue>,
    root: usize,
    increment: usize,
}

impl Scale {
    /// The scale of a checked spec.
    pub fn new(spec: &SimulationSpec) -> Result<Self, SpecError> {
        spec.check()?;
        let line = Line::new(spec.h_max, spec.zero)?;
        let root = line.value(spec.root)?;
        // The line on which no value of this tree is beyond the end.
        let reach = spec.increment * spec.tree_depth.div_ceil(2) as i64;
        let wide = match spec.overflow {
            Overflow::Clamp => line,
            Overflow::Saturate | Overflow::Extend => Line::new(spec.h_max + reach, spec.zero)?,
        };
        let ends = [-wide.h_max(), wide.h_max()];
        let values: Vec<_> = (ends[0]..=ends[1]).filter_map(|h| wide.value(h.into()).ok()).collect();
        let root = values.partition_point(|value| *value < root);
        Ok(Self { line, overflow: spec.overflow, values, root, increment: spec.increment as usize })
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.values.len()
    }

    /// The place of the root.
    pub fn root(&self) -> usize {
        self.root
    }

    /// The greatest increment.
    pub fn increment(&self) -> usize {
        self.increment
    }

    /// The heuristic value at each place.
    pub fn values(&self) -> &[HeuristicValue] {
        &self.values
    }

    /// The place of a child that lies `increment` beyond its parent in the direction of the mover, or at the
    /// end of the scale. (The scales of values that run on are so wide that no tree reaches their ends.)
    pub fn child(&self, parent: usize, mover: Mover, increment: usize) -> usize {
        match mover {
            Mover::Max => (parent + increment).min(self.places() - 1),
            Mover::Min => parent.saturating_sub(increment),
        }
    }

    /// The probability to win at each place.
    pub fn probabilities(&self, curve: &CurveTable) -> Vec<f64> {
        let (low, high) = (-self.line.h_max(), self.line.h_max());
        let on_line = |h: i32| self.line.value(h.into()).map_or(0.5, |value| curve.double(value));
        let beyond = |h: i32| match self.overflow {
            Overflow::Clamp | Overflow::Saturate => on_line(h.clamp(low, high)),
            Overflow::Extend => curve.formula(h).clamp(0.0, 1.0),
        };
        let probability = |h: i32| if (low..=high).contains(&h) { on_line(h) } else { beyond(h) };
        self.values.iter().map(|value| probability(value.get())).collect()
    }
}
