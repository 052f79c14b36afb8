//! LGB's figures without sampling: the joint law of true and heuristic value, by recursion from the leaves.
//!
//! With m = ∞ the model is invariant under translation, so the law of a node's two values relative to its auxiliary
//! value depends only on its depth. Seen from the parent it is moved by one step; b independent nodes with that law
//! are backed up; and so on to the root. On a lattice (`band`) this is exact except for one thing: the sum of two
//! rounded values is not the rounded sum. (The greatest of rounded values *is* the rounded greatest, so backing up
//! adds no error.) The remaining error is a series in the squared spacing, which `romberg` extrapolates.

mod band;
mod constant;
mod kernel;
mod lattice;
mod marginal;
pub(crate) mod romberg;

use rayon::prelude::*;
use thiserror::Error;

pub use self::constant::{Constant, sigma_e_for};
pub(crate) use self::kernel::Kernel;
use self::lattice::Truths;
pub(crate) use self::marginal::Marginal;
use crate::figures::{Figure, Quantity, Row};
use crate::model::{RealModel, RealModelError, Values};

/// Why a model cannot be integrated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum IntegrateError {
    /// The model itself is invalid.
    #[error(transparent)]
    RealModel(#[from] RealModelError),
    /// The model has bounded values.
    #[error(
        "with a finite m the recursion does not apply (a law then depends on the auxiliary value); sample instead"
    )]
    Bounded,
    /// The model has grains.
    #[error("a model with grains has its own computation (`granularity`); the integrator is for real values")]
    Grains,
    /// Noise and steps have very different scales.
    #[error(
        "sigma_e / sigma_v is {0}; a lattice that resolves both is possible between {min} and {max}; sample instead",
        min = RATIOS.0,
        max = RATIOS.1
    )]
    Ratio(f64),
    /// Backing up brings the values too close together.
    #[error(
        "the true values at depth {depth} lie closer together than the points of any lattice that fits; \
         use a smaller b or d_max"
    )]
    Narrow {
        /// The depth where this happens.
        depth: usize,
    },
    /// No standard deviation gives the required static error.
    #[error("no sigma_e makes the static error at depth {d} equal to {target}")]
    NoSolution {
        /// The depth of search.
        d: usize,
        /// The required static error.
        target: f64,
    },
    /// A list of standard deviations of the wrong length.
    #[error("{given} values of sigma_e were given for {depths} depths")]
    Deviations {
        /// The number of values given.
        given: usize,
        /// d_max + 1.
        depths: usize,
    },
}

const RATIOS: (f64, f64) = (0.01, 20.0);

/// The most lattices per figure, each with half the spacing of the one before.
const MAX_LATTICES: usize = 5;

/// The most points of a lattice of joint values: beyond it the spacing is no longer halved.
const MAX_POINTS: f64 = 8e6;

/// The result of integration.
#[derive(Clone, Debug, PartialEq)]
pub struct Integration {
    /// One row for each d = 0..d_max.
    pub rows: Vec<Row>,
    /// The median of the true value of the root: the threshold of the two-value errors.
    pub median: Figure,
    /// The static noise of each row.
    pub sigma_e: Vec<f64>,
}

/// Computes all rows to a stated error of at most `tolerance`, or as accurately as the size of the lattices allows:
/// every figure carries its own stated error.
pub fn integrate(model: &RealModel, tolerance: f64) -> Result<Integration, IntegrateError> {
    integrate_each(model, &vec![model.sigma_e; model.d_max + 1], tolerance)
}

/// The same with a different static noise for every depth of search, as in Tables 9 and 11.
pub fn integrate_each(
    model: &RealModel,
    sigma_e: &[f64],
    tolerance: f64,
) -> Result<Integration, IntegrateError> {
    check(model)?;
    if sigma_e.len() != model.d_max + 1 {
        return Err(IntegrateError::Deviations { given: sigma_e.len(), depths: model.d_max + 1 });
    }
    for &sigma_e in sigma_e {
        check(&RealModel { sigma_e, ..model.clone() })?;
    }
    // Deep searches take longest, so they start first.
    let rows: Vec<(Row, Figure)> = (0..=model.d_max)
        .rev()
        .collect::<Vec<_>>()
        .into_par_iter()
        .with_max_len(1)
        .map(|d| refine(model, d, sigma_e[d], tolerance))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<_, _>>()?;
    let median = rows[0].1;
    let rows = rows.into_iter().rev().map(|(row, _)| row).collect();
    Ok(Integration { rows, median, sigma_e: sigma_e.to_vec() })
}

fn check(model: &RealModel) -> Result<(), IntegrateError> {
    model.check()?;
    let ratio = model.sigma_e / model.sigma_v;
    if !(RATIOS.0..=RATIOS.1).contains(&ratio) {
        return Err(IntegrateError::Ratio(ratio));
    }
    if model.grains.is_some() {
        return Err(IntegrateError::Grains);
    }
    if model.m.is_some() { Err(IntegrateError::Bounded) } else { Ok(()) }
}

/// The spacing to start with: at most half the deviation of the noise, a fifth of that of a step and two thirds of
/// that of true values at the depth where they are closest (independent ones get ever closer).
fn first_spacing(model: &RealModel, sigma_e: f64) -> Result<f64, IntegrateError> {
    let mut delta = kernel::aligned(model.steps, model.sigma_v, (0.5 * sigma_e).min(0.2 * model.sigma_v));
    if model.values == Values::Dependent {
        return Ok(delta);
    }
    loop {
        let (depth, deviation) = Truths::new(model, delta).closest();
        if delta <= 0.67 * deviation {
            return Ok(delta);
        }
        delta *= 0.5;
        if points(model, sigma_e, 0.25 * delta) > MAX_POINTS {
            return Err(IntegrateError::Narrow { depth });
        }
    }
}

/// The approximate number of points of a lattice: true values spread over some 20 σ_v, errors over 15 σ_e.
fn points(model: &RealModel, sigma_e: f64, delta: f64) -> f64 {
    let reach = if model.values == Values::Dependent { 20.0 } else { 15.0 };
    reach * model.sigma_v / delta * 15.0 * sigma_e / delta
}

/// The approximate number of points of the finest lattice that is usually needed.
pub(crate) fn finest_points(model: &RealModel, sigma_e: f64) -> f64 {
    const USUAL_LATTICES: i32 = 4;
    let first = first_spacing(model, sigma_e).unwrap_or(0.2 * model.sigma_v);
    points(model, sigma_e, first * 0.5f64.powi(USUAL_LATTICES - 1)).min(MAX_POINTS)
}

/// One row and the median, on ever finer lattices.
fn refine(
    model: &RealModel,
    d: usize,
    sigma_e: f64,
    tolerance: f64,
) -> Result<(Row, Figure), IntegrateError> {
    let mut delta = first_spacing(model, sigma_e)?;
    let mut raw: Vec<[f64; 6]> = Vec::new();
    let mut medians = Vec::new();
    loop {
        let truths = Truths::new(model, delta);
        raw.push(truths.figures(d, sigma_e));
        medians.push(truths.median());
        delta *= 0.5;
        let figures = Quantity::ALL.map(|quantity| {
            let each: Vec<f64> = raw.iter().map(|figures| figures[quantity as usize]).collect();
            let limit = romberg::limit(&each).filter(|_| quantity.exists(d));
            limit.map(|(value, error)| Figure::computed(value, error))
        });
        let Some((median, error)) = romberg::limit(&medians) else { continue };
        let worst = figures.iter().flatten().map(|figure| figure.uncertainty.amount()).fold(error, f64::max);
        let is_last = raw.len() == MAX_LATTICES || points(model, sigma_e, delta) > MAX_POINTS;
        if worst <= tolerance || is_last {
            return Ok((Row { d, figures }, Figure::computed(median, error)));
        }
    }
}

#[cfg(test)]
mod tests;
