//! Polynomials in one variable p with big-integer coefficients: exact, so two error masses are identical if and only
//! if their coefficients are equal.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::Fraction;

/// A polynomial in p; coefficients ascending, without trailing zeros (the zero polynomial has none).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial {
    coefficients: Vec<BigInt>,
}

impl Polynomial {
    /// The polynomial with the given coefficients, lowest degree first.
    ///
    /// ```
    /// use prodmax_number::Polynomial;
    /// let g = Polynomial::new([1, -2]);
    /// assert_eq!(g.to_string(), "1 - 2p");
    /// ```
    pub fn new<T: Into<BigInt>>(coefficients: impl IntoIterator<Item = T>) -> Self {
        let mut polynomial = Self { coefficients: coefficients.into_iter().map(Into::into).collect() };
        polynomial.trim();
        polynomial
    }

    /// The constant polynomial.
    pub fn constant(value: impl Into<BigInt>) -> Self {
        Self::new([value.into()])
    }

    /// p itself: the probability that a leaf is evaluated wrongly.
    pub fn p() -> Self {
        Self::new([0, 1])
    }

    /// 1 - p: the probability that a leaf is evaluated correctly.
    pub fn one_minus_p() -> Self {
        Self::new([1, -1])
    }

    /// p^errors (1-p)^(leaves - errors): the frequency of one pattern with this number of wrong leaves.
    pub fn pattern(errors: u32, leaves: u32) -> Self {
        &Self::p().pow(errors) * &Self::one_minus_p().pow(leaves - errors)
    }

    /// The coefficients, lowest degree first.
    pub fn coefficients(&self) -> &[BigInt] {
        &self.coefficients
    }

    /// The degree; `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The n-th power.
    pub fn pow(&self, n: u32) -> Self {
        (0..n).fold(Self::constant(1), |product, _| &product * self)
    }

    /// Every coefficient times `factor`.
    pub fn scaled(&self, factor: &BigInt) -> Self {
        Self::new(self.coefficients.iter().map(|c| c * factor))
    }

    /// The value at `p`, exact, by Horner's rule.
    pub fn evaluate(&self, p: &Fraction) -> Fraction {
        self.coefficients.iter().rev().fold(Fraction::zero(), |value, c| value * p + c)
    }

    /// The sign of the value at `p`: -1, 0 or 1.
    pub fn sign_at(&self, p: &Fraction) -> i8 {
        let value = self.evaluate(p);
        i8::from(value.is_positive()) - i8::from(value.is_negative())
    }

    /// The derivative with respect to p.
    pub fn derivative(&self) -> Self {
        Self::new(self.coefficients.iter().enumerate().skip(1).map(|(k, c)| c * BigInt::from(k)))
    }

    /// The greatest common divisor of the coefficients (0 for the zero polynomial).
    pub fn content(&self) -> BigInt {
        self.coefficients.iter().fold(BigInt::zero(), |gcd, c| gcd.gcd(c))
    }

    /// This polynomial divided by its content, so that the coefficients have no common factor.
    pub(crate) fn primitive(&self) -> Self {
        let content = self.content();
        if content.is_zero() {
            self.clone()
        } else {
            Self::new(self.coefficients.iter().map(|c| c / &content))
        }
    }

    /// The quotient, if `divisor` divides this polynomial exactly over the integers.
    pub fn divide_exact(&self, divisor: &Self) -> Option<Self> {
        let lead = divisor.coefficients.last()?;
        let mut rest = self.clone();
        let mut quotient = vec![BigInt::zero(); self.coefficients.len()];
        while let Some(shift) = rest.degree().zip(divisor.degree()).and_then(|(r, d)| r.checked_sub(d)) {
            let (factor, remainder) = rest.coefficients.last()?.div_rem(lead);
            if !remainder.is_zero() {
                return None;
            }
            for (k, c) in divisor.coefficients.iter().enumerate() {
                rest.coefficients[k + shift] -= c * &factor;
            }
            quotient[shift] = factor;
            rest.trim();
        }
        rest.is_zero().then(|| Self::new(quotient))
    }

    /// The remainder of lead(divisor)^k times this polynomial divided by `divisor`, with an even k large enough to
    /// keep the coefficients integers; so its sign at every point is that of the true remainder.
    pub(crate) fn pseudo_remainder(&self, divisor: &Self) -> Self {
        let Some((lead, divisor_degree)) = divisor.coefficients.last().zip(divisor.degree()) else {
            return self.clone();
        };
        let factor = lead * lead;
        let mut rest = self.clone();
        while let Some(shift) = rest.degree().and_then(|r| r.checked_sub(divisor_degree)) {
            let top = rest.coefficients[shift + divisor_degree].clone() * lead;
            rest = rest.scaled(&factor);
            for (k, c) in divisor.coefficients.iter().enumerate() {
                rest.coefficients[k + shift] -= c * &top;
            }
            rest.trim();
        }
        rest
    }

    /// The greatest common divisor, primitive and with a positive leading coefficient.
    pub fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.primitive(), other.primitive());
        while !b.is_zero() {
            (a, b) = (b.clone(), a.pseudo_remainder(&b).primitive());
        }
        if a.coefficients.last().is_some_and(Signed::is_negative) { -&a } else { a }
    }

    fn trim(&mut self) {
        while self.coefficients.last().is_some_and(Zero::is_zero) {
            self.coefficients.pop();
        }
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: Self) -> Polynomial {
        let mut sum = self.clone();
        sum += other;
        sum
    }
}

impl AddAssign<&Polynomial> for Polynomial {
    fn add_assign(&mut self, other: &Polynomial) {
        if self.coefficients.len() < other.coefficients.len() {
            self.coefficients.resize(other.coefficients.len(), BigInt::zero());
        }
        for (mine, theirs) in self.coefficients.iter_mut().zip(&other.coefficients) {
            *mine += theirs;
        }
        self.trim();
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        Polynomial::new(self.coefficients.iter().map(|c| -c))
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: Self) -> Polynomial {
        self + &-other
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: Self) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial::default();
        }
        let mut product = vec![BigInt::zero(); self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial::new(product)
    }
}

impl fmt::Display for Polynomial {
    /// Ascending powers: `1 - 3p + 2p^2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return write!(f, "0");
        }
        let terms = self.coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero());
        for (position, (power, coefficient)) in terms.enumerate() {
            match (position, coefficient.is_negative()) {
                (0, false) => {}
                (0, true) => write!(f, "-")?,
                (_, false) => write!(f, " + ")?,
                (_, true) => write!(f, " - ")?,
            }
            let magnitude = coefficient.abs();
            if power == 0 || !magnitude.is_one() {
                write!(f, "{magnitude}")?;
            }
            match power {
                0 => {}
                1 => write!(f, "p")?,
                _ => write!(f, "p^{power}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fraction::parse;

    fn any_polynomial() -> impl Strategy<Value = Polynomial> {
        prop::collection::vec(-9i64..10, 0..6).prop_map(Polynomial::new)
    }

    #[test]
    fn prints_ascending_powers() {
        assert_eq!(Polynomial::default().to_string(), "0");
        assert_eq!(Polynomial::new([0, -1, 0, 2]).to_string(), "-p + 2p^3");
        assert_eq!(Polynomial::new([-3]).to_string(), "-3");
    }

    #[test]
    fn pattern_frequencies_of_four_leaves_add_up_to_one() {
        let binomial = [1, 4, 6, 4, 1];
        let sum = (0..=4).fold(Polynomial::default(), |sum, errors| {
            &sum + &Polynomial::pattern(errors, 4).scaled(&binomial[errors as usize].into())
        });
        assert_eq!(sum, Polynomial::constant(1));
    }

    #[test]
    fn division_that_leaves_a_remainder_is_none() {
        assert_eq!(Polynomial::new([1, 0, 1]).divide_exact(&Polynomial::new([1, 1])), None);
        assert_eq!(Polynomial::new([1, 1]).divide_exact(&Polynomial::new([1, 2])), None);
        assert_eq!(Polynomial::new([1]).divide_exact(&Polynomial::default()), None);
    }

    proptest! {
        #[test]
        fn ring_operations_agree_with_evaluation(a in any_polynomial(), b in any_polynomial(), n in -20i64..20) {
            let p = Fraction::new(n.into(), 7.into());
            prop_assert_eq!((&a + &b).evaluate(&p), a.evaluate(&p) + b.evaluate(&p));
            prop_assert_eq!((&a - &b).evaluate(&p), a.evaluate(&p) - b.evaluate(&p));
            prop_assert_eq!((&a * &b).evaluate(&p), a.evaluate(&p) * b.evaluate(&p));
        }

        #[test]
        fn exact_division_undoes_multiplication(a in any_polynomial(), b in any_polynomial()) {
            prop_assume!(!b.is_zero());
            prop_assert_eq!((&a * &b).divide_exact(&b), Some(a));
        }

        #[test]
        fn gcd_divides_both(a in any_polynomial(), b in any_polynomial(), c in any_polynomial()) {
            prop_assume!(!(c.is_zero() || a.is_zero() && b.is_zero()));
            let (x, y) = (&a * &c, &b * &c);
            let gcd = x.gcd(&y);
            // Divisibility over the rationals: the primitive part of c divides the gcd, the gcd divides both.
            prop_assert!(gcd.divide_exact(&c.primitive()).is_some());
            prop_assert!(x.divide_exact(&gcd).is_some() && y.divide_exact(&gcd).is_some());
        }

        #[test]
        fn pseudo_remainder_keeps_the_sign(a in any_polynomial(), b in any_polynomial(), root in -5i64..5) {
            // At a root of b the true remainder equals a.
            let b = &b * &Polynomial::new([-root, 1]);
            prop_assume!(!b.is_zero());
            let at = Fraction::from_integer(root.into());
            prop_assert_eq!(a.pseudo_remainder(&b).sign_at(&at), a.sign_at(&at));
        }
    }

    #[test]
    fn evaluates_exactly() {
        let g = Polynomial::new([1, -2]);
        assert_eq!(g.evaluate(&parse("1/35").unwrap()), parse("33/35").unwrap());
        assert_eq!((g.sign_at(&parse("1/2").unwrap()), g.sign_at(&parse("1").unwrap())), (0, -1));
        assert_eq!(Polynomial::new([5, 3, 2]).derivative(), Polynomial::new([3, 4]));
    }
}
