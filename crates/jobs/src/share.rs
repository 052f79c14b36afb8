//! Work divided among shards.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Shard `number` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[u32; 2]", into = "[u32; 2]")]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// The maximum number of shards.
    pub const MAX: u32 = 1_000_000;

    /// The only shard of undivided work.
    pub const ONLY: Self = Self { number: 1, of: 1 };

    /// Shard `number` of `of`; `None` unless 1 <= number <= of <= [`Self::MAX`].
    pub fn new(number: u32, of: u32) -> Option<Self> {
        ((1..=of).contains(&number) && of <= Self::MAX).then_some(Self { number, of })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Which units of work belong to this shard if units have these costs, in ascending order.
    pub fn units(self, costs: &[u64]) -> Vec<usize> {
        let owners = divide(costs, self.of);
        owners.iter().enumerate().filter(|(_, owner)| **owner == self.number).map(|(unit, _)| unit).collect()
    }

    /// Whether a unit belongs to this shard if all units cost the same.
    pub fn has(self, unit: u64) -> bool {
        unit % u64::from(self.of) == u64::from(self.number) - 1
    }
}

/// The shard of each unit of work, numbered from 1: the most expensive units first, each to the shard that has the
/// least so far. So no two shards differ by more than the unit that was dealt last to the fuller one.
pub fn divide(costs: &[u64], shards: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&unit| (Reverse(costs[unit]), unit));
    let mut least: BinaryHeap<Reverse<(u128, u32)>> = (1..=shards).map(|shard| Reverse((0, shard))).collect();
    let mut owners = vec![0; costs.len()];
    for unit in order {
        if let Some(mut top) = least.peek_mut() {
            let Reverse((load, shard)) = &mut *top;
            owners[unit] = *shard;
            *load += u128::from(costs[unit]);
        }
    }
    owners
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.and_then(|(number, of)| Self::new(number, of));
        shard.ok_or_else(|| {
            format!(
                "`{text}` is not a shard; write K/N, e.g. 3/16 for the third of sixteen, with N at most {}",
                Self::MAX
            )
        })
    }
}

impl TryFrom<[u32; 2]> for Shard {
    type Error = String;

    fn try_from([number, of]: [u32; 2]) -> Result<Self, String> {
        Self::new(number, of).ok_or_else(|| format!("there is no shard {number} of {of}"))
    }
}

impl From<Shard> for [u32; 2] {
    fn from(shard: Shard) -> Self {
        [shard.number, shard.of]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_are_written_k_of_n() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        assert_eq!(Shard { number: 3, of: 16 }.to_string(), "3/16");
        for wrong in ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/2000000", "a/b", "1/2/3"] {
            let refusal = wrong.parse::<Shard>().unwrap_err();
            assert!(refusal.contains("is not a shard; write K/N"), "{refusal}");
        }
    }

    /// By hand: 9 to the first, 7 to the second, then 6, 5 and 4 to whoever has less: 9 5, 7 6, and 4 to the second.
    #[test]
    fn the_most_expensive_units_are_dealt_first() {
        assert_eq!(divide(&[5, 9, 4, 7, 6], 2), [1, 1, 2, 2, 2]);
        assert_eq!(divide(&[3, 3, 3], 5), [1, 2, 3]);
        assert!(divide(&[], 3).is_empty());
        let even: Vec<bool> = (0..6).map(|unit| Shard { number: 2, of: 3 }.has(unit)).collect();
        assert_eq!(even, [false, true, false, false, true, false]);
    }

    proptest! {
        #[test]
        fn every_unit_belongs_to_one_shard_and_loads_differ_by_at_most_one_unit(
            costs in prop::collection::vec(0u64..1000, 0..200), shards in 1u32..70
        ) {
            let mut loads = Vec::new();
            let mut seen = vec![0; costs.len()];
            for number in 1..=shards {
                let units = Shard::new(number, shards).unwrap().units(&costs);
                prop_assert!(units.is_sorted());
                units.iter().for_each(|&unit| seen[unit] += 1);
                loads.push(units.iter().map(|&unit| costs[unit]).sum::<u64>());
            }
            prop_assert!(seen.iter().all(|&times| times == 1));
            let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
            prop_assert!(most - least <= costs.iter().copied().max().unwrap_or(0));
        }
    }
}
