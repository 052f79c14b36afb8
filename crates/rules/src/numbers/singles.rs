//! Single precision, as programs of the time of the papers may have used it: what vanishes in it vanishes.

use std::cmp::Ordering;

use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;

use super::{Numbers, Ordered};

/// Numbers of 24 binary digits (IEEE 754 single precision), held in doubles. The result of every operation is rounded to
/// the nearest of them, small numbers gradually; 0 times anything is 0, infinity included, so that nothing is undefined.
///
/// ```
/// use prodmax_rules::numbers::{Numbers, Singles};
/// // One minus what is no more than half the last binary digit is 1.
/// let half_digit = 2f64.powi(-25);
/// assert_eq!(Singles.complement(&half_digit), 1.0);
/// assert_eq!(Singles.complement(&(4.0 * half_digit)), 1.0 - 4.0 * half_digit);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Singles;

impl Singles {
    /// The nearest number of single precision.
    #[inline]
    pub fn rounded(value: f64) -> f64 {
        f64::from(value as f32)
    }
}

/// Rounding the sum, difference, product or quotient of two singles first to double precision and then to single changes
/// nothing: a double has more than twice as many digits.
impl Numbers for Singles {
    type Number = f64;

    fn constant(self, value: &Fraction) -> f64 {
        Self::rounded(to_f64(value))
    }
    #[inline]
    fn add(self, a: &f64, b: &f64) -> f64 {
        Self::rounded(a + b)
    }
    #[inline]
    fn sub(self, a: &f64, b: &f64) -> f64 {
        Self::rounded(a - b)
    }
    #[inline]
    fn mul(self, a: &f64, b: &f64) -> f64 {
        if *a == 0.0 || *b == 0.0 { 0.0 } else { Self::rounded(a * b) }
    }
    #[inline]
    fn parallel(self, a: &f64, b: &f64) -> f64 {
        if *a == 0.0 { 0.0 } else { self.mul(a, &Self::rounded(b / self.add(a, b))) }
    }
    #[inline]
    fn greatest(self, a: &f64, b: &f64) -> f64 {
        if a < b { *b } else { *a }
    }
    #[inline]
    fn least(self, a: &f64, b: &f64) -> f64 {
        if b < a { *b } else { *a }
    }
    #[inline]
    fn compare(self, a: &f64, b: &f64) -> Option<Ordering> {
        Some(self.order(a, b))
    }
    #[inline]
    fn either(self, a: f64, _: f64) -> f64 {
        a
    }
}

impl Ordered for Singles {
    #[inline]
    fn order(self, a: &f64, b: &f64) -> Ordering {
        // No rule produces a NaN; 0 and -0 are the same value.
        a.partial_cmp(b).unwrap_or(Ordering::Equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine's own single precision.
    #[test]
    fn operations_are_those_of_the_machine() {
        let values: [f32; 12] = [
            0.0,
            1.0,
            0.5,
            0.1,
            1.0 / 3.0,
            -2.7,
            36.5,
            1e-30,
            -3e-39,
            1.5e-45,
            7.25e20,
            1.0 - f32::EPSILON / 2.0,
        ];
        for a in values {
            for b in values {
                let (x, y) = (f64::from(a), f64::from(b));
                assert_eq!(Singles.add(&x, &y), f64::from(a + b), "{a} + {b}");
                assert_eq!(Singles.sub(&x, &y), f64::from(a - b), "{a} - {b}");
                assert_eq!(Singles.mul(&x, &y), f64::from(a * b), "{a} * {b}");
                assert_eq!(Singles.greatest(&x, &y), f64::from(a.max(b)));
                assert_eq!(Singles.least(&x, &y), f64::from(a.min(b)));
                assert_eq!(Singles.compare(&x, &y), a.partial_cmp(&b));
                if a > 0.0 && b > 0.0 {
                    assert_eq!(Singles.parallel(&x, &y), f64::from(a * (b / (a + b))), "{a}, {b}");
                }
            }
        }
        assert_eq!(Singles.mul(&0.0, &f64::INFINITY), 0.0);
        assert_eq!(Singles.mul(&1e30, &1e30), f64::INFINITY);
        assert_eq!(Singles.reciprocal(3), f64::from(1.0f32 / 3.0));
    }
}
