//! Models with a limited number of values (LGB section 6.2, Table 6), without sampling.
//!
//! The laws are tables over pairs of grains. For independent values the recursion needs nothing else and is exact up
//! to rounding. For dependent values a node's law depends on its auxiliary value, which remains a real number: one
//! table is kept for each of many auxiliary values, and a step is a sum over them by the trapezoidal rule, whose
//! error is negligible because everything is smooth on the scale of a step.
//!
//! LGB say neither which interval the g grains cover nor when a curve counts as pathological. [`Range`] and
//! [`Criterion`] list possible readings.

mod joint;

use prodmax_simulate::statistics::normal_tail;
use rayon::prelude::*;
use thiserror::Error;

use self::joint::Joint;
use crate::figures::{Figure, Quantity, Row};
use crate::model::{Grains, RealModel, RealModelError, Steps, Values, is_max};

/// The spacing of auxiliary values, in σ_v.
const SPACING: f64 = 0.2;

/// How far a step and a sum of steps reach, in their standard deviations.
const REACH: f64 = 7.0;

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
}

/// The most grains.
pub const MAX_GRAINS: u32 = 2000;

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
    /// Grains of this width, in σ_v, however many there are.
    Width(f64),
}

impl Range {
    /// R for a number of grains; `None` if leaves are unbounded.
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
            Self::Width(width) => Some(0.5 * width * model.sigma_v * f64::from(grains)),
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

/// The position and move errors of a model with grains for every depth of search.
pub fn grained(model: &RealModel) -> Result<Vec<Row>, GrainError> {
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
        let (position_error, move_error) = match model.values {
            Values::Independent => independent(model, grains, d),
            Values::Dependent => dependent(model, grains, d),
        };
        let mut figures = [None; 6];
        figures[Quantity::PositionError as usize] = Some(Figure::computed(position_error, ROUNDING));
        if d > 0 {
            figures[Quantity::MoveError as usize] = Some(Figure::computed(move_error, ROUNDING));
        }
        Row { d, figures }
    };
    Ok((0..model.d_max + 1).into_par_iter().with_max_len(1).map(row).collect())
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

/// The probability of every grain of a value with this distribution function; the outermost grains include everything
/// beyond.
fn grain_masses(grains: Grains, distribution: impl Fn(f64) -> f64) -> Vec<f64> {
    let edge = |k: u32| match k {
        0 => 0.0,
        k if k == grains.count => 1.0,
        k => distribution(f64::from(k) * grains.width() - grains.range),
    };
    (0..grains.count).map(|k| edge(k + 1) - edge(k)).collect()
}

fn normal(x: f64) -> f64 {
    normal_tail(-x)
}

/// noise[t][h]: the probability that the grain t is seen as h.
fn noise(grains: Grains, sigma_e: f64) -> Vec<Vec<f64>> {
    let row = |t: u32| grain_masses(grains, |edge| normal((edge - grains.middle(t)) / sigma_e));
    (0..grains.count).map(row).collect()
}

fn step_distribution(steps: Steps, x: f64) -> f64 {
    match (steps, steps.half_width()) {
        (Steps::Uniform, Some(half)) => (0.5 + 0.5 * x / half).clamp(0.0, 1.0),
        (Steps::Triangular, Some(half)) => {
            let rest = (1.0 - x.abs() / half).max(0.0);
            let tail = 0.5 * rest * rest;
            if x < 0.0 { tail } else { 1.0 - tail }
        }
        _ => normal(x),
    }
}

/// The law of the greatest or least of b grains.
fn backed_up(law: &[f64], b: u32, max: bool) -> Vec<f64> {
    let mut ordered: Vec<f64> = law.to_vec();
    if !max {
        ordered.reverse();
    }
    let whole: f64 = ordered.iter().sum();
    let (mut sum, mut before) = (0.0, 0.0);
    for mass in &mut ordered {
        sum += *mass;
        let power = f64::powi(sum / whole, b as i32);
        *mass = power - std::mem::replace(&mut before, power);
    }
    if !max {
        ordered.reverse();
    }
    ordered
}

fn independent(model: &RealModel, grains: Grains, d: usize) -> (f64, f64) {
    let leaf = |x: f64| step_distribution(model.steps, x / model.sigma_v);
    let mut truth = grain_masses(grains, leaf);
    for depth in (d..model.d_max).rev() {
        truth = backed_up(&truth, model.b, is_max(depth));
    }
    let mut law = Joint::noisy(&truth, &noise(grains, model.sigma_e));
    let mut move_error = f64::NAN;
    for depth in (0..d).rev() {
        if depth == 0 {
            move_error = law.move_error(model.b);
        }
        law = law.backed_up(model.b, is_max(depth));
    }
    (law.position_error() * grains.width(), move_error)
}

/// The auxiliary values at which the laws of a depth are kept: multiples of the spacing up to this many.
fn reach(depth: usize) -> i64 {
    (REACH * (depth as f64).sqrt() / SPACING).ceil() as i64
}

/// The number of auxiliary values for which the laws of a depth are kept.
pub(crate) fn values(depth: usize) -> usize {
    2 * reach(depth) as usize + 1
}

/// The number of auxiliary values of children that each law is a sum over.
pub(crate) fn weights() -> usize {
    values(1)
}

fn dependent(model: &RealModel, grains: Grains, d: usize) -> (f64, f64) {
    let half = (REACH / SPACING).ceil() as i64;
    let mut weights: Vec<f64> = (-half..=half).map(|k| (-0.5 * (k as f64 * SPACING).powi(2)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    // The law seen from a parent with auxiliary value number `at`; beyond the last value kept, the last one is used.
    let sources = |at: i64, depth: usize| {
        let last = reach(depth);
        weights
            .iter()
            .zip(-half..)
            .map(move |(weight, k)| (*weight, ((at + k).clamp(-last, last) + last) as usize))
    };
    // Children of a node at `depth` whose auxiliary values are real: the true value of a leaf is its grain.
    let leaf_children = |at: i64| {
        let parent = at as f64 * SPACING;
        grain_masses(grains, |edge| normal(edge / model.sigma_v - parent))
    };
    let values = |depth: usize| -reach(depth)..=reach(depth);
    // True values, from the leaves to depth d.
    let mut truths: Vec<Vec<f64>> = Vec::new();
    for depth in (d..model.d_max).rev() {
        let children = |at: i64| {
            if depth + 1 == model.d_max {
                return leaf_children(at);
            }
            let mut law = vec![0.0; grains.count as usize];
            for (weight, source) in sources(at, depth + 1) {
                law.iter_mut().zip(&truths[source]).for_each(|(sum, mass)| *sum += weight * mass);
            }
            law
        };
        truths = values(depth).map(|at| backed_up(&children(at), model.b, is_max(depth))).collect();
    }
    let noise = noise(grains, model.sigma_e);
    if d == 0 {
        return (Joint::noisy(&truths[0], &noise).position_error() * grains.width(), f64::NAN);
    }
    // Pairs of values, from depth d to the root.
    let mut laws: Vec<Joint> = truths.iter().map(|truth| Joint::noisy(truth, &noise)).collect();
    let mut move_error = f64::NAN;
    for depth in (0..d).rev() {
        let children = |at: i64| {
            if depth + 1 == model.d_max {
                return Joint::noisy(&leaf_children(at), &noise);
            }
            let mut law = Joint::zero(grains.count as usize);
            sources(at, depth + 1).for_each(|(weight, source)| law.add(weight, &laws[source]));
            law
        };
        if depth == 0 {
            move_error = children(0).move_error(model.b);
        }
        laws = values(depth).map(|at| children(at).backed_up(model.b, is_max(depth))).collect();
    }
    (laws[0].position_error() * grains.width(), move_error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sampling, sample};

    fn model(values: Values, steps: Steps, b: u32, count: u32, range: f64) -> RealModel {
        RealModel {
            b,
            values,
            steps,
            d_max: 4,
            grains: Some(Grains { count, range }),
            ..RealModel::default()
        }
    }

    #[test]
    fn grains_agree_with_the_sampler() {
        let models = [
            model(Values::Independent, Steps::Uniform, 2, 7, 3f64.sqrt()),
            model(Values::Independent, Steps::Triangular, 3, 10, 2.0),
            model(Values::Dependent, Steps::Normal, 2, 9, 4.0),
            model(Values::Dependent, Steps::Normal, 3, 16, 5.0),
        ];
        for model in models {
            let exact = grained(&model).unwrap();
            let sampling = Sampling { trees: 2000, seed: 6, ..Sampling::default() };
            let sampled = sample(&model, sampling, None).unwrap();
            for (exact, sampled) in exact.iter().zip(&sampled) {
                for quantity in [Quantity::PositionError, Quantity::MoveError] {
                    let (Some(exact), Some(sampled)) = (exact.get(quantity), sampled.get(quantity)) else {
                        continue;
                    };
                    let off = (exact.value - sampled.value).abs();
                    assert!(off <= 4.0 * sampled.uncertainty.amount(), "{model:?} {exact:?} {sampled:?}");
                }
            }
        }
    }

    #[test]
    fn many_grains_are_nearly_real_values() {
        let real = RealModel { d_max: 3, values: Values::Independent, ..RealModel::default() };
        let integrated = crate::integrate::integrate(&real, 1e-6).unwrap().rows;
        let grains = Some(Grains { count: 1000, range: 5.0 });
        let grained = grained(&RealModel { grains, ..real }).unwrap();
        for (grained, integrated) in grained.iter().zip(&integrated) {
            let [a, b] = [grained, integrated].map(|row| row.get(Quantity::PositionError).unwrap().value);
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }

    #[test]
    fn few_grains_are_pathological_and_many_are_not() {
        let model = RealModel {
            d_max: 6,
            values: Values::Independent,
            steps: Steps::Uniform,
            ..RealModel::default()
        };
        let required = required_grains(&model, Range::Support, Criterion::Ends, 40).unwrap();
        // As published for b = 2, independent values.
        assert_eq!(required, Some(13));
        let holds = |count: u32| {
            let range = Range::Support.half_width(&model, count).unwrap();
            let grained =
                grained(&RealModel { grains: Some(Grains { count, range }), ..model.clone() }).unwrap();
            Criterion::Ends.holds(&grained)
        };
        assert!(holds(12) && !holds(13));
    }

    #[test]
    fn refused_models_are_explained_in_a_sentence() {
        let message = |model: &RealModel| grained(model).unwrap_err().to_string();
        assert_eq!(
            message(&RealModel::default()),
            "the model has no grains; give their number and the interval they cover"
        );
        assert_eq!(
            message(&model(Values::Dependent, Steps::Uniform, 2, 9, 4.0)),
            "dependent values with grains are computed only for normal steps and infinite m; sample instead"
        );
        assert_eq!(
            message(&model(Values::Independent, Steps::Normal, 2, 9999, 4.0)),
            "9999 grains are too many for tables over pairs of grains; at most 2000 are possible; sample instead"
        );
    }
}
