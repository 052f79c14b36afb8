//! Published figures, our own value of each under a named reading, and the verdict: reproduced or not.
//!
//! A golden file says what a paper prints ([`Entry::published`], with its printed precision) and what to compute for
//! it ([`Quantity`]), and pins our value and the [`Verdict`]. `prodmax-check` recomputes both: an entry holds only if
//! neither has changed, for better or worse. So a figure that the model does not reproduce stays on record as such.

mod built_in;
pub mod expression;
pub mod file;
mod finding;
pub mod published;
pub mod quantity;
pub mod reading;
pub mod verdict;

pub use file::{Entry, Golden, GoldenError, GoldenFile, Kind};
pub use finding::Finding;
pub use published::{Digits, Published};
pub use quantity::Quantity;
pub use reading::Reading;
pub use verdict::Verdict;
