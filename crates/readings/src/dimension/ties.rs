//! Equal minimax values of the two branches.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What Minimax does when both branches have the same minimax value but not the same product value. (Equal product
/// values are never critical.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Not critical.
    #[default]
    Strict,
    /// Critical: Minimax does not prefer what Product prefers, so it is assumed to choose the other branch.
    Counted,
    /// Critical with weight 1/2, as if Minimax chose at random.
    Half,
    /// Minimax keeps the branch that is generated first: the one with the lesser first increment (random if equal).
    First,
    /// Minimax takes the branch that is generated last: the one with the greater first increment (random if equal).
    Later,
}

impl Ties {
    /// How often Minimax chooses the branch that Product does not prefer, given the first increments of that branch
    /// and of the one that Product prefers.
    pub fn weight(self, other: usize, preferred: usize) -> f64 {
        let unless_equal = |wins: bool| if other == preferred { 0.5 } else { f64::from(u8::from(wins)) };
        match self {
            Self::Strict => 0.0,
            Self::Counted => 1.0,
            Self::Half => 0.5,
            Self::First => unless_equal(other < preferred),
            Self::Later => unless_equal(other > preferred),
        }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Strict => "strict",
            Self::Counted => "counted",
            Self::Half => "half",
            Self::First => "first",
            Self::Later => "later",
        })
    }
}
