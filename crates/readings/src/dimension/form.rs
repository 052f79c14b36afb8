//! The probability that a node above leaves is won, per sign class of the leaves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the probabilities of two leaves make that of the node above them, seen from the side that moves there.
///
/// A reading has one form for each sign class of the leaves: both positive, mixed, both negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Independent leaves: the node is won if one of them is.
    #[default]
    Independent,
    /// The evaluation of the node (won if its better leaf is) is wrong only if those of all leaves are.
    AllWrong,
    /// As likely as its better leaf.
    BestLeaf,
    /// As likely as its worse leaf.
    WorstLeaf,
    /// The mean of both leaves.
    Mean,
}

/// A leaf as the side sees it that moves at the node above.
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
