//! The grid of product values: q^i for whole i, with q = 1 - 1/N.
//!
//! At a MIN node p = p1 p2, so the indices i of p = q^i add up; at a MAX node 1 - p = (1-p1)(1-p2), so those of 1 - p
//! do. Changing from one coordinate to the other takes no logarithm: the index of 1 - q^i is found by comparing
//! powers of q. These are known within 8 u relative to themselves (u = 2^-53), and a comparison that is in doubt is
//! settled in the direction of the rounding.
//!
//! The last index, the cap, stands for everything beyond it. When indices are rounded up, it means that the
//! coordinate is infinite (p = 0, or 1 - p = 0); when they are rounded down, it means its own value.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::LawError;

/// Relative error of a power of q.
const RELATIVE: f64 = 8.0 * f64::EPSILON / 2.0;

/// How a coordinate between two grid points is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// Every product value is rounded down.
    Down,
    /// Every product value is rounded up.
    Up,
    /// It is split over both neighbours so that its mean is preserved.
    Mean,
}

/// The factor that is multiplied at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coordinate {
    /// p, at MIN nodes.
    Won,
    /// 1 - p, at MAX nodes.
    Lost,
}

/// How an index is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Floor,
    Ceil,
    Split,
}

impl Placement {
    /// A greater index is a smaller factor.
    pub(super) fn rounding(self, coordinate: Coordinate) -> Rounding {
        match (self, coordinate) {
            (Self::Down, Coordinate::Won) | (Self::Up, Coordinate::Lost) => Rounding::Ceil,
            (Self::Down, Coordinate::Lost) | (Self::Up, Coordinate::Won) => Rounding::Floor,
            (Self::Mean, _) => Rounding::Split,
        }
    }
}

/// Powers of q, and the index in the other coordinate that each index is mapped to.
#[derive(Debug)]
pub(super) struct Grid {
    steps: u32,
    powers: Vec<f64>,
    /// For indices that were rounded up, rounded down.
    floor: Vec<u32>,
    /// For indices that were rounded down, rounded up.
    ceil: Vec<u32>,
    /// The lower neighbour and its share.
    split: Vec<(u32, f64)>,
}

impl Grid {
    /// The least and the greatest number of steps per unit of -ln p; it is a power of two.
    pub(super) const STEPS: [u32; 2] = [1 << 4, 1 << 20];

    /// The grid with q = 1 - 1/N.
    pub(super) fn new(steps: u32) -> Result<Self, LawError> {
        if !steps.is_power_of_two() || !(Self::STEPS[0]..=Self::STEPS[1]).contains(&steps) {
            return Err(LawError::Grid { steps, least: Self::STEPS[0] });
        }
        let bits = steps.trailing_zeros();
        // q^cap is about 1 / (2^6 N): the loss there is far less than a step in the other coordinate.
        let cap = (u64::from(steps) * u64::from(bits + 6) * 694 / 1000) as usize;
        let powers = powers(bits, cap);
        let mut grid = Self { steps, powers, floor: Vec::new(), ceil: Vec::new(), split: Vec::new() };
        grid.floor = (0..=cap).map(|i| grid.floor_of(grid.complement(i), 9.0 * RELATIVE)).collect();
        grid.floor[cap] = 0;
        grid.ceil = (0..=cap).map(|i| grid.ceil_of(grid.complement(i), 9.0 * RELATIVE)).collect();
        grid.split = (0..=cap).map(|i| grid.split_of(grid.complement(i))).collect();
        Ok(grid)
    }

    /// Steps per unit of -ln p.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// The power of q that an index stands for, within a relative error of 8 u.
    pub(super) fn value(&self, index: usize) -> f64 {
        self.powers[index]
    }

    /// The last index.
    pub(super) fn cap(&self) -> usize {
        self.powers.len() - 1
    }

    fn complement(&self, index: usize) -> f64 {
        1.0 - self.powers[index]
    }

    /// The greatest index whose power is certain to be at least a factor that is known within `error`.
    pub(super) fn floor_of(&self, factor: f64, error: f64) -> u32 {
        let certain = |power: &f64| power * (1.0 - RELATIVE) >= factor + error;
        self.powers.partition_point(certain).saturating_sub(1) as u32
    }

    /// The least index whose power is certain to be at most the factor; the cap if there is none.
    pub(super) fn ceil_of(&self, factor: f64, error: f64) -> u32 {
        let above = |power: &f64| power * (1.0 + RELATIVE) > factor - error;
        self.powers.partition_point(above).min(self.cap()) as u32
    }

    /// The lower neighbour of a factor and its share.
    pub(super) fn split_of(&self, factor: f64) -> (u32, f64) {
        let lower = self.powers.partition_point(|&power| power >= factor).saturating_sub(1);
        if lower >= self.cap() {
            return (self.cap() as u32, 1.0);
        }
        let (high, low) = (self.powers[lower], self.powers[lower + 1]);
        (lower as u32, ((factor - low) / (high - low)).clamp(0.0, 1.0))
    }

    /// The index in the other coordinate for mass that was rounded like this before, and the share of the mass that
    /// goes there; the rest goes to the next index.
    pub(super) fn turn(&self, index: usize, rounding: Rounding) -> (usize, f64) {
        match rounding {
            Rounding::Ceil => (self.floor[index] as usize, 1.0),
            Rounding::Floor => (self.ceil[index] as usize, 1.0),
            Rounding::Split => {
                let (lower, part) = self.split[index];
                (lower as usize, part)
            }
        }
    }
}

/// q^i for i = 0..=cap as products of two factors, each within 2 u: they come from exact powers truncated at 2^-256.
fn powers(bits: u32, cap: usize) -> Vec<f64> {
    const PLACES: u32 = 256;
    const FINE: usize = 1 << 10;
    let one = BigUint::one() << PLACES;
    let sequence = |factor: &BigUint, count: usize| {
        let mut power = one.clone();
        let mut doubles = Vec::with_capacity(count);
        for _ in 0..count {
            // 64 places of a number that is at least 2^-26 are more than a double holds.
            let digits = (&power >> (PLACES - 96)).to_u128().unwrap_or(0);
            doubles.push(digits as f64 / (1u128 << 96) as f64);
            power = (power * factor) >> PLACES;
        }
        (doubles, power)
    };
    let q = &one - (BigUint::one() << (PLACES - bits));
    let (fine, step) = sequence(&q, FINE);
    let (coarse, _) = sequence(&step, cap / FINE + 1);
    (0..=cap).map(|i| coarse[i / FINE] * fine[i % FINE]).collect()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn powers_are_powers() {
        let powers = powers(4, 2000);
        assert_relative_eq!(powers[1], 15.0 / 16.0);
        assert_relative_eq!(powers[1999], (15f64 / 16.0).powi(1999), max_relative = 1e-12);
    }

    #[test]
    fn only_powers_of_two_are_grids() {
        assert!(Grid::new(15).is_err() && Grid::new(1 << 21).is_err() && Grid::new(1 << 4).is_ok());
    }

    #[test]
    fn turning_rounds_the_way_it_should() {
        let grid = Grid::new(1 << 6).unwrap();
        let value = |index: usize| grid.powers[index];
        for index in 0..=grid.cap() {
            let (down, _) = grid.turn(index, Rounding::Ceil);
            let (up, _) = grid.turn(index, Rounding::Floor);
            let exact = 1.0 - value(index);
            if index < grid.cap() {
                assert!(value(down) >= exact, "{index}");
                assert!(down == grid.cap() || value(down + 1) <= exact + 1e-12);
            }
            assert!(up == grid.cap() || (value(up) <= exact && value(up - 1) >= exact - 1e-12), "{index}");
            let (lower, part) = grid.turn(index, Rounding::Split);
            if lower < grid.cap() {
                let mean = part * value(lower) + (1.0 - part) * value(lower + 1);
                assert_relative_eq!(mean, exact, epsilon = 1e-14);
            }
        }
        assert_eq!(grid.turn(grid.cap(), Rounding::Ceil).0, 0, "an infinite coordinate");
        assert_eq!(grid.turn(0, Rounding::Floor).0, grid.cap());
    }

    proptest! {
        #[test]
        fn factors_lie_between_their_neighbours(factor in 0.0f64..=1.0) {
            let grid = Grid::new(1 << 5).unwrap();
            let (floor, ceil) = (grid.floor_of(factor, 1e-15) as usize, grid.ceil_of(factor, 1e-15) as usize);
            prop_assert!(grid.powers[floor] >= factor);
            prop_assert!(ceil == grid.cap() || grid.powers[ceil] <= factor);
            prop_assert!(ceil - floor <= 2);
        }
    }
}
