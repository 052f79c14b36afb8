//! Uniform error rates: the error masses as polynomials in p, where one rule overtakes the other, and at depth 2
//! the interval counts of formula (7).

use num_bigint::BigInt;
use num_traits::{Num, Zero};
use prodmax_enumerate::DepthOne;
use prodmax_number::Fraction;
use prodmax_number::roots::{Root, roots_between};

use crate::arithmetic::{Counting, ErrorPolynomial, Symbolic};
use crate::critical::{Critical, Mass};

/// Binary places to which irrational thresholds are isolated.
const ROOT_BITS: u32 = 96;

/// What a uniform error rate p does to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crossover {
    /// Both error masses as polynomials in p.
    pub mass: Mass<ErrorPolynomial>,
    /// The second rule's error mass minus the first rule's: positive where the first rule is superior.
    pub difference: ErrorPolynomial,
    /// The error rates strictly between 0 and 1/2 at which both are equal.
    pub thresholds: Vec<Root>,
    /// In which interval the draw value lies over the critical trees: for Minimax against Product in binary trees of
    /// depth 2.
    pub intervals: Option<IntervalCounts>,
}

impl Crossover {
    /// Whether both rules err equally often at every p. Then there are no thresholds.
    pub fn always_equal(&self) -> bool {
        self.difference.numerator().is_zero()
    }

    /// Minimax against Product: the crossover of the critical trees of a model, with the intervals for binary trees
    /// of depth 2.
    ///
    /// With root -3 Minimax is superior below p = 1/35, as formula (7) says:
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::{Critical, Crossover, Curve, CurveTable, IntervalCounts};
    /// use prodmax_number::fraction::parse;
    ///
    /// let model = Model::new(-3, &[8, 8], ZeroMode::Skip, 42)?;
    /// let critical = Critical::of(&model, &CurveTable::new(Curve::arctan(1), 42))?;
    /// let crossover = Crossover::of(&critical);
    /// let expected = parse("1/35")?;
    /// assert_eq!(crossover.thresholds.iter().map(|root| root.exact()).collect::<Vec<_>>(), [Some(&expected)]);
    /// assert_eq!(crossover.intervals.as_ref().and_then(IntervalCounts::threshold), Some(expected));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(critical: &Critical) -> Self {
        let model = critical.table().model();
        let has_intervals = model.depth() == 2 && model.is_binary();
        Self { intervals: has_intervals.then(|| IntervalCounts::of(critical)), ..Self::between(critical) }
    }

    /// The crossover of any two rules whose choices do not depend on the truth.
    pub fn between(critical: &Critical) -> Self {
        let mass = critical.mass(&Symbolic, &critical.truth(&Symbolic));
        let difference = mass.second_error.sub(&mass.first_error);
        let half = Fraction::new(1.into(), 2.into());
        let thresholds = roots_between(difference.numerator(), &Fraction::zero(), &half, ROOT_BITS);
        Self { mass, difference, thresholds, intervals: None }
    }
}

/// N(I1) … N(I5): over the critical trees of depth 2, in which interval of P2 <= M2 <= M1 <= P1 the draw value
/// lies. A leaf of value 0 lies on the draw value itself; by convention it counts half as just above and half
/// as just below it (under a uniform error rate it is won with (1-p)/2 + p/2 = 1/2 either way).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalCounts([Fraction; 5]);

/// A class has up to two leaves of value 0, so its shares are quarters, and those of a pair sixteenths.
const QUARTERS: u128 = 4;

impl IntervalCounts {
    fn of(critical: &Critical) -> Self {
        // below[k][class]: four times the multiplicity of the class with k leaves below the draw value.
        let below = leaves_below(critical);
        let mut counts: [u128; 5] = [0; 5];
        for (of_m, m) in below.iter().enumerate() {
            for (of_p, p) in below.iter().enumerate() {
                counts[of_m + of_p] += critical.sum(&Counting, m, p);
            }
        }
        // No leaf below the draw value: it lies in I5, below P2; all four below it: in I1.
        counts.reverse();
        Self(counts.map(|count| Fraction::new(count.into(), BigInt::from(QUARTERS * QUARTERS))))
    }

    /// N(I_k), k = 1..=5.
    pub fn get(&self, k: usize) -> &Fraction {
        &self.0[k - 1]
    }

    /// N(I1) … N(I5).
    pub fn all(&self) -> &[Fraction; 5] {
        &self.0
    }

    /// N(I2) / N(I4), if N(I4) is not 0.
    pub fn ratio(&self) -> Option<Fraction> {
        (!self.get(4).is_zero()).then(|| self.get(2) / self.get(4))
    }

    /// The threshold of formula (7).
    pub fn threshold(&self) -> Option<Fraction> {
        threshold(self.get(2).clone(), self.get(4).clone())
    }
}

/// Formula (7) solved for p: Minimax is superior below p* = N(I4) / (N(I2) + N(I4)). `None` if no critical tree has the
/// draw value in I2 or I4.
pub fn threshold<N: Num + Clone>(i2: N, i4: N) -> Option<N> {
    let sum = i2 + i4.clone();
    (!sum.is_zero()).then(|| i4 / sum)
}

fn leaves_below(critical: &Critical) -> [Vec<u128>; 3] {
    let classes: &DepthOne = critical.classes();
    let leaves = critical.table().leaf_values();
    let (_, pairs) = classes.nodes().names();
    let pairs = pairs.as_chunks::<2>().0;
    let mut below: [Vec<u128>; 3] = Default::default();
    for (pair, mu) in pairs.iter().zip(classes.multiplicities()) {
        let values = pair.map(|leaf| leaves[leaf as usize].get());
        let negative = values.iter().filter(|&&h| h < 0).count();
        let zero = values.iter().filter(|&&h| h == 0).count();
        // Out of 4 copies, the numbers that have 0, 1, 2 of the zero leaves below: (4), (2, 2) or (1, 2, 1).
        let copies: [u128; 3] = [[4, 0, 0], [2, 2, 0], [1, 2, 1]][zero];
        for (k, column) in below.iter_mut().enumerate() {
            let share = k.checked_sub(negative).map_or(0, |zeros_below| copies[zeros_below]);
            column.push(mu * share);
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, ZeroMode};
    use prodmax_number::fraction::parse;
    use prodmax_rules::{Curve, CurveTable};

    use super::*;

    fn crossover(root: i64, increments: &[i64], zero: ZeroMode) -> Crossover {
        let model = Model::new(root, increments, zero, 42).unwrap();
        let estimate = CurveTable::new(Curve::arctan(1), 42);
        Crossover::of(&Critical::of(&model, &estimate).unwrap())
    }

    #[test]
    fn formula_7_gives_the_root_of_the_polynomial() {
        for zero in [ZeroMode::Skip, ZeroMode::Allow] {
            for root in [-4, -3, -2, -1, 1, 2] {
                let crossover = crossover(root, &[8, 8], zero);
                let [threshold] = &crossover.thresholds[..] else { panic!("one threshold: {crossover:?}") };
                let by_counts = crossover.intervals.unwrap().threshold();
                assert_eq!(threshold.exact(), by_counts.as_ref(), "root {root}, {zero}");
            }
        }
    }

    #[test]
    fn rules_that_never_differ_are_equal_at_every_rate() {
        for increments in [&[0, 0][..], &[3]] {
            let crossover = crossover(1, increments, ZeroMode::Skip);
            assert!(crossover.always_equal() && crossover.thresholds.is_empty(), "{increments:?}");
        }
        assert!(!crossover(-3, &[8, 8], ZeroMode::Skip).always_equal());
    }

    #[test]
    fn the_threshold_of_root_minus_three_is_one_in_thirty_five() {
        let crossover = crossover(-3, &[8, 8], ZeroMode::Skip);
        assert_eq!(crossover.thresholds[0].exact(), parse("1/35").ok().as_ref());
    }

    #[test]
    fn published_notes_on_the_stated_model_hold() {
        // Thresholds in percent for the roots of Table II, to the digits known.
        let known = [(-4, "0.8044"), (-2, "7.3853"), (-1, "13.9395"), (1, "17.9978"), (2, "22.8246")];
        for (root, percent) in known {
            let threshold = crossover(root, &[8, 8], ZeroMode::Skip).intervals.unwrap().threshold().unwrap();
            let hundredfold = threshold * BigInt::from(100);
            assert_eq!(prodmax_number::fraction::decimal(&hundredfold, 4), percent, "root {root}");
        }
        // N(I2) > N(I4) does not hold for every root (0.59 if a value of 0 always counts as below the draw value,
        // 0.31 if as above; here it counts half and half).
        let ratio = crossover(4, &[8, 8], ZeroMode::Allow).intervals.unwrap().ratio().unwrap();
        assert!(parse("0.31").unwrap() < ratio && ratio < parse("0.59").unwrap(), "{ratio}");
    }

    #[test]
    fn interval_counts_add_up_to_the_critical_trees() {
        let model = Model::new(0, &[5, 6], ZeroMode::Allow, 42).unwrap();
        let critical = Critical::of(&model, &CurveTable::new(Curve::arctan(1), 42)).unwrap();
        let counts = Crossover::of(&critical).intervals.unwrap();
        let sum: Fraction = counts.all().iter().sum();
        assert_eq!(sum, Fraction::from_integer(critical.counts().critical.into()));
    }

    #[test]
    fn depth_three_has_a_threshold_but_no_intervals() {
        let crossover = crossover(-1, &[3, 3, 3], ZeroMode::Skip);
        assert!(crossover.intervals.is_none());
        for threshold in &crossover.thresholds {
            let (low, high) = (&threshold.low, &threshold.high);
            let signs = [low, high].map(|p| crossover.difference.numerator().sign_at(p));
            assert!(signs[0] * signs[1] <= 0, "the difference changes sign between {low} and {high}");
        }
    }
}
