//! The recursion of laws over grains, for independent and for dependent values.

use prodmax_jobs::stop;
use prodmax_number::tails::normal_tail;

use super::RightMoves;
use super::joint::Joint;
use crate::integrate::extreme;
use crate::model::{Grains, RealModel, Steps, is_max};

/// The spacing of auxiliary values, in σ_v.
const SPACING: f64 = 0.2;

/// How far a step and a sum of steps reach, in their standard deviations.
const REACH: f64 = 7.0;

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

pub(super) fn normal(x: f64) -> f64 {
    normal_tail(-x)
}

/// noise[t][h]: the probability that the grain t is seen as h.
pub(super) fn noise(grains: Grains, sigma_e: f64) -> Vec<Vec<f64>> {
    let row = |t: u32| grain_masses(grains, |edge| normal((edge - grains.middle(t)) / sigma_e));
    (0..grains.count).map(row).collect()
}

/// The distribution function of a step with standard deviation 1.
pub(crate) fn step_distribution(steps: Steps, x: f64) -> f64 {
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

pub(super) fn independent(
    model: &RealModel,
    grains: Grains,
    d: usize,
    ties: RightMoves,
) -> (f64, Option<f64>) {
    let leaf = |x: f64| step_distribution(model.steps, x / model.sigma_v);
    let mut truth = grain_masses(grains, leaf);
    for depth in (d..model.d_max).rev() {
        truth = extreme(&truth, model.b, is_max(depth));
    }
    let mut law = Joint::noisy(&truth, &noise(grains, model.sigma_e));
    let mut move_error = None;
    for depth in (0..d).rev() {
        if depth == 0 {
            move_error = Some(law.move_error(model.b, ties));
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

pub(super) fn dependent(model: &RealModel, grains: Grains, d: usize, ties: RightMoves) -> (f64, Option<f64>) {
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
        stop::check();
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
            stop::check();
            for (weight, source) in sources(at, depth + 1) {
                law.iter_mut().zip(&truths[source]).for_each(|(sum, mass)| *sum += weight * mass);
            }
            law
        };
        truths = values(depth).map(|at| extreme(&children(at), model.b, is_max(depth))).collect();
    }
    let noise = noise(grains, model.sigma_e);
    if d == 0 {
        return (Joint::noisy(&truths[0], &noise).position_error() * grains.width(), None);
    }
    // Pairs of values, from depth d to the root.
    let mut laws: Vec<Joint> = truths.iter().map(|truth| Joint::noisy(truth, &noise)).collect();
    let mut move_error = None;
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
            move_error = Some(children(0).move_error(model.b, ties));
        }
        laws = values(depth).map(|at| children(at).backed_up(model.b, is_max(depth))).collect();
    }
    (laws[0].position_error() * grains.width(), move_error)
}
