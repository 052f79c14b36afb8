//! Figures that are known only to lie in a range, and what follows from them.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Approximate, Figure, Uncertainty};
use prodmax_simulate::Ratio;

/// True, false, or not decided.
pub(crate) type Truth = Option<bool>;

/// Whether all of them are true: one that is false decides it.
pub(crate) fn all(truths: impl IntoIterator<Item = Truth>) -> Truth {
    not(any(truths.into_iter().map(not)))
}

/// Whether any of them is true: one that is decides it.
pub(crate) fn any(truths: impl IntoIterator<Item = Truth>) -> Truth {
    let mut found = Some(false);
    for truth in truths {
        match truth {
            Some(true) => return truth,
            Some(false) => {}
            None => found = None,
        }
    }
    found
}

/// The opposite, if it is decided.
pub(crate) fn not(truth: Truth) -> Truth {
    truth.map(|truth| !truth)
}

/// A number between two others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    low: Fraction,
    high: Fraction,
}

impl From<[Fraction; 2]> for Range {
    fn from([low, high]: [Fraction; 2]) -> Self {
        Self { low, high }
    }
}

impl From<i64> for Range {
    fn from(number: i64) -> Self {
        Self::from([Fraction::from_integer(number.into()), Fraction::from_integer(number.into())])
    }
}

impl Range {
    /// A computed value; a sample lies within two standard errors. `None` if it is no number.
    pub(crate) fn of(value: &Figure) -> Option<Self> {
        match value {
            Figure::Approximate(Approximate { value, uncertainty: Uncertainty::StandardError(error) }) => {
                Self::sampled(*value, *error)
            }
            _ => value.ends().map(Self::from),
        }
    }

    /// A figure with its standard error.
    pub(crate) fn sampled(value: f64, error: f64) -> Option<Self> {
        let end = |x| Fraction::from_f64(x);
        Some(Self { low: end(value - 2.0 * error)?, high: end(value + 2.0 * error)? })
    }

    /// A quotient of sums over trees.
    pub(crate) fn ratio(ratio: Ratio) -> Option<Self> {
        Self::sampled(ratio.value, ratio.standard_error)
    }

    /// Whether it is certainly less, or certainly not. Of two figures that are printed as neighbours, .0375 and .0376, the
    /// first is less: what lies just between them is printed as one of them only.
    pub(crate) fn is_less(&self, other: &Self) -> Truth {
        let have_width = self.low < self.high && other.low < other.high;
        if self.high < other.low || (have_width && self.high == other.low) {
            Some(true)
        } else if self.low >= other.high {
            Some(false)
        } else {
            None
        }
    }

    /// Whether it is certainly positive, or certainly not.
    pub(crate) fn is_positive(&self) -> Truth {
        Self::from(0).is_less(self)
    }

    /// Whether it is certainly negative, or certainly not.
    pub(crate) fn is_negative(&self) -> Truth {
        self.is_less(&Self::from(0))
    }

    /// The sum.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// The difference.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self { low: &self.low - &other.high, high: &self.high - &other.low }
    }

    /// Multiplied with a count.
    pub(crate) fn times(&self, count: u32) -> Self {
        let count = BigInt::from(count);
        Self { low: &self.low * &count, high: &self.high * &count }
    }

    /// The quotient of two positive numbers.
    pub(crate) fn divided_by(&self, other: &Self) -> Option<Self> {
        let positive = self.low.is_positive() && other.low.is_positive();
        positive.then(|| Self { low: &self.low / &other.high, high: &self.high / &other.low })
    }

    /// Divided by a count.
    pub(crate) fn over(&self, count: usize) -> Self {
        let count = BigInt::from(count.max(1));
        Self { low: &self.low / &count, high: &self.high / &count }
    }

    /// The standard error of a sample, which lies within two of them.
    pub(crate) fn standard_error(&self) -> f64 {
        to_f64(&(&self.high - &self.low)) / 4.0
    }

    /// The middle.
    pub(crate) fn middle(&self) -> Fraction {
        (&self.low + &self.high) / BigInt::from(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i64, high: i64) -> Range {
        Range::from([low, high].map(|end| Fraction::from_integer(end.into())))
    }

    #[test]
    fn three_values_of_truth() {
        assert_eq!(all([Some(true), None]), None);
        assert_eq!(all([Some(false), None]), Some(false));
        assert_eq!(all([Some(true), Some(true)]), Some(true));
        assert_eq!(all([]), Some(true));
        assert_eq!(any([Some(false), None]), None);
        assert_eq!(any([None, Some(true)]), Some(true));
        assert_eq!(any([]), Some(false));
    }

    #[test]
    fn ranges_that_overlap_decide_nothing() {
        assert_eq!(range(1, 2).is_less(&range(3, 4)), Some(true));
        assert_eq!(range(3, 4).is_less(&range(1, 2)), Some(false));
        assert_eq!(range(1, 3).is_less(&range(2, 4)), None);
        assert_eq!(range(1, 2).is_less(&range(2, 3)), Some(true), "neighbours");
        assert_eq!(range(2, 3).is_less(&range(1, 2)), Some(false));
        assert_eq!(range(1, 2).is_less(&range(2, 2)), None, "2 itself");
        assert_eq!(range(2, 2).is_less(&range(2, 2)), Some(false), "equal numbers");
        assert_eq!(range(-1, 1).is_positive(), None);
        assert_eq!(range(-2, -1).is_negative(), Some(true));
        assert_eq!(range(1, 2).minus(&range(0, 1)), range(0, 2));
        assert_eq!(range(2, 4).divided_by(&range(2, 2)), Some(range(1, 2)));
        assert_eq!(range(2, 4).divided_by(&range(0, 1)), None);
        assert_eq!(range(1, 2).plus(&range(2, 4)).over(3), range(1, 2));
    }
}
