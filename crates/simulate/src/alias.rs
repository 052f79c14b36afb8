//! Walker's alias method: one 64-bit random number gives one outcome of a finite distribution.

/// One slot: a threshold, and the outcomes below and above it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    threshold: u64,
    below: u16,
    above: u16,
}

/// Many distributions over small numbers, each with the same number of slots, a power of 2.
#[derive(Clone, Debug)]
pub struct AliasTables {
    bits: u32,
    slots: Vec<Slot>,
}

impl AliasTables {
    /// No table yet; each will hold up to `outcomes` outcomes.
    pub fn new(outcomes: usize) -> Self {
        let bits = outcomes.max(2).next_power_of_two().trailing_zeros();
        Self { bits, slots: Vec::new() }
    }

    /// Adds a distribution, given by outcomes and their relative weights. If all weights are 0, the table always
    /// yields the first outcome; such a distribution is never drawn from.
    pub fn push(&mut self, weighted: &[(u16, f64)]) {
        let count = 1usize << self.bits;
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let fallback = weighted.first().map_or(0, |&(outcome, _)| outcome);
        if total <= 0.0 {
            let slot = Slot { threshold: 0, below: fallback, above: fallback };
            self.slots.extend(std::iter::repeat_n(slot, count));
            return;
        }
        // What is left of each outcome's share, in units of one slot.
        let share = |weight: f64| weight / total * count as f64;
        let mut left: Vec<(u16, f64)> = weighted.iter().map(|&(o, weight)| (o, share(weight))).collect();
        left.retain(|&(_, share)| share > 0.0);
        let (mut poor, mut rich): (Vec<_>, Vec<_>) = left.into_iter().partition(|&(_, share)| share < 1.0);
        for _ in 0..count {
            let slot = match (poor.pop(), rich.pop()) {
                (Some((below, part)), Some((above, rest))) => {
                    // A rich outcome fills the slot up and may become poor.
                    put_back(above, rest - (1.0 - part), &mut poor, &mut rich);
                    Slot { threshold: fraction(part), below, above }
                }
                (None, Some((outcome, share))) => {
                    put_back(outcome, share - 1.0, &mut poor, &mut rich);
                    Slot { threshold: 0, below: outcome, above: outcome }
                }
                // There are never more outcomes than slots, so the mean share is at least 1, and only rounding can
                // leave all of them below it.
                (Some((outcome, _)), None) => Slot { threshold: 0, below: outcome, above: outcome },
                (None, None) => Slot { threshold: 0, below: fallback, above: fallback },
            };
            self.slots.push(slot);
        }
    }

    /// The outcome of table number `table` for a random number.
    #[inline]
    pub fn draw(&self, table: usize, random: u64) -> u16 {
        let slot = &self.slots[(table << self.bits) + (random >> (64 - self.bits)) as usize];
        if random << self.bits < slot.threshold { slot.below } else { slot.above }
    }
}

/// Shares of a slot below this are rounding errors.
const ROUNDING: f64 = 1e-13;

/// Keeps what is left of an outcome's share, if it is more than a rounding error.
fn put_back(outcome: u16, rest: f64, poor: &mut Vec<(u16, f64)>, rich: &mut Vec<(u16, f64)>) {
    if rest >= 1.0 {
        rich.push((outcome, rest));
    } else if rest > ROUNDING {
        poor.push((outcome, rest));
    }
}

/// A part of 1 as a part of 2^64.
fn fraction(part: f64) -> u64 {
    (part * 2f64.powi(64)) as u64
}

#[cfg(test)]
impl AliasTables {
    /// The probability of an outcome, summed over the slots.
    pub(crate) fn probability(&self, table: usize, outcome: u16) -> f64 {
        let count = 1usize << self.bits;
        let part = |slot: &Slot| {
            let below = slot.threshold as f64 / 2f64.powi(64);
            let of = |named: u16, part: f64| if named == outcome { part } else { 0.0 };
            of(slot.below, below) + of(slot.above, 1.0 - below)
        };
        self.slots[table * count..][..count].iter().map(part).sum::<f64>() / count as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_slots_sum_to_the_weights(weights in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0f64, 0.0..1e-6f64], 1..40)) {
            let weighted: Vec<_> = weights.iter().enumerate().map(|(i, &w)| (i as u16, w)).collect();
            let total: f64 = weights.iter().sum();
            prop_assume!(total > 0.0);
            let mut tables = AliasTables::new(40);
            tables.push(&[(7, 1.0)]);
            tables.push(&weighted);
            for &(outcome, weight) in &weighted {
                prop_assert!((tables.probability(1, outcome) - weight / total).abs() < 1e-12);
                prop_assert!(weight > 0.0 || tables.probability(1, outcome) == 0.0);
            }
        }
    }

    #[test]
    fn the_least_and_greatest_random_numbers_give_the_outcomes_at_the_ends() {
        let mut tables = AliasTables::new(2);
        tables.push(&[(3, 0.25), (4, 0.75)]);
        let drawn: Vec<_> =
            [0, u64::MAX / 4 - 1, u64::MAX / 4 + 2, u64::MAX].map(|r| tables.draw(0, r)).into();
        assert_eq!(drawn, [3, 3, 4, 4]);
    }
}
