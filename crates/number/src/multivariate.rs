//! Polynomials and rational functions in several unknowns, with integer coefficients. They prove that two values are
//! equal whatever the unknowns are.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use crate::Fraction;

/// A product of unknowns, by their numbers: a sorted list with repetitions.
type Monomial = Vec<u16>;

/// A polynomial with integer coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Terms(BTreeMap<Monomial, BigInt>);

impl Terms {
    fn constant(value: BigInt) -> Self {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Monomial::new(), value);
        }
        Self(terms)
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a polynomial without unknowns.
    fn as_constant(&self) -> Option<BigInt> {
        match self.0.len() {
            0 => Some(BigInt::zero()),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    fn add_scaled(&mut self, other: &Self, factor: &BigInt) {
        for (monomial, coefficient) in &other.0 {
            let sum = self.0.entry(monomial.clone()).or_default();
            *sum += coefficient * factor;
        }
        self.0.retain(|_, coefficient| !coefficient.is_zero());
    }

    fn scaled(&self, factor: &BigInt) -> Self {
        let mut scaled = Self::default();
        scaled.add_scaled(self, factor);
        scaled
    }

    fn mul(&self, other: &Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => return self.scaled(&factor),
            (Some(factor), _) => return other.scaled(&factor),
            _ => {}
        }
        let mut terms: BTreeMap<Monomial, BigInt> = BTreeMap::new();
        for (m, a) in &self.0 {
            for (n, b) in &other.0 {
                let mut monomial = [m.as_slice(), n.as_slice()].concat();
                monomial.sort_unstable();
                *terms.entry(monomial).or_default() += a * b;
            }
        }
        terms.retain(|_, coefficient| !coefficient.is_zero());
        Self(terms)
    }
}

/// A quotient of two polynomials with integer coefficients. The denominator is positive for the numbers that the
/// unknowns stand for; callers that divide must make sure of that.
#[derive(Clone, Debug)]
pub struct RationalFunction {
    numerator: Terms,
    denominator: Terms,
}

impl RationalFunction {
    /// A constant.
    pub fn constant(value: &Fraction) -> Self {
        Self {
            numerator: Terms::constant(value.numer().clone()),
            denominator: Terms::constant(value.denom().clone()),
        }
    }

    /// The unknown with this number.
    pub fn unknown(number: u16) -> Self {
        Self {
            numerator: Terms(BTreeMap::from([(vec![number], BigInt::one())])),
            denominator: Terms::constant(BigInt::one()),
        }
    }

    /// How many terms numerator and denominator have.
    pub fn terms(&self) -> usize {
        self.numerator.0.len() + self.denominator.0.len()
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.add_signed(other, &BigInt::one())
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add_signed(other, &-BigInt::one())
    }

    fn add_signed(&self, other: &Self, sign: &BigInt) -> Self {
        let (mut numerator, factor, denominator) =
            match (self.denominator.as_constant(), other.denominator.as_constant()) {
                (Some(a), Some(b)) => {
                    let common = a.lcm(&b);
                    (
                        self.numerator.scaled(&(&common / a)),
                        other.numerator.scaled(&(&common / b)),
                        Terms::constant(common),
                    )
                }
                _ if self.denominator == other.denominator => {
                    (self.numerator.clone(), other.numerator.clone(), self.denominator.clone())
                }
                _ => (
                    self.numerator.mul(&other.denominator),
                    other.numerator.mul(&self.denominator),
                    self.denominator.mul(&other.denominator),
                ),
            };
        numerator.add_scaled(&factor, sign);
        Self { numerator, denominator }
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self {
            numerator: self.numerator.mul(&other.numerator),
            denominator: self.denominator.mul(&other.denominator),
        }
    }

    /// The quotient by a function that is positive; `None` if it is 0.
    pub fn div(&self, divisor: &Self) -> Option<Self> {
        if divisor.numerator.is_zero() {
            return None;
        }
        Some(Self {
            numerator: self.numerator.mul(&divisor.denominator),
            denominator: self.denominator.mul(&divisor.numerator),
        })
    }

    /// a b / (a + b) of two functions that are positive; `None` if one of them is 0.
    pub fn parallel(&self, other: &Self) -> Option<Self> {
        if self.numerator.is_zero() || other.numerator.is_zero() {
            return None;
        }
        let mut denominator = self.numerator.mul(&other.denominator);
        denominator.add_scaled(&other.numerator.mul(&self.denominator), &BigInt::one());
        Some(Self { numerator: self.numerator.mul(&other.numerator), denominator })
    }

    /// The order of the two values if it follows from the functions alone, because they are the same function or
    /// differ by a constant; otherwise `None`.
    ///
    /// ```
    /// use prodmax_number::{Fraction, RationalFunction};
    /// use std::cmp::Ordering;
    /// let [x, y] = [1, 2].map(RationalFunction::unknown);
    /// let square = x.add(&y).mul(&x.add(&y));
    /// let expanded = x.mul(&x).add(&x.mul(&y)).add(&y.mul(&x)).add(&y.mul(&y));
    /// assert_eq!(square.compare(&expanded), Some(Ordering::Equal));
    /// assert_eq!(x.compare(&y), None);
    /// let one = RationalFunction::constant(&Fraction::from_integer(1.into()));
    /// assert_eq!(x.compare(&x.add(&one)), Some(Ordering::Less));
    /// assert_eq!(x.mul(&y).div(&y).unwrap().compare(&x), Some(Ordering::Equal));
    /// ```
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let difference = self.sub(other);
        if difference.numerator.is_zero() {
            return Some(Ordering::Equal);
        }
        let (above, below) = (difference.numerator.as_constant()?, difference.denominator.as_constant()?);
        Some((above.signum() * below.signum()).cmp(&BigInt::zero()))
    }

    /// The value of a function without unknowns.
    pub fn as_constant(&self) -> Option<Fraction> {
        let (above, below) = (self.numerator.as_constant()?, self.denominator.as_constant()?);
        (!below.is_zero()).then(|| Fraction::new(above, below))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    fn value(terms: &Terms, unknowns: &[Fraction]) -> Fraction {
        let term = |(monomial, coefficient): (&Monomial, &BigInt)| {
            let start = Fraction::from_integer(coefficient.clone());
            monomial.iter().fold(start, |product, &unknown| product * &unknowns[usize::from(unknown)])
        };
        terms.0.iter().map(term).sum()
    }

    /// A random expression, built as a function and evaluated in fractions at the same time.
    fn expressions() -> impl Strategy<Value = Vec<(u8, usize, usize, i64)>> {
        prop::collection::vec((0u8..6, 0usize..40, 0usize..40, -3i64..=3), 1..10)
    }

    proptest! {
        #[test]
        fn functions_are_evaluated_like_fractions(
            steps in expressions(), at in prop::collection::vec((1i64..9, 1i64..5), 3)
        ) {
            let unknowns: Vec<Fraction> = at.iter().map(|&(n, d)| fraction(n, d)).collect();
            let mut made: Vec<(RationalFunction, Fraction)> =
                unknowns.iter().enumerate().map(|(i, x)| (RationalFunction::unknown(i as u16), x.clone())).collect();
            for (operation, a, b, constant) in steps {
                let ((f, x), (g, y)) = (made[a % made.len()].clone(), made[b % made.len()].clone());
                let next = match operation {
                    0 => (f.add(&g), x + y),
                    1 => (f.sub(&g), x - y),
                    2 => (f.mul(&g), x * y),
                    5 => match f.parallel(&g) {
                        Some(both) if !(&x + &y).is_zero() && both.terms() < 60 => (both, &x * &y / (&x + &y)),
                        _ => continue,
                    },
                    3 => match f.div(&g) {
                        Some(quotient) if !y.is_zero() && quotient.terms() < 60 => (quotient, x / y),
                        _ => continue,
                    },
                    _ => {
                        let constant = fraction(constant, 2);
                        (f.add(&RationalFunction::constant(&constant)), x + constant)
                    }
                };
                if next.0.terms() < 100 {
                    made.push(next);
                }
            }
            for (function, expected) in &made {
                let below = value(&function.denominator, &unknowns);
                prop_assert_eq!(value(&function.numerator, &unknowns) / below, expected.clone());
                prop_assert_eq!(function.compare(function), Some(Ordering::Equal));
            }
        }
    }

    #[test]
    fn constants_are_ordered() {
        let [a, b] = [fraction(1, 3), fraction(2, 5)].map(|value| RationalFunction::constant(&value));
        assert_eq!((a.compare(&b), b.compare(&a)), (Some(Ordering::Less), Some(Ordering::Greater)));
        assert_eq!(a.mul(&b).as_constant(), Some(fraction(2, 15)));
        assert!(a.div(&a.sub(&a)).is_none(), "division by 0");
        assert_eq!(RationalFunction::unknown(3).as_constant(), None);
    }
}
