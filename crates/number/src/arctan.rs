//! Enclosures of arctan and π. The standard library's `f64::atan` is not correctly rounded and its error is
//! not specified, so everything that must be certain uses these instead.

use num_bigint::BigInt;
use num_traits::{One, Signed};

use crate::Fraction;
use crate::enclosure::Enclosure;

/// Extra binary places: far more than the rounding errors of one evaluation can use up.
const GUARD_BITS: u32 = 48;

/// How often the argument is reduced by arctan x = 2 arctan(x / (1 + √(1 + x²))). Afterwards x < 2^-6, and each term
/// of the series adds 12 bits.
const HALVINGS: u32 = 6;

/// An enclosure of arctan(x), a few units of 2^-bits wide at most.
///
/// ```
/// use prodmax_number::{arctan::{arctan, pi}, fraction::parse};
/// let quarter_pi = arctan(&parse("1").unwrap(), 100);
/// let pi = pi(100);
/// assert!(quarter_pi.scale(&4.into()).sub(&pi).contains_zero());
/// ```
pub fn arctan(x: &Fraction, bits: u32) -> Enclosure {
    let work = bits + GUARD_BITS;
    let magnitude = x.abs();
    let positive = if magnitude > Fraction::one() {
        let half_pi = machin(work).halve(1);
        half_pi.sub(&reduced(&magnitude.recip(), work))
    } else {
        reduced(&magnitude, work)
    };
    let sign = BigInt::from(if x.is_negative() { -1 } else { 1 });
    positive.scale(&sign).rounded(bits)
}

/// An enclosure of π.
pub fn pi(bits: u32) -> Enclosure {
    machin(bits + GUARD_BITS).rounded(bits)
}

/// π = 16 arctan(1/5) - 4 arctan(1/239).
fn machin(bits: u32) -> Enclosure {
    let inverse = |n: i32| series(&Enclosure::of(&Fraction::new(1.into(), n.into()), bits));
    inverse(5).scale(&16.into()).sub(&inverse(239).scale(&4.into()))
}

/// arctan for 0 <= x <= 1.
fn reduced(x: &Fraction, bits: u32) -> Enclosure {
    let mut x = Enclosure::of(x, bits);
    let one = Enclosure::integer(1, bits);
    for _ in 0..HALVINGS {
        let divisor = one.add(&one.add(&x.mul(&x)).sqrt());
        // The divisor is at least 2, so the quotient exists.
        x = x.div(&divisor).unwrap_or(x);
    }
    series(&x).scale(&(BigInt::one() << HALVINGS))
}

/// The alternating series x - x³/3 + x⁵/5 - … for 0 <= x < 1: the error is smaller than the first omitted term.
fn series(x: &Enclosure) -> Enclosure {
    let square = x.mul(x);
    let mut power = x.clone();
    let mut sum = Enclosure::integer(0, x.bits());
    for k in 0u32.. {
        let term = power.div_integer(2 * k + 1);
        if term.is_at_most_one_unit() {
            return sum.widened(&term);
        }
        sum = if k % 2 == 0 { sum.add(&term) } else { sum.sub(&term) };
        power = power.mul(&square);
    }
    sum
}

#[cfg(test)]
mod tests {
    use dashu_float::DBig;
    use num_traits::Zero as _;
    use proptest::prelude::*;

    use super::*;
    use crate::fraction::{decimal, parse};

    /// arctan by an independent library, as a decimal string with 60 places.
    fn by_dashu(numerator: i64, denominator: i64) -> Fraction {
        let digits = 70;
        let [n, d] = [numerator, denominator].map(|v| DBig::from(v).with_precision(digits).value());
        parse(&format!("{}", (n / d).atan())).unwrap()
    }

    #[test]
    fn pi_to_fifty_places() {
        let pi = pi(200);
        assert_eq!(decimal(&pi.low(), 50), "3.14159265358979323846264338327950288419716939937511");
        assert_eq!(decimal(&pi.high(), 50), decimal(&pi.low(), 50));
    }

    #[test]
    fn exact_at_zero() {
        let zero = arctan(&Fraction::zero(), 64);
        assert!(zero.contains_zero());
        assert!(zero.width() <= Fraction::new(4.into(), BigInt::one() << 64));
    }

    proptest! {
        // The reference takes a tenth of a second per value.
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn agrees_with_an_independent_library(n in -2000i64..2000, d in 1i64..500) {
            let ours = arctan(&Fraction::new(n.into(), d.into()), 180);
            prop_assert!(ours.width() <= Fraction::new(8.into(), BigInt::one() << 180));
            // The reference carries 70 digits; 2^-180 is about 10^-54.
            let reference = by_dashu(n, d);
            let tolerance = Fraction::new(1.into(), BigInt::from(10).pow(60));
            prop_assert!(ours.low() - &tolerance <= reference && reference <= ours.high() + &tolerance);
        }
    }
}
