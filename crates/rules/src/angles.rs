//! The values of a smooth curve over independent angles, where arctan(1/2) + arctan(1/3) = π/4 is known to hold.
//!
//! w(h) = (1 + y) / 2, where y is arctan(C h / h_max) divided by arctan C, or for Pearl's curve by π/2. Over the
//! arguments of Gaussian primes (`prodmax_number::Angle`), measured in units of the divisor, y is a linear function.
//! So any value that a rule computes from leaves is a rational function of few unknowns, and two classes with the
//! same function are equal by the addition theorem of arctan.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use prodmax_number::gaussian::Gaussian;
use prodmax_number::{Angle, Fraction, RationalFunction};

use crate::curve::Curve;

/// The angles that a curve has been asked for.
#[derive(Debug, Default)]
pub(crate) struct Angles {
    /// arctan C or π/2; `None` if C has too many digits.
    norm: OnceLock<Option<Angle>>,
    /// The numbers of the unknowns, assigned to the primes as they turn up. Which prime has which number makes no
    /// difference.
    numbers: Mutex<BTreeMap<Gaussian, u16>>,
}

impl Angles {
    /// y at h as a function of independent angles. `None` for a curve without arctans, or if there are too many
    /// digits or unknowns.
    pub(crate) fn at(&self, curve: &Curve, h: i32, h_max: i32) -> Option<RationalFunction> {
        let (c, is_normalised) = match curve {
            Curve::Arctan(c) => (c, true),
            Curve::Pearl(c) => (c, false),
            Curve::Uniform(_) => return None,
        };
        let norm =
            self.norm.get_or_init(|| if is_normalised { Angle::arctan(c) } else { Some(Angle::right()) });
        let angle = Angle::arctan(&(c * Fraction::new(h.into(), h_max.into())))?;
        let linear = angle.over(norm.as_ref()?)?;
        let mut y = RationalFunction::constant(&linear.constant);
        for (prime, coefficient) in &linear.coefficients {
            let unknown = RationalFunction::unknown(self.number(*prime)?);
            y = y.add(&RationalFunction::constant(coefficient).mul(&unknown));
        }
        Some(y)
    }

    fn number(&self, prime: Gaussian) -> Option<u16> {
        // Nothing in the map is ever half-written, so a thread that panicked elsewhere does no harm.
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let next = u16::try_from(numbers.len()).ok();
        match numbers.get(&prime) {
            Some(&number) => Some(number),
            None => next.inspect(|&number| {
                numbers.insert(prime, number);
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    fn compare(curve: &str, h_max: i32, a: &[i32], b: &[i32]) -> Option<Ordering> {
        let (curve, angles) = (curve.parse::<Curve>().unwrap(), Angles::default());
        let one = RationalFunction::constant(&Fraction::from_integer(1.into()));
        let product = |values: &[i32]| {
            let factors = values.iter().map(|&h| one.add(&angles.at(&curve, h, h_max).unwrap()));
            factors.fold(one.clone(), |product, factor| product.mul(&factor))
        };
        product(a).compare(&product(b))
    }

    #[test]
    fn products_are_equal_by_the_addition_theorem() {
        // arctan(1/2) + arctan(1/3) = π/4 = 2 arctan(1/3) + arctan(1/7): with x = arctan(1/3) / (π/4), w(-14) w(-6)
        // is (1 - x) (2x) / 4, and so is w(-21) w(6): x (2 - 2x) / 4.
        assert_eq!(compare("arctan:1", 42, &[-14, -6], &[-21, 6]), Some(Ordering::Equal));
        assert_eq!(compare("arctan:1", 42, &[-14, -6], &[-21, 7]), None);
        // arctan 1 is half of the right angle.
        assert_eq!(compare("pearl:1", 42, &[42], &[42]), Some(Ordering::Equal));
        assert_eq!(compare("pearl:1", 42, &[-42], &[42]), Some(Ordering::Less), "1/4 and 3/4");
    }

    /// All pairs of products of two leaves, without looking at where they lie: they are the same function exactly if
    /// the numbers agree to 60 decimal places.
    #[test]
    fn the_same_function_is_the_same_number() {
        let one = RationalFunction::constant(&Fraction::from_integer(1.into()));
        let mut ties = 0;
        for (text, h_max) in [("arctan:2", 12), ("arctan:1", 14), ("pearl:1", 8), ("arctan:3/2", 9)] {
            let (curve, angles) = (text.parse::<Curve>().unwrap(), Angles::default());
            // The ends of an arctan curve are exact; their products with each other are all 0.
            let leaf = |h| (one.add(&angles.at(&curve, h, h_max).unwrap()), curve.enclose(h, h_max, 240));
            let leaves: Vec<_> = (1 - h_max..h_max).map(leaf).collect();
            let pairs = leaves.iter().enumerate().flat_map(|(i, a)| leaves[i..].iter().map(move |b| (a, b)));
            let products: Vec<_> = pairs.map(|(a, b)| (a.0.mul(&b.0), a.1.mul(&b.1))).collect();
            for (i, (f, x)) in products.iter().enumerate() {
                for (g, y) in &products[..i] {
                    let is_near = !x.is_below(y) && !y.is_below(x);
                    assert_eq!(f.compare(g) == Some(Ordering::Equal), is_near, "{text} {h_max}");
                    ties += u32::from(is_near);
                }
            }
        }
        assert!(ties > 0);
    }

    #[test]
    fn a_curve_without_angles_has_no_function() {
        let angles = Angles::default();
        assert!(angles.at(&"uniform:1/3".parse().unwrap(), 3, 42).is_none());
        let long: Curve = "arctan:1.2345678901234567890123456789".parse().unwrap();
        assert!(angles.at(&long, 3, 42).is_none());
    }
}
