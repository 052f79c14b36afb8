//! Exact and certified win/loss mass of the critical cases.
//!
//! The classes of `prodmax-enumerate` make up a [`Forest`]. A [`Contestant`], that is, any rule of `prodmax-rules`
//! with the curve through which it sees the leaves, gives them a proven [`Ranking`]. Two rankings make a [`Contest`],
//! which sums over all trees in which the rules choose different moves, in any [`arithmetic`]; a single one gives the
//! [`Quality`] of its rule. Models with more depth-1 classes than fit into memory are summed block by block by
//! [`deep`].

pub mod arithmetic;
mod checkpoint;
mod contest;
mod contestant;
mod critical;
mod crossover;
pub mod deep;
pub mod effort;
mod figures;
mod forest;
mod functions;
pub mod heaviest;
pub mod law;
mod measure;
mod moves;
mod quality;
mod ranking;
mod sweep;
mod tournament;
pub mod valued;

pub use contest::Contest;
pub use contestant::{Contestant, PreparedContestant};
pub use critical::{Counts, Critical, Mass, MassError};
pub use crossover::{Crossover, IntervalCounts, threshold};
pub use figures::Figures;
pub use forest::Forest;
pub use measure::{
    Curves, CurvesByLine, MassFigures, MeasureError, Measured, Measurement, Number, PairQuality, Request,
    Won, is_deep, khs_rules,
};
pub use prodmax_rules::{Curve, CurveError, CurveTable};
pub use quality::{Chances, Quality, won};
pub use ranking::{Comparisons, Ranking};
pub use sweep::Groups;
pub use tournament::{Match, Matches, Numbered, Standings, Tournament};
