//! Estimates: mean-preserving placement on several grids, extrapolated.

use prodmax_enumerate::Model;

use super::atoms::Atoms;
use super::figures::{Interval, LawFigures};
use super::grid::Grid;
use super::quality::{self, LawQuality};
use super::ranked::Ranked;
use super::row::Law;
use super::run::{Kept, Kind, Pass};
use super::sums::{Equal, Shares};
use super::tails::Watch;
use super::{LawError, Options, ideal_curves, marginal};
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
    /// How well both rules decide, if asked for.
    pub quality: Option<LawQuality<Estimate>>,
}

/// What one grid gives.
struct Run {
    shares: Shares<f64>,
    figures: LawFigures<f64>,
    quality: Option<LawQuality<f64>>,
}

/// Sharp estimates for Minimax against Product on a model of any depth, from the given grid and two coarser ones.
pub fn estimate(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Estimated, LawError> {
    let atoms = Atoms::of(model, curves, options.listed);
    let ideal_atoms = options.quality.then(|| Atoms::of(model, &ideal_curves(curves), options.listed));
    let free = options.quality.then(|| marginal::won(model, &curves.truth));
    let branching = model.branching();
    let won = |ranked: Ranked| quality::listed(&ranked, branching);
    let ideal_ranked = ideal_atoms.as_ref().and_then(|atoms| Ranked::of(model, atoms)).map(won);
    if let Some(ranked) = Ranked::of(model, &atoms) {
        // Where the moves are listed, so are those of the ideal rule, which tells no more of them apart.
        let quality = free.zip(ideal_ranked).map(|([first, random], ideal)| {
            LawQuality::of_intervals([first, quality::listed(&ranked, branching)], ideal, random)
        });
        return Ok(listed(&ranked, quality));
    }
    // The coarsest grid must be valid, too, but the error should name the grid that was asked for.
    if !options.steps.is_power_of_two() || options.steps >> (GRIDS - 1) < Grid::STEPS[0] {
        return Err(LawError::Grid { steps: options.steps, least: Grid::STEPS[0] << (GRIDS - 1) });
    }
    let mut kept = Kept::open(options.checkpoint, model, curves, options.listed)?;
    let watch = Watch::new(options, u64::from(GRIDS) * Pass::steps(model));
    let mut on_grid = |steps: u32| {
        let grid = Grid::new(steps)?;
        let passed = Pass::new(model, &atoms, &grid, Kind::Mean).run(&mut kept, &watch)?;
        let shares = passed.sums.first().map(|sum| sum.shares).unwrap_or_default();
        let mut quality = None;
        if let (Some(atoms), Some([first, random])) = (&ideal_atoms, free) {
            let won =
                |totals: &[Law]| totals.iter().map(|total| quality::chosen(total, branching)).sum::<f64>();
            let ideal = match ideal_ranked {
                Some(ideal) => middle(ideal),
                None => won(&Pass::new(model, atoms, &grid, Kind::Mean).totals(&watch)?),
            };
            quality = Some(LawQuality::of([middle(first), won(&passed.totals)], ideal, middle(random)));
        }
        Ok(Run { shares, figures: LawFigures::of(&shares), quality })
    };
    let runs: Result<Vec<Run>, LawError> =
        (0..GRIDS).rev().map(|coarser| on_grid(options.steps >> coarser)).collect();
    Ok(extrapolated(&runs?))
}

fn middle([low, high]: Interval) -> f64 {
    f64::midpoint(low, high)
}

/// All figures, extrapolated over the grids.
fn extrapolated(runs: &[Run]) -> Estimated {
    let share = |which: fn(&Shares<f64>) -> f64| {
        let estimate = extrapolate(runs.iter().map(|run| which(&run.shares)));
        estimate.of_size(estimate.value)
    };
    let optional = |which: &dyn Fn(&Run) -> Option<f64>, size: f64| {
        let all: Option<Vec<f64>> = runs.iter().map(which).collect();
        all.map(|values| extrapolate(values.into_iter()).of_size(size))
    };
    let figure =
        |which: fn(&LawFigures<f64>) -> Option<f64>, size: f64| optional(&|run| which(&run.figures), size);
    let won = |which: &dyn Fn(&LawQuality<f64>) -> f64| optional(&|run| run.quality.as_ref().map(which), 1.0);
    let quality =
        won(&|quality| quality.ideal).zip(won(&|quality| quality.random)).and_then(|(ideal, random)| {
            let rules = [0, 1].map(|rule| won(&move |quality: &LawQuality<f64>| quality.won[rule]));
            let [Some(first), Some(second)] = rules else { return None };
            let efficiency = [0, 1].map(|rule| {
                optional(&move |run| run.quality.as_ref().and_then(|quality| quality.efficiency[rule]), 1.0)
            });
            Some(LawQuality { won: [first, second], efficiency, ideal, random })
        });
    Estimated {
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
        quality,
    }
}

/// If all moves of the root are listed there is nothing to extrapolate: values that doubles do not tell apart are
/// treated as equal, and the error is the difference it would make if none were.
fn listed(ranked: &Ranked, quality: Option<LawQuality<Interval>>) -> Estimated {
    let with = |equal: Equal| ranked.sum(equal).shares;
    let (least, most) = (with(Equal::NEVER), with(Equal::ALWAYS));
    let between = |(a, b): (f64, f64)| Estimate { value: a, error: (b - a).abs() };
    let (low, high) = (LawFigures::of(&least), LawFigures::of(&most));
    let figure =
        |a: Option<f64>, b: Option<f64>, size: f64| a.zip(b).map(between).map(|both| both.of_size(size));
    let around = |interval: Interval| {
        let [low, high] = interval;
        Estimate { value: middle(interval), error: (high - low) / 2.0 }.of_size(1.0)
    };
    Estimated {
        shares: least.zip(most).map(|both| between(both).of_size(both.0)),
        figures: LawFigures {
            share_first: figure(low.share_first, high.share_first, 1.0),
            difference_percent: figure(low.difference_percent, high.difference_percent, 100.0),
            per_case_percent: figure(low.per_case_percent, high.per_case_percent, 100.0),
        },
        quality: quality.map(|quality| LawQuality {
            won: quality.won.map(around),
            efficiency: quality.efficiency.map(|efficiency| efficiency.map(around)),
            ideal: around(quality.ideal),
            random: around(quality.random),
        }),
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
