//! The noise that gives a required static error: Tables 9 and 11.

use prodmax_number::possible::Kind;
use rayon::prelude::*;

use super::lattice::Truths;
use super::{IntegrateError, RATIOS, check, first_spacing, romberg};
use crate::figures::TOLERANCE;
use crate::model::RealModel;
use prodmax_number::Approximate;

/// The static error that is kept constant over all depths of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// The static move error (Table 9), from d = 1 on.
    StaticMoveError,
    /// The static two-value error (Table 11), from d = 0 on.
    StaticTwoValueError,
}

/// How often the bracket of σ_e is narrowed.
const BISECTIONS: usize = 48;

/// The σ_e(d) that makes the static error equal to `target`, for every d = 0..d_max; `None` at d = 0 if that needs a
/// move. `model.sigma_e` is ignored.
pub fn sigma_e_for(
    model: &RealModel,
    constant: Constant,
    target: f64,
) -> Result<Vec<Option<Approximate>>, IntegrateError> {
    check(&RealModel { sigma_e: model.sigma_v, ..model.clone() })?;
    let each = |d: usize| {
        if d == 0 && constant == Constant::StaticMoveError {
            return Ok(None);
        }
        solve(model, constant, target, d).map(Some)
    };
    // Collected first, so that the error reported is that of the least depth, whichever thread is faster.
    let all: Vec<_> = (0..model.d_max + 1).into_par_iter().with_max_len(1).map(each).collect();
    all.into_iter().collect()
}

fn solve(
    model: &RealModel,
    constant: Constant,
    target: f64,
    d: usize,
) -> Result<Approximate, IntegrateError> {
    let no_solution = IntegrateError::NoSolution { d, target };
    let error = |truths: &Truths, sigma_e: f64| match constant {
        Constant::StaticMoveError => truths.static_move_error(d, sigma_e),
        Constant::StaticTwoValueError => truths.static_two_value_error(d, sigma_e),
    };
    // A rough value first, to choose the spacing by.
    let rough = {
        let low = RATIOS.0 * model.sigma_v;
        let mut sigma_e = low;
        loop {
            let truths = Truths::new(model, first_spacing(model, sigma_e)?);
            if error(&truths, sigma_e) >= target {
                break sigma_e;
            }
            sigma_e *= 1.5;
            if sigma_e > RATIOS.1 * model.sigma_v {
                return Err(no_solution);
            }
        }
    };
    let mut delta = first_spacing(model, rough)?;
    let mut solutions = Vec::new();
    for _ in 0..4 {
        let truths = Truths::new(model, delta);
        let (mut low, mut high) = (0.5 * rough, 1.1 * rough);
        if error(&truths, low) > target || error(&truths, high) < target {
            return Err(no_solution);
        }
        // The static error grows with the noise: the secant method, safeguarded by bisection.
        let (mut at_low, mut at_high) = (error(&truths, low) - target, error(&truths, high) - target);
        for round in 0..BISECTIONS {
            let secant = low - at_low * (high - low) / (at_high - at_low);
            let middle =
                if round % 3 == 2 || !(low < secant && secant < high) { 0.5 * (low + high) } else { secant };
            let at = error(&truths, middle) - target;
            if at < 0.0 {
                (low, at_low) = (middle, at);
            } else {
                (high, at_high) = (middle, at);
            }
            if high - low < 1e-12 || at == 0.0 {
                low = middle;
                high = middle;
                break;
            }
        }
        solutions.push(0.5 * (low + high));
        delta *= 0.5;
    }
    let (value, error) = romberg::limit(&solutions).ok_or(no_solution)?;
    let checked = Approximate::estimated(value, error).known_to(Kind::Size, TOLERANCE * model.sigma_v);
    Ok(checked.map_err(|reason| reason.of(format!("sigma_e at depth {d}")))?)
}
