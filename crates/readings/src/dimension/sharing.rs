//! Leaves of equal value that are won or lost together.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where leaves of the same value are the same position, won or lost together (KHS handle "directed acyclic graphs
/// instead of trees").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Nowhere: all leaves are independent.
    #[default]
    Leaf,
    /// Below one node.
    Node,
    /// In one branch of the root. Nodes follow the game rule.
    Branch,
    /// In the whole tree. Nodes follow the game rule. Visits pairs of branches: slow.
    Tree,
}

impl fmt::Display for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Leaf => "leaf",
            Self::Node => "node",
            Self::Branch => "branch",
            Self::Tree => "tree",
        })
    }
}
