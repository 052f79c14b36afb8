//! The growing tree, in an arena.

use prodmax_rules::Mover;

use super::means::{edge_weight, mean};
use super::{Penalty, Scheme};
use crate::calls::Calls;
use crate::position::{Move, Position, Side};
use crate::search::{MoveValue, SearchError};

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<P> {
    /// The position.
    pub position: P,
    /// The index of the parent; the root is its own parent.
    pub parent: u32,
    /// The move that led here.
    pub chosen: Move,
    /// The index of the first child; children are contiguous.
    pub first_child: u32,
    /// The number of children; 0 for a tip.
    pub children: u8,
    /// The backed-up value, between 1 and 1023.
    pub value: f64,
    /// The weight of the edge to the parent.
    pub weight: f64,
    /// The least penalty of a tip below, counted from here; infinite if every game below is over.
    pub least: f64,
    /// That tip; the oldest of equal ones.
    pub tip: u32,
}

/// A search tree that grows tip by tip.
#[derive(Clone, Debug)]
pub struct PenaltySearch<P> {
    penalty: Penalty,
    max: Side,
    nodes: Vec<Node<P>>,
    calls: Calls,
    /// An evaluation that is not a probability: values might not be positive, and means would be undefined.
    improbable: Option<f64>,
}

/// A probability as a positive value.
fn positive(probability: f64) -> f64 {
    1.0 + 1022.0 * probability
}

/// The maximum number of nodes: as many as can be numbered.
const MAX_NODES: u64 = u32::MAX as u64;

impl<P: Position> PenaltySearch<P> {
    /// The root alone, with a number of calls. MAX is the side to move in it.
    pub fn new(penalty: Penalty, root: &P, calls: u64) -> Self {
        Self::with(penalty, root, Calls::new(calls))
    }

    /// The same with calls or within a time.
    pub fn with(penalty: Penalty, root: &P, calls: Calls) -> Self {
        let mut search = Self {
            penalty,
            max: root.side(),
            nodes: Vec::new(),
            calls: calls.at_most(MAX_NODES - 1),
            improbable: None,
        };
        let root = search.tip(*root, 0, 0, 0);
        search.nodes.push(root);
        search
    }

    fn tip(&mut self, position: P, number: u32, parent: u32, chosen: Move) -> Node<P> {
        let probability = position.static_value(self.max);
        if !(0.0..=1.0).contains(&probability) {
            self.improbable = Some(probability);
        }
        let value = positive(probability);
        let least = if position.outcome().is_some() { f64::INFINITY } else { 0.0 };
        Node { position, parent, chosen, first_child: 0, children: 0, value, weight: 0.0, least, tip: number }
    }

    /// Expands tips until too few calls or no time is left for the next one, or every game is over.
    pub fn run(&mut self) {
        while self.expand_next() {}
    }

    /// Expands the tip of least penalty; returns whether there was one and enough calls and time were left for it.
    pub fn expand_next(&mut self) -> bool {
        let root = &self.nodes[0];
        if root.least == f64::INFINITY || self.improbable.is_some() {
            return false;
        }
        let tip = root.tip;
        let position = self.nodes[tip as usize].position;
        let moves = position.moves();
        let count = moves.clone().count();
        if !self.calls.allow(count as u64) {
            return false;
        }
        let first_child = self.nodes.len() as u32;
        for chosen in moves {
            let Some(child) = self.calls.child(&position, chosen) else { return false };
            let node = self.tip(child, self.nodes.len() as u32, tip, chosen);
            self.nodes.push(node);
        }
        let node = &mut self.nodes[tip as usize];
        (node.first_child, node.children) = (first_child, count as u8);
        let mut number = tip;
        loop {
            self.update(number);
            if number == 0 {
                return true;
            }
            number = self.nodes[number as usize].parent;
        }
    }

    /// Updates value, weights and least penalty of a node from its children.
    fn update(&mut self, number: u32) {
        let node = self.nodes[number as usize];
        let mover = self.mover(&node);
        let range = node.first_child as usize..node.first_child as usize + usize::from(node.children);
        let values = self.nodes[range.clone()].iter().map(|child| child.value);
        let mean = mean(mover, self.penalty.p, values.clone());
        let value = match (self.penalty.scheme, mover) {
            (Scheme::Means, _) => mean,
            (Scheme::Reverse, Mover::Max) => values.fold(f64::MIN, f64::max),
            (Scheme::Reverse, Mover::Min) => values.fold(f64::MAX, f64::min),
        };
        let (mut least, mut tip) = (f64::INFINITY, number);
        let count = range.len();
        for child in &mut self.nodes[range] {
            child.weight = edge_weight(mover, self.penalty.p, count, mean, child.value);
            let penalty = child.weight + child.least;
            if penalty < least || (penalty == least && penalty < f64::INFINITY && child.tip < tip) {
                (least, tip) = (penalty, child.tip);
            }
        }
        let node = &mut self.nodes[number as usize];
        (node.value, node.least, node.tip) = (value, least, tip);
    }

    fn mover(&self, node: &Node<P>) -> Mover {
        if node.position.side() == self.max { Mover::Max } else { Mover::Min }
    }

    /// Why the search stopped early, if it did: an evaluator that returns something other than a probability.
    pub fn problem(&self) -> Option<SearchError> {
        self.improbable.map(|value| SearchError::Improbable(value.to_string()))
    }

    /// The tip that would be expanded next; `None` if every game is over.
    pub fn next_tip(&self) -> Option<u32> {
        let root = &self.nodes[0];
        (root.least < f64::INFINITY).then_some(root.tip)
    }

    /// All nodes, in the order in which they were created; the first is the root.
    pub fn nodes(&self) -> &[Node<P>] {
        &self.nodes
    }

    /// Children generated so far.
    pub fn calls(&self) -> u64 {
        self.calls.used()
    }

    /// The depth of a node.
    pub fn depth(&self, number: u32) -> usize {
        let (mut depth, mut number) = (0, number);
        while number != 0 {
            number = self.nodes[number as usize].parent;
            depth += 1;
        }
        depth
    }

    /// How many nodes lie at each depth, the root at depth 0.
    pub fn by_depth(&self) -> Vec<u64> {
        let mut depths: Vec<usize> = vec![0];
        let mut counts = vec![1];
        // A parent is made before its children.
        for node in self.nodes.iter().skip(1) {
            let depth = depths[node.parent as usize] + 1;
            depths.push(depth);
            if counts.len() <= depth {
                counts.push(0);
            }
            counts[depth] += 1;
        }
        counts
    }

    /// The moves of the root and their values, as probabilities; empty until it is expanded.
    pub fn move_values(&self) -> Vec<MoveValue> {
        let root = &self.nodes[0];
        let first = root.first_child as usize;
        let children = &self.nodes[first..first + usize::from(root.children)];
        children
            .iter()
            .map(|child| MoveValue { chosen: child.chosen, value: (child.value - 1.0) / 1022.0 })
            .collect()
    }
}
