//! Runs every experiment and reports the results: one HTML page, and the data, tables and figures behind it.
//!
//! [`run`] computes the [`Findings`] and stores each finished experiment in a [`Cache`]; [`mod@write`] turns them into
//! files in a [`folder`]. The text of the report is in [`sections`], one file each.

pub mod cache;
mod claims;
pub mod contests;
mod effort;
pub mod error;
pub mod exact;
pub mod folder;
pub mod heatmap;
pub mod html;
pub mod page;
mod record;
pub mod results;
pub mod run;
pub mod section;
pub mod sections;
pub mod simulations;
pub mod slurm;
pub mod storm;
pub mod study;
pub mod tree;

pub mod words;
pub mod write;
pub mod z3;

pub use cache::Cache;
pub use effort::effort;
pub use error::ReportError;
pub(crate) use prodmax_output::{figure, plot};
pub use run::{Comparison, Findings, Inputs, Ours, Progress, read_specs};
pub use simulations::read_simulations;
pub use slurm::SlurmRun;
pub use storm::StormRun;
pub use z3::Z3Run;
