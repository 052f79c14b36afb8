//! Minimaxing (KHS Definition 1).

use std::cmp::Ordering;

use prodmax_enumerate::HeuristicValue;

use super::BackupRule;

/// Backs up heuristic values by maximum and minimum, as if they were true.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minimax;

impl BackupRule for Minimax {
    type Value = HeuristicValue;

    fn leaf(&self, h: HeuristicValue) -> HeuristicValue {
        h
    }

    fn max_node(&self, a: &HeuristicValue, b: &HeuristicValue) -> HeuristicValue {
        *a.max(b)
    }

    fn min_node(&self, a: &HeuristicValue, b: &HeuristicValue) -> HeuristicValue {
        *a.min(b)
    }

    fn compare(&self, a: &HeuristicValue, b: &HeuristicValue) -> Option<Ordering> {
        Some(a.cmp(b))
    }
}
