//! Polynomials in the uniform error rate p: one sweep gives the error masses for every p at once.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use prodmax_enumerate::HeuristicValue;
use prodmax_number::{Fraction, Polynomial};

use super::{Arithmetic, Ring, Weighted};

/// A polynomial in p divided by a power of two. Without leaves of value 0 the power is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorPolynomial {
    numerator: Polynomial,
    halvings: u32,
}

impl ErrorPolynomial {
    /// A polynomial with integer coefficients divided by 2^halvings, in lowest terms.
    pub fn new(numerator: Polynomial, halvings: u32) -> Self {
        let content = numerator.content();
        let twos =
            if content.is_zero() { u64::from(halvings) } else { content.trailing_zeros().unwrap_or(0) };
        let drop = twos.min(u64::from(halvings)) as u32;
        let divisor = BigInt::one() << drop;
        let numerator = Polynomial::new(numerator.coefficients().iter().map(|c| c.div_floor(&divisor)));
        Self { numerator, halvings: halvings - drop }
    }

    /// The numerator.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator, a power of two.
    pub fn denominator(&self) -> BigInt {
        BigInt::one() << self.halvings
    }

    /// The exact value at p.
    pub fn evaluate(&self, p: &Fraction) -> Fraction {
        self.numerator.evaluate(p) / self.denominator()
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Self {
        let (a, b, halvings) = self.aligned(other);
        Self::new(&a - &b, halvings)
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        let (a, b, halvings) = self.aligned(other);
        Self::new(&a + &b, halvings)
    }

    /// Both numerators over the greater denominator.
    fn aligned(&self, other: &Self) -> (Polynomial, Polynomial, u32) {
        let halvings = self.halvings.max(other.halvings);
        let raise = |p: &Self| p.numerator.scaled(&(BigInt::one() << (halvings - p.halvings)));
        (raise(self), raise(other), halvings)
    }
}

/// Polynomials in the probability p that a leaf is evaluated wrongly; a leaf of value 0 is won with 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic;

impl Ring for Symbolic {
    type Number = ErrorPolynomial;
    type Sum = ErrorPolynomial;

    fn mul(&self, a: &ErrorPolynomial, b: &ErrorPolynomial) -> ErrorPolynomial {
        ErrorPolynomial { numerator: &a.numerator * &b.numerator, halvings: a.halvings + b.halvings }
    }
    fn zero(&self) -> ErrorPolynomial {
        ErrorPolynomial::default()
    }
    fn add(&self, sum: &mut ErrorPolynomial, number: &ErrorPolynomial) {
        if sum.halvings == number.halvings {
            sum.numerator += &number.numerator;
        } else {
            let (a, b, halvings) = sum.aligned(number);
            *sum = ErrorPolynomial { numerator: &a + &b, halvings };
        }
    }
    fn merge(&self, sum: &mut ErrorPolynomial, other: &ErrorPolynomial) {
        self.add(sum, other);
    }
    fn total(&self, sum: &ErrorPolynomial) -> ErrorPolynomial {
        ErrorPolynomial::new(sum.numerator.clone(), sum.halvings)
    }
}

impl Weighted for Symbolic {
    type Factor = BigInt;

    fn times(&self, factor: &BigInt, number: &ErrorPolynomial) -> ErrorPolynomial {
        ErrorPolynomial { numerator: number.numerator.scaled(factor), halvings: number.halvings }
    }
}

impl Arithmetic for Symbolic {
    fn leaf(&self, h: HeuristicValue) -> ErrorPolynomial {
        match h.get().cmp(&0) {
            Ordering::Greater => ErrorPolynomial { numerator: Polynomial::one_minus_p(), halvings: 0 },
            Ordering::Less => ErrorPolynomial { numerator: Polynomial::p(), halvings: 0 },
            Ordering::Equal => ErrorPolynomial { numerator: Polynomial::constant(1), halvings: 1 },
        }
    }
    fn complement(&self, a: &ErrorPolynomial) -> ErrorPolynomial {
        let one = Polynomial::constant(a.denominator());
        ErrorPolynomial { numerator: &one - &a.numerator, halvings: a.halvings }
    }
    fn scale(&self, multiplicity: u128, a: &ErrorPolynomial) -> ErrorPolynomial {
        ErrorPolynomial { numerator: a.numerator.scaled(&multiplicity.into()), halvings: a.halvings }
    }
}
