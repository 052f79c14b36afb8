//! The order of classes that doubles cannot tell apart: enclosures of increasing precision, and identities for those
//! that stay together at every precision.

use std::collections::BTreeMap;

use prodmax_jobs::stop;
use prodmax_number::Enclosure;
use prodmax_rules::numbers::Enclosures;
use smallvec::SmallVec;

use super::STAGES;
use super::identity::order_by_constants;
use super::order::{Names, RuleOrder};
use super::sorting::split;
use crate::sweep::Groups;
use prodmax_rules::{CurveNumbers, PreparedContestant};

/// Classes that have the same name once equal children are given one name: the children, ascending, and the classes.
pub(super) type Kind = (SmallVec<[u32; 4]>, Vec<u32>);

/// The classes of one level that are to be sorted.
pub(super) struct Task<'a> {
    pub(super) level: usize,
    pub(super) names: Names<'a>,
    /// Equal classes of the level below.
    pub(super) below: Option<&'a [u32]>,
}

impl RuleOrder<'_> {
    /// Settles the order of classes that doubles cannot tell apart. Of classes whose children have equal values, only
    /// one is looked at.
    pub(super) fn settle(&self, task: &Task<'_>, cluster: &[u32], groups: &mut Groups, unresolved: &mut u64) {
        let mut kinds: BTreeMap<SmallVec<[u32; 4]>, Vec<u32>> = BTreeMap::new();
        for &class in cluster {
            let mut name = SmallVec::from_slice(task.names.get(class));
            if let Some(below) = task.below {
                name.iter_mut().for_each(|child| *child = below[*child as usize]);
                name.sort_unstable();
            }
            kinds.entry(name).or_default().push(class);
        }
        let kinds: Vec<Kind> = kinds.into_iter().collect();
        let mut ordered = Groups::default();
        self.refine(task.level, (0..kinds.len() as u32).collect(), &kinds, 0, &mut ordered, unresolved);
        for group in ordered.iter() {
            let mut members: Vec<u32> =
                group.iter().flat_map(|&kind| kinds[kind as usize].1.iter().copied()).collect();
            members.sort_unstable();
            groups.push(&members);
        }
    }

    /// Splits a cluster of kinds that the previous stage could not settle.
    fn refine(
        &self,
        level: usize,
        cluster: Vec<u32>,
        kinds: &[Kind],
        stage: usize,
        groups: &mut Groups,
        unresolved: &mut u64,
    ) {
        if stage == STAGES.len() || cluster.len() == 1 {
            *unresolved += cluster.len() as u64 - 1;
            groups.push(&cluster);
            return;
        }
        let name = |kind: u32| kinds[kind as usize].0.as_slice();
        let player = self.contestant.prepare(Enclosures { bits: self.stages[stage] }, self.depth());
        let leaves = self.enclosures[stage].get_or_init(|| self.leaves(&player));
        let value = |kind| {
            stop::check();
            (self.value(level, name(kind), &player, leaves), kind)
        };
        let mut values: Vec<(Enclosure, u32)> = cluster.into_iter().map(value).collect();
        values.sort_by(|a, b| a.0.low_end().cmp(b.0.low_end()).then(a.1.cmp(&b.1)));
        for overlapping in split(values) {
            if overlapping.len() == 1 {
                groups.push(&overlapping);
                continue;
            }
            // Equal values overlap at every precision: group them first, then compare what is left.
            let equal = self.group_identical(level, overlapping, kinds);
            if let Some(ordered) = order_by_constants(&equal) {
                ordered.iter().for_each(|group| groups.push(group));
                continue;
            }
            let representatives: Vec<u32> = equal.iter().map(|(_, members)| members[0]).collect();
            let mut ordered = Groups::default();
            self.refine(level, representatives, kinds, stage + 1, &mut ordered, unresolved);
            for group in ordered.iter() {
                let members = group.iter().flat_map(|representative| {
                    equal.iter().filter(|(_, m)| m[0] == *representative).flat_map(|(_, m)| m.iter().copied())
                });
                groups.extend(members);
            }
        }
    }

    fn leaves<N: CurveNumbers>(&self, player: &PreparedContestant<'_, N>) -> Vec<N::Number> {
        self.table.leaf_values().iter().map(|&h| player.leaf(h)).collect()
    }

    /// The value of a class of a level, given its name and the values of the leaf classes.
    pub(super) fn value<N: CurveNumbers>(
        &self,
        level: usize,
        name: &[u32],
        player: &PreparedContestant<'_, N>,
        leaves: &[N::Number],
    ) -> N::Number {
        if level == self.depth() {
            return leaves[name[0] as usize].clone();
        }
        self.table.back_up_children(level, name, leaves, &|place, children| player.node(place, children))
    }
}
