//! Models of any depth: laws of values instead of lists of classes.
//!
//! The sums over the critical trees do not need the classes of subtrees, only the law of (minimax value, product
//! value) of a move of the root, and the same law weighted with the truth. Both follow level by level from the
//! children's (`tails`), on a grid of product values (`grid`) where two children's values are joined by a convolution
//! (`fft`); the cost is the same at every level, however many trees there are. The lowest levels are exact (`atoms`).
//!
//! There are two kinds of answers. [`bounds`] rounds every product value down in one run and up in another: if p_down
//! <= p <= p_up for each of the root's moves, which are independent, then
//!
//! Σ \[p_up(M) < p_down(P)\] <= Σ over critical trees <= Σ \[p_down(M) < p_up(P)\],
//!
//! and the effect of rounding doubles on either side is bounded and added. [`estimate`] splits every value over both
//! neighbours on the grid so that its mean is preserved; its error falls with the square of the step, so that it can
//! be extrapolated over several grids.

mod atoms;
mod effort;
mod estimate;
mod fft;
mod figures;
mod grid;
mod marginal;
mod quality;
mod ranked;
mod row;
mod run;
mod sums;
mod tails;
mod twiddle;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use prodmax_enumerate::Model;
use prodmax_number::possible::{self, ImpossibleFigure};
use thiserror::Error;

use self::atoms::Atoms;
pub use self::effort::effort;
pub use self::estimate::estimate;
use self::figures::Uncertain;
pub use self::figures::{Interval, Laws};
use self::grid::Grid;
pub use self::quality::LawQuality;
use self::ranked::Ranked;
use self::run::{Kept, Kind, Pass};
pub use self::sums::Shares;
use self::sums::{Equal, Sum};
use self::tails::Watch;
use prodmax_rules::Curves;

/// The unit roundoff of doubles, 2^-53.
const U: f64 = f64::EPSILON / 2.0;

/// How laws are computed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Steps of the grid per unit of -ln p: a power of two.
    pub steps: u32,
    /// Up to this number of different subtrees of the nodes of a level, they are listed instead of put on the grid.
    pub listed: usize,
    /// Whether to measure the quality of both rules, too. It takes the law of all trees once more.
    pub quality: bool,
    /// Whether Minimax is the second rule and Product the first one.
    pub swapped: bool,
    /// A file in which finished sums are kept, and from which a run resumes.
    pub checkpoint: Option<&'a Path>,
    /// The flag that asks the work to stop.
    pub interrupt: &'a AtomicBool,
    /// Called with the number of steps of the work that are done and the number of all, possibly by several threads
    /// at once.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl<'a> Options<'a> {
    /// The number of listed subtrees that take a hundred megabytes.
    pub const LISTED: usize = 1 << 20;

    /// A grid with `steps` steps and the default number of listed subtrees.
    pub fn new(steps: u32, interrupt: &'a AtomicBool, progress: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self {
            steps,
            listed: Self::LISTED,
            quality: false,
            swapped: false,
            checkpoint: None,
            interrupt,
            progress,
        }
    }

    /// The figures with the rules in the order asked for, and with what ties contribute.
    fn arranged<N: Uncertain>(&self, laws: Laws<N>) -> Laws<N> {
        let laws = figures::with_ties(laws);
        if self.swapped { figures::swapped(laws) } else { laws }
    }
}

/// Why a law cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A figure that cannot be, or about which nothing is known.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// An invalid grid.
    #[error("a grid of {steps} steps per unit is not possible; use a power of two from {least} to {}", Grid::STEPS[1])]
    Grid {
        /// The number of steps asked for.
        steps: u32,
        /// The least possible number of steps.
        least: u32,
    },
    /// A convolution of more than 2^24 points.
    #[error("the values of this model are spread over too many steps of the grid; use a coarser one")]
    TooFine,
    /// The checkpoint cannot be used.
    #[error("{0}")]
    Checkpoint(String),
    /// Stopped by the interrupt flag.
    #[error("interrupted before the law was known")]
    Interrupted,
}

/// Intervals from the sum over all trees that are certain to be critical and that over all that may be. The rounding of
/// doubles widens each share at either end.
fn between([least, most]: [Sum; 2]) -> Laws<Interval> {
    let interval = |(low, high): (f64, f64)| [(low - least.error).max(0.0), (high + most.error).min(1.0)];
    let shares = least.shares.zip(most.shares).map(interval);
    Laws { shares, figures: figures::of_intervals(&shares), quality: None, ties_points: None }
}

/// What Minimax and a random choice win, without the law of product values: in milliseconds and far narrower than
/// anything that is rounded to a grid.
pub fn minimax_and_random_won(model: &Model, curves: &Curves) -> [Interval; 2] {
    marginal::won(model, &curves.truth)
}

/// The curves of the ideal rule: Product on the truth.
pub fn ideal_curves(curves: &Curves) -> Curves {
    let truth = &curves.truth;
    Curves::new(truth.curve().clone(), truth.curve().clone(), truth.h_max())
}

/// Certified intervals for Minimax against Product on a model of any depth.
///
/// An interval that contains Storm's difference for the model of depth 2 with root +1:
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use prodmax_enumerate::{Model, ZeroMode};
/// use prodmax_law::{Options, bounds};
/// use prodmax_rules::{Curve, Curves};
///
/// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
/// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
/// let interrupt = AtomicBool::new(false);
/// let found = bounds(&model, &curves, &Options::new(512, &interrupt, &|_done, _all| {}))?;
/// let [low, high] = found.figures.difference_percent.ok_or("nothing is known")?;
/// assert!(low <= -6.468_599_539 && -6.468_599_539 <= high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bounds(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Laws<Interval>, LawError> {
    let atoms = Atoms::of(model, curves, options.listed);
    let grid = Grid::new(options.steps)?;
    let branching = model.branching();
    let checked =
        |bounds: Laws<Interval>| Ok(options.arranged(bounds.checked(possible::Kind::check_interval)?));
    let with = |mut bounds: Laws<Interval>, second: Interval, ideal: Interval| {
        let [first, random] = marginal::won(model, &curves.truth);
        bounds.quality = Some(LawQuality::of_intervals([first, second], ideal, random));
        bounds
    };
    if let Some(ranked) = Ranked::of(model, &atoms) {
        // Moves that share a rank may be in any order.
        let bounds = between([Equal::NEVER, Equal::ALWAYS].map(|equal| ranked.sum(equal)));
        if !options.quality {
            return checked(bounds);
        }
        let watch = Watch::new(options, 1);
        let ideal = ideal_won(model, curves, &grid, options, &watch)?;
        return checked(with(bounds, quality::listed(&ranked, branching), ideal));
    }
    let mut kept = Kept::open(options.checkpoint, model, curves, options.listed)?;
    let watch = Watch::new(options, Pass::steps(model) + u64::from(options.quality));
    let passed = Pass::new(model, &atoms, &grid, Kind::Bounds).run(&mut kept, &watch)?;
    let [least, most] = passed.sums[..] else { return Err(LawError::Interrupted) };
    let bounds = between([least, most]);
    let [down, up] = &passed.totals[..] else { return Err(LawError::Interrupted) };
    if !options.quality {
        return checked(bounds);
    }
    let ideal = ideal_won(model, curves, &grid, options, &watch)?;
    checked(with(bounds, quality::certainly_chosen(down, up, branching), ideal))
}

/// What the ideal rule wins: Product on the truth.
fn ideal_won(
    model: &Model,
    curves: &Curves,
    grid: &Grid,
    options: &Options<'_>,
    watch: &Watch<'_>,
) -> Result<Interval, LawError> {
    let atoms = Atoms::of(model, &ideal_curves(curves), options.listed);
    let won = match Ranked::of(model, &atoms) {
        Some(ranked) => quality::listed(&ranked, model.branching()),
        None => {
            let totals = Pass::new(model, &atoms, grid, Kind::Bounds).totals(watch)?;
            let [down, up] = &totals[..] else { return Err(LawError::Interrupted) };
            quality::ideal(down, up, grid, model.branching())
        }
    };
    watch.step(1);
    Ok(won)
}
