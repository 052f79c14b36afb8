//! What counts as one tree: the weights of trees.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which trees count as different. KHS generate "each value combination only once" and handle DAGs, but count each
/// tree "as often as it would occur"; these are the possible ways to do that, right or wrong.
///
/// Equal subtrees are recognised by the values on the line, before a leaf at 0 is read as another value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// Every ordered tree of increments.
    #[default]
    Ordered,
    /// Trees of increments up to the order of siblings.
    Kinds,
    /// Branches that begin with the same increment and have the same leaf structure count as one; the order of the
    /// branches does not matter.
    Merged,
    /// Branches with the same leaf structure count as one whatever increment they begin with (their first increment
    /// is the least that leads to them); the order of the branches does not matter.
    Classes,
}

impl Weights {
    /// In how many ways two subtrees form a pair, given in how many ways a move leads to each; `None` beyond 128
    /// bits.
    pub fn pair(self, b: u128, c: u128, same: bool) -> Option<u128> {
        match (self, same) {
            (Self::Ordered, true) => b.checked_mul(c),
            (Self::Ordered, false) => b.checked_mul(c)?.checked_mul(2),
            (Self::Kinds, true) => Some(b.checked_mul(b.checked_add(1)?)? / 2),
            (Self::Kinds, false) => b.checked_mul(c),
            (Self::Merged | Self::Classes, _) => Some(u128::from(b > 0 && c > 0)),
        }
    }

    /// In how many ways a move leads to a subtree, given the ways per increment.
    pub fn moves(self, ways: impl Iterator<Item = u128>) -> Option<u128> {
        let sum = { ways }.try_fold(0u128, u128::checked_add)?;
        Some(match self {
            Self::Ordered | Self::Kinds => sum,
            Self::Merged | Self::Classes => sum.min(1),
        })
    }

    /// How many trees two different branches form.
    pub fn orders(self) -> f64 {
        if self == Self::Ordered { 2.0 } else { 1.0 }
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ordered => "ordered",
            Self::Kinds => "kinds",
            Self::Merged => "merged",
            Self::Classes => "classes",
        })
    }
}
