//! All figures of a search to depth d on one lattice.

use super::LatticeFigures;
use super::band::Band;
use super::kernel::Kernel;
use super::marginal::Marginal;
use crate::model::{RealModel, Values, is_max};

/// The greatest spacing of a normal step's points, in standard deviations: see [`Kernel::normal`]. Along the
/// diagonal every law is smooth on the scale of a step.
const STEP_SPACING: f64 = 0.1;

/// The laws of the true values on a lattice of spacing `delta`. They do not depend on the noise.
pub(crate) struct Truths {
    pub(crate) delta: f64,
    values: Values,
    b: u32,
    /// A step, for laws that are smooth.
    steps: Kernel,
    /// By depth, relative to the auxiliary value of the node (to 0 for independent values).
    nodes: Vec<Marginal>,
    /// By depth, relative to the auxiliary value of the parent; the one at depth 0 is not used.
    siblings: Vec<Marginal>,
    /// The median at the root, in lattice spacings.
    median: f64,
}

impl Truths {
    pub(crate) fn new(model: &RealModel, delta: f64) -> Self {
        let stride = (STEP_SPACING * model.sigma_v / delta).floor().max(1.0) as usize;
        let steps = Kernel::steps(model.steps, model.sigma_v, delta, stride);
        let every_point = Kernel::steps(model.steps, model.sigma_v, delta, 1);
        let leaf = match model.values {
            Values::Dependent => Marginal::zero(),
            Values::Independent => Marginal::zero().shifted(&every_point),
        };
        let (mut nodes, mut siblings) = (vec![leaf], Vec::new());
        for depth in (0..model.d_max).rev() {
            let node = &nodes[nodes.len() - 1];
            // The law of a leaf is a single point, which becomes smooth only by a step over every lattice point.
            let kernel = if node.mass.len() == 1 { &every_point } else { &steps };
            let sibling = match model.values {
                Values::Dependent => node.shifted(kernel),
                Values::Independent => node.clone(),
            };
            nodes.push(sibling.backed_up(model.b, is_max(depth)));
            siblings.push(sibling);
        }
        siblings.push(nodes[nodes.len() - 1].clone());
        nodes.reverse();
        siblings.reverse();
        let median = nodes[0].median();
        Self { delta, values: model.values, b: model.b, steps, nodes, siblings, median }
    }

    /// The median of the root's true value.
    pub(crate) fn median(&self) -> f64 {
        self.median * self.delta
    }

    /// The depth above the leaves at which true values lie closest together, and their standard deviation there.
    pub(crate) fn closest(&self) -> (usize, f64) {
        let above = self.nodes[..self.nodes.len() - 1].iter().map(|law| law.deviation() * self.delta);
        above.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f64::INFINITY))
    }

    /// E|x - y| of two siblings at a depth of at least 1.
    pub(crate) fn sibling_difference(&self, depth: usize) -> f64 {
        self.siblings[depth].mean_difference() * self.delta
    }

    fn noise(&self, sigma_e: f64) -> Kernel {
        Kernel::normal(sigma_e, self.delta, 1)
    }

    /// The static move error of a search to depth d >= 1.
    pub(crate) fn static_move_error(&self, d: usize, sigma_e: f64) -> f64 {
        Band::noisy(&self.siblings[d], &self.noise(sigma_e)).move_error(self.b, is_max(d - 1))
    }

    /// The static two-value error of a search to depth d.
    pub(crate) fn static_two_value_error(&self, d: usize, sigma_e: f64) -> f64 {
        let mut absolute = self.nodes[d].clone();
        if self.values == Values::Dependent && d > 0 {
            absolute = self.siblings[d].clone();
            (1..d).for_each(|_| absolute = absolute.shifted(&self.steps));
        }
        Band::noisy(&absolute, &self.noise(sigma_e)).two_value_error(self.median)
    }

    /// The figures of a search to depth d with noise `sigma_e`, in the order of `Quantity::ALL`.
    pub(super) fn figures(&self, d: usize, sigma_e: f64) -> LatticeFigures {
        let noise = self.noise(sigma_e);
        // From depth d upwards: the law of a node seen from its parent, then that of the parent.
        let mut law = Band::noisy(&self.siblings[d], &noise);
        let (mut move_error, mut static_move_error) = (None, None);
        for depth in (0..d).rev() {
            if depth == d - 1 {
                static_move_error = Some(law.move_error(self.b, is_max(depth)));
            }
            if depth == 0 {
                move_error = if d == 1 { static_move_error } else { Some(law.move_error(self.b, true)) };
            }
            law = law.backed_up(self.b, is_max(depth));
            if depth > 0 && self.values == Values::Dependent {
                law = law.shifted(&self.steps);
            }
        }
        [
            Some(law.position_error() * self.delta),
            move_error,
            static_move_error,
            (d > 0).then(|| self.sibling_difference(d)),
            Some(law.two_value_error(self.median)),
            Some(self.static_two_value_error(d, sigma_e)),
        ]
    }
}
