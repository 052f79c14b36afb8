//! The values of depth-1 nodes in doubles that the sweep can go along.
//!
//! The sweep cuts the pairs of items into blocks by value without looking at every pair. For that, the double of a
//! pair must be symmetric and must grow, including rounding, with the doubles of both items; sums, products and
//! minima of doubles do. So each rule has a *coordinate* in which its MIN node of two children is made of these
//! operations.

use prodmax_rules::PairShape;
use prodmax_rules::numbers::BoundedDouble;

use super::bound::error_bound;

/// How the coordinates of two items are combined to that of the pair.
pub(super) trait Joint: Copy + Send + Sync {
    /// The coordinate of an item; it grows with the item's value.
    fn coordinate(self, value: BoundedDouble) -> f64;

    /// The coordinate of a pair of items.
    fn pair(self, a: f64, b: f64) -> f64;

    /// How far the coordinate of a pair can be from the exact one; the error does not grow with the pair.
    fn error(self, pair: f64) -> f64;

    /// A lower bound of all pairs of items with these (ascending) coordinates.
    fn lowest(self, _: &[f64]) -> f64 {
        0.0
    }

    /// Whether two pairs, the smaller coordinate first, are too close to be told apart.
    #[inline]
    fn near(self, a: f64, b: f64) -> bool {
        b - a <= self.error(a) + self.error(b)
    }
}

/// Products.
#[derive(Clone, Copy, Debug)]
pub(super) struct Products {
    error: f64,
}

impl Products {
    /// For a model of the given depth.
    pub(super) fn new(depth: usize) -> Self {
        Self { error: error_bound(depth - 1) }
    }

    /// With the given error, for tests.
    #[cfg(test)]
    pub(super) fn with_error(error: f64) -> Self {
        Self { error }
    }
}

impl Joint for Products {
    fn coordinate(self, value: BoundedDouble) -> f64 {
        value.value
    }
    #[inline]
    fn pair(self, a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline]
    fn error(self, _: f64) -> f64 {
        self.error
    }
}

/// Mixtures of minimum and product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixtures {
    minimum: f64,
    product: f64,
    error: f64,
}

impl Mixtures {
    /// For items with these values. A minimum has the error of one item, a product that of both; the two constants,
    /// two products and the sum are rounded (by at most 2^-53 each).
    fn new(minimum: f64, product: f64, items: &[BoundedDouble]) -> Self {
        let item = items.iter().map(|value| value.error).fold(0.0, f64::max);
        Self { minimum, product, error: 2.01 * item + 4.0 * f64::EPSILON }
    }
}

impl Joint for Mixtures {
    fn coordinate(self, value: BoundedDouble) -> f64 {
        value.value
    }
    #[inline]
    fn pair(self, a: f64, b: f64) -> f64 {
        self.minimum * a.min(b) + self.product * (a * b)
    }
    #[inline]
    fn error(self, _: f64) -> f64 {
        self.error
    }
}

/// Harmonic means: the coordinate of v is -1/v, and the coordinates of a pair are added. Powers of small
/// probabilities are even smaller, so errors are relative.
#[derive(Clone, Copy, Debug)]
pub(super) struct HarmonicMeans {
    relative: f64,
}

/// The coordinate of all values that doubles cannot tell from 0, and of all pairs with such a value.
const LOWEST: f64 = -1e300;

/// Values whose double has a greater relative error count as indistinguishable from 0. They are smaller than all
/// others, since the error of a larger value is relative to it.
const MAX_RELATIVE: f64 = 1e-9;

impl HarmonicMeans {
    /// For items with these values: one division and one sum are rounded.
    fn new(items: &[BoundedDouble]) -> Self {
        let relative = |value: &BoundedDouble| value.error / value.value;
        let distinct = items.iter().filter(|value| Self::is_distinct_from_zero(value));
        Self { relative: 1.01 * distinct.map(relative).fold(0.0, f64::max) + 2.0 * f64::EPSILON }
    }

    fn is_distinct_from_zero(value: &BoundedDouble) -> bool {
        value.error < MAX_RELATIVE * value.value
    }
}

impl Joint for HarmonicMeans {
    fn coordinate(self, value: BoundedDouble) -> f64 {
        if Self::is_distinct_from_zero(&value) { -1.0 / value.value } else { LOWEST }
    }
    #[inline]
    fn pair(self, a: f64, b: f64) -> f64 {
        (a + b).max(LOWEST)
    }
    #[inline]
    fn error(self, pair: f64) -> f64 {
        self.relative * -pair
    }
    fn lowest(self, coordinates: &[f64]) -> f64 {
        coordinates.first().map_or(0.0, |&least| self.pair(least, least))
    }
}

/// Work that is generic over how pairs are joined, see [`with_joint`].
pub(super) trait WithJoint {
    /// The result.
    type Output;

    /// Does the work.
    fn run<J: Joint>(self, joint: J) -> Self::Output;
}

/// Chooses how pairs are joined for a rule, given the values of the classes of level 2.
pub(super) fn with_joint<T: WithJoint>(
    shape: PairShape,
    depth: usize,
    values: &[BoundedDouble],
    task: T,
) -> T::Output {
    match shape {
        PairShape::Product => task.run(Products::new(depth)),
        PairShape::Mixture { minimum, product } => task.run(Mixtures::new(minimum, product, values)),
        PairShape::Harmonic => task.run(HarmonicMeans::new(values)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(doubles: &[f64]) -> Vec<BoundedDouble> {
        doubles.iter().map(|&value| BoundedDouble { value, error: value * 1e-15 }).collect()
    }

    fn grows<J: Joint>(joint: J, values: &[BoundedDouble]) -> bool {
        let coordinates: Vec<f64> = values.iter().map(|&value| joint.coordinate(value)).collect();
        let lowest = joint.lowest(&coordinates);
        coordinates.is_sorted()
            && coordinates.iter().all(|&a| {
                let pairs: Vec<f64> = coordinates.iter().map(|&b| joint.pair(a, b)).collect();
                let swapped: Vec<f64> = coordinates.iter().map(|&b| joint.pair(b, a)).collect();
                pairs.is_sorted() && pairs == swapped && pairs[0] >= lowest
            })
    }

    proptest! {
        #[test]
        fn pairs_grow_with_their_items(mut doubles in prop::collection::vec(0.0f64..1.0, 1..40), steps in 0usize..30) {
            // Neighbours that differ only in the last bits.
            for _ in 0..steps {
                let last = doubles[doubles.len() - 1];
                doubles.push(last.next_up());
            }
            doubles.push(0.0);
            doubles.sort_by(f64::total_cmp);
            let values = values(&doubles);
            prop_assert!(grows(Products::new(3), &values));
            prop_assert!(grows(Mixtures::new(0.3, 0.7, &values), &values));
            prop_assert!(grows(HarmonicMeans::new(&values), &values));
        }
    }

    /// Twice the greatest error of an item and four roundings of at most 2^-52.
    #[test]
    fn mixtures_have_the_errors_of_both_items() {
        let items = [(0.2, 1e-3), (0.5, 3e-3)].map(|(value, error)| BoundedDouble { value, error });
        let joint = Mixtures::new(0.25, 0.75, &items);
        approx::assert_relative_eq!(
            joint.error(0.1),
            2.01 * 3e-3 + 4.0 * 2f64.powi(-52),
            max_relative = 1e-14
        );
        approx::assert_relative_eq!(joint.pair(0.2, 0.5), 0.25 * 0.2 + 0.75 * 0.1, max_relative = 1e-15);
    }

    #[test]
    fn values_that_cannot_be_told_from_zero_are_lowest() {
        let tiny = BoundedDouble { value: 1e-305, error: 1e-308 };
        let joint = HarmonicMeans::new(&[tiny, BoundedDouble { value: 0.5, error: 1e-16 }]);
        assert_eq!(joint.coordinate(tiny), LOWEST);
        assert_eq!(joint.pair(LOWEST, -2.0), joint.pair(LOWEST, LOWEST));
        assert!(joint.relative < 1e-15, "the lowest values do not count");
    }
}
