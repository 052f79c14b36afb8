//! The probability that a node above leaves is won, per sign class of the leaves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the probability of a node follows from those of its two leaves, from the point of view of the side to move.
///
/// A reading has one form for each sign class of the leaves: both positive, mixed, both negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Independent leaves: the node is won if one of them is.
    #[default]
    Independent,
    /// The evaluation of the node (won if its better leaf is) is wrong only if the evaluations of both leaves are.
    AllWrong,
    /// The probability of the better leaf.
    BestLeaf,
    /// The probability of the worse leaf.
    WorstLeaf,
    /// The mean of both leaves.
    Mean,
}

/// A leaf from the point of view of the side that moves at the node above.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The probability that it is won for that side.
    pub win: f64,
    /// Whether it is evaluated as won for that side.
    pub favourable: bool,
}

impl Leaf {
    /// Eq. (1): the probability that the evaluation is wrong.
    fn error(self) -> f64 {
        if self.favourable { 1.0 - self.win } else { self.win }
    }
}

impl Form {
    /// The probability that the node is won for the side that moves there.
    pub fn node(self, better: Leaf, worse: Leaf) -> f64 {
        match self {
            Self::Independent => 1.0 - (1.0 - better.win) * (1.0 - worse.win),
            Self::AllWrong => {
                let wrong = better.error() * worse.error();
                if better.favourable { 1.0 - wrong } else { wrong }
            }
            Self::BestLeaf => better.win,
            Self::WorstLeaf => worse.win,
            Self::Mean => (better.win + worse.win) / 2.0,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Independent => "independent",
            Self::AllWrong => "all_wrong",
            Self::BestLeaf => "best_leaf",
            Self::WorstLeaf => "worst_leaf",
            Self::Mean => "mean",
        })
    }
}
