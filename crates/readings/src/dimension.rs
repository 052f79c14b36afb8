//! The dimensions in which the papers' text leaves room for interpretation, one module each. The default in every
//! dimension is what the text states.

mod curve;
mod form;
mod min_node;
mod same_increment;
mod sharing;
mod statistic;
mod ties;
mod weights;
mod zero;

pub use curve::{ScaledCurve, ScaledCurveError};
pub use form::{Form, Leaf};
pub use min_node::MinNode;
pub use same_increment::SameIncrement;
pub use sharing::Sharing;
pub use statistic::Statistic;
pub use ties::Ties;
pub use weights::Weights;
pub use zero::ZeroReading;
