//! One random tree, depth-first: never more than one path of it is in memory.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_jobs::stop;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::SampleSpec;
use super::by_rules::{ByRules, RuleNode};
use super::normal::{Normal, uniform};
use crate::figures::Quantity;
use crate::model::{RealModel, Steps, Values, is_max};

/// What to sample, ready for use.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) spec: &'a SampleSpec,
    pub(crate) model: &'a RealModel,
    /// Values below it are losses, for the two-value errors.
    threshold: f64,
    normal: Normal,
    pub(crate) by_rules: Option<ByRules>,
}

/// The figures of one tree, by curve and depth of search, in the order of `Quantity::ALL`: counts are integers, lengths
/// are rounded (see [`SampleSpec::units`]).
pub(crate) type TreeNumbers = Vec<[i64; 6]>;

/// Sums over the nodes of a tree, by depth.
type Sums = Vec<[f64; 6]>;

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
pub struct Workspace {
    path: Vec<Node>,
    sums: Sums,
    pub(crate) rule_path: Vec<RuleNode>,
}

/// Subtrees of at most this height are finished before an interruption is noticed.
const UNINTERRUPTED: usize = 6;

/// The random numbers of a tree.
pub(super) fn stream(seed: u64, tree: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(tree);
    random
}

impl<'a> Plan<'a> {
    /// Memory for one thread.
    pub(super) fn workspace(&self) -> Workspace {
        let d_max = self.model.d_max;
        if let Some(by_rules) = &self.by_rules {
            return Workspace { path: Vec::new(), sums: Vec::new(), rule_path: by_rules.path(self) };
        }
        let node = |depth: usize| {
            let values = (d_max - depth + 1) * self.spec.repetitions;
            Node { heuristic: vec![0.0; values], chosen: vec![0.0; values], children: Vec::new() }
        };
        let path = (0..=d_max).map(node).collect();
        Workspace { path, sums: vec![[0.0; 6]; d_max + 1], rule_path: Vec::new() }
    }

    /// The figures of tree number `number`, which depends only on the seed and this number; `None` if it was interrupted.
    pub(super) fn draw(
        &self,
        number: u64,
        workspace: &mut Workspace,
        interrupt: &AtomicBool,
    ) -> Option<TreeNumbers> {
        stop::check();
        let mut random = stream(self.spec.seed, number);
        let numbers = match &self.by_rules {
            Some(by_rules) => by_rules.tree(self, workspace, &mut random, interrupt),
            None => self.minimax(workspace, &mut random, interrupt),
        };
        (!interrupt.load(Ordering::Relaxed)).then_some(numbers)
    }

    pub(crate) fn new(spec: &'a SampleSpec) -> Self {
        Self {
            spec,
            model: &spec.model,
            threshold: spec.threshold.unwrap_or(0.0),
            normal: Normal::new(),
            by_rules: spec.by_rules.as_ref().map(|by_rules| ByRules::new(by_rules, spec.model.d_max)),
        }
    }

    /// A figure in the units in which it is kept.
    pub(crate) fn kept(&self, quantity: Quantity, d: usize, figure: f64) -> i64 {
        // Casts saturate, but no figure is that large.
        (figure * self.spec.units(quantity, d)).round() as i64
    }

    fn minimax(
        &self,
        workspace: &mut Workspace,
        random: &mut ChaCha8Rng,
        interrupt: &AtomicBool,
    ) -> TreeNumbers {
        workspace.sums.iter_mut().for_each(|sums| *sums = [0.0; 6]);
        let truth = self.visit(0, 0.0, workspace, random, interrupt);
        let root = &workspace.path[0];
        let repetitions = self.spec.repetitions;
        let b = f64::from(self.model.b);
        let of_depth = |(d, (sums, values)): (usize, (&[f64; 6], &[f64]))| {
            let position = values.iter().map(|value| (value - truth).abs()).sum::<f64>() / repetitions as f64;
            let mut numbers = [0; 6];
            numbers[POSITION] = self.kept(Quantity::PositionError, d, position);
            numbers[TWO_VALUE] = self.separated(truth, values) as i64;
            numbers[STATIC_TWO_VALUE] = sums[STATIC_TWO_VALUE] as i64;
            if d > 0 {
                let chosen = &root.chosen[d * repetitions..(d + 1) * repetitions];
                let pairs = (b * (b - 1.0) / 2.0).max(1.0) * b.powi(d as i32 - 1);
                numbers[MOVE] = wrong(chosen, truth) as i64;
                numbers[STATIC_MOVE] = sums[STATIC_MOVE] as i64;
                numbers[DIFFERENCE] = self.kept(Quantity::SiblingDifference, d, sums[DIFFERENCE] / pairs);
            }
            numbers
        };
        workspace.sums.iter().zip(root.heuristic.chunks(repetitions)).enumerate().map(of_depth).collect()
    }

    /// How many of the values are separated from the true one by the threshold.
    fn separated(&self, truth: f64, values: &[f64]) -> f64 {
        let is_loss = |value: f64| value < self.threshold;
        values.iter().filter(|value| is_loss(**value) != is_loss(truth)).count() as f64
    }

    /// Visits the subtree of a node with this auxiliary value and returns its true value. Its heuristic values are
    /// left in the workspace.
    fn visit(
        &self,
        depth: usize,
        auxiliary: f64,
        workspace: &mut Workspace,
        random: &mut ChaCha8Rng,
        interrupt: &AtomicBool,
    ) -> f64 {
        let d_max = self.model.d_max;
        let repetitions = self.spec.repetitions;
        if depth + UNINTERRUPTED == d_max && interrupt.load(Ordering::Relaxed) {
            return 0.0;
        }
        let truth = if depth == d_max {
            self.leaf(auxiliary, random)
        } else {
            let max = is_max(depth);
            workspace.path[depth].children.clear();
            for child in 0..self.model.b {
                let value = self.child(auxiliary, random);
                let truth = self.visit(depth + 1, value, workspace, random, interrupt);
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
            *value = self.seen(truth, depth, random);
        }
        let separated = self.separated(truth, &workspace.path[depth].heuristic[..repetitions]);
        workspace.sums[depth][STATIC_TWO_VALUE] += separated;
        truth
    }

    /// A true value at the lowest ply of search, seen through noise.
    pub(crate) fn seen(&self, truth: f64, depth: usize, random: &mut ChaCha8Rng) -> f64 {
        self.rounded(truth + self.spec.sigma_e[depth] * self.normal.draw(random))
    }

    /// The auxiliary value of a child.
    pub(crate) fn child(&self, parent: f64, random: &mut ChaCha8Rng) -> f64 {
        match self.model.values {
            Values::Dependent => self.bounded(parent + self.step(random)),
            Values::Independent => 0.0,
        }
    }

    /// The true value of a leaf.
    pub(crate) fn leaf(&self, auxiliary: f64, random: &mut ChaCha8Rng) -> f64 {
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
