//! A single tree as valued by some rules.

use std::cmp::Ordering;

use prodmax_enumerate::{HeuristicValue, Mover};
use prodmax_mass::contestant::Player;
use prodmax_mass::{Contestant, CurveTable};
use prodmax_rules::numbers::Doubles;
use prodmax_rules::product::Product;

use crate::tree::{Tree, TreeError};

/// One node of a tree as the rules see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Level, 0 for the root.
    pub level: usize,
    /// Position among the nodes of its level, from the left.
    pub index: usize,
    /// Who moves there; `None` at a leaf.
    pub mover: Option<Mover>,
    /// Its value by each rule, in the form readers expect: a probability, or a heuristic value.
    pub values: Vec<f64>,
    /// Probability that it is won for MAX.
    pub won: f64,
}

/// A tree as valued by some rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuedTree {
    /// All nodes in preorder.
    pub nodes: Vec<Node>,
    /// The root's child (0 or 1) that each rule chooses; `None` for a tie.
    pub choices: Vec<Option<usize>>,
}

impl ValuedTree {
    /// Whether the first two rules choose different moves.
    pub fn is_critical(&self) -> bool {
        matches!(self.choices[..], [Some(m), Some(p), ..] if m != p)
    }

    /// Pr(M lost) Pr(P won) and Pr(M won) Pr(P lost), where M and P are the choices of the first two rules; `None` if
    /// the tree is not critical.
    pub fn errors(&self) -> Option<(f64, f64)> {
        let won = |choice: Option<usize>| {
            let child = self.nodes.iter().find(|node| node.level == 1 && Some(node.index) == choice)?;
            Some(child.won)
        };
        if !self.is_critical() {
            return None;
        }
        let (m, p) = (won(self.choices[0])?, won(self.choices[1])?);
        Some(((1.0 - m) * p, m * (1.0 - p)))
    }
}

impl Tree {
    /// Values every node by these rules. The moves they choose are proved, not read off the doubles.
    pub fn value(
        &self,
        truth: &CurveTable,
        contestants: &[&Contestant<'_>],
    ) -> Result<ValuedTree, TreeError> {
        let depth = self.leaves.len().ilog2() as usize;
        let valuation = Valuation {
            players: contestants.iter().map(|contestant| contestant.prepare(Doubles, depth)).collect(),
            truth: Contestant::through(Product.into(), truth).prepare(Doubles, depth),
        };
        let mut nodes = Vec::new();
        valuation.visit(&self.leaves, 0, 0, &mut nodes);
        let branches = self.leaves.split_at(self.leaves.len() / 2);
        let choice = |contestant: &&Contestant<'_>| {
            let order = contestant
                .compare_subtrees(branches.into(), 1)
                .ok_or_else(|| TreeError::Unresolved(contestant.rule().to_string()))?;
            Ok(match order {
                Ordering::Greater => Some(0),
                Ordering::Less => Some(1),
                Ordering::Equal => None,
            })
        };
        let choices = contestants.iter().map(choice).collect::<Result<_, TreeError>>()?;
        Ok(ValuedTree { nodes, choices })
    }
}

/// The rules that value a tree, and the truth.
struct Valuation<'a> {
    players: Vec<Player<'a, Doubles>>,
    truth: Player<'a, Doubles>,
}

impl Valuation<'_> {
    fn visit(&self, leaves: &[HeuristicValue], level: usize, index: usize, nodes: &mut Vec<Node>) {
        nodes.push(Node {
            level,
            index,
            mover: (leaves.len() > 1).then(|| Mover::at(level)),
            values: self.players.iter().map(|player| player.shown(player.subtree(leaves, level))).collect(),
            won: self.truth.subtree(leaves, level),
        });
        if leaves.len() > 1 {
            let (left, right) = leaves.split_at(leaves.len() / 2);
            self.visit(left, level + 1, 2 * index, nodes);
            self.visit(right, level + 1, 2 * index + 1, nodes);
        }
    }
}
