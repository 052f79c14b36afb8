//! Two readings of Baum's evaluation.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What becomes of Baum's S = (difference of the stores)/(stones still in play) when it lies outside -1..=1, because one
/// side has more stones than the other can still get. The text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluator {
    /// It is limited to -1..=1, so that E = (1 + S)/2 is a probability.
    #[default]
    Clamped,
    /// It stays, and E is a score: greater than 1 or less than 0. A finished game is worth 1, 1/2 or 0 all the same.
    Unclamped,
}

/// The text is not an evaluator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an evaluator of Kalah; write clamped or unclamped")]
pub struct EvaluatorError(String);

impl Evaluator {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Clamped, Self::Unclamped];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clamped => "clamped",
            Self::Unclamped => "unclamped",
        }
    }

    /// Whether it is the one that specs need not name.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    #[inline]
    pub(super) fn limited(self, s: f64) -> f64 {
        match self {
            Self::Clamped => s.clamp(-1.0, 1.0),
            Self::Unclamped => s,
        }
    }
}

impl FromStr for Evaluator {
    type Err = EvaluatorError;
    fn from_str(text: &str) -> Result<Self, EvaluatorError> {
        let named = Self::ALL.into_iter().find(|evaluator| evaluator.name() == text);
        named.ok_or_else(|| EvaluatorError(text.chars().take(40).collect()))
    }
}
