//! MIN nodes above leaves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whether the forms of a reading also apply to MIN nodes above leaves. In Table II (depth 3) the nodes above leaves
/// are MAX nodes; in the depth-2 figures they are MIN nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MinNode {
    /// No: the probability of a MIN node is the product of its leaves' probabilities.
    #[default]
    Product,
    /// Yes, with the sides swapped.
    Mirrored,
}

impl fmt::Display for MinNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Product => "product",
            Self::Mirrored => "mirrored",
        })
    }
}
