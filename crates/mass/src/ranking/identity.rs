//! Classes whose values are equal because they are the same function of unknowns.

use std::cmp::Ordering;

use prodmax_enumerate::HeuristicValue;
use prodmax_jobs::stop;

use super::FUNCTION_BITS;
use super::order::RuleOrder;
use super::settle::Kind;
use crate::functions::{Function, Functions, Unknowns};

impl RuleOrder<'_> {
    /// The kinds grouped by identical function, in the order of their first members.
    pub(super) fn group_identical(
        &self,
        level: usize,
        cluster: Vec<u32>,
        kinds: &[Kind],
    ) -> Vec<(Function, Vec<u32>)> {
        let bits = FUNCTION_BITS + self.contestant.rule().extra_bits();
        let mut parts: Vec<Vec<u32>> = cluster.into_iter().map(|kind| vec![kind]).collect();
        let mut groups: Vec<(Function, Vec<u32>)> = Vec::new();
        for (unknowns, leaves) in Unknowns::ALL.into_iter().zip(&self.functions) {
            let numbers = Functions { bits, unknowns };
            let player = self.contestant.prepare(numbers, self.depth());
            let leaf = |&h: &HeuristicValue| numbers.leaf(self.contestant, self.depth(), h);
            let leaves = leaves.get_or_init(|| self.table.leaf_values().iter().map(leaf).collect());
            groups = Vec::new();
            for part in parts {
                stop::check();
                let function = self.value(level, &kinds[part[0] as usize].0, &player, leaves);
                let same = |(other, _): &&mut (Function, Vec<u32>)| other.is_same(&function);
                match groups.iter_mut().find(same) {
                    Some((_, members)) => members.extend(part),
                    None => groups.push((function, part)),
                }
            }
            if groups.len() == 1 {
                break;
            }
            parts = groups.iter().map(|(_, members)| members.clone()).collect();
        }
        groups
    }
}

/// The groups in ascending order, if their functions differ only by constants.
pub(super) fn order_by_constants(groups: &[(Function, Vec<u32>)]) -> Option<Vec<&[u32]>> {
    if groups.windows(2).any(|pair| pair[0].0.compare(&pair[1].0).is_none()) {
        return None;
    }
    let mut ordered: Vec<&(Function, Vec<u32>)> = groups.iter().collect();
    ordered.sort_by(|a, b| a.0.compare(&b.0).unwrap_or(Ordering::Equal));
    Some(ordered.into_iter().map(|(_, members)| members.as_slice()).collect())
}
