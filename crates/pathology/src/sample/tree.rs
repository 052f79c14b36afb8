//! One random tree, depth-first: never more than one path of it is in memory.

use prodmax_effort::stop;
use prodmax_simulate::generate::Generator;
use rand_chacha::ChaCha8Rng;

use super::normal::{Normal, uniform};
use crate::model::{RealModel, Steps, Values, is_max};

/// What to sample: a model, with the noise for every depth of search.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) model: RealModel,
    /// By depth of search.
    pub(crate) sigma_e: Vec<f64>,
    /// How often the noise of a tree is drawn.
    pub(crate) repetitions: usize,
    /// Values below it are losses, for the two-value errors.
    pub(crate) threshold: f64,
    pub(crate) seed: u64,
    pub(crate) normal: Normal,
}

/// The means over one tree, by depth of search, in the order of `Quantity::ALL`.
pub(crate) type TreeMeans = Vec<[f64; 6]>;

const POSITION: usize = 0;
const MOVE: usize = 1;
const STATIC_MOVE: usize = 2;
const DIFFERENCE: usize = 3;
const TWO_VALUE: usize = 4;
const STATIC_TWO_VALUE: usize = 5;

/// What is kept for a node on the current path while its children are visited.
#[derive(Clone, Debug)]
struct Node {
    /// Backed-up heuristic values for every depth of search from the node's own, and for every repetition.
    heuristic: Vec<f64>,
    /// Likewise the true value of the child with the best heuristic value so far (from the next depth on).
    chosen: Vec<f64>,
    /// The true values of the children.
    children: Vec<f64>,
}

/// The memory of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    path: Vec<Node>,
    sums: TreeMeans,
}

impl Workspace {
    pub(crate) fn new(plan: &Plan) -> Self {
        let node = |depth: usize| {
            let values = (plan.model.d_max - depth + 1) * plan.repetitions;
            Node { heuristic: vec![0.0; values], chosen: vec![0.0; values], children: Vec::new() }
        };
        let path = (0..=plan.model.d_max).map(node).collect();
        Self { path, sums: vec![[0.0; 6]; plan.model.d_max + 1] }
    }
}

impl Plan {
    /// The figures of tree number `number`, which depends only on the seed and this number.
    pub(crate) fn tree(&self, number: u64, workspace: &mut Workspace) -> TreeMeans {
        stop::point();
        let mut random = Generator::stream(self.seed, number);
        workspace.sums.iter_mut().for_each(|sums| *sums = [0.0; 6]);
        let truth = self.visit(0, 0.0, workspace, &mut random);
        let root = &workspace.path[0];
        let (repetitions, b) = (self.repetitions as f64, f64::from(self.model.b));
        let groups = |d: usize| b.powi(d as i32 - 1);
        let mut means = workspace.sums.clone();
        for (d, (means, values)) in means.iter_mut().zip(root.heuristic.chunks(self.repetitions)).enumerate()
        {
            means[POSITION] = values.iter().map(|value| (value - truth).abs()).sum::<f64>() / repetitions;
            means[TWO_VALUE] = self.separated(truth, values) / repetitions;
            means[STATIC_TWO_VALUE] /= repetitions * groups(d + 1);
            if d > 0 {
                let chosen = &root.chosen[d * self.repetitions..(d + 1) * self.repetitions];
                means[MOVE] = wrong(chosen, truth) / repetitions;
                means[STATIC_MOVE] /= repetitions * groups(d);
                means[DIFFERENCE] /= (b * (b - 1.0) / 2.0).max(1.0) * groups(d);
            }
        }
        means
    }

    /// How many of the values are separated from the true one by the threshold.
    fn separated(&self, truth: f64, values: &[f64]) -> f64 {
        let is_loss = |value: f64| value < self.threshold;
        values.iter().filter(|value| is_loss(**value) != is_loss(truth)).count() as f64
    }

    /// Visits the subtree of a node with this auxiliary value and returns its true value. Its heuristic values are
    /// left in the workspace.
    fn visit(&self, depth: usize, auxiliary: f64, workspace: &mut Workspace, random: &mut ChaCha8Rng) -> f64 {
        let d_max = self.model.d_max;
        let repetitions = self.repetitions;
        let truth = if depth == d_max {
            self.leaf(auxiliary, random)
        } else {
            let max = is_max(depth);
            workspace.path[depth].children.clear();
            for child in 0..self.model.b {
                let value = match self.model.values {
                    Values::Dependent => self.bounded(auxiliary + self.step(random)),
                    Values::Independent => 0.0,
                };
                let truth = self.visit(depth + 1, value, workspace, random);
                let (above, below) = workspace.path.split_at_mut(depth + 1);
                above[depth].children.push(truth);
                let node = &mut above[depth];
                let (ours, theirs) = (&mut node.heuristic[repetitions..], &below[0].heuristic);
                if child == 0 {
                    ours.copy_from_slice(theirs);
                    node.chosen[repetitions..].fill(truth);
                    continue;
                }
                // Only the root's moves, and those one ply above the noise, are judged.
                let judged = if depth == 0 { theirs.len() } else { repetitions };
                let chosen = &mut node.chosen[repetitions..repetitions + judged];
                let sign = if max { 1.0 } else { -1.0 };
                for ((chosen, ours), theirs) in chosen.iter_mut().zip(&*ours).zip(theirs) {
                    *chosen = if sign * theirs > sign * ours { truth } else { *chosen };
                }
                for (ours, theirs) in ours.iter_mut().zip(theirs) {
                    *ours = if sign * theirs > sign * *ours { *theirs } else { *ours };
                }
            }
            let node = &workspace.path[depth];
            let children = node.children.iter().copied();
            let truth =
                if max { children.fold(f64::MIN, f64::max) } else { children.fold(f64::MAX, f64::min) };
            let sums = &mut workspace.sums[depth + 1];
            sums[STATIC_MOVE] += wrong(&node.chosen[repetitions..2 * repetitions], truth);
            for (index, one) in node.children.iter().enumerate() {
                sums[DIFFERENCE] +=
                    node.children[..index].iter().map(|other| (one - other).abs()).sum::<f64>();
            }
            truth
        };
        for value in &mut workspace.path[depth].heuristic[..repetitions] {
            *value = self.rounded(truth + self.sigma_e[depth] * self.normal.draw(random));
        }
        let separated = self.separated(truth, &workspace.path[depth].heuristic[..repetitions]);
        workspace.sums[depth][STATIC_TWO_VALUE] += separated;
        truth
    }

    /// The true value of a leaf.
    fn leaf(&self, auxiliary: f64, random: &mut ChaCha8Rng) -> f64 {
        self.rounded(match self.model.values {
            Values::Dependent => auxiliary,
            Values::Independent => self.bounded(self.step(random)),
        })
    }

    fn step(&self, random: &mut ChaCha8Rng) -> f64 {
        let sigma = self.model.sigma_v;
        let uniform = |random: &mut ChaCha8Rng| 3f64.sqrt() * (2.0 * uniform(random) - 1.0);
        match self.model.steps {
            Steps::Normal => sigma * self.normal.draw(random),
            Steps::Uniform => sigma * uniform(random),
            // The sum of two uniform numbers of half the variance.
            Steps::Triangular => sigma * 0.5f64.sqrt() * (uniform(random) + uniform(random)),
        }
    }

    fn bounded(&self, value: f64) -> f64 {
        self.model.m.map_or(value, |m| value.clamp(-m, m))
    }

    fn rounded(&self, value: f64) -> f64 {
        self.model.grains.map_or(value, |grains| grains.round(value))
    }
}

/// How many of the chosen moves are not the best.
fn wrong(chosen: &[f64], best: f64) -> f64 {
    chosen.iter().filter(|value| **value != best).count() as f64
}
