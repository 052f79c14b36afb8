//! The units of divisible work: runs of consecutive steps.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::share::Shard;

/// The units that are computed, in ascending order: all, or those of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Every `size` steps; a shard has every `of`-th unit. Not a list: there may be too many for memory.
    Even {
        steps: Range<u64>,
        size: u64,
        shard: Shard,
    },
    Listed(Vec<Range<u64>>),
}

impl Units {
    /// Units of `size` steps each, except for the last one, that all take equally long.
    pub fn even(steps: Range<u64>, size: u64, shard: Option<Shard>) -> Self {
        Self(Kind::Even { steps, size: size.max(1), shard: shard.unwrap_or(Shard::ONLY) })
    }

    /// These units, which are already those of the shard.
    pub fn listed(units: Vec<Range<u64>>) -> Self {
        Self(Kind::Listed(units))
    }

    /// Units that take this long each, in seconds.
    pub fn of_seconds(units: Vec<Range<u64>>, seconds: &[f64], shard: Option<Shard>) -> Self {
        let Some(shard) = shard else { return Self::listed(units) };
        let own = shard.units(&costs(seconds));
        Self::listed(own.into_iter().filter_map(|place| units.get(place).cloned()).collect())
    }

    /// How many steps there are in all units.
    pub fn steps(&self) -> u64 {
        match &self.0 {
            Kind::Listed(units) => units.iter().map(length).sum(),
            Kind::Even { steps, size, shard } => {
                let (first, of) = (u64::from(shard.number()) - 1, u64::from(shard.of()));
                let units = length(steps).div_ceil(*size);
                let own = units.saturating_sub(first).div_ceil(of);
                // Only the last unit of all can be shorter.
                let has_last = own > 0 && shard.has(units - 1);
                let short = if has_last { units * size - length(steps) } else { 0 };
                own * size - short
            }
        }
    }

    /// No unit has more steps.
    pub fn longest(&self) -> u64 {
        match &self.0 {
            Kind::Listed(units) => units.iter().map(length).max().unwrap_or(0),
            Kind::Even { steps, size, .. } => length(steps).min(*size),
        }
    }

    /// The unit in this place.
    fn get(&self, place: u64) -> Option<Range<u64>> {
        match &self.0 {
            Kind::Listed(units) => units.get(usize::try_from(place).ok()?).cloned(),
            Kind::Even { steps, size, shard } => {
                let unit =
                    place.checked_mul(shard.of().into())?.checked_add(u64::from(shard.number()) - 1)?;
                let first = steps.start.checked_add(unit.checked_mul(*size)?)?;
                (first < steps.end).then(|| first..first.saturating_add(*size).min(steps.end))
            }
        }
    }

    /// Whether kept steps belong to these units. If these are all units of the work, the kept steps may begin and end
    /// anywhere: the work may have had other steps when they were kept.
    pub(super) fn hold(&self, run: &Range<u64>) -> bool {
        let holds = |unit: &Range<u64>| unit.start <= run.start && run.end <= unit.end;
        match &self.0 {
            Kind::Listed(units) => {
                let after = units.partition_point(|unit| unit.start <= run.start);
                after > 0 && holds(&units[after - 1])
            }
            Kind::Even { steps, shard, .. } if shard.of() == 1 => holds(steps),
            Kind::Even { steps, size, shard } => {
                let Some(before) = run.start.checked_sub(steps.start) else { return false };
                let unit = before / size;
                shard.has(unit) && self.get(unit / u64::from(shard.of())).is_some_and(|unit| holds(&unit))
            }
        }
    }
}

/// The number of steps of a run.
pub(super) fn length(run: &Range<u64>) -> u64 {
    run.end - run.start
}

/// Costs of units in whole numbers, from their times: only their ratios matter.
fn costs(seconds: &[f64]) -> Vec<u64> {
    let longest = seconds.iter().copied().fold(0.0, f64::max);
    let scale = if longest > 0.0 { 1e9 / longest } else { 0.0 };
    seconds.iter().map(|seconds| ((seconds * scale) as u64).max(1)).collect()
}

/// What is still to be computed: the units without the steps that were kept, one after the other.
pub(super) struct Todo<'a> {
    units: &'a Units,
    /// The place of the next unit.
    place: u64,
    /// What is left of the unit before it.
    rest: Range<u64>,
    /// Kept runs, which do not overlap: the end of each by its first step.
    kept: BTreeMap<u64, u64>,
}

impl<'a> Todo<'a> {
    pub(super) fn new(units: &'a Units, kept: impl Iterator<Item = Range<u64>>) -> Self {
        Self { units, place: 0, rest: 0..0, kept: kept.map(|run| (run.start, run.end)).collect() }
    }
}

impl Iterator for Todo<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        loop {
            if self.rest.is_empty() {
                self.rest = self.units.get(self.place)?;
                self.place += 1;
            }
            let Range { start, end } = self.rest;
            let before = self.kept.range(..=start).next_back().filter(|(_, kept_end)| **kept_end > start);
            if let Some((_, &kept_end)) = before {
                self.rest.start = kept_end.min(end);
                continue;
            }
            let next = self.kept.range(start..end).next().map_or(end, |(&first, _)| first);
            self.rest.start = next;
            return Some(start..next);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn costs_have_the_ratios_of_times() {
        assert_eq!(costs(&[0.5, 2.0, 0.0]), [250_000_000, 1_000_000_000, 1]);
        assert_eq!(costs(&[0.0, 0.0]), [1, 1]);
        assert!(costs(&[]).is_empty());
    }

    fn all(units: &Units) -> Vec<Range<u64>> {
        (0..).map_while(|place| units.get(place)).collect()
    }

    #[test]
    fn units_near_the_end_of_all_numbers_are_counted() {
        let units = Units::even(u64::MAX - 5..u64::MAX, 2, None);
        assert_eq!(units.steps(), 5);
        let last = u64::MAX;
        assert_eq!(all(&units), [last - 5..last - 3, last - 3..last - 1, last - 1..last]);
        assert_eq!(
            (Units::even(3..3, 2, None).steps(), Units::even(3..3, 2, Shard::new(2, 2)).steps()),
            (0, 0)
        );
    }

    proptest! {
        /// Against a list of single steps.
        #[test]
        fn even_units_are_divided_among_shards(
            first in 0u64..40, steps in 0u64..60, size in 1u64..9, of in 1u32..8
        ) {
            let mut seen = Vec::new();
            for number in 1..=of {
                let units = Units::even(first..first + steps, size, Shard::new(number, of));
                let runs = all(&units);
                prop_assert_eq!(units.steps(), runs.iter().map(length).sum::<u64>());
                prop_assert!(runs.iter().all(|run| length(run) <= units.longest()));
                prop_assert!(runs.iter().all(|run| units.hold(run) && units.hold(&(run.end - 1..run.end))));
                let inside: Vec<u64> = runs.into_iter().flatten().collect();
                for step in first.saturating_sub(2)..first + steps + 2 {
                    prop_assert_eq!(units.hold(&(step..step + 1)), inside.contains(&step));
                }
                seen.extend(inside);
            }
            seen.sort_unstable();
            prop_assert_eq!(seen, (first..first + steps).collect::<Vec<_>>());
        }

        /// Against a set of single steps.
        #[test]
        fn what_is_kept_is_not_computed_again(
            bounds in prop::collection::btree_set(0u64..50, 0..12), odd in any::<bool>(),
            (first, steps, size) in (0u64..20, 0u64..40, 1u64..9)
        ) {
            let bounds: Vec<u64> = bounds.into_iter().collect();
            let runs = bounds.windows(2).skip(usize::from(odd)).step_by(2).map(|ends| ends[0]..ends[1]);
            let kept: Vec<Range<u64>> = runs.collect();
            let units = Units::even(first..first + steps, size, None);
            let todo: Vec<Range<u64>> = Todo::new(&units, kept.iter().cloned()).collect();
            prop_assert!(todo.iter().all(|run| !run.is_empty() && length(run) <= size));
            let missing: Vec<u64> =
                (first..first + steps).filter(|step| !kept.iter().any(|run| run.contains(step))).collect();
            prop_assert_eq!(todo.into_iter().flatten().collect::<Vec<_>>(), missing);
        }
    }
}
