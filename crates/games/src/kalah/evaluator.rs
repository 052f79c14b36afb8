//! Two readings of Baum's evaluation, and the one that it is compared with.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a position of Kalah is evaluated. What becomes of Baum's S = (difference of the stores)/(stones still in play) when it
/// lies outside -1..=1, because one side has more stones than the other can still get, the text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluator {
    /// It is limited to -1..=1, so that E = (1 + S)/2 is a probability.
    #[default]
    Clamped,
    /// It stays, and E is a score: greater than 1 or less than 0. A finished game is worth 1, 1/2 or 0 all the same.
    Unclamped,
    /// The Kalah advantage in its place: the difference of the stores divided by all stones.
    Stores,
}

/// The text is not an evaluator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an evaluator of Kalah; write clamped, unclamped or stores")]
pub struct EvaluatorError(String);

impl Evaluator {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Clamped, Self::Unclamped, Self::Stores];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clamped => "clamped",
            Self::Unclamped => "unclamped",
            Self::Stores => "stores",
        }
    }

    /// Whether it is the one that specs need not name.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// S from the stones in both stores and those still in play.
    #[inline]
    pub(super) fn of(self, mine: f64, yours: f64, in_play: f64) -> f64 {
        match self {
            Self::Clamped => ((mine - yours) / in_play).clamp(-1.0, 1.0),
            Self::Unclamped => (mine - yours) / in_play,
            Self::Stores => (mine - yours) / (mine + yours + in_play),
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
