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
            // 96 places of a number that is at least 2^-26 are more than a double holds.
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

    /// q = 15/16, and its first powers 1, 0.9375, 0.87890625, 0.823974609375, 0.7724761962890625 and 0.7241964...
    fn sixteen() -> Grid {
        Grid::new(16).unwrap()
    }

    /// N (6 + log2 N) 0.694, rounded down: 16 · 10, 32 · 11 and 64 · 12 times 0.694 are 111.04, 244.288 and 532.992.
    #[test]
    fn the_cap_is_where_a_power_is_far_less_than_a_step() {
        for (steps, cap) in [(16, 111), (32, 244), (64, 532)] {
            let grid = Grid::new(steps).unwrap();
            assert_eq!((grid.steps(), grid.cap()), (steps, cap));
            let q = 1.0 - 1.0 / f64::from(steps);
            assert_eq!([grid.value(0), grid.value(1)], [1.0, q]);
            assert_relative_eq!(grid.value(cap), q.powi(cap as i32), epsilon = 0.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn grids_are_refused_with_the_least_one() {
        for steps in [0, 1, 8, 24, 3 << 10, 1 << 21] {
            assert_eq!(Grid::new(steps).unwrap_err(), LawError::Grid { steps, least: 16 });
        }
    }

    /// Within 8 units of 2^-53, on both sides of 1024 and 2048, where the coarse factor changes. Powers of 1 - 2^-20
    /// are close to 1, so their logarithms are accurate.
    #[test]
    fn powers_are_within_their_error() {
        assert_relative_eq!(RELATIVE, 8.0 * 2f64.powi(-53), epsilon = 0.0);
        let powers = powers(20, 5000);
        assert_eq!(powers.len(), 5001);
        for (index, power) in powers.iter().enumerate() {
            let exact = (index as f64 * (-(2f64.powi(-20))).ln_1p()).exp();
            assert_relative_eq!(*power, exact, epsilon = 0.0, max_relative = RELATIVE + 3e-16);
        }
    }

    #[test]
    fn products_are_rounded_away_from_the_placement_of_their_complements() {
        let rounding =
            |placement: Placement| [Coordinate::Won, Coordinate::Lost].map(|c| placement.rounding(c));
        assert_eq!(rounding(Placement::Down), [Rounding::Ceil, Rounding::Floor]);
        assert_eq!(rounding(Placement::Up), [Rounding::Floor, Rounding::Ceil]);
        assert_eq!(rounding(Placement::Mean), [Rounding::Split, Rounding::Split]);
    }

    /// 0.8 ± 0.01 is between 0.79 and 0.81: the powers around them are those of 3 and 4. 0.8 ± 0.03 is between 0.77 and
    /// 0.83: those of 2 and 5.
    #[test]
    fn errors_of_factors_widen_them_on_both_sides() {
        let grid = sixteen();
        let both = |factor: f64, error: f64| [grid.floor_of(factor, error), grid.ceil_of(factor, error)];
        assert_eq!(both(0.8, 0.01), [3, 4]);
        assert_eq!(both(0.8, 0.03), [2, 5]);
        assert_eq!(both(1.0, 0.0), [0, 1]);
        assert_eq!(both(0.0, 0.0), [111, 111]);
    }

    /// A power may be off by its relative error, so a factor that looks equal to it is on neither side for certain; one
    /// that differs by the error is.
    #[test]
    fn factors_next_to_a_power_are_settled_in_the_direction_of_the_rounding() {
        let grid = sixteen();
        let power = 0.823974609375;
        assert_eq!([grid.floor_of(power, 0.0), grid.ceil_of(power, 0.0)], [2, 4]);
        let error = 8.0 * 2f64.powi(-53);
        assert_eq!(grid.floor_of(power * (1.0 - error), 0.0), 3);
        assert_eq!(grid.floor_of(power * (1.0 - error / 2.0), 0.0), 2);
        assert_eq!(grid.ceil_of(power * (1.0 + error), 0.0), 3);
        assert_eq!(grid.ceil_of(power * (1.0 + error / 2.0), 0.0), 4);
    }

    /// 0.8 is between the powers of 3 and 4, in units of 2^-16 between 54000 and 50625: 0.8 · 65536 = 52428.8 is
    /// (52428.8 - 50625) / 3375 of the way.
    #[test]
    fn factors_are_split_in_proportion() {
        let grid = sixteen();
        let (lower, part) = grid.split_of(0.8);
        assert_eq!(lower, 3);
        assert_relative_eq!(part, 1803.8 / 3375.0, epsilon = 0.0, max_relative = 1e-12);
        assert_eq!(grid.split_of(0.823974609375), (3, 1.0));
        assert_eq!(grid.split_of(1.0), (0, 1.0));
        assert_eq!(grid.split_of(grid.value(111)), (111, 1.0));
        assert_eq!(grid.split_of(0.0), (111, 1.0));
        let (lower, part) = grid.split_of(f64::midpoint(grid.value(110), grid.value(111)));
        assert_eq!(lower, 110);
        assert_relative_eq!(part, 0.5, epsilon = 0.0, max_relative = 1e-12);
    }

    /// ln(1 - q^i) / ln q is 42.96 for i = 1, 11.52 for 10, 1.22 for 40 and 0.09 for 80; at both ends it is infinite
    /// and 0.01.
    #[test]
    fn turning_is_the_logarithm_of_the_complement() {
        let grid = sixteen();
        let q = |i: i32| (15f64 / 16.0).powi(i);
        for (index, lower) in [(1, 42), (10, 11), (40, 1), (80, 0), (111, 0)] {
            assert_eq!(grid.turn(index as usize, Rounding::Ceil), (lower as usize, 1.0), "{index}");
            assert_eq!(grid.turn(index as usize, Rounding::Floor), (lower as usize + 1, 1.0), "{index}");
            let (to, part) = grid.turn(index as usize, Rounding::Split);
            assert_eq!(to, lower as usize);
            let share = (1.0 - q(index) - q(lower + 1)) / (q(lower) - q(lower + 1));
            assert_relative_eq!(part, share, epsilon = 0.0, max_relative = 1e-11);
        }
        for rounding in [Rounding::Ceil, Rounding::Floor, Rounding::Split] {
            assert_eq!(grid.turn(0, rounding), (111, 1.0));
        }
    }
}
