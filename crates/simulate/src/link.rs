//! The link to the exact engine: at depths 2 and 3 the exhaustive sweep of `prodmax-mass` and the simulation answer
//! the same question about one-move games (search depth = tree depth, truth from the leaves up). Drawn trees must
//! converge to the exact figures.
//!
//! Any two rules can be compared. The exact engine proves which values are equal; a search in doubles misses
//! differences beyond its precision. That matters for `mean:P` with a large P, where a child with half the value of
//! the other contributes only 2^-P as much: from about P = 40 on, drawn trees have ties that are not real.

use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, ModelError};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::{Contestant, Critical, Curves, Forest, MassError, won};
use prodmax_rules::Backup;
use prodmax_rules::numbers::Doubles;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use thiserror::Error;

use crate::experiment::Simulation;
use crate::published::Probabilities;
use crate::spec::{Assignment, SimulationSpec, SpecError};

/// Why simulation and exact engine cannot be compared.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The spec is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The model is invalid, e.g. because it leaves the line.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The exact engine failed.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// The exact engine only knows independent leaves.
    #[error("the exact engine derives true values from independent leaves; use the assignment bottom-up")]
    TopDown,
}

/// Probabilities for a random tree of the model, by exact enumeration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactRates {
    /// The rules strictly prefer different moves …
    pub critical: f64,
    /// … and the first rule's move loses while the second's wins.
    pub first_error: f64,
    /// … and the second rule's move loses while the first's wins.
    pub second_error: f64,
    /// The move that the first rule chooses wins (its quality; a tie is a toss-up).
    pub first_won: f64,
    /// The move that the second rule chooses wins.
    pub second_won: f64,
}

/// What was counted in drawn trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneMoveCounts {
    /// Trees drawn.
    pub trees: u64,
    /// Trees in which the rules strictly prefer different moves.
    pub critical: u64,
    /// Critical trees in which the first rule's move loses and the second's wins.
    pub first_errors: u64,
    /// Critical trees in which the second rule's move loses and the first's wins.
    pub second_errors: u64,
}

impl OneMoveCounts {
    /// A frequency with its (binomial) standard error: these trees are independent.
    pub fn rate(&self, count: u64) -> (f64, f64) {
        let rate = count as f64 / self.trees as f64;
        (rate, (rate * (1.0 - rate) / self.trees as f64).sqrt())
    }

    /// The first rule's share of all errors with its standard error; `None` without errors.
    pub fn share(&self) -> Option<(f64, f64)> {
        let errors = (self.first_errors + self.second_errors) as f64;
        let share = self.first_errors as f64 / errors;
        (errors > 0.0).then(|| (share, (share * (1.0 - share) / errors).sqrt()))
    }
}

impl ExactRates {
    /// The first rule's share of all errors.
    pub fn share(&self) -> f64 {
        self.first_error / (self.first_error + self.second_error)
    }

    /// The exact figures of the model of a spec.
    pub fn of(spec: &SimulationSpec) -> Result<Self, LinkError> {
        spec.check()?;
        if spec.assignment != Assignment::BottomUp {
            return Err(LinkError::TopDown);
        }
        let model = Model::new(spec.root, &vec![spec.increment; spec.tree_depth], spec.zero, spec.h_max)?;
        let curves = Curves::new(spec.truth.clone(), spec.estimate.clone(), model.line().h_max());
        let [first, second] = spec.rules.rules().map(|rule| Contestant::new(rule.clone(), &curves));
        let forest = Forest::of(&model).map_err(MassError::from)?;
        let critical = Critical::between(forest, [&first, &second])?;
        let arithmetic = Float(&curves.truth);
        let truth = critical.truth(&arithmetic);
        let mass = critical.mass(&arithmetic, &truth);
        let [first_won, second_won] =
            critical.rankings().map(|ranking| won(&arithmetic, critical.forest(), ranking, &truth));
        let trees = model.trees().to_f64().unwrap_or(f64::INFINITY);
        Ok(Self {
            critical: critical.counts().critical.to_f64().unwrap_or(f64::INFINITY) / trees,
            first_error: mass.first_error / trees,
            second_error: mass.second_error / trees,
            first_won,
            second_won,
        })
    }
}

/// Values closer than this (as shown to readers, see [`Backup::shown`]) are equal: the same leaves backed up in
/// another order, which the exact engine knows to be equal but rounding makes different.
const EQUAL: f64 = 1e-13;

/// Draws trees of the spec and counts the decisions at their roots. Returns one entry per number in `samples`
/// (ascending), each over all trees so far: the points of a convergence plot.
pub fn one_move_games(spec: &SimulationSpec, samples: &[u64]) -> Result<Vec<OneMoveCounts>, LinkError> {
    let experiment = Simulation::new(spec)?;
    let rules = spec.rules.rules().map(|rule| rule.prepare(Doubles, spec.tree_depth));
    let mut workspace = experiment.workspace();
    let mut counts = OneMoveCounts::default();
    let mut points = Vec::with_capacity(samples.len());
    for &sample in samples {
        while counts.trees < sample {
            experiment.search_root(spec.first_tree.wrapping_add(counts.trees), &mut workspace);
            counts.trees += 1;
            // The children of the root.
            let [a, b] = [2, 3];
            let searches = experiment.searches(&workspace, Probabilities::Estimated);
            let [by_first, by_second] = [0, 1].map(|which| {
                let [x, y] = [a, b].map(|child| rules[which].shown(searches[which].values()[child]));
                if (x - y).abs() <= EQUAL { Some(Ordering::Equal) } else { x.partial_cmp(&y) }
            });
            let (first, second) = match (by_first, by_second) {
                (Some(Ordering::Greater), Some(Ordering::Less)) => (a, b),
                (Some(Ordering::Less), Some(Ordering::Greater)) => (b, a),
                _ => continue,
            };
            counts.critical += 1;
            match (workspace.tree().truth[first], workspace.tree().truth[second]) {
                (0, 1) => counts.first_errors += 1,
                (1, 0) => counts.second_errors += 1,
                _ => {}
            }
        }
        points.push(counts);
    }
    Ok(points)
}
