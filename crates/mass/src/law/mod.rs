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
mod ranked;
mod row;
mod sums;
mod tails;
mod twiddle;

use std::sync::atomic::AtomicBool;

use prodmax_enumerate::Model;
use thiserror::Error;

use self::atoms::Atoms;
pub use self::estimate::{Estimate, Estimated, estimate};
pub use self::figures::{Interval, LawFigures};
use self::grid::{Grid, Placement};
pub use self::sums::Shares;
use self::sums::{Equal, critical};
use self::tails::{Recursion, Watch};
use crate::measure::Curves;
pub use effort::effort;

/// How laws are computed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Steps of the grid per unit of -ln p: a power of two.
    pub steps: u32,
    /// Up to this number of different subtrees of the nodes of a level, they are listed instead of put on the grid.
    pub listed: usize,
    /// The flag that asks the work to stop.
    pub interrupt: &'a AtomicBool,
    /// Called with the number of steps of the work that are done and the number of all, possibly by several threads
    /// at once.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl<'a> Options<'a> {
    /// The number of listed subtrees that take a hundred megabytes.
    pub const LISTED: usize = 1 << 20;

    /// A grid with `steps` steps, and the usual number of listed subtrees.
    pub fn usual(steps: u32, interrupt: &'a AtomicBool, progress: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self { steps, listed: Self::LISTED, interrupt, progress }
    }
}

/// Why a law cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
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
    /// More or fewer than two moves.
    #[error("the law of values is computed for models with two moves everywhere, not with {0}")]
    Branching(usize),
    /// Stopped by the interrupt flag.
    #[error("interrupted before the law was known")]
    Interrupted,
}

/// Certified intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Sums over the critical trees as shares of all trees.
    pub shares: Shares<Interval>,
    /// The figures that follow from them.
    pub figures: LawFigures<Interval>,
    /// The part of the intervals due to the rounding of doubles: it widens each share by this much at either end.
    pub rounding: f64,
}

impl Bounds {
    /// From the sums over all trees that are certain to be critical and over all that may be, with their errors.
    fn between([(least, least_error), (most, most_error)]: [(Shares<f64>, f64); 2]) -> Self {
        let interval = |(low, high): (f64, f64)| [(low - least_error).max(0.0), (high + most_error).min(1.0)];
        let shares = least.zip(most).map(interval);
        let figures = LawFigures::of_intervals(&shares);
        Self { shares, figures, rounding: least_error.max(most_error) }
    }

    /// The width of the interval of the difference, in percentage points; infinite if nothing is known about it.
    pub fn width(&self) -> f64 {
        self.figures.difference_percent.map_or(f64::INFINITY, |[low, high]| high - low)
    }
}

/// Refuses models whose law cannot be computed here: each node joins the values of two children.
fn check_model(model: &Model) -> Result<(), LawError> {
    if model.is_binary() { Ok(()) } else { Err(LawError::Branching(model.branching())) }
}

/// Certified intervals for Minimax against Product on a model of any depth.
pub fn bounds(model: &Model, curves: &Curves, options: &Options<'_>) -> Result<Bounds, LawError> {
    check_model(model)?;
    let atoms = Atoms::of(model, curves, options.listed);
    let grid = Grid::new(options.steps)?;
    let never = Equal { anywhere: 0.0, at_cap: 0.0 };
    if let Some((tails, last)) = ranked::tails(model, &atoms) {
        // Moves that share a rank may be in any order.
        let always = Equal { anywhere: 1.0, at_cap: 1.0 };
        return Ok(Bounds::between([never, always].map(|equal| critical(&tails, &tails, last, equal))));
    }
    let watch = Watch::new(options, model, 2);
    let tails = |placement| Recursion::new(model, &atoms, &grid, placement).tails(&watch);
    let (down, up) = (tails(Placement::Down)?, tails(Placement::Up)?);
    // Equal powers are not less. Rounded up, an index at the cap is p = 0, which is less than the power at the cap.
    let least = critical(&up, &down, grid.cap(), never);
    let most = critical(&down, &up, grid.cap(), Equal { at_cap: 1.0, ..never });
    Ok(Bounds::between([least, most]))
}
