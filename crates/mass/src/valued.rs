//! Single trees: written down, read, valued by any rules; and examples like KHS's Figs. 1 and 2, found by search.
//!
//! ```
//! use prodmax_enumerate::{Line, Tree, ZeroMode};
//! use prodmax_mass::{Contestant, Curve, CurveTable};
//! use prodmax_mass::valued::ValuedTree;
//!
//! let tree = Tree::parse("((8 -3) (1 2))", &Line::new(42, ZeroMode::Skip)?)?;
//! let [truth, estimate] = [4, 1].map(|c| CurveTable::new(Curve::arctan(c), 42));
//! let [minimax, product] =
//!     ["minimax", "product"].map(|rule| rule.parse().map(|rule| Contestant::through(rule, &estimate)));
//! let valued = ValuedTree::of(&tree, &truth, &[&minimax?, &product?])?;
//! // Minimax looks at -3 and 1 and takes the second move; w(8) w(-3) is greater than w(1) w(2), so Product takes the first.
//! assert_eq!(valued.choices, [Some(1), Some(0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod figure;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use prodmax_enumerate::{HeuristicValue, Mover, Shape, Tree, TreeError};
use prodmax_rules::CurveTable;
use prodmax_rules::numbers::Doubles;
use prodmax_rules::product::Product;

pub use self::figure::PaperFigure;
use prodmax_rules::{Contestant, PreparedContestant};

use crate::ranking::compare_subtrees;

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
    /// The root's child (from 0) that each rule chooses; `None` if it has no unique best one.
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

impl ValuedTree {
    /// Values every node of a tree by these rules. The moves they choose are proved, not read off the doubles.
    pub fn of(tree: &Tree, truth: &CurveTable, contestants: &[&Contestant<'_>]) -> Result<Self, TreeError> {
        let (shape, leaves) = (tree.shape(), tree.leaves());
        let Shape { depth, branching } = shape;
        let valuation = Valuation {
            shape,
            players: contestants.iter().map(|contestant| contestant.prepare(Doubles, depth)).collect(),
            truth: Contestant::through(Product.into(), truth).prepare(Doubles, depth),
        };
        let mut nodes = Vec::new();
        valuation.visit(leaves, 0, 0, &mut nodes);
        let branches: Vec<&[HeuristicValue]> = leaves.chunks(leaves.len() / branching).collect();
        let choice = |contestant: &&Contestant<'_>| {
            let (mut best, mut is_unique) = (0, true);
            for other in 1..branches.len() {
                let order = compare_subtrees(contestant, [branches[best], branches[other]], 1, shape)
                    .ok_or_else(|| TreeError::Unresolved(contestant.rule().to_string()))?;
                match order {
                    Ordering::Greater => {}
                    Ordering::Less => (best, is_unique) = (other, true),
                    Ordering::Equal => is_unique = false,
                }
            }
            Ok(is_unique.then_some(best))
        };
        let choices = contestants.iter().map(choice).collect::<Result<_, TreeError>>()?;
        Ok(Self { nodes, choices })
    }
}

/// The rules that value a tree, and the truth.
struct Valuation<'a> {
    shape: Shape,
    players: Vec<PreparedContestant<'a, Doubles>>,
    truth: PreparedContestant<'a, Doubles>,
}

impl Valuation<'_> {
    fn visit(&self, leaves: &[HeuristicValue], level: usize, index: usize, nodes: &mut Vec<Node>) {
        let Shape { depth, branching } = self.shape;
        let value = |player: &PreparedContestant<'_, Doubles>| player.subtree(leaves, level, branching);
        nodes.push(Node {
            level,
            index,
            mover: (level < depth).then(|| Mover::at(level)),
            values: self.players.iter().map(|player| player.shown(value(player))).collect(),
            won: value(&self.truth),
        });
        if level < depth {
            for (child, leaves) in leaves.chunks(leaves.len() / branching).enumerate() {
                self.visit(leaves, level + 1, branching * index + child, nodes);
            }
        }
    }
}
