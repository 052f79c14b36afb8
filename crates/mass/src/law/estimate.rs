//! Estimates: mean-preserving placement on several grids, extrapolated.

use prodmax_enumerate::Model;

use super::atoms::Atoms;
use super::figures::LawFigures;
use super::grid::{Grid, Placement};
use super::sums::{Equal, Shares, critical};
use super::tails::{Recursion, Tails, Watch};
use super::{LawError, Options, check_model, ranked};
use crate::measure::Curves;

/// The number of grids; each has half the step of the previous one.
const GRIDS: u32 = 3;

/// A number and how far it may be from the exact one; that distance is itself an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// How far it may be off.
    pub error: f64,
}

impl Estimate {
    /// However well the grids agree, doubles of a given size are only accurate to a small part of it.
    fn of_size(self, size: f64) -> Self {
        Self { error: self.error + 1e-12 * size.abs(), ..self }
    }
}

/// The estimated figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// Sums over the critical trees as shares of all trees.
    pub shares: Shares<Estimate>,
    /// The figures that follow from them.
    pub figures: LawFigures<Estimate>,
}

/// Sharp estimates for Minimax against Product on a model of any depth, from the given grid and two coarser ones.
pub fn estimate(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Estimated, LawError> {
    check_model(model)?;
    let atoms = Atoms::of(model, curves, options.listed);
    if let Some((tails, last)) = ranked::tails(model, &atoms) {
        return Ok(listed(&tails, last));
    }
    // The coarsest grid must be valid, too, but the error should name the grid that was asked for.
    if !options.steps.is_power_of_two() || options.steps >> (GRIDS - 1) < Grid::STEPS[0] {
        return Err(LawError::Grid { steps: options.steps, least: Grid::STEPS[0] << (GRIDS - 1) });
    }
    let watch = Watch::new(options, model, GRIDS.into());
    let on_grid = |steps: u32| {
        let grid = Grid::new(steps)?;
        let tails = Recursion::new(model, &atoms, &grid, Placement::Mean).tails(&watch)?;
        Ok(critical(&tails, &tails, grid.cap(), Equal { anywhere: 0.5, at_cap: 0.5 }).0)
    };
    let runs: Result<Vec<Shares<f64>>, LawError> =
        (0..GRIDS).rev().map(|coarser| on_grid(options.steps >> coarser)).collect();
    let runs = runs?;
    let figures: Vec<LawFigures<f64>> = runs.iter().map(LawFigures::of).collect();
    let share = |which: fn(&Shares<f64>) -> f64| {
        let estimate = extrapolate(runs.iter().map(which));
        estimate.of_size(estimate.value)
    };
    let figure = |which: fn(&LawFigures<f64>) -> Option<f64>, size: f64| {
        let all: Option<Vec<f64>> = figures.iter().map(which).collect();
        all.map(|values| extrapolate(values.into_iter()).of_size(size))
    };
    Ok(Estimated {
        shares: Shares {
            critical: share(|run| run.critical),
            first_error: share(|run| run.first_error),
            second_error: share(|run| run.second_error),
        },
        figures: LawFigures {
            share_first: figure(|run| run.share_first, 1.0),
            difference_percent: figure(|run| run.difference_percent, 100.0),
            per_case_percent: figure(|run| run.per_case_percent, 100.0),
        },
    })
}

/// If all moves of the root are listed there is nothing to extrapolate: values that doubles do not tell apart are
/// treated as equal, and the error is the difference it would make if none were.
fn listed(tails: &Tails, last: usize) -> Estimated {
    let with = |part: f64| critical(tails, tails, last, Equal { anywhere: part, at_cap: part }).0;
    let (least, most) = (with(0.0), with(1.0));
    let between = |(a, b): (f64, f64)| Estimate { value: a, error: (b - a).abs() };
    let (low, high) = (LawFigures::of(&least), LawFigures::of(&most));
    let figure =
        |a: Option<f64>, b: Option<f64>, size: f64| a.zip(b).map(between).map(|both| both.of_size(size));
    Estimated {
        shares: least.zip(most).map(|both| between(both).of_size(both.0)),
        figures: LawFigures {
            share_first: figure(low.share_first, high.share_first, 1.0),
            difference_percent: figure(low.difference_percent, high.difference_percent, 100.0),
            per_case_percent: figure(low.per_case_percent, high.per_case_percent, 100.0),
        },
    }
}

/// Richardson's extrapolation of values whose error is c h² for steps h that are halved each time. Its error is taken
/// to be three times the greatest difference between neighbouring grids: where many values are only a few steps
/// apart, as in shallow models, the errors of single grids are erratic and the last two may agree by chance.
fn extrapolate(values: impl Iterator<Item = f64>) -> Estimate {
    let values: Vec<f64> = values.collect();
    let last = values.last().copied().unwrap_or_default();
    let correction = values.windows(2).next_back().map_or(0.0, |pair| (pair[1] - pair[0]) / 3.0);
    let difference = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    Estimate { value: last + correction, error: 3.0 * difference }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn errors_of_second_order_are_removed() {
        let Estimate { value, error } =
            extrapolate([1.0, 0.5, 0.25].map(|h: f64| 7.0 + 3.0 * h * h).into_iter());
        assert_relative_eq!(value, 7.0, epsilon = 1e-12);
        assert_relative_eq!(error, 3.0 * 3.0 * (1.0 - 0.25), epsilon = 1e-9);
    }
}
