//! Angles whose tangent is rational, written as sums of independent angles. This is what proves identities between
//! arctans.
//!
//! arctan(b/a) is the argument of the Gaussian integer a + bi. Its prime factors' arguments add up to it, up to
//! quarter turns, which are counted exactly. By unique factorisation the arguments of different primes (one of each
//! conjugate pair) and π are linearly independent over the rationals, so two sums of arctans are equal if and only if
//! they have the same coefficients in this basis. Machin's π/4 = 4 arctan(1/5) - arctan(1/239) is one of these
//! identities.
//!
//! A factor too large to be factored further is treated as a prime. Angles that are found equal are still equal then,
//! but an identity between such factors is not found.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::Fraction;
use crate::arctan::{arctan, pi};
use crate::enclosure::Enclosure;
use crate::gaussian::Gaussian;

/// A sum of arguments of Gaussian primes with integer coefficients. The argument of 1 + i is π/4 and stands for π;
/// the others lie between 0 and π/4.
///
/// ```
/// use prodmax_number::{Angle, fraction::parse};
/// let arctan = |x: &str| Angle::arctan(&parse(x).unwrap()).unwrap();
/// let machin = arctan("1/5").scale(4).sub(&arctan("1/239"));
/// assert_eq!(machin, arctan("1"));
/// assert_eq!(machin.scale(4), Angle::pi());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Angle(BTreeMap<Gaussian, BigInt>);

/// A linear function of unknowns that are named by Gaussian primes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The constant term.
    pub constant: Fraction,
    /// The nonzero coefficients.
    pub coefficients: BTreeMap<Gaussian, Fraction>,
}

impl Angle {
    /// arctan(x), between -π/2 and π/2. `None` if x has more digits than [`Gaussian::factors`] can handle.
    pub fn arctan(x: &Fraction) -> Option<Self> {
        let z = Gaussian { re: x.denom().to_i128()?, im: x.numer().to_i128()? };
        let factors = z.factors()?;
        let mut angle = Self::default();
        // The angle of the product so far, in whole quarter turns, rounded down. A factor turns it by less than one.
        let mut quarters = 0;
        let mut product = Gaussian::ONE;
        for factor in factors {
            let is_above = factor.base.im > 0;
            for _ in 0..factor.exponent {
                product = product * factor.base;
                let crosses = product.quadrant() != i64::rem_euclid(quarters, 4);
                quarters += match (crosses, is_above) {
                    (false, _) => 0,
                    (true, true) => 1,
                    (true, false) => -1,
                };
            }
            let sign = if is_above { 1 } else { -1 };
            let base = if is_above { factor.base } else { factor.base.conjugate() };
            angle.add(base, &(sign * i64::from(factor.exponent)).into());
        }
        // The number lies in the right half-plane. It and the product differ by whole quarter turns.
        let wanted = if z.im < 0 { -1 } else { 0 };
        angle.add(Gaussian::ONE_PLUS_I, &(2 * (wanted - quarters)).into());
        Some(angle)
    }

    /// π.
    pub fn pi() -> Self {
        Self(BTreeMap::from([(Gaussian::ONE_PLUS_I, 4.into())]))
    }

    /// π/2, the right angle.
    pub fn right() -> Self {
        Self(BTreeMap::from([(Gaussian::ONE_PLUS_I, 2.into())]))
    }

    fn add(&mut self, base: Gaussian, times: &BigInt) {
        let sum = self.0.entry(base).or_default();
        *sum += times;
        if sum.is_zero() {
            self.0.remove(&base);
        }
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        other.0.iter().for_each(|(&base, times)| difference.add(base, &-times));
        difference
    }

    /// A multiple.
    #[must_use]
    pub fn scale(&self, factor: i64) -> Self {
        let mut multiple = Self::default();
        self.0.iter().for_each(|(&base, times)| multiple.add(base, &(times * factor)));
        multiple
    }

    /// An enclosure of the angle.
    pub fn enclose(&self, bits: u32) -> Enclosure {
        let mut sum = Enclosure::integer(0, bits);
        for (&base, times) in &self.0 {
            let argument = match base {
                Gaussian::ONE_PLUS_I => pi(bits).halve(2),
                Gaussian { re, im } => arctan(&Fraction::new(im.into(), re.into()), bits),
            };
            sum = sum.add(&argument.scale(times));
        }
        sum
    }

    /// The quotient of two angles, in the unit in which the divisor is 1. The unknowns are the arguments of primes in
    /// that unit, except for the divisor's first prime, whose argument follows from the others. So two quotients by
    /// the same divisor are equal if and only if they are the same function. `None` if the divisor is 0.
    pub fn over(&self, divisor: &Self) -> Option<Linear> {
        let (pivot, whole) = divisor.0.first_key_value()?;
        let times = self.0.get(pivot).cloned().unwrap_or_default();
        let share = Fraction::new(times, whole.clone());
        // With u_i for the arguments: 1 = Σ f_i u_i, so Σ e_i u_i = s + Σ (e_i - s f_i) u_i, with s = e / f at the pivot.
        let mut coefficients: BTreeMap<Gaussian, Fraction> = BTreeMap::new();
        for (&base, times) in &self.0 {
            *coefficients.entry(base).or_default() += times;
        }
        for (&base, times) in &divisor.0 {
            *coefficients.entry(base).or_default() -= &share * times;
        }
        coefficients.retain(|_, coefficient| !coefficient.is_zero());
        Some(Linear { constant: share, coefficients })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fraction::parse;

    const BITS: u32 = 200;

    fn angle(x: &str) -> Angle {
        Angle::arctan(&parse(x).unwrap()).unwrap()
    }

    fn sum(terms: &[(i64, &str)]) -> Angle {
        terms.iter().fold(Angle::default(), |sum, &(times, x)| sum.sub(&angle(x).scale(-times)))
    }

    fn agree(a: &Enclosure, b: &Enclosure) -> bool {
        a.sub(b).contains_zero()
    }

    /// Formulas for π/4, each named after its discoverer.
    #[test]
    fn the_classical_formulas_are_identities() {
        let quarter_pi = angle("1");
        assert_eq!(quarter_pi.scale(4), Angle::pi());
        assert_eq!(quarter_pi.scale(2), Angle::right());
        let euler: &[(i64, &str)] = &[(1, "1/2"), (1, "1/3")];
        let hutton: &[(i64, &str)] = &[(2, "1/3"), (1, "1/7")];
        let hermann: &[(i64, &str)] = &[(2, "1/2"), (-1, "1/7")];
        let machin: &[(i64, &str)] = &[(4, "1/5"), (-1, "1/239")];
        let gauss: &[(i64, &str)] = &[(12, "1/18"), (8, "1/57"), (-5, "1/239")];
        let stormer: &[(i64, &str)] = &[(44, "1/57"), (7, "1/239"), (-12, "1/682"), (24, "1/12943")];
        let takano: &[(i64, &str)] = &[(12, "1/49"), (32, "1/57"), (-5, "1/239"), (12, "1/110443")];
        for formula in [euler, hutton, hermann, machin, gauss, stormer, takano] {
            assert_eq!(sum(formula), quarter_pi, "{formula:?}");
        }
        assert_ne!(sum(&[(4, "1/5"), (-1, "1/240")]), quarter_pi);
        assert_ne!(sum(&[(2, "1/3"), (1, "1/8")]), quarter_pi);
    }

    #[test]
    fn every_small_tangent_has_its_own_angle() {
        for (a, b) in (1i64..=30).flat_map(|a| (-30i64..=30).map(move |b| (a, b))) {
            let x = Fraction::new(b.into(), a.into());
            let angle = Angle::arctan(&x).unwrap();
            let enclosure = arctan(&x, BITS);
            assert!(agree(&angle.enclose(BITS), &enclosure), "{b}/{a}");
            assert_eq!(Angle::arctan(&-&x).unwrap(), angle.scale(-1));
            if b > 0 {
                let complement = Angle::arctan(&x.recip()).unwrap();
                assert_eq!(Angle::pi(), angle.scale(2).sub(&complement.scale(-2)), "{b}/{a}");
            }
        }
        assert_eq!(angle("0"), Angle::default());
        assert!(Angle::arctan(&parse("0.1234567890123456789012345678901234567890").unwrap()).is_none());
    }

    #[test]
    fn quotients_of_the_same_angles_are_constants() {
        let constant = |a: &Angle, b: &Angle| {
            let quotient = a.over(b).unwrap();
            quotient.coefficients.is_empty().then(|| quotient.constant.to_string())
        };
        assert_eq!(constant(&angle("2"), &angle("2")).as_deref(), Some("1"));
        assert_eq!(constant(&angle("-1"), &Angle::pi()).as_deref(), Some("-1/4"));
        // arctan(3/4) = 2 arctan(1/3) and arctan(4/3) = 2 arctan(1/2).
        assert_eq!(constant(&angle("3/4"), &angle("1/3")).as_deref(), Some("2"));
        assert_eq!(constant(&angle("1/2"), &angle("4/3")).as_deref(), Some("1/2"));
        assert_eq!(constant(&angle("1/2"), &angle("1/3")), None);
        assert_eq!(angle("1/2").over(&Angle::default()), None);
    }

    fn tangents() -> impl Strategy<Value = Fraction> {
        (-100_000i64..100_000, 1i64..100_000).prop_map(|(n, d)| Fraction::new(n.into(), d.into()))
    }

    /// Sums of two have norms below 2^40, so that their factors are prime.
    fn small_tangents() -> impl Strategy<Value = Fraction> {
        (-500i64..500, 1i64..500).prop_map(|(n, d)| Fraction::new(n.into(), d.into()))
    }

    proptest! {
        #[test]
        fn arguments_of_factors_add_up(x in tangents()) {
            let angle = Angle::arctan(&x).unwrap();
            prop_assert!(agree(&angle.enclose(BITS), &arctan(&x, BITS)));
        }

        /// tan(α + β) = (x + y) / (1 - xy).
        #[test]
        fn sums_are_those_of_the_addition_theorem(x in small_tangents(), y in small_tangents()) {
            let one = Fraction::from_integer(1.into());
            // For |x|, |y| < 1 the sum lies between -π/2 and π/2.
            prop_assume!(x < one && x > -&one && y < one && y > -&one);
            let [a, b] = [&x, &y].map(|x| Angle::arctan(x).unwrap());
            let both = Angle::arctan(&((&x + &y) / (one - &x * &y))).unwrap();
            prop_assert_eq!(both, a.sub(&b.scale(-1)));
        }

        #[test]
        fn quotients_are_linear_functions_of_arguments(x in tangents(), y in tangents()) {
            prop_assume!(!y.is_zero());
            let [a, b] = [&x, &y].map(|x| Angle::arctan(x).unwrap());
            let quotient = a.over(&b).unwrap();
            // a = constant · b + Σ coefficient · argument, times all denominators.
            let all = quotient.coefficients.values().fold(quotient.constant.denom().clone(), |all, c| all * c.denom());
            let whole = |c: &Fraction| (c * &all).to_integer();
            let mut right = arctan(&y, BITS).scale(&whole(&quotient.constant));
            for (&base, coefficient) in &quotient.coefficients {
                let argument = Angle(BTreeMap::from([(base, 1.into())])).enclose(BITS);
                right = right.add(&argument.scale(&whole(coefficient)));
            }
            prop_assert!(agree(&arctan(&x, BITS).scale(&all), &right));
        }
    }
}
