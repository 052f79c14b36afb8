//! LGB's figures without sampling: the joint law of true and heuristic value, by recursion from the leaves.
//!
//! With m = ∞ the model is invariant under translation, so the law of a node's two values relative to its auxiliary
//! value depends only on its depth. Seen from the parent it is moved by one step; b independent nodes with that law
//! are backed up; and so on to the root. On a lattice (`band`) this is exact except for one thing: the sum of two
//! rounded values is not the rounded sum. (The greatest of rounded values *is* the rounded greatest, so backing up
//! adds no error.) The remaining error is a series in the squared spacing, which `romberg` extrapolates. With a finite m
//! the law depends on the auxiliary value, too (`bounded`). Independent values that lie too close together for a lattice
//! are computed point by point (`pointwise`).

mod band;
mod bounded;
mod constant;
mod kernel;
mod lattice;
mod marginal;
mod pointwise;
pub(crate) mod romberg;

use prodmax_number::possible::{ImpossibleFigure, Kind};
use rayon::prelude::*;
use thiserror::Error;

use self::bounded::Bounded;
pub use self::constant::{Constant, sigma_e_for};
pub(crate) use self::kernel::Kernel;
use self::lattice::Truths;
pub(crate) use self::marginal::{Marginal, extreme};
use self::pointwise::Pointwise;
use crate::figures::{Quantity, Row, Tolerance};
use crate::model::{RealModel, RealModelError, Steps, Values};
use prodmax_number::Approximate;

/// Why a model cannot be integrated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum IntegrateError {
    /// The model itself is invalid.
    #[error(transparent)]
    RealModel(#[from] RealModelError),
    /// Bounded values of a kind for which there is no recursion.
    #[error("with a finite m only dependent values with normal steps are integrated; sample instead")]
    Bounded,
    /// A bound and noise of very different scales.
    #[error("m is {m} and sigma_e is {sigma_e}: a lattice that resolves both is too large; sample instead")]
    Scales {
        /// The bound.
        m: f64,
        /// The noise.
        sigma_e: f64,
    },
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
    /// A figure that does not pass the gate, for instance because no lattice that fits gives it accurately enough.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
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

/// The minimum number of lattices that can be extrapolated.
const MIN_LATTICES: usize = 3;

/// The maximum number of lattices per figure, each with half the spacing of the one before.
const MAX_LATTICES: usize = 5;

/// The maximum number of points of a lattice of joint values: beyond it the spacing is no longer halved.
const MAX_POINTS: f64 = 8e6;

/// With bounded values, the most multiplications for one search on the third lattice, without which nothing can be
/// extrapolated, and on those after it.
const MAX_WORK: (f64, f64) = (1e11, 2e10);

/// The median is a place on the line of values.
const MEDIAN: Kind = Kind::Score;

/// The result of integration.
#[derive(Clone, Debug, PartialEq)]
pub struct Integration {
    /// One row for each d = 0..d_max.
    pub rows: Vec<Row>,
    /// The median of the true value of the root, the threshold of the two-value errors; `None` with a finite m, where
    /// these are not computed.
    pub median: Option<Approximate>,
    /// The static noise of each row.
    pub sigma_e: Vec<f64>,
}

/// Computes all rows to a stated error of at most `tolerance` (lengths: that part of the greater of σ_v and σ_e). A model
/// with a figure that no lattice gives so accurately is refused. Every figure carries its own stated error.
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
    let mut refined: Vec<Refined> = (0..=model.d_max)
        .rev()
        .collect::<Vec<_>>()
        .into_par_iter()
        .with_max_len(1)
        .map(|d| refine(model, d, sigma_e[d], tolerance))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<_, _>>()?;
    refined.reverse();
    let rows = refined.iter().map(Refined::row).collect::<Result<_, _>>()?;
    let median = refined.last().map(Refined::median).transpose()?.flatten();
    Ok(Integration { rows, median, sigma_e: sigma_e.to_vec() })
}

/// The median of the true value of the root, the threshold of the two-value errors, as [`integrate()`] gives it; `None` with
/// a finite m.
pub fn median(model: &RealModel, tolerance: f64) -> Result<Option<Approximate>, IntegrateError> {
    check(model)?;
    Ok(refine(model, model.d_max, model.sigma_e, tolerance)?.median()?)
}

/// An error if the model cannot be integrated, as far as that is known in advance.
pub fn check(model: &RealModel) -> Result<(), IntegrateError> {
    model.check()?;
    let ratio = model.sigma_e / model.sigma_v;
    if !(RATIOS.0..=RATIOS.1).contains(&ratio) {
        return Err(IntegrateError::Ratio(ratio));
    }
    if model.grains.is_some() {
        return Err(IntegrateError::Grains);
    }
    let Some(m) = model.m else { return Ok(()) };
    if model.values != Values::Dependent || model.steps != Steps::Normal {
        return Err(IntegrateError::Bounded);
    }
    let third = bounded::first_points(model, m, model.sigma_e) << (MIN_LATTICES - 1);
    if bounded::work(model, m, model.sigma_e, third) > MAX_WORK.0 {
        return Err(IntegrateError::Scales { m, sigma_e: model.sigma_e });
    }
    Ok(())
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

/// With bounded values, the multiplications for all searches on the finest lattice that is usually needed.
pub(crate) fn bounded_work(model: &RealModel, m: f64) -> f64 {
    let third = bounded::first_points(model, m, model.sigma_e) << (MIN_LATTICES - 1);
    // A search to depth d takes d plies.
    bounded::work(model, m, model.sigma_e, third) * 0.5 * (model.d_max as f64 + 1.0)
}

/// The approximate number of points of the finest lattice that is usually needed.
pub(crate) fn finest_points(model: &RealModel, sigma_e: f64) -> f64 {
    const TYPICAL_LATTICES: i32 = 4;
    let first = first_spacing(model, sigma_e).unwrap_or(0.2 * model.sigma_v);
    points(model, sigma_e, first * 0.5f64.powi(TYPICAL_LATTICES - 1)).min(MAX_POINTS)
}

/// The figures of one lattice, in the order of [`Quantity::ALL`]; `None` for what does not exist or is not computed.
type LatticeFigures = [Option<f64>; 6];

/// Extrapolated figures, which have not passed the gate yet.
struct Refined {
    d: usize,
    figures: [Option<Approximate>; 6],
    median: Option<Approximate>,
    tolerance: Tolerance,
}

impl Refined {
    fn row(&self) -> Result<Row, ImpossibleFigure> {
        Row::new(self.d, self.figures, self.tolerance)
    }

    fn median(&self) -> Result<Option<Approximate>, ImpossibleFigure> {
        let checked = self.median.map(|median| median.known_to(MEDIAN, self.tolerance.length)).transpose();
        checked.map_err(|reason| reason.of("the median of the root's true value"))
    }

    fn is_accurate(&self) -> bool {
        let kinds = Quantity::ALL.map(Quantity::kind).into_iter().chain([MEDIAN]);
        let all = self.figures.into_iter().chain([self.median]).zip(kinds);
        all.filter_map(|(figure, kind)| Some((kind, figure?)))
            .all(|(kind, figure)| self.tolerance.admits(kind, figure))
    }
}

/// One row and the median, on ever finer lattices.
fn refine(model: &RealModel, d: usize, sigma_e: f64, tolerance: f64) -> Result<Refined, IntegrateError> {
    let tolerance = Tolerance::of(&RealModel { sigma_e, ..model.clone() }, tolerance);
    if let Some(m) = model.m {
        let first = bounded::first_points(model, m, sigma_e);
        let on_lattice =
            |lattice: usize| (Bounded::new(model, m, first << lattice).figures(d, sigma_e), None);
        let fits = |lattice: usize| bounded::work(model, m, sigma_e, first << lattice) <= MAX_WORK.1;
        return Ok(extrapolated(d, tolerance, on_lattice, fits));
    }
    let first = match first_spacing(model, sigma_e) {
        Err(IntegrateError::Narrow { .. }) => {
            let on_lattice = |lattice: usize| {
                let searched = Pointwise::new(model, d, sigma_e, lattice);
                (searched.figures(), Some(searched.median()))
            };
            return Ok(extrapolated(d, tolerance, on_lattice, |_| true));
        }
        first => first?,
    };
    let spacing = |lattice: usize| first * 0.5f64.powi(lattice as i32);
    let on_lattice = |lattice: usize| {
        let truths = Truths::new(model, spacing(lattice));
        (truths.figures(d, sigma_e), Some(truths.median()))
    };
    let fits = |lattice: usize| points(model, sigma_e, spacing(lattice)) <= MAX_POINTS;
    Ok(extrapolated(d, tolerance, on_lattice, fits))
}

/// Figures and median extrapolated from lattices 0, 1, 2, … until they are accurate enough or the next does not fit, in
/// which case they will not pass.
fn extrapolated(
    d: usize,
    tolerance: Tolerance,
    on_lattice: impl Fn(usize) -> (LatticeFigures, Option<f64>),
    fits: impl Fn(usize) -> bool,
) -> Refined {
    let limit = |values: Option<Vec<f64>>| {
        let (value, error) = romberg::limit(&values?)?;
        Some(Approximate::estimated(value, error))
    };
    let mut raw: Vec<(LatticeFigures, Option<f64>)> = Vec::new();
    loop {
        raw.push(on_lattice(raw.len()));
        if raw.len() < MIN_LATTICES {
            continue;
        }
        let figures = Quantity::ALL.map(|quantity| {
            let each = raw.iter().map(|(figures, _)| figures[quantity as usize]).collect();
            limit(each)
        });
        let median = limit(raw.iter().map(|(_, median)| *median).collect());
        let refined = Refined { d, figures, median, tolerance };
        if refined.is_accurate() || raw.len() == MAX_LATTICES || !fits(raw.len()) {
            return refined;
        }
    }
}

#[cfg(test)]
mod tests;
