//! The value 0.

use std::fmt;

use prodmax_enumerate::{HeuristicValue, Line, ZeroMode};
use serde::{Deserialize, Serialize};

/// What happens to the value 0, which the papers say does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroReading {
    /// One step up from -1 is +1.
    #[default]
    Skip,
    /// Ordinary integers; 0 is won with probability 1/2.
    Allow,
    /// Ordinary integers above the leaves, but trees with a leaf at 0 are not counted.
    Drop,
    /// Ordinary integers above the leaves; a leaf at 0 counts as +1.
    Plus,
    /// Ordinary integers above the leaves; a leaf at 0 counts as -1.
    Minus,
}

impl ZeroReading {
    /// The line that increments move on.
    pub fn line(self) -> ZeroMode {
        if self == Self::Skip { ZeroMode::Skip } else { ZeroMode::Allow }
    }

    /// What a leaf counts as.
    pub fn leaf(self, line: &Line, h: HeuristicValue) -> HeuristicValue {
        let instead = match self {
            Self::Plus if h.get() == 0 => 1,
            Self::Minus if h.get() == 0 => -1,
            _ => return h,
        };
        // Every line includes -1 and +1.
        line.value(instead).unwrap_or(h)
    }

    /// Whether trees with this leaf are counted.
    pub fn counts(self, h: HeuristicValue) -> bool {
        self != Self::Drop || h.get() != 0
    }
}

impl fmt::Display for ZeroReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Skip => "skip",
            Self::Allow => "allow",
            Self::Drop => "drop",
            Self::Plus => "plus",
            Self::Minus => "minus",
        })
    }
}
