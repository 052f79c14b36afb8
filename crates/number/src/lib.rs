//! Exact and certified arithmetic shared by the prodmax crates.
//!
//! Nothing here knows about game trees: integer polynomials and their roots, rational functions in several unknowns,
//! fractions and their decimal forms, fixed-point enclosures with outward rounding, an arctan enclosure, Gaussian
//! integers and their angles, compensated sums, a [`Figure`] with what is known of it, and the gate that every figure passes
//! ([`possible`]).

mod angle;
mod approximate;
pub mod arctan;
mod compensated;
mod count;
mod enclosure;
pub mod figure;
pub mod fraction;
pub mod gaussian;
pub mod margin;
mod multivariate;
mod polynomial;
pub mod possible;
pub mod roots;
pub mod tails;

pub use angle::{Angle, Linear};
pub use approximate::{Approximate, Uncertainty};
pub use compensated::CompensatedSum;
pub use count::Count;
pub use enclosure::Enclosure;
pub use figure::{Certain, Figure};
pub use multivariate::RationalFunction;
pub use polynomial::Polynomial;

/// An exact rational number.
pub type Fraction = num_rational::BigRational;
