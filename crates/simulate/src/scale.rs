//! The heuristic values that nodes of a stored tree can have, numbered from 0 in ascending order. A node stores the
//! number (its *place*); tables by place give everything else.

use prodmax_enumerate::{HeuristicValue, Line, Mover};
use prodmax_mass::CurveTable;

use crate::spec::{Overflow, SimulationSpec, SpecError};

/// All values that can occur in a simulation.
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
        // A line so long that no value of this tree is beyond its end.
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

    /// The number of places.
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

    /// The place of a child that is `increment` away from its parent in the direction of the mover, or at the end of
    /// the scale. (Unless values are clamped, the scale is so wide that no tree reaches its ends.)
    pub fn child(&self, parent: usize, mover: Mover, increment: usize) -> usize {
        match mover {
            Mover::Max => (parent + increment).min(self.places() - 1),
            Mover::Min => parent.saturating_sub(increment),
        }
    }

    /// The probability of winning at each place.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(overflow: Overflow, zero: &str) -> Scale {
        let text = format!(
            r#"(id: "x", title: "", source: "", tree_depth: 3, root: -2, increment: 4, h_max: 5, zero: {zero},
            overflow: "{}", truth: "pearl:4", assignment: "top-down", estimate: "pearl:1", depths: [1], trees: 1)"#,
            overflow.name()
        );
        Scale::new(&prodmax_jobs::ron_file::parse(&text, "x").unwrap()).unwrap()
    }

    #[test]
    fn increments_skip_a_missing_zero_and_stop_at_the_end() {
        let moves = |zero| {
            let scale = scale(Overflow::Clamp, zero);
            let child = |mover, increment| scale.values()[scale.child(scale.root(), mover, increment)].get();
            [child(Mover::Max, 2), child(Mover::Max, 4), child(Mover::Min, 3), child(Mover::Min, 4)]
        };
        assert_eq!(moves("skip"), [1, 3, -5, -5]);
        assert_eq!(moves("allow"), [0, 2, -5, -5]);
    }

    #[test]
    fn unclamped_values_go_as_far_as_a_tree_can_reach() {
        // Two moves of MAX and one of MIN by up to 4.
        for overflow in [Overflow::Saturate, Overflow::Extend] {
            let scale = scale(overflow, "skip");
            assert_eq!(scale.values().iter().map(|value| value.get()).max(), Some(13));
            assert_eq!(scale.places(), 26);
            assert_eq!(scale.values()[scale.child(scale.child(4, Mover::Max, 4), Mover::Max, 4)].get(), -1);
        }
    }

    #[test]
    fn probabilities_beyond_the_end() {
        let probabilities = |overflow| {
            let scale = scale(overflow, "skip");
            let pearl = scale.probabilities(&CurveTable::new("pearl:4".parse().unwrap(), 5));
            let arctan = scale.probabilities(&CurveTable::new("arctan:4".parse().unwrap(), 5));
            let at = |h: i32| scale.values().iter().position(|value| value.get() == h).unwrap();
            [pearl[at(5)], pearl[at(13)], arctan[at(13)], arctan[at(-13)]]
        };
        let formula = |h: f64| 0.5 + (4.0 * h / 5.0).atan() / std::f64::consts::PI;
        let near = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(near(probabilities(Overflow::Saturate), [formula(5.0), formula(5.0), 1.0, 0.0]));
        assert!(near(probabilities(Overflow::Extend), [formula(5.0), formula(13.0), 1.0, 0.0]));
    }
}
