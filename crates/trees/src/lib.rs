//! Single trees: written down, read, valued by any rules; and examples like KHS's Figs. 1 and 2, found by search.
//!
//! ```
//! use prodmax_enumerate::{Line, ZeroMode};
//! use prodmax_mass::{Contestant, Curve, CurveTable};
//! use prodmax_trees::Tree;
//!
//! let tree = Tree::parse("((8 -3) (1 2))", &Line::new(42, ZeroMode::Skip)?)?;
//! let [truth, estimate] = [4, 1].map(|c| CurveTable::new(Curve::arctan(c), 42));
//! let [minimax, product] =
//!     ["minimax", "product"].map(|rule| rule.parse().map(|rule| Contestant::through(rule, &estimate)));
//! let valued = tree.value(&truth, &[&minimax?, &product?])?;
//! // Minimax looks at -3 and 1 and takes the second move; w(8) w(-3) is greater than w(1) w(2), so Product takes the first.
//! assert_eq!(valued.choices, [Some(1), Some(0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod figure;
pub mod tree;
pub mod valued;

pub use figure::PaperFigure;
pub use tree::{Tree, TreeError};
pub use valued::{Node, ValuedTree};

#[cfg(test)]
mod tests;
