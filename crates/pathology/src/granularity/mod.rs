//! Models with a limited number of values (LGB section 6.2, Table 6), without sampling.
//!
//! The laws are tables over pairs of grains. For independent values the recursion needs nothing else and is exact up
//! to rounding. For dependent values a node's law depends on its auxiliary value, which remains a real number: one
//! table is kept for each of many auxiliary values, and a step is a sum over them by the trapezoidal rule, whose
//! error is negligible because everything is smooth on the scale of a step.
//!
//! LGB say neither which interval the g grains cover nor when a curve counts as pathological. [`Range`],
//! [`Criterion`] and [`RightMoves`] list possible readings.

mod choices;
pub mod explicit;
mod joint;
mod laws;
pub mod readings;

use prodmax_jobs::stop;
use prodmax_number::possible::ImpossibleFigure;
use rayon::prelude::*;
use thiserror::Error;

pub use self::choices::{Criterion, Range, RightMoves};
use self::laws::{dependent, independent, normal};
pub(crate) use self::laws::{step_distribution, values, weights};
use crate::figures::{Quantity, Row, Tolerance};
use crate::model::{Grains, RealModel, RealModelError, Steps, Values};
use prodmax_number::Approximate;

/// Why a model with grains cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GrainError {
    /// The model itself is invalid.
    #[error(transparent)]
    RealModel(#[from] RealModelError),
    /// The model has real values.
    #[error("the model has no grains; give their number and the interval they cover")]
    NoGrains,
    /// Too many grains.
    #[error(
        "{0} grains are too many for tables over pairs of grains; at most {MAX_GRAINS} are possible; sample instead"
    )]
    TooMany(u32),
    /// Dependent values with steps that are not smooth, or a finite m.
    #[error("dependent values with grains are computed only for normal steps and infinite m; sample instead")]
    Steps,
    /// Too many grains even for the explicit formula.
    #[error("{0} grains are not possible here; give at least 2 and at most {most}", most = explicit::MAX_GRAINS_EXPLICIT)]
    TooManyHere(u32),
    /// A figure that does not pass the gate.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// A model for which there is no explicit formula.
    #[error("only independent values with uniform steps and infinite m have an explicit formula")]
    Explicit,
}

/// The maximum number of grains.
pub const MAX_GRAINS: u32 = 2000;

/// The position and move errors of a model with grains for every depth of search.
pub fn grained(model: &RealModel) -> Result<Vec<Row>, GrainError> {
    curve(model, RightMoves::default())
}

/// The same under another reading of equal moves.
pub fn curve(model: &RealModel, ties: RightMoves) -> Result<Vec<Row>, GrainError> {
    model.check()?;
    let grains = model.grains.ok_or(GrainError::NoGrains)?;
    if grains.count > MAX_GRAINS {
        return Err(GrainError::TooMany(grains.count));
    }
    let is_smooth = model.steps == Steps::Normal && model.m.is_none();
    if model.m.is_some() || (model.values == Values::Dependent && !is_smooth) {
        return Err(GrainError::Steps);
    }
    let row = |d: usize| {
        // When work is stopped, rows that wait do not begin.
        stop::check();
        let (position_error, move_error) = match model.values {
            Values::Independent => independent(model, grains, d, ties),
            Values::Dependent => dependent(model, grains, d, ties),
        };
        let mut figures = [None; 6];
        let computed = |value: f64| Approximate::estimated(value, ROUNDING);
        figures[Quantity::PositionError as usize] = Some(computed(position_error));
        figures[Quantity::MoveError as usize] = move_error.map(computed);
        Row::new(d, figures, Tolerance { probability: ROUNDING, length: ROUNDING })
    };
    let rows: Vec<_> = (0..model.d_max + 1).into_par_iter().with_max_len(1).map(row).collect();
    Ok(rows.into_iter().collect::<Result<_, _>>()?)
}

/// A bound for the errors of rounding, of cutting off the normal distribution and of the trapezoidal rule together.
const ROUNDING: f64 = 1e-9;

/// The least number of grains that is not pathological and is followed by [`RUN`] more numbers that are not; `None`
/// if there is none up to `most`.
pub fn required_grains(
    model: &RealModel,
    range: Range,
    criterion: Criterion,
    most: u32,
) -> Result<Option<u32>, GrainError> {
    let mut required = None;
    for count in 2..=most {
        let Some(half_width) = range.half_width(model, count) else { return Ok(None) };
        let grains = Some(Grains { count, range: half_width });
        if criterion.holds(&grained(&RealModel { grains, ..model.clone() })?) {
            required = None;
            continue;
        }
        let first = *required.get_or_insert(count);
        if count - first == RUN {
            break;
        }
    }
    Ok(required)
}

/// How many of the following numbers of grains must not be pathological either.
pub const RUN: u32 = 8;

#[cfg(test)]
mod tests;
