//! Published figures, our own value of each under a named reading, and the verdict: reproduced or not.
//!
//! A golden file says what a paper prints ([`Entry::published`], with its printed precision), what is to be computed
//! for it ([`Quantity`]), and pins our value and the [`Verdict`]. Checking recomputes both: an entry holds only if
//! neither has moved, in either direction. So a figure that the model does not reproduce is kept as what it is.

pub mod bless;
pub mod check;
pub mod expression;
pub mod file;
pub mod published;
pub mod quantity;
pub mod value;
pub mod verdict;

pub use check::{Checked, check};
pub use file::{Entry, Golden, GoldenError, GoldenFile};
pub use published::Published;
pub use quantity::{Calculator, Quantity};
pub use value::Value;
pub use verdict::Verdict;
