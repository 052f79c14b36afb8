//! Exact and certified arithmetic shared by the prodmax crates.
//!
//! Nothing here knows about game trees: integer polynomials and their roots, rational functions in several unknowns,
//! fractions and their decimal forms, fixed-point enclosures with outward rounding, an arctan enclosure, Gaussian
//! integers and their angles, compensated sums.

pub mod angle;
pub mod arctan;
pub mod compensated;
pub mod enclosure;
pub mod fraction;
pub mod gaussian;
pub mod multivariate;
pub mod polynomial;
pub mod roots;

pub use angle::Angle;
pub use compensated::CompensatedSum;
pub use enclosure::Enclosure;
pub use fraction::{Fraction, FractionError};
pub use multivariate::RationalFunction;
pub use polynomial::Polynomial;
