//! What LGB leave open about grains: possible readings.

use std::fmt;

use crate::figures::{Quantity, Row};
use crate::integrate::{Kernel, Marginal};
use crate::model::{RealModel, Steps, Values};

/// Which interval [-R, R] the grains cover: a reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// R is this many standard deviations of a leaf's true value: σ_v for independent values, σ_v √d_max for
    /// dependent ones.
    LeafDeviations(f64),
    /// The interval covers all values that a leaf can have; for independent uniform or triangular values.
    Support,
    /// The least and the greatest value that a leaf can have are the midpoints of the outermost grains.
    SupportMiddles,
    /// The interval from the mean least to the mean greatest leaf of a tree.
    Extremes,
}

impl Range {
    /// R for a number of grains; `None` if that is not defined for the model.
    pub fn half_width(self, model: &RealModel, grains: u32) -> Option<f64> {
        let deviation = match model.values {
            Values::Dependent => model.sigma_v * (model.d_max as f64).sqrt(),
            Values::Independent => model.sigma_v,
        };
        match self {
            Self::LeafDeviations(deviations) => Some(deviations * deviation),
            Self::Support if model.values == Values::Independent => {
                model.steps.half_width().map(|half_width| half_width * model.sigma_v)
            }
            Self::SupportMiddles => {
                let support = Self::Support.half_width(model, grains)?;
                Some(support * f64::from(grains) / f64::from(grains.max(2) - 1))
            }
            Self::Support => None,
            Self::Extremes => greatest_leaf(model),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeafDeviations(deviations) => write!(f, "±{deviations} standard deviations of a leaf"),
            Self::Support => f.write_str("all values of a leaf"),
            Self::SupportMiddles => f.write_str("all values of a leaf, the ends being values"),
            Self::Extremes => f.write_str("from the mean least to the mean greatest leaf"),
        }
    }
}

/// The mean of the greatest leaf of a tree; that of the least is its negative.
fn greatest_leaf(model: &RealModel) -> Option<f64> {
    /// Points per standard deviation of a step: an error below 10^-3 σ_v is plenty for a reading.
    const POINTS: usize = 32;
    let b = model.b;
    match (model.values, model.steps) {
        (Values::Independent, Steps::Uniform) => {
            let leaves = f64::from(b).powi(model.d_max as i32);
            Some(3f64.sqrt() * model.sigma_v * (leaves - 1.0) / (leaves + 1.0))
        }
        (Values::Dependent, Steps::Normal) => {
            let step = Kernel::normal(POINTS as f64, 1.0, 1);
            // The greatest leaf below a node, relative to the node.
            let mut law = Marginal::zero();
            for _ in 0..model.d_max {
                law = law.shifted(&step).backed_up(b, true);
            }
            let mean: f64 = law.mass.iter().zip(law.first..).map(|(mass, x)| mass * x as f64).sum();
            Some(mean / POINTS as f64 * model.sigma_v)
        }
        _ => None,
    }
}

/// Which moves are right if several have the greatest true grain: a reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RightMoves {
    /// All of them.
    #[default]
    AllRight,
    /// Only the first: both searches choose the first of equal moves, and any difference is an error.
    FirstRight,
}

impl RightMoves {
    /// Both readings.
    pub const ALL: [Self; 2] = [Self::AllRight, Self::FirstRight];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllRight => "all best moves are right",
            Self::FirstRight => "only the first best move is right",
        }
    }
}

/// When a curve of errors over the depth of search counts as pathological: a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// The move error grows from some depth to the next.
    AnyRise,
    /// The move error of the deepest search is greater than that of depth 1.
    Ends,
    /// The move error of some deeper search is greater than that of depth 1.
    AboveFirst,
    /// The position error of the deepest search is greater than that of depth 0.
    PositionEnds,
}

impl Criterion {
    /// All readings.
    pub const ALL: [Self; 4] = [Self::AnyRise, Self::Ends, Self::AboveFirst, Self::PositionEnds];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::AnyRise => "any rise of move error",
            Self::Ends => "move error at d_max above that at 1",
            Self::AboveFirst => "move error at any d above that at 1",
            Self::PositionEnds => "position error at d_max above that at 0",
        }
    }

    /// Whether a curve is pathological. Differences due to rounding do not count.
    pub fn holds(self, rows: &[Row]) -> bool {
        let errors = |quantity: Quantity| -> Vec<f64> {
            rows.iter().filter_map(|row| row.get(quantity)).map(|figure| figure.value).collect()
        };
        let moves = errors(Quantity::MoveError);
        let grows = |from: Option<&f64>, to: Option<&f64>| match (from, to) {
            (Some(from), Some(to)) => *to > *from + 1e-9,
            _ => false,
        };
        match self {
            Self::AnyRise => moves.windows(2).any(|pair| grows(pair.first(), pair.last())),
            Self::Ends => grows(moves.first(), moves.last()),
            Self::AboveFirst => moves.iter().any(|error| grows(moves.first(), Some(error))),
            Self::PositionEnds => {
                let positions = errors(Quantity::PositionError);
                grows(positions.first(), positions.last())
            }
        }
    }
}
