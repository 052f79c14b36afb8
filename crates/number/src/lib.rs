//! Exact and certified arithmetic shared by the prodmax crates.
//!
//! What lives here knows nothing of game trees: integer polynomials, fractions with their decimal forms,
//! fixed-point enclosures with outward rounding, an arctan enclosure, compensated sums.

pub mod fraction;
pub mod polynomial;

pub use fraction::{Fraction, FractionError};
pub use polynomial::Polynomial;
