//! Bounded values (a finite m, Table 3): the auxiliary value joins the state.
//!
//! Auxiliary values beyond ±m are set to ±m, so the law of a node's two values is no longer the same relative to every
//! auxiliary value. One law is kept for each point of a lattice on [-m, m]; a step is a sum over the laws of a child's
//! possible auxiliary values, by the trapezoidal rule, with the probability of a bound added to its end. A leaf, and
//! therefore any true value, is equal to a bound with positive probability: see `band` for how these values are kept
//! apart from those close to the bound. The error is again a series in the squared spacing.

use prodmax_number::tails::normal_tail;

use super::band::{Band, add_rows};
use super::kernel::Kernel;
use super::marginal::extreme;
use super::{LatticeFigures, MAX_WORK, MIN_LATTICES};
use crate::model::{RealModel, is_max};

/// The laws on a lattice of spacing m / n.
pub(super) struct Bounded<'a> {
    model: &'a RealModel,
    n: usize,
    delta: f64,
    /// By the parent's auxiliary value: the probabilities that a child's is -m, the lattice points, m.
    children: Vec<Vec<f64>>,
    /// The same with the bounds added to the end points, which have the same subtrees.
    auxiliary: Vec<Vec<f64>>,
}

/// Multiplications for a search to depth d on the lattice of spacing m / n.
pub(super) fn work(model: &RealModel, m: f64, sigma_e: f64, n: usize) -> f64 {
    let points = 2.0 * n as f64 + 1.0;
    let errors = 15.0 * sigma_e / (m / n as f64) + 1.0;
    points * points * points * errors * model.d_max as f64
}

/// The n to start with: a spacing of at most σ_e and two fifths of σ_v. Where a fourth lattice would be too much work it is
/// a fifth less, so that the third is more accurate.
pub(super) fn first_points(model: &RealModel, m: f64, sigma_e: f64) -> usize {
    let spacing = sigma_e.min(0.4 * model.sigma_v);
    let points = |spacing: f64| (m / spacing).ceil().max(2.0) as usize;
    let first = points(spacing);
    if work(model, m, sigma_e, first << MIN_LATTICES) <= MAX_WORK.1 { first } else { points(0.8 * spacing) }
}

impl<'a> Bounded<'a> {
    pub(super) fn new(model: &'a RealModel, m: f64, n: usize) -> Self {
        let delta = m / n as f64;
        let points: Vec<f64> = (0..=2 * n).map(|k| k as f64 * delta - m).collect();
        let of_parent = |parent: &f64| {
            let standard = |x: f64| (x - parent) / model.sigma_v;
            let (below, above) = (normal_tail(-standard(-m)), normal_tail(standard(m)));
            let mut inside: Vec<f64> = points.iter().map(|x| (-0.5 * standard(*x).powi(2)).exp()).collect();
            inside[0] *= 0.5;
            inside[2 * n] *= 0.5;
            let factor = (1.0 - below - above) / inside.iter().sum::<f64>();
            let inside = inside.into_iter().map(|mass| factor * mass);
            std::iter::once(below).chain(inside).chain([above]).collect::<Vec<f64>>()
        };
        let children: Vec<Vec<f64>> = points.iter().map(of_parent).collect();
        let with_bounds = |law: &Vec<f64>| {
            let mut inside = law[1..law.len() - 1].to_vec();
            inside[0] += law[0];
            inside[2 * n] += law[law.len() - 1];
            inside
        };
        let auxiliary = children.iter().map(with_bounds).collect();
        Self { model, n, delta, children, auxiliary }
    }

    /// The laws of a child's true value, by the parent's auxiliary value; `nodes` are those of the children by their
    /// own, or `None` if the children are leaves.
    fn truths(&self, nodes: Option<&Vec<Vec<f64>>>) -> Vec<Vec<f64>> {
        let Some(nodes) = nodes else { return self.children.clone() };
        let mixed = |weights: &Vec<f64>| {
            let mut law = vec![0.0; 2 * self.n + 3];
            add_rows(&mut law, weights, |k| &nodes[k]);
            law
        };
        self.auxiliary.iter().map(mixed).collect()
    }

    /// The probability of every auxiliary value at a depth.
    fn auxiliary_at(&self, depth: usize) -> Vec<f64> {
        let mut law = vec![0.0; 2 * self.n + 1];
        law[self.n] = 1.0;
        for _ in 0..depth {
            let mut next = vec![0.0; law.len()];
            add_rows(&mut next, &law, |k| &self.auxiliary[k]);
            law = next;
        }
        law
    }

    /// E|x - y| of two independent true values with this law: 2 ∫ F (1 - F).
    fn mean_difference(&self, law: &[f64]) -> f64 {
        let mut sum = 0.0;
        let distribution = law.iter().map(|mass| {
            sum += mass;
            sum
        });
        // Between a bound and the end point next to it there is no distance.
        let between = distribution.skip(1).take(2 * self.n);
        2.0 * self.delta * between.map(|f| f * (1.0 - f)).sum::<f64>()
    }

    /// The figures of a search to depth d, in the order of `Quantity::ALL`, without the two-value errors.
    pub(super) fn figures(&self, d: usize, sigma_e: f64) -> LatticeFigures {
        let b = self.model.b;
        let noise = Kernel::normal(sigma_e, self.delta, 1);
        let noisy = |law: &Vec<f64>| Band::noisy_between_bounds(-(self.n as i64), law, &noise);
        let mut nodes = None;
        for depth in (d..self.model.d_max).rev() {
            let truths = self.truths(nodes.as_ref());
            nodes = Some(truths.iter().map(|law| extreme(law, b, is_max(depth))).collect::<Vec<_>>());
        }
        let mut figures = [None; 6];
        if let (0, Some(nodes)) = (d, &nodes) {
            figures[0] = Some(noisy(&nodes[self.n]).position_error() * self.delta);
            return figures;
        }
        let truths = self.truths(nodes.as_ref());
        let mut laws: Vec<Band> = truths.iter().map(noisy).collect();
        let parents = self.auxiliary_at(d - 1);
        let mean = |values: &mut dyn Iterator<Item = f64>| -> f64 {
            parents.iter().zip(values).filter(|(share, _)| **share > 0.0).map(|(share, x)| share * x).sum()
        };
        figures[2] = Some(mean(&mut laws.iter_mut().map(|law| law.move_error(b, is_max(d - 1)))));
        figures[3] = Some(mean(&mut truths.iter().map(|law| self.mean_difference(law))));
        // From depth d - 1 up to that of the root's children: the laws of nodes, then those seen from their parents.
        for depth in (1..d).rev() {
            let nodes: Vec<Band> = laws.into_iter().map(|law| law.backed_up(b, is_max(depth))).collect();
            let seen_from = |parent: usize| Band::mixed(&self.auxiliary[parent], &nodes);
            let only_root = depth == 1;
            let parents = if only_root { self.n..self.n + 1 } else { 0..2 * self.n + 1 };
            laws = parents.filter_map(seen_from).collect();
        }
        let at_root = if laws.len() == 1 { 0 } else { self.n };
        let mut children = laws.swap_remove(at_root);
        figures[1] = Some(children.move_error(b, true));
        figures[0] = Some(children.backed_up(b, true).position_error() * self.delta);
        figures
    }
}
