//! Readings of the papers' text, and the search for one that reproduces their figures.
//!
//! KHS describe their model in prose, and the model as stated does not give the numbers of their Table II. A
//! [`Reading`] makes one choice in each dimension where the text leaves room ([`dimension`]). It changes the input of
//! the sweep over critical pairs, never the sweep itself:
//!
//! - zero and estimate determine the classes and their orders (`prodmax_mass::Critical`);
//! - weights give each class its number of trees per first increment ([`branches`]);
//! - ties and equal first increments weigh the pairs of classes ([`pairing`]);
//! - truth curve, forms and sharing determine the probability that a class is won ([`truth`]);
//! - the statistic turns the sums into one percentage ([`measure`]).
//!
//! A [`GridSearch`] measures every reading of a [`Grid`] against a [`Target`]. The best of many readings describes
//! the published numbers; it does not confirm how they were obtained.

pub mod answer;
pub mod branches;
pub mod contribution;
pub mod dimension;
pub mod effort;
mod frame;
pub mod grid;
pub mod measure;
pub mod pairing;
pub mod rank;
pub mod reading;
pub mod results;
pub mod score;
pub mod search;
pub mod shared;
pub mod target;
pub mod truth;
pub mod unit;

pub use contribution::{Contribution, contributions};
pub use grid::{Grid, GridFile};
pub use measure::{ReadingFigures, Sums};
pub use rank::{RankBy, best};
pub use reading::{Reading, ReadingError, ReadingFile};
pub use results::{ScoreFile, ScoreFileError};
pub use score::{FactScore, Score};
pub use search::{Evaluated, GridSearch, GridSearchError};
pub use target::{Target, TargetError};

/// What the search over `specs/readings/search-1.ron` found, as CSV.
pub const SEARCH_RESULTS: &str = prodmax_data::text("specs/readings/search-1-results.csv");
