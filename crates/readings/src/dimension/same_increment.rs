//! Branches that begin with the same increment.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How often a tree counts if its branches begin with the same increment. KHS loop over increments so that "each
/// value combination is generated only once" and count it twice; the diagonal of that loop needs care.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SameIncrement {
    /// Like any other tree.
    #[default]
    Once,
    /// Twice as often: the diagonal is counted twice like the rest although both orders are generated.
    Twice,
    /// Half as often: only one order of the branches is generated on the diagonal.
    Half,
    /// Not at all.
    Excluded,
}

impl SameIncrement {
    /// The factor.
    pub fn factor(self) -> f64 {
        match self {
            Self::Once => 1.0,
            Self::Twice => 2.0,
            Self::Half => 0.5,
            Self::Excluded => 0.0,
        }
    }
}

impl fmt::Display for SameIncrement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Once => "once",
            Self::Twice => "twice",
            Self::Half => "half",
            Self::Excluded => "excluded",
        })
    }
}
