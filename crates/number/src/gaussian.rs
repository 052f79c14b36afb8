//! Gaussian integers a + bi and their primes.
//!
//! A fraction b/a is the tangent of the argument of a + bi, and arguments add up when Gaussian integers are
//! multiplied. So the factors of a + bi show how arctan(b/a) is composed of simpler angles; see `angle.rs`.

use std::ops::Mul;

use num_integer::Integer;

/// Trial division stops at this prime factor. A number without a factor up to here is prime if it is less than the
/// square of this, 2^40; larger ones are left unfactored.
const LARGEST_TRIED: u128 = 1 << 20;

/// A Gaussian integer. Its parts should not exceed [`Gaussian::MAX_PART`]: products of larger ones may overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gaussian {
    /// The real part.
    pub re: i128,
    /// The imaginary part.
    pub im: i128,
}

/// A factor in its standard form, and how often it divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// 1 + i, or a number with re > |im| > 0.
    pub base: Gaussian,
    /// At least 1.
    pub exponent: u32,
}

impl Mul for Gaussian {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Gaussian {
    /// Numbers with parts up to this size can be factored without overflow in norms or intermediate products.
    pub const MAX_PART: i128 = 1 << 60;

    /// 1.
    pub(crate) const ONE: Self = Self { re: 1, im: 0 };

    /// 1 + i, the prime that divides 2.
    pub(crate) const ONE_PLUS_I: Self = Self { re: 1, im: 1 };

    /// re² + im², the product with the conjugate.
    pub fn norm(self) -> u128 {
        let square = |part: i128| part.unsigned_abs() * part.unsigned_abs();
        square(self.re) + square(self.im)
    }

    /// The reflection in the real axis.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// The product with i: a quarter turn.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { re: -self.im, im: self.re }
    }

    /// Which quarter of the plane the number lies in, from 0 to 3, counted from the positive real axis. Each quarter
    /// includes the half-axis at which it begins.
    pub fn quadrant(self) -> i64 {
        match (self.re.signum(), self.im.signum()) {
            (1, 0 | 1) => 0,
            (0 | -1, 1) => 1,
            (-1, _) => 2,
            _ => 3,
        }
    }

    /// The quotient, if the divisor is nonzero and divides exactly.
    pub(crate) fn exact_quotient(self, divisor: Self) -> Option<Self> {
        let norm = i128::try_from(divisor.norm()).ok().filter(|norm| *norm > 0)?;
        let Self { re, im } = self * divisor.conjugate();
        (re % norm == 0 && im % norm == 0).then(|| Self { re: re / norm, im: im / norm })
    }

    /// A greatest common divisor, by Euclid's algorithm: with the quotient rounded to the nearest integer, the
    /// remainder has at most half the norm of the divisor.
    #[must_use]
    pub fn gcd(self, other: Self) -> Self {
        let (mut a, mut b) = (self, other);
        while let Ok(norm @ 1..) = i128::try_from(b.norm()) {
            let exact = a * b.conjugate();
            let nearest = |part: i128| Integer::div_floor(&(2 * part + norm), &(2 * norm));
            let multiple = b * Self { re: nearest(exact.re), im: nearest(exact.im) };
            (a, b) = (b, Self { re: a.re - multiple.re, im: a.im - multiple.im });
        }
        a
    }

    /// Whichever of z, iz, -z and -iz has its argument in (-π/4, π/4].
    #[must_use]
    pub fn standard(self) -> Self {
        let mut turned = self;
        for _ in 0..4 {
            if -turned.re < turned.im && turned.im <= turned.re {
                break;
            }
            turned = turned.turned();
        }
        turned
    }

    /// The factors of a number whose parts have no common divisor; their product is the number or one of its quarter
    /// turns. Every factor is prime, except that one without prime factors of norm up to 2^20 may remain unfactored.
    /// `None` if the parts have a common divisor or one of them is larger than [`Gaussian::MAX_PART`].
    ///
    /// No prime of norm p² divides such a number, nor do both primes of norm p: the ordinary prime p would divide both
    /// parts.
    ///
    /// ```
    /// use prodmax_number::gaussian::Gaussian;
    /// let factors = Gaussian { re: 7, im: 1 }.factors().unwrap(); // -i (1 + i) (2 + i)²
    /// let found: Vec<_> = factors.iter().map(|factor| (factor.base.re, factor.base.im, factor.exponent)).collect();
    /// assert_eq!(found, [(1, 1, 1), (2, 1, 2)]);
    /// ```
    pub fn factors(self) -> Option<Vec<Factor>> {
        let fits = self.re.max(self.im) <= Self::MAX_PART && self.re.min(self.im) >= -Self::MAX_PART;
        if !fits || self.re.gcd(&self.im) != 1 {
            return None;
        }
        let mut factors = Vec::new();
        let mut rest = self;
        if let Some(quotient) = rest.exact_quotient(Self::ONE_PLUS_I) {
            factors.push(Factor { base: Self::ONE_PLUS_I, exponent: 1 });
            rest = quotient;
        }
        let mut norm = rest.norm();
        // The odd prime factors of the norm are congruent to 1 modulo 4.
        for p in (5..=LARGEST_TRIED).step_by(4) {
            if p * p > norm {
                break;
            }
            if !norm.is_multiple_of(p) {
                continue;
            }
            let base = rest.gcd(Self { re: p as i128, im: 0 }).standard();
            let mut exponent = 0;
            while let Some(quotient) = rest.exact_quotient(base) {
                rest = quotient;
                exponent += 1;
            }
            factors.push(Factor { base, exponent });
            norm = rest.norm();
        }
        if norm > 1 {
            factors.push(Factor { base: rest.standard(), exponent: 1 });
        }
        Some(factors)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn product(factors: &[Factor]) -> Gaussian {
        let powers = factors.iter().flat_map(|factor| (0..factor.exponent).map(|_| factor.base));
        powers.fold(Gaussian::ONE, Gaussian::mul)
    }

    fn is_prime(n: u128) -> bool {
        n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
    }

    /// Tries every possible divisor: a number is prime if only units and its own turns divide it.
    #[test]
    fn small_factors_are_prime_by_definition() {
        for (re, im) in (-12..=12).flat_map(|re| (-12..=12).map(move |im| (re, im))) {
            let Some(factors) = (Gaussian { re, im }).factors() else {
                assert_ne!(re.gcd(&im), 1);
                continue;
            };
            assert_eq!(product(&factors).standard(), Gaussian { re, im }.standard());
            for Factor { base, exponent } in factors {
                let bound = base.re + base.im.abs();
                let divisors =
                    (-bound..=bound).flat_map(|re| (-bound..=bound).map(move |im| Gaussian { re, im }));
                let dividing = divisors.filter(|d| d.norm() > 0 && base.exact_quotient(*d).is_some()).count();
                assert_eq!(dividing, 8, "four units and four turns divide {base:?}");
                assert_eq!(base.standard(), base);
                assert!(exponent > 0);
            }
        }
    }

    #[test]
    fn quadrants_go_round() {
        let mut z = Gaussian { re: 3, im: 0 };
        for quadrant in [0, 1, 2, 3] {
            assert_eq!(z.quadrant(), quadrant);
            assert_eq!((z * Gaussian { re: 2, im: 1 }).quadrant(), quadrant);
            assert_eq!((z * Gaussian { re: 1, im: 2 }).quadrant(), quadrant);
            assert_eq!((z * Gaussian { re: 2, im: -1 }).quadrant(), (quadrant + 3) % 4);
            z = z.turned();
        }
    }

    #[test]
    fn numbers_that_cannot_be_factored_give_none_or_stay_whole() {
        assert!(Gaussian { re: 0, im: 0 }.factors().is_none());
        assert!(Gaussian { re: 6, im: 9 }.factors().is_none());
        assert!(Gaussian { re: 1, im: Gaussian::MAX_PART + 1 }.factors().is_none());
        assert!(Gaussian { re: i128::MIN, im: 1 }.factors().is_none());
        // The square of a prime with a norm beyond 2^20 is left unfactored.
        let large = Gaussian { re: 1025, im: 12 };
        assert!(is_prime(large.norm()) && large.norm() > LARGEST_TRIED);
        let square = large * large;
        assert_eq!(square.factors().unwrap(), [Factor { base: square.standard(), exponent: 1 }]);
    }

    fn small_number() -> impl Strategy<Value = Gaussian> {
        (-500i128..500, -500i128..500).prop_map(|(re, im)| Gaussian { re, im })
    }

    proptest! {
        #[test]
        fn the_product_of_the_factors_is_a_turn_of_the_number(re in -100_000i128..100_000, im in -100_000i128..100_000) {
            let common = re.gcd(&im);
            prop_assume!(common > 0);
            let z = Gaussian { re: re / common, im: im / common };
            let factors = z.factors().unwrap();
            prop_assert_eq!(product(&factors).standard(), z.standard());
            for factor in &factors {
                prop_assert!(is_prime(factor.base.norm()), "{:?}", factor.base);
                prop_assert_eq!(factor.base.standard(), factor.base);
            }
            let mut bases: Vec<Gaussian> = factors.iter().map(|factor| factor.base).collect();
            bases.sort_unstable();
            bases.dedup();
            prop_assert_eq!(bases.len(), factors.len(), "each prime once");
        }

        /// Unique factorisation: the factors of a product are those of both numbers.
        #[test]
        fn factors_of_a_product_are_those_of_both_numbers(a in small_number(), b in small_number()) {
            let both = a * b;
            prop_assume!(both.re.gcd(&both.im) == 1);
            let list = |z: Gaussian| -> Vec<Gaussian> {
                let factors = z.factors().unwrap();
                factors.iter().flat_map(|factor| vec![factor.base; factor.exponent as usize]).collect()
            };
            let mut together = [list(a), list(b)].concat();
            let mut of_both = list(both);
            together.sort_unstable();
            of_both.sort_unstable();
            prop_assert_eq!(of_both, together);
        }

        #[test]
        fn nothing_overflows(
            re in -Gaussian::MAX_PART..=Gaussian::MAX_PART, im in -Gaussian::MAX_PART..=Gaussian::MAX_PART
        ) {
            let common = re.gcd(&im).max(1);
            if let Some(factors) = (Gaussian { re: re / common, im: im / common }).factors() {
                prop_assert_eq!(product(&factors).norm(), Gaussian { re: re / common, im: im / common }.norm());
            }
        }
    }
}
