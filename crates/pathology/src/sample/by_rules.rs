//! Other backup rules in the same trees: does deeper search hurt product propagation, means, Baum's rule?
//!
//! The game's rule stays minimax: true values are those of LGB. A rule sees the noisy values at depth d as probabilities
//! that MAX wins, through a logistic curve, and backs these up in its own way. Its move error is the probability that it
//! chooses a move that is not the best one; its position error is measured on probabilities, between its value of the
//! root and the probability that belongs to the root's true value. The random numbers are drawn in the order of
//! `tree`, so every rule meets the very trees and noise that minimax meets there.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_rules::numbers::Doubles;
use prodmax_rules::{Backup, Leaves, Mover, Place, Prepared};
use rand_chacha::ChaCha8Rng;

use super::RuleSample;
use super::tree::{Plan, TreeNumbers, Workspace};
use crate::figures::Quantity;
use crate::model::is_max;

/// The rules, ready for use.
#[derive(Clone, Debug)]
pub(crate) struct ByRules {
    /// By rule and depth of search, from 0 on.
    rules: Vec<Vec<Prepared<Doubles>>>,
    /// Which rules see the truth instead of the noisy value.
    see_truth: Vec<bool>,
    scale: f64,
}

/// What is kept for a node on the current path.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleNode {
    /// The values of the node by rule, depth of search (from its own on) and repetition.
    values: Vec<Vec<f64>>,
    /// Those of its children, child by child.
    children: Vec<Vec<Vec<f64>>>,
    truths: Vec<f64>,
}

impl ByRules {
    pub(crate) fn new(sample: &RuleSample, d_max: usize) -> Self {
        let named = sample.rules.named();
        let prepared = |d: usize| named.iter().map(move |named| named.rule.prepare(Doubles, d));
        let by_depth: Vec<Vec<_>> = (0..=d_max).map(|d| prepared(d).collect()).collect();
        let of_rule = |rule: usize| by_depth.iter().map(|rules: &Vec<_>| rules[rule].clone()).collect();
        Self {
            rules: (0..named.len()).map(of_rule).collect(),
            see_truth: named.iter().map(|named| named.rule.leaves() == Leaves::Truth).collect(),
            scale: sample.scale,
        }
    }

    /// Memory for one path.
    pub(crate) fn path(&self, plan: &Plan<'_>) -> Vec<RuleNode> {
        vec![RuleNode::default(); plan.model.d_max + 1]
    }

    /// The probability that MAX wins, from a value.
    fn probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / self.scale).exp())
    }

    /// The figures of a tree.
    pub(crate) fn tree(
        &self,
        plan: &Plan<'_>,
        workspace: &mut Workspace,
        random: &mut ChaCha8Rng,
        interrupt: &AtomicBool,
    ) -> TreeNumbers {
        let truth = self.visit(plan, (0, 0.0), &mut workspace.rule_path, random, interrupt);
        let mut numbers = TreeNumbers::new();
        if interrupt.load(Ordering::Relaxed) {
            return numbers;
        }
        let repetitions = plan.spec.repetitions;
        let root = &workspace.rule_path[0];
        for (rule, prepared) in self.rules.iter().enumerate() {
            for (d, prepared) in prepared.iter().enumerate() {
                let draws = d * repetitions..(d + 1) * repetitions;
                let target = self.probability(truth);
                let errors = root.values[rule][draws.clone()].iter();
                let position = errors.map(|value| (prepared.shown(*value) - target).abs()).sum::<f64>();
                let mut of_depth = [0; 6];
                of_depth[Quantity::PositionError as usize] =
                    plan.kept(Quantity::PositionError, d, position / repetitions as f64);
                if d > 0 {
                    // The children's values begin one depth later.
                    let below = draws.start - repetitions..draws.end - repetitions;
                    let wrong = below.filter(|draw| root.chosen(rule, *draw) != Some(truth)).count();
                    of_depth[Quantity::MoveError as usize] = wrong as i64;
                }
                numbers.push(of_depth);
            }
        }
        numbers
    }

    /// Visits a node with this depth and auxiliary value and returns its true value.
    fn visit(
        &self,
        plan: &Plan<'_>,
        (depth, auxiliary): (usize, f64),
        path: &mut [RuleNode],
        random: &mut ChaCha8Rng,
        interrupt: &AtomicBool,
    ) -> f64 {
        let Some((node, below)) = path.split_first_mut() else { return 0.0 };
        node.children.clear();
        node.truths.clear();
        if !below.is_empty() && interrupt.load(Ordering::Relaxed) {
            return 0.0;
        }
        let truth = if below.is_empty() {
            plan.leaf(auxiliary, random)
        } else {
            for _ in 0..plan.model.b {
                let child = (depth + 1, plan.child(auxiliary, random));
                let truth = self.visit(plan, child, below, random, interrupt);
                node.truths.push(truth);
                node.children.push(std::mem::take(&mut below[0].values));
            }
            let truths = node.truths.iter().copied();
            if is_max(depth) { truths.fold(f64::MIN, f64::max) } else { truths.fold(f64::MAX, f64::min) }
        };
        let repetitions = plan.spec.repetitions;
        let noisy: Vec<f64> = (0..repetitions).map(|_| plan.seen(truth, depth, random)).collect();
        let mover = if is_max(depth) { Mover::Max } else { Mover::Min };
        node.values = (0..self.rules.len())
            .map(|rule| {
                let prepared = &self.rules[rule];
                let seen = |noisy: &f64| if self.see_truth[rule] { truth } else { *noisy };
                let own = noisy.iter().map(|noisy| prepared[depth].leaf(self.probability(seen(noisy))));
                let deeper = node.children.first().map_or(0, |child| child[rule].len());
                let mut of_children = Vec::with_capacity(node.children.len());
                let backed_up = (0..deeper).map(|draw| {
                    of_children.clear();
                    of_children.extend(node.children.iter().map(|child| child[rule][draw]));
                    let d = depth + 1 + draw / repetitions;
                    prepared[d].node(Place { mover, height: d - depth }, &of_children)
                });
                own.chain(backed_up).collect()
            })
            .collect();
        truth
    }
}

impl RuleNode {
    /// The true value of MAX's move: the first of the children with the greatest value.
    fn chosen(&self, rule: usize, draw: usize) -> Option<f64> {
        let value = |child: &usize| self.children[*child][rule][draw];
        let best = (0..self.children.len()).reduce(
            |best, child| {
                if value(&child) > value(&best) { child } else { best }
            },
        );
        best.map(|child| self.truths[child])
    }
}
