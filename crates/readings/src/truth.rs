//! The probability that a depth-1 class is won.

use prodmax_enumerate::{HeuristicValue, Mover, Place};
use prodmax_mass::{Critical, CurveTable};

use crate::dimension::{Form, Leaf, MinNode, Sharing};
use crate::reading::Reading;
use crate::shared;

/// How nodes above leaves are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeTruth {
    /// If both leaves are evaluated as won.
    pub positive: Form,
    /// If one of them is.
    pub mixed: Form,
    /// If neither is.
    pub negative: Form,
    /// Whether this applies to MIN nodes.
    pub min_node: MinNode,
    /// Where equal leaves are won or lost together.
    pub sharing: Sharing,
}

impl From<&Reading> for NodeTruth {
    fn from(reading: &Reading) -> Self {
        let Reading { positive, mixed, negative, min_node, sharing, .. } = *reading;
        Self { positive, mixed, negative, min_node, sharing }
    }
}

/// A node during backup.
#[derive(Clone, Copy)]
struct Node {
    win: f64,
    /// The value, if it is a leaf.
    leaf: Option<HeuristicValue>,
}

impl NodeTruth {
    /// The same, but with default forms if they make no difference at this depth.
    pub fn at_depth(self, depth: usize) -> Self {
        // At even depths the nodes above leaves are MIN nodes.
        if depth.is_multiple_of(2) && self.min_node == MinNode::Product {
            let form = Form::default();
            return Self { positive: form, mixed: form, negative: form, ..self };
        }
        self
    }

    /// The probability that each depth-1 class is won. If truth is shared in the whole tree, the branches are not
    /// independent and the result is meaningless.
    pub fn of_classes(self, critical: &Critical, curve: &CurveTable) -> Vec<f64> {
        if matches!(self.sharing, Sharing::Branch | Sharing::Tree) {
            let branch = |class| shared::branch(&critical.leaves(class), &|h| curve.double(h));
            return (0..critical.classes().len()).map(branch).collect();
        }
        let node = |place: Place, children: &[&Node]| self.node(place.mover, children[0], children[1]);
        let top = critical.table().back_up(|h| Node { win: curve.double(h), leaf: Some(h) }, node);
        critical.classes().back_up(&top, node).iter().map(|node| node.win).collect()
    }

    fn node(self, mover: Mover, a: &Node, b: &Node) -> Node {
        let win = match (a.leaf, b.leaf) {
            (Some(x), Some(y)) => self.above_leaves(mover, (x, a.win), (y, b.win)),
            _ => game_rule(mover, a.win, b.win),
        };
        Node { win, leaf: None }
    }

    /// The probability that the node above two leaves is won for MAX, from their values and probabilities.
    fn above_leaves(self, mover: Mover, a: (HeuristicValue, f64), b: (HeuristicValue, f64)) -> f64 {
        if self.sharing == Sharing::Node && a.0 == b.0 {
            return a.1;
        }
        let (lesser, greater) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        match (mover, self.min_node) {
            (Mover::Max, _) => {
                let leaf = |(h, win): (HeuristicValue, f64)| Leaf { win, favourable: h.get() >= 0 };
                self.for_mover(leaf(greater), leaf(lesser))
            }
            (Mover::Min, MinNode::Mirrored) => {
                let leaf = |(h, win): (HeuristicValue, f64)| Leaf { win: 1.0 - win, favourable: h.get() < 0 };
                1.0 - self.for_mover(leaf(lesser), leaf(greater))
            }
            (Mover::Min, MinNode::Product) => a.1 * b.1,
        }
    }

    fn for_mover(self, better: Leaf, worse: Leaf) -> f64 {
        let form = match (better.favourable, worse.favourable) {
            (true, true) => self.positive,
            (false, false) => self.negative,
            _ => self.mixed,
        };
        form.node(better, worse)
    }
}

/// Independent children: a MAX node is won if one child is, a MIN node if both are.
fn game_rule(mover: Mover, a: f64, b: f64) -> f64 {
    match mover {
        Mover::Max => 1.0 - (1.0 - a) * (1.0 - b),
        Mover::Min => a * b,
    }
}
