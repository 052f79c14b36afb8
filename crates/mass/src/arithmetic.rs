//! The kinds of numbers in which error masses are summed, behind one interface.

mod certified;
mod counting;
mod exact;
mod float;
mod symbolic;

use std::cmp::Ordering;

pub use certified::Certified;
pub use counting::Counting;
pub use exact::Exact;
pub use float::Float;
use prodmax_enumerate::{HeuristicValue, Mover};
pub use symbolic::{ErrorPolynomial, Symbolic};

/// Sums and products: all that the sweep over critical pairs needs.
pub trait Ring: Sync {
    /// A number.
    type Number: Clone + Send + Sync;
    /// A running sum, which may keep more than its value.
    type Sum: Clone + Send;

    /// The product.
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The empty sum.
    fn zero(&self) -> Self::Sum;
    /// Adds a number to a sum.
    fn add(&self, sum: &mut Self::Sum, number: &Self::Number);
    /// Adds a sum to a sum.
    fn merge(&self, sum: &mut Self::Sum, other: &Self::Sum);
    /// The value of a sum.
    fn total(&self, sum: &Self::Sum) -> Self::Number;
}

/// Numbers that can be probabilities to win.
pub trait Arithmetic: Ring {
    /// The probability that a leaf with this heuristic value is won.
    fn leaf(&self, h: HeuristicValue) -> Self::Number;
    /// 1 - a.
    fn complement(&self, a: &Self::Number) -> Self::Number;
    /// A multiplicity times a.
    fn scale(&self, multiplicity: u128, a: &Self::Number) -> Self::Number;

    /// The probability that at least one of two independent events happens.
    fn either(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.complement(&self.mul(&self.complement(a), &self.complement(b)))
    }

    /// The probability that a node with independent children is won (for MAX): a MIN node if both children
    /// are, a MAX node if one is.
    fn node(&self, mover: Mover, a: &Self::Number, b: &Self::Number) -> Self::Number {
        match mover {
            Mover::Max => self.either(a, b),
            Mover::Min => self.mul(a, b),
        }
    }
}

/// Numbers with an order (polynomials have none).
pub trait Compare: Ring {
    /// The order; `None` where the precision cannot tell.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Option<Ordering>;
}

/// Numbers that can be divided: what percentages are made of.
pub trait Field: Arithmetic {
    /// a - b.
    fn sub(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a / b; `None` if b is 0 or cannot be told from 0.
    fn div(&self, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
    /// A whole number.
    fn integer(&self, value: u128) -> Self::Number;
}
