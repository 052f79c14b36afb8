//! Exact and certified win/loss mass of the critical cases.
//!
//! The classes of `prodmax-enumerate` make up a [`Forest`]. A [`Contestant`], that is, any rule of `prodmax-rules`
//! with the curve through which it sees the leaves, gives them a proven [`Ranking`]. Two rankings make a [`Contest`],
//! which sums over all trees in which the rules choose different moves, in any [`arithmetic`]; a single one gives the
//! [`Quality`] of its rule. Models with more depth-1 classes than fit into memory are summed block by block by
//! [`deep`].

pub mod answer;
pub mod arithmetic;
mod contest;
mod critical;
mod crossover;
pub mod deep;
pub mod effort;
mod engine;
mod figures;
mod forest;
mod functions;
pub mod heaviest;
mod kind;
mod measure;
mod moves;
mod quality;
mod ranking;
mod sweep;
pub mod valued;

pub use contest::Contest;
pub use critical::{Counts, Critical, Mass, MassError};
pub use crossover::{Crossover, IntervalCounts, threshold};
pub use engine::{Engine, default_steps, is_deep};
pub use figures::percentages;
pub use forest::Forest;
pub use kind::{Certified, Doubles, Exact, NumberKind};
pub use measure::{
    CurvesByLine, Match, Measure, MeasureError, MeasurePlan, Measurement, Number, Pairs, Sums, khs_rules,
};
pub use prodmax_law as law;
pub use prodmax_rules::{Contestant, Curve, CurveError, CurveTable, Curves, PreparedContestant};
pub use quality::{Chances, Quality, won};
pub use ranking::{Comparisons, Ranking, compare_subtrees};
pub use sweep::Groups;
