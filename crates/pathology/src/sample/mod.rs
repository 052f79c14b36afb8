//! LGB's experiment: random trees, with the noise of each drawn several times.
//!
//! A tree depends only on the seed and its number, as in `prodmax-simulate`: tree number t uses stream t of a ChaCha8
//! generator. Trees are visited depth-first and never stored. The repetitions of one tree share its true values, so
//! standard errors are computed from the means of whole trees.

mod by_rules;
mod covariance;
mod finished;
mod normal;
mod results;
mod run;
mod spec;
mod tree;

use std::sync::atomic::AtomicBool;

use prodmax_jobs::Job;
use prodmax_number::possible::ImpossibleFigure;
use serde::Serialize;
use thiserror::Error;

pub use self::covariance::Covariance;
pub(crate) use self::covariance::Products;
pub use self::finished::{Finished, FinishedError};
pub use self::results::{SampleResults, SampleResultsError, Tally};
pub use self::run::Sample;
pub use self::spec::{RuleSample, SampleSpec};
use crate::figures::Row;
use crate::model::{RealModel, RealModelError};

/// Which trees to sample.
///
/// LGB use 10,000 trees for b = 2 and 2,500 for b = 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sampling {
    /// how many trees
    pub trees: u64,
    /// the number of the first one: a sample that starts where another ended continues it
    pub first_tree: u64,
    /// the seed of all trees
    pub seed: u64,
    /// noise draws per tree
    pub repetitions: usize,
}

impl Default for Sampling {
    /// The sample of LGB for b = 2.
    fn default() -> Self {
        Self { trees: 10_000, first_tree: 0, seed: 0, repetitions: 10 }
    }
}

impl Sampling {
    /// The maximum number of trees in a sample.
    pub const MAX_TREES: u64 = 100_000_000;
    /// The maximum number of repetitions.
    pub const MAX_REPETITIONS: usize = 1000;
    /// The maximum number of leaves of a sampled tree.
    pub const MAX_LEAVES: f64 = 1e9;
}

/// Why a sample cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SampleError {
    /// The model itself is invalid.
    #[error(transparent)]
    RealModel(#[from] RealModelError),
    /// Too few or too many trees.
    #[error("there are {0} trees; a standard error needs at least 2, and at most {max} are sampled", max = Sampling::MAX_TREES)]
    Trees(u64),
    /// Too few or too many repetitions.
    #[error("the noise is drawn {0} times; it must be at least once and at most {max} times", max = Sampling::MAX_REPETITIONS)]
    Repetitions(usize),
    /// A tree that would take hours.
    #[error("a tree with b = {b} and depth {d_max} has more than 10^9 leaves; integrate instead")]
    Leaves {
        /// The branching factor.
        b: u32,
        /// The depth.
        d_max: usize,
    },
    /// A list of standard deviations of the wrong length.
    #[error("{given} values of sigma_e were given for {depths} depths")]
    Deviations {
        /// The number of values given.
        given: usize,
        /// d_max + 1.
        depths: usize,
    },
    /// Sums that are too large.
    #[error("the sums do not fit into 128 bits; sample fewer trees at once")]
    Overflow,
    /// A figure that does not pass the gate.
    #[error(transparent)]
    Impossible(ImpossibleFigure),
    /// Not a scale.
    #[error("the scale of the probabilities is {0}; it must be greater than 0 and finite")]
    Scale(f64),
}

/// Samples all rows. The two-value errors need the threshold between losses and wins: the median of the root's true
/// value, which [`crate::integrate()`] gives; without it they are left out.
pub fn sample(
    model: &RealModel,
    sampling: Sampling,
    threshold: Option<f64>,
) -> Result<Vec<Row>, SampleError> {
    sample_each(model, &vec![model.sigma_e; model.d_max + 1], sampling, threshold)
}

/// The same with a different static noise for every depth of search, as in Tables 9 and 11.
pub fn sample_each(
    model: &RealModel,
    sigma_e: &[f64],
    sampling: Sampling,
    threshold: Option<f64>,
) -> Result<Vec<Row>, SampleError> {
    let spec = SampleSpec { sigma_e: sigma_e.to_vec(), ..SampleSpec::new(model, sampling, threshold) };
    spec.check()?;
    let results = spec.draw(&Job::new(&AtomicBool::new(false)));
    match results.and_then(|results| results.curves()) {
        Ok(mut curves) => Ok(curves.swap_remove(0)),
        Err(SampleResultsError::Sample(error)) => Err(error),
        Err(SampleResultsError::Impossible(error)) => Err(SampleError::Impossible(error)),
        Err(_) => Err(SampleError::Overflow),
    }
}

/// An error if a sample would be refused, before any work is done.
pub fn check(model: &RealModel, sampling: Sampling) -> Result<(), SampleError> {
    model.check()?;
    if !(2..=Sampling::MAX_TREES).contains(&sampling.trees)
        || sampling.first_tree.checked_add(sampling.trees).is_none()
    {
        return Err(SampleError::Trees(sampling.trees));
    }
    if !(1..=Sampling::MAX_REPETITIONS).contains(&sampling.repetitions) {
        return Err(SampleError::Repetitions(sampling.repetitions));
    }
    if f64::from(model.b).powi(model.d_max as i32) > Sampling::MAX_LEAVES {
        return Err(SampleError::Leaves { b: model.b, d_max: model.d_max });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
