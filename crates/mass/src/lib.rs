//! Exact and certified win/loss mass of the critical cases.
//!
//! Values are attached to the classes of `prodmax-enumerate`: the minimax value, the product value of an
//! estimate curve, the probability to win of a truth curve. [`Critical`] orders the classes by both rules
//! (provably, see [`order`]) and sums over all trees in which the rules choose different moves, in any
//! [`arithmetic`]. Models with more depth-1 classes than fit into memory are summed block by block by [`deep`].

pub mod arithmetic;
pub mod critical;
pub mod crossover;
pub mod curve;
pub mod deep;
pub mod example;
pub mod figures;
mod identity;
pub mod measure;
pub mod order;
pub mod rule;
pub mod sweep;

pub use critical::{Counts, Critical, Mass, MassError};
pub use crossover::{Crossover, IntervalCounts};
pub use curve::{Curve, CurveError, CurveTable};
pub use figures::Figures;
pub use measure::{Curves, Measured, Measurement, Number};
pub use order::Comparisons;
