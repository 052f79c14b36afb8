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
    use num_traits::Zero as _;
    use proptest::prelude::*;

    use super::*;
    use crate::fraction::{decimal, parse};

    /// Decimal places of the references.
    const PLACES: u32 = 60;

    fn agrees(n: i64, d: i64, reference: &Fraction) -> bool {
        let ours = arctan(&Fraction::new(n.into(), d.into()), 180);
        assert!(ours.width() <= Fraction::new(8.into(), BigInt::one() << 180));
        // 2^-180 is about 10^-54.
        let tolerance = Fraction::new(1.into(), BigInt::from(10).pow(PLACES));
        ours.low() - &tolerance <= *reference && *reference <= ours.high() + &tolerance
    }

    /// Figures of mpmath 1.3.0, an independent library.
    #[test]
    fn agrees_with_an_independent_library() {
        for (n, d, reference) in [
            (1, 2, "0.46364760900080611621425623146121440202853705428612026381093309"),
            (1, 42, "0.023805026185069943453868055357790764679280143083730486460379874"),
            (-1, 3, "-0.32175055439664219340140461435866131902075529555765619143280306"),
            (4, 21, "0.18822150530477076117135427387118292954201948669724552567744364"),
            (3, 500, "0.0059999280015551600102625681623112348283889564381107305341209916"),
            (-499, 500, "-0.78439716273078244428347036784841884370934723327996960415705118"),
            (7, 5, "0.95054684081207514789478913546381917504767901030880427426177058"),
            (-1234, 499, "-1.1865232264255503762595730996676457556992827208952967368480908"),
            (16, 1, "1.5083775167989392707573425786542463284923108118900537158799445"),
            (1999, 1, "1.5702960767115633109188306202077046648844799621020483975242112"),
        ] {
            assert!(agrees(n, d, &parse(reference).unwrap()), "arctan({n}/{d})");
        }
    }

    /// arctan(n/d), times 10^(PLACES + 10), by Euler's series: the products of 2k/(2k + 1) · x²/(1 + x²), times x/(1 + x²).
    fn by_euler(n: i64, d: i64) -> BigInt {
        if n < 0 {
            return -by_euler(-n, d);
        }
        if n > d {
            return 2 * by_euler(1, 1) - by_euler(d, n);
        }
        let [square, norm] = [BigInt::from(n * n), BigInt::from(n * n + d * d)];
        let mut term = BigInt::from(10).pow(PLACES + 10) * n * d / &norm;
        let mut sum = BigInt::zero();
        for k in 1.. {
            if term.is_zero() {
                break;
            }
            sum += &term;
            term = term * (2 * k) * &square / (&norm * (2 * k + 1));
        }
        sum
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
        #[test]
        fn agrees_with_another_series(n in -2000i64..2000, d in 1i64..500) {
            prop_assert!(agrees(n, d, &Fraction::new(by_euler(n, d), BigInt::from(10).pow(PLACES + 10))));
        }
    }
}
