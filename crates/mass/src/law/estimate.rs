//! Estimates: mean-preserving placement on several grids, extrapolated.

use prodmax_enumerate::Model;

use super::atoms::Atoms;
use super::figures::LawFigures;
use super::grid::{Grid, Placement};
use super::sums::{Equal, Shares, critical};
use super::tails::{Recursion, Watch};
use super::{LawError, Options};
use crate::measure::Curves;

/// Every grid has half the step of the one before.
const GRIDS: u32 = 3;

/// A number and how far it may be from the exact one; the latter is an estimate, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// How far it may be off.
    pub error: f64,
}

/// What is estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// Sums over the critical trees as shares of all trees.
    pub shares: Shares<Estimate>,
    /// What follows from them.
    pub figures: LawFigures<Estimate>,
}

/// Sharp estimates for Minimax against Product on a model of any depth, from the grid asked for and two coarser ones.
pub fn estimate(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Estimated, LawError> {
    let atoms = Atoms::of(model, curves);
    let watch = Watch::new(options, model, GRIDS.into());
    let on_grid = |steps: u32| {
        let grid = Grid::new(steps)?;
        let recursion = Recursion { model, atoms: &atoms, grid: &grid, placement: Placement::Mean };
        let tails = recursion.tails(&watch)?;
        Ok(critical(&tails, &tails, grid.cap(), Equal { anywhere: 0.5, at_cap: 0.5 }).0)
    };
    let runs: Result<Vec<Shares<f64>>, LawError> =
        (0..GRIDS).rev().map(|coarser| on_grid(options.steps >> coarser)).collect();
    let runs = runs?;
    let figures: Vec<LawFigures<f64>> = runs.iter().map(LawFigures::of).collect();
    let share = |which: fn(&Shares<f64>) -> f64| extrapolate(runs.iter().map(which));
    let figure = |which: fn(&LawFigures<f64>) -> Option<f64>| {
        let all: Option<Vec<f64>> = figures.iter().map(which).collect();
        all.map(|values| extrapolate(values.into_iter()))
    };
    Ok(Estimated {
        shares: Shares {
            critical: share(|run| run.critical),
            first_error: share(|run| run.first_error),
            second_error: share(|run| run.second_error),
        },
        figures: LawFigures {
            share_first: figure(|run| run.share_first),
            difference_percent: figure(|run| run.difference_percent),
            per_case_percent: figure(|run| run.per_case_percent),
        },
    })
}

/// Richardson's extrapolation of values whose error is c h² for steps h that are halved each time. Its error is taken
/// to be three times the difference between the last two grids, or that between the last two extrapolated values
/// where these agree less well.
fn extrapolate(values: impl Iterator<Item = f64>) -> Estimate {
    let values: Vec<f64> = values.collect();
    let better = |pair: &[f64]| pair[1] + (pair[1] - pair[0]) / 3.0;
    let extrapolated: Vec<f64> = values.windows(2).map(better).collect();
    let last_step = |values: &[f64]| values.windows(2).next_back().map_or(0.0, |pair| (pair[1] - pair[0]).abs());
    Estimate {
        value: extrapolated.last().copied().unwrap_or_default(),
        // Doubles are no better than this, however well grids agree.
        error: (3.0 * last_step(&values)).max(3.0 * last_step(&extrapolated))
            + 1e-12 * values.last().map_or(0.0, |value| value.abs()),
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn errors_of_second_order_are_removed() {
        let Estimate { value, error } = extrapolate([1.0, 0.5, 0.25].map(|h: f64| 7.0 + 3.0 * h * h).into_iter());
        assert_relative_eq!(value, 7.0, epsilon = 1e-12);
        assert_relative_eq!(error, 3.0 * 3.0 * (0.25 - 0.0625), epsilon = 1e-9);
    }
}
