//! Estimates: mean-preserving placement on several grids, extrapolated.

use prodmax_enumerate::Model;
use prodmax_number::Approximate;
use prodmax_rules::{Curves, Percentages};

use super::atoms::Atoms;
use super::figures::{Interval, Laws, percentages};
use super::grid::Grid;
use super::quality::{self, LawQuality};
use super::ranked::Ranked;
use super::row::Law;
use super::run::{Kept, Kind, Pass};
use super::sums::{Equal, Shares};
use super::tails::Watch;
use super::{LawError, Options, ideal_curves, marginal};

/// The number of grids; each has half the step of the previous one.
const GRIDS: u32 = 3;

/// However well the grids agree, doubles of a given size are only accurate to a small part of it.
fn of_size(figure: Approximate, size: f64) -> Approximate {
    Approximate::estimated(figure.value, figure.error() + 1e-12 * size.abs())
}

/// Sharp estimates for Minimax against Product on a model of any depth, from the given grid and two coarser ones.
pub fn estimate(
    model: &Model,
    curves: &Curves,
    options: &Options<'_>,
) -> Result<Laws<Approximate>, LawError> {
    let checked = |found: Laws<Approximate>| {
        Ok(options.arranged(found.checked(|kind, figure: Approximate| figure.possible(kind))?))
    };
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
        return checked(listed(&ranked, quality));
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
        Ok(Laws { shares, figures: percentages(&shares), quality, ties_points: None })
    };
    let runs: Result<Vec<Laws<f64>>, LawError> =
        (0..GRIDS).rev().map(|coarser| on_grid(options.steps >> coarser)).collect();
    checked(extrapolated(&runs?))
}

fn middle([low, high]: Interval) -> f64 {
    f64::midpoint(low, high)
}

/// All figures, extrapolated over the grids.
fn extrapolated(runs: &[Laws<f64>]) -> Laws<Approximate> {
    let share = |which: fn(&Shares<f64>) -> f64| {
        let estimate = extrapolate(runs.iter().map(|run| which(&run.shares)));
        of_size(estimate, estimate.value)
    };
    let optional = |which: &dyn Fn(&Laws<f64>) -> Option<f64>, size: f64| {
        let all: Option<Vec<f64>> = runs.iter().map(which).collect();
        all.map(|values| of_size(extrapolate(values.into_iter()), size))
    };
    let figure =
        |which: fn(&Percentages<f64>) -> Option<f64>, size: f64| optional(&|run| which(&run.figures), size);
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
    Laws {
        shares: Shares {
            critical: share(|run| run.critical),
            first_error: share(|run| run.first_error),
            second_error: share(|run| run.second_error),
        },
        figures: Percentages {
            share_first: figure(|run| run.share_first, 1.0),
            difference_percent: figure(|run| run.difference_percent, 100.0),
            per_case_percent: figure(|run| run.per_case_percent, 100.0),
        },
        quality,
        ties_points: None,
    }
}

/// If all moves of the root are listed there is nothing to extrapolate: values that doubles do not tell apart are
/// treated as equal, and the error is the difference it would make if none were.
fn listed(ranked: &Ranked, quality: Option<LawQuality<Interval>>) -> Laws<Approximate> {
    let with = |equal: Equal| ranked.sum(equal).shares;
    let (least, most) = (with(Equal::NEVER), with(Equal::ALWAYS));
    let between = |(a, b): (f64, f64)| Approximate::estimated(a, (b - a).abs());
    let (low, high) = (percentages(&least), percentages(&most));
    let figure =
        |a: Option<f64>, b: Option<f64>, size: f64| a.zip(b).map(between).map(|both| of_size(both, size));
    let around = |interval: Interval| {
        let [low, high] = interval;
        of_size(Approximate::estimated(middle(interval), (high - low) / 2.0), 1.0)
    };
    Laws {
        shares: least.zip(most).map(|both| of_size(between(both), both.0)),
        figures: Percentages {
            share_first: figure(low.share_first, high.share_first, 1.0),
            difference_percent: figure(low.difference_percent, high.difference_percent, 100.0),
            per_case_percent: figure(low.per_case_percent, high.per_case_percent, 100.0),
        },
        quality: quality.map(|quality| quality.map(around)),
        ties_points: None,
    }
}

/// Richardson's extrapolation of values whose error is c h² for steps h that are halved each time. Its error is taken
/// to be three times the greatest difference between neighbouring grids: where many values are only a few steps
/// apart, as in shallow models, the errors of single grids are erratic and the last two may agree by chance.
fn extrapolate(values: impl Iterator<Item = f64>) -> Approximate {
    let values: Vec<f64> = values.collect();
    let last = values.last().copied().unwrap_or_default();
    let correction = values.windows(2).next_back().map_or(0.0, |pair| (pair[1] - pair[0]) / 3.0);
    let difference = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    Approximate::estimated(last + correction, 3.0 * difference)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use approx::assert_relative_eq;
    use prodmax_enumerate::ZeroMode;
    use prodmax_rules::Curve;

    use super::*;
    use crate::sums::Sum;

    #[test]
    fn errors_of_second_order_are_removed() {
        let found = extrapolate([1.0, 0.5, 0.25].map(|h: f64| 7.0 + 3.0 * h * h).into_iter());
        assert_relative_eq!(found.value, 7.0, epsilon = 1e-12);
        assert_relative_eq!(found.error(), 3.0 * 3.0 * (1.0 - 0.25), epsilon = 1e-9);
    }

    fn assert_estimate(found: Approximate, value: f64, error: f64) {
        assert_relative_eq!(found.value, value, epsilon = 0.0, max_relative = 1e-12);
        assert_relative_eq!(found.error(), error, epsilon = 0.0, max_relative = 1e-12);
    }

    /// From 1.9 to 1.6 it is a third of -0.3 further; the greatest difference is 0.9.
    #[test]
    fn the_greatest_difference_is_the_margin() {
        assert_estimate(extrapolate([1.0, 1.9, 1.6].into_iter()), 1.5, 2.7);
        assert_estimate(extrapolate([5.0, 4.7, 5.9].into_iter()), 6.3, 3.6);
        assert_eq!(extrapolate([4.5].into_iter()), Approximate::estimated(4.5, 0.0));
        assert_eq!(extrapolate([].into_iter()), Approximate::estimated(0.0, 0.0));
    }

    #[test]
    fn doubles_of_a_size_have_an_error_of_that_size() {
        assert_estimate(of_size(Approximate::estimated(3.0, 5e-13), -2.0), 3.0, 2.5e-12);
        assert_relative_eq!(middle([0.25, 0.875]), 0.5625);
    }

    /// Different numbers for all figures, each moved by the same amount.
    fn moved(by: f64) -> Laws<f64> {
        Laws {
            shares: Shares { critical: 0.5 + by, first_error: 0.125 + by, second_error: 0.0625 + by },
            figures: Percentages {
                share_first: Some(0.75 + by),
                difference_percent: Some(-33.0 + by),
                per_case_percent: Some(-12.5 + by),
            },
            quality: Some(LawQuality {
                won: [0.6 + by, 0.7 + by],
                efficiency: [Some(0.3 + by), Some(0.9 + by)],
                ideal: 0.8 + by,
                random: 0.4 + by,
            }),
            ties_points: None,
        }
    }

    /// Every figure of an estimate with its number in [`moved`] and the size that its rounding is relative to.
    fn all_figures(estimated: &Laws<Approximate>) -> [(Approximate, f64, f64); 12] {
        let Laws { shares, figures, quality, .. } = estimated;
        let quality = quality.as_ref().unwrap();
        [
            (shares.critical, 0.5, 0.5),
            (shares.first_error, 0.125, 0.125),
            (shares.second_error, 0.0625, 0.0625),
            (figures.share_first.unwrap(), 0.75, 1.0),
            (figures.difference_percent.unwrap(), -33.0, 100.0),
            (figures.per_case_percent.unwrap(), -12.5, 100.0),
            (quality.won[0], 0.6, 1.0),
            (quality.won[1], 0.7, 1.0),
            (quality.efficiency[0].unwrap(), 0.3, 1.0),
            (quality.efficiency[1].unwrap(), 0.9, 1.0),
            (quality.ideal, 0.8, 1.0),
            (quality.random, 0.4, 1.0),
        ]
    }

    /// Off by 0.09, 0.03 and 0 on the three grids: a third of -0.03 further, with a margin of three times 0.06.
    #[test]
    fn every_figure_is_extrapolated() {
        let estimated = extrapolated(&[0.09, 0.03, 0.0].map(moved));
        for (figure, number, _) in all_figures(&estimated) {
            assert_relative_eq!(figure.value, number - 0.01, max_relative = 1e-12);
            assert_relative_eq!(figure.error(), 0.18, max_relative = 1e-9);
        }
        // Where grids agree, the sizes are left.
        let estimated = extrapolated(&[0.0; 3].map(moved));
        for (estimate, number, size) in all_figures(&estimated) {
            assert_estimate(estimate, number, 1e-12 * size);
        }
    }

    #[test]
    fn what_one_grid_does_not_have_is_not_estimated() {
        let mut runs = [0.0; 3].map(moved);
        runs[1].figures.share_first = None;
        runs[2].quality.as_mut().unwrap().efficiency[1] = None;
        let Laws { figures, quality, .. } = extrapolated(&runs);
        assert!(figures.share_first.is_none() && figures.difference_percent.is_some());
        assert!(matches!(quality.unwrap().efficiency, [Some(_), None]));
        runs[0].quality = None;
        assert!(extrapolated(&runs).quality.is_none());
    }

    fn model(increments: &[i64], branching: i64) -> Model {
        Model::new(-1, increments, ZeroMode::Skip, 10).unwrap().with_branching(branching).unwrap()
    }

    fn curves() -> Curves {
        Curves::new(Curve::arctan(4), Curve::arctan(1), 10)
    }

    /// Shares and figures: the least, and the distance to the greatest. Quality, here made up: the middle, and half of
    /// the width. All with 10^-12 of their size.
    #[test]
    fn listed_moves_are_estimated_from_both_sides() {
        let model = model(&[1, 3], 2);
        let mut atoms = Atoms::of(&model, &curves(), 1 << 20);
        // Nothing shares a rank: both sums are the same.
        let ranked = Ranked::of(&model, &atoms).unwrap();
        let shares = ranked.sum(Equal::NEVER).shares;
        let exact = listed(&ranked, None);
        assert_estimate(exact.shares.critical, shares.critical, 1e-12 * shares.critical);
        assert_estimate(exact.shares.first_error, shares.first_error, 1e-12 * shares.first_error);
        assert_estimate(exact.shares.second_error, shares.second_error, 1e-12 * shares.second_error);
        let Shares { critical, first_error, second_error } = shares;
        let lead = 100.0 * (second_error - first_error);
        let errors = first_error + second_error;
        assert_estimate(exact.figures.share_first.unwrap(), first_error / errors, 1e-12);
        assert_estimate(exact.figures.difference_percent.unwrap(), lead / errors, 1e-10);
        assert_estimate(exact.figures.per_case_percent.unwrap(), lead / critical, 1e-10);
        assert!(exact.quality.is_none());
        // Values within 0.02 share a rank: the difference is the error.
        atoms.value_error = 0.01;
        let ranked = Ranked::of(&model, &atoms).unwrap();
        let [least, most] = [Equal::NEVER, Equal::ALWAYS].map(|equal| ranked.sum(equal).shares);
        assert!(0.0 < least.critical && least.critical + 0.001 < most.critical);
        let quality = LawQuality {
            won: [[0.2, 0.5], [0.3, 0.3]],
            efficiency: [None, Some([0.6, 0.7])],
            ideal: [0.4, 0.9],
            random: [0.25, 0.35],
        };
        let Laws { shares, figures, quality, .. } = listed(&ranked, Some(quality));
        let critical = (most.critical - least.critical) + 1e-12 * least.critical;
        assert_estimate(shares.critical, least.critical, critical);
        let [low, high] = [least, most].map(|shares| percentages(&shares));
        for (found, low, high) in [
            (figures.share_first, low.share_first, high.share_first),
            (figures.difference_percent, low.difference_percent, high.difference_percent),
            (figures.per_case_percent, low.per_case_percent, high.per_case_percent),
        ] {
            let (found, low, high) = (found.unwrap(), low.unwrap(), high.unwrap());
            assert_relative_eq!(found.value, low, max_relative = 1e-12);
            assert_relative_eq!(found.error(), (high - low).abs(), epsilon = 2e-10, max_relative = 1e-12);
            assert!(found.error() > 1e-6);
        }
        let quality = quality.unwrap();
        assert_estimate(quality.won[0], 0.35, 0.15 + 1e-12);
        assert_estimate(quality.won[1], 0.3, 1e-12);
        assert!(quality.efficiency[0].is_none());
        assert_estimate(quality.efficiency[1].unwrap(), 0.65, 0.05 + 1e-12);
        assert_estimate(quality.ideal, 0.65, 0.25 + 1e-12);
        assert_estimate(quality.random, 0.3, 0.05 + 1e-12);
    }

    /// Three grids, the coarsest of at least 16 steps.
    #[test]
    fn grids_that_cannot_be_halved_twice_are_refused() {
        let (model, curves, stop) = (model(&[1, 2], 2), curves(), AtomicBool::new(false));
        let with = |steps: u32| {
            let options = Options { listed: 0, ..Options::new(steps, &stop, &|_, _| ()) };
            estimate(&model, &curves, &options).map(|_| ())
        };
        assert_eq!(with(64), Ok(()));
        for steps in [0, 16, 32, 96, 3 << 8] {
            assert_eq!(with(steps), Err(LawError::Grid { steps, least: 64 }));
        }
    }

    /// On 16, 32 and 64 steps; each pass takes a step for each of the 6 minimax values, and one for all trees.
    #[test]
    fn an_estimate_is_made_of_three_passes() {
        let (model, curves, stop) = (model(&[2, 3], 3), curves(), AtomicBool::new(false));
        let seen = Mutex::new(Vec::new());
        let progress = |done: u64, all: u64| seen.lock().unwrap().push((done, all));
        let options = Options { listed: 0, quality: true, ..Options::new(64, &stop, &progress) };
        let found = estimate(&model, &curves, &options).unwrap();
        let mut seen = seen.lock().unwrap().clone();
        seen.sort_unstable();
        assert_eq!(seen, (1..=21).map(|done| (done, 21)).collect::<Vec<_>>());
        let silent = Options { progress: &|_, _| (), ..options };
        let watch = Watch::new(&silent, 1);
        let [atoms, ideal_atoms] =
            [&curves, &ideal_curves(&curves)].map(|curves| Atoms::of(&model, curves, options.listed));
        let [first, random] = marginal::won(&model, &curves.truth).map(middle);
        let mut values = Vec::new();
        for steps in [16, 32, 64] {
            let grid = Grid::new(steps).unwrap();
            let mut kept = Kept::open(None, &model, &curves, 0).unwrap();
            let passed = Pass::new(&model, &atoms, &grid, Kind::Mean).run(&mut kept, &watch).unwrap();
            let ideal = Pass::new(&model, &ideal_atoms, &grid, Kind::Mean).totals(&watch).unwrap();
            let [Sum { shares, .. }] = passed.sums[..] else { panic!("one sum") };
            let [own, ideal] = [&passed.totals, &ideal].map(|totals| quality::chosen(&totals[0], 3));
            let efficiency = (own - random) / (ideal - random);
            let share_first = shares.first_error / (shares.first_error + shares.second_error);
            values.push([shares.critical, share_first, own, ideal, efficiency]);
        }
        let quality = found.quality.unwrap();
        let estimates = [
            found.shares.critical,
            found.figures.share_first.unwrap(),
            quality.won[1],
            quality.ideal,
            quality.efficiency[1].unwrap(),
        ];
        for (place, found) in estimates.into_iter().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|grid: usize| values[grid][place]);
            assert_relative_eq!(found.value, c + (c - b) / 3.0, max_relative = 1e-12);
            let difference = (b - a).abs().max((c - b).abs());
            assert_relative_eq!(found.error(), 3.0 * difference, epsilon = 2e-12, max_relative = 1e-12);
        }
        assert_estimate(quality.won[0], first, 1e-12);
        assert_estimate(quality.random, random, 1e-12);
    }
}
