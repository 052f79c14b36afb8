//! Who is right when Minimax picks M and Product picks P: the game rule at the root, and nothing else.

use std::fmt;

/// One of the two competing backup rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Minimaxing, which picks the node M.
    Minimax,
    /// Product propagation, which picks the node P.
    Product,
}

impl Side {
    /// Both sides, in the order of the columns of Table I.
    pub const BOTH: [Self; 2] = [Self::Minimax, Self::Product];

    /// `minimax` or `product`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Product => "product",
        }
    }

    /// The other backup rule.
    pub fn opponent(self) -> Self {
        match self {
            Self::Minimax => Self::Product,
            Self::Product => Self::Minimax,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The outcome of one case: which of the two backup rules is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// M is won and P is lost: critical, and only Minimax is right.
    MinimaxRight,
    /// M is lost and P is won: critical, and only Product is right.
    ProductRight,
    /// M and P are both won or both lost: the choice does not matter.
    Irrelevant,
}

impl Decision {
    /// The decision from the true values of the two nodes.
    ///
    /// ```
    /// use prodmax_cases::Decision;
    /// assert_eq!(Decision::from_truth(true, false), Decision::MinimaxRight);
    /// assert_eq!(Decision::from_truth(true, true), Decision::Irrelevant);
    /// ```
    pub fn from_truth(m_won: bool, p_won: bool) -> Self {
        match (m_won, p_won) {
            (true, false) => Self::MinimaxRight,
            (false, true) => Self::ProductRight,
            _ => Self::Irrelevant,
        }
    }

    /// The side that is right; `None` if the choice does not matter.
    pub fn favours(self) -> Option<Side> {
        match self {
            Self::MinimaxRight => Some(Side::Minimax),
            Self::ProductRight => Some(Side::Product),
            Self::Irrelevant => None,
        }
    }

    /// Whether the case is critical: the choice decides between a won and a lost node.
    pub fn is_critical(self) -> bool {
        self != Self::Irrelevant
    }

    /// `minimax`, `product` or `irrelevant`.
    pub fn name(self) -> &'static str {
        self.favours().map_or("irrelevant", Side::name)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
