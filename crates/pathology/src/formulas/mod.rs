//! LGB's formulas: eqs (1)-(3) of the two-value model, exactly, and eqs (4)-(8) of section 4, by quadrature.

pub mod section4;
pub mod small_trees;
pub mod two_values;

pub use section4::{Plies, Section4Error, Section4Row, section4};
pub use small_trees::enumerated;
pub use two_values::{PlyErrors, TwoValuesError, enclosed_errors, errors, fixed_point, losses_below};
