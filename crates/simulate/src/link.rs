//! The link to the exact engine: at depths 2 and 3 the exhaustive sweep of `prodmax-mass` and the simulation answer
//! the same question about one-move games (search depth = tree depth, truth from the leaves up). Drawn trees must
//! converge to the exact figures.

use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, ModelError};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::{Critical, CurveTable, MassError};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use thiserror::Error;

use crate::experiment::Experiment;
use crate::spec::{Assignment, SimulationSpec, SpecError};

/// Why the two cannot be compared.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The simulation.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The model, e.g. because it leaves the line.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The exact engine.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// The exact engine knows independent leaves only.
    #[error("the exact engine knows true values of the leaves; use the assignment bottom-up")]
    TopDown,
}

/// Probabilities of a random tree of the model, exactly summed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactRates {
    /// The rules strictly prefer different moves.
    pub critical: f64,
    /// … and Minimax's loses while Product's wins.
    pub minimax_error: f64,
    /// … and Product's loses while Minimax's wins.
    pub product_error: f64,
}

/// What was counted in drawn trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneMoveCounts {
    /// Trees drawn.
    pub trees: u64,
    /// Trees in which the rules strictly prefer different moves.
    pub critical: u64,
    /// Critical trees in which Minimax's move loses and Product's wins.
    pub minimax_errors: u64,
    /// Critical trees in which Product's move loses and Minimax's wins.
    pub product_errors: u64,
}

impl OneMoveCounts {
    /// A frequency with its (binomial) standard error: these trees are independent.
    pub fn rate(&self, count: u64) -> (f64, f64) {
        let rate = count as f64 / self.trees as f64;
        (rate, (rate * (1.0 - rate) / self.trees as f64).sqrt())
    }

    /// Minimax's share of all errors with its standard error; `None` without errors.
    pub fn share(&self) -> Option<(f64, f64)> {
        let errors = (self.minimax_errors + self.product_errors) as f64;
        let share = self.minimax_errors as f64 / errors;
        (errors > 0.0).then(|| (share, (share * (1.0 - share) / errors).sqrt()))
    }
}

impl ExactRates {
    /// Minimax's share of all errors.
    pub fn share(&self) -> f64 {
        self.minimax_error / (self.minimax_error + self.product_error)
    }

    /// The exact figures of the model of a spec.
    pub fn of(spec: &SimulationSpec) -> Result<Self, LinkError> {
        spec.check()?;
        if spec.assignment != Assignment::BottomUp {
            return Err(LinkError::TopDown);
        }
        let model = Model::new(spec.root, &vec![spec.increment; spec.tree_depth], spec.zero, spec.h_max)?;
        let curve = |curve: &prodmax_mass::Curve| CurveTable::new(curve.clone(), model.line().h_max());
        let (truth, estimate) = (curve(&spec.truth), curve(&spec.estimate));
        let critical = Critical::of(&model, &estimate)?;
        let arithmetic = Float(&truth);
        let mass = critical.mass(&arithmetic, &critical.truth(&arithmetic));
        let trees = model.trees().to_f64().unwrap_or(f64::INFINITY);
        Ok(Self {
            critical: critical.counts().critical as f64 / trees,
            minimax_error: mass.first_error / trees,
            product_error: mass.second_error / trees,
        })
    }
}

/// Product values closer than this are equal: the same leaves multiplied in another order, which the exact engine
/// knows to be equal and rounding does not.
const EQUAL: f64 = 1e-13;

/// Draws trees of the spec and counts the decisions at their roots; one entry per number in `samples` (ascending),
/// each with all trees so far: the points of a plot of convergence.
pub fn one_move_games(spec: &SimulationSpec, samples: &[u64]) -> Result<Vec<OneMoveCounts>, LinkError> {
    let experiment = Experiment::new(spec)?;
    let mut room = experiment.workspace();
    let mut counts = OneMoveCounts::default();
    let mut points = Vec::with_capacity(samples.len());
    for &sample in samples {
        while counts.trees < sample {
            experiment.search_root(spec.first_tree.wrapping_add(counts.trees), &mut room);
            counts.trees += 1;
            let [a, b] = [2, 3];
            let minimax = room.minimax().values();
            let by_minimax = minimax[a].partial_cmp(&minimax[b]);
            let product = room.estimated().values();
            let by_product = if (product[a] - product[b]).abs() <= EQUAL {
                Some(Ordering::Equal)
            } else {
                product[a].partial_cmp(&product[b])
            };
            let (m, p) = match (by_minimax, by_product) {
                (Some(Ordering::Greater), Some(Ordering::Less)) => (a, b),
                (Some(Ordering::Less), Some(Ordering::Greater)) => (b, a),
                _ => continue,
            };
            counts.critical += 1;
            match (room.tree().truth[m], room.tree().truth[p]) {
                (0, 1) => counts.minimax_errors += 1,
                (1, 0) => counts.product_errors += 1,
                _ => {}
            }
        }
        points.push(counts);
    }
    Ok(points)
}
