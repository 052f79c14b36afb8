//! The kinds of numbers in which error masses are summed, behind one interface.

mod certified;
mod counting;
mod exact;
mod factor;
mod float;
mod symbolic;

use std::cmp::Ordering;

use num_bigint::BigUint;

pub use certified::Certified;
pub(crate) use counting::{BigCounting, Counting};
pub use exact::Exact;
pub use factor::Factor;
pub use float::Float;
use prodmax_enumerate::{HeuristicValue, Mover};
use prodmax_number::possible::{Impossible, Kind};
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

/// Numbers that can be multiplied by powers of exact weights, as needed for trees with more than two moves.
pub trait Weighted: Ring {
    /// A weight as a factor.
    type Factor: Factor;

    /// A factor times a number.
    fn times(&self, factor: &Self::Factor, number: &Self::Number) -> Self::Number;
}

/// Numbers that can be win probabilities.
pub trait Arithmetic: Weighted {
    /// The probability that a leaf with this heuristic value is won.
    fn leaf(&self, h: HeuristicValue) -> Self::Number;
    /// 1 - a.
    fn complement(&self, a: &Self::Number) -> Self::Number;
    /// A multiplicity times a.
    fn scale(&self, multiplicity: u128, a: &Self::Number) -> Self::Number;

    /// The probability that a node with independent children (at least one) is won for MAX: a MIN node is won if all
    /// children are, a MAX node if one is.
    fn node(&self, mover: Mover, children: &[&Self::Number]) -> Self::Number {
        let (first, rest) = (children[0], &children[1..]);
        match mover {
            Mover::Max => {
                let lost = rest
                    .iter()
                    .fold(self.complement(first), |lost, child| self.mul(&lost, &self.complement(child)));
                self.complement(&lost)
            }
            Mover::Min => rest.iter().fold(first.clone(), |won, child| self.mul(&won, child)),
        }
    }
}

/// Numbers with an order (polynomials have none).
pub trait Compare: Ring {
    /// The order; `None` if the precision is not enough to tell.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Option<Ordering>;
}

/// Numbers that can be divided, as needed for percentages.
pub trait Field: Arithmetic {
    /// a - b.
    fn sub(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a / b; `None` if b is 0 or cannot be distinguished from 0.
    fn div(&self, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
    /// A whole number.
    fn integer(&self, value: u128) -> Self::Number;
    /// A whole number of any size.
    fn whole(&self, value: &BigUint) -> Self::Number;
    /// The gate that every figure passes before it leaves: what of it is possible.
    fn possible(&self, kind: Kind, figure: Self::Number) -> Result<Self::Number, Impossible>;
    /// The same for a figure that another one limits.
    fn at_most(&self, limit: &Self::Number, figure: Self::Number) -> Result<Self::Number, Impossible>;
}
