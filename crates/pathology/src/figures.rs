//! What is measured: one row of figures per depth of search, by any method.

use serde::{Deserialize, Serialize, Serializer};

/// What LGB tabulate by the depth d of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum Quantity {
    /// The mean of |true - heuristic value| at the root.
    PositionError,
    /// The probability that the move with the greatest heuristic value is not the best one (from d = 1 on).
    MoveError,
    /// The same, one ply above the lowest ply of search, for whoever moves there (from d = 1 on).
    StaticMoveError,
    /// The mean of |difference| between the true values of siblings at depth d (from d = 1 on).
    SiblingDifference,
    /// The probability that the true and the heuristic value of the root lie on different sides of the median of the
    /// root's true value.
    TwoValueError,
    /// The same for a node at the lowest ply of search.
    StaticTwoValueError,
}

impl Quantity {
    /// All quantities, in the order of a row.
    pub const ALL: [Self; 6] = [
        Self::PositionError,
        Self::MoveError,
        Self::StaticMoveError,
        Self::SiblingDifference,
        Self::TwoValueError,
        Self::StaticTwoValueError,
    ];

    /// The key in JSON and in data files.
    pub fn name(self) -> &'static str {
        match self {
            Self::PositionError => "position_error",
            Self::MoveError => "move_error",
            Self::StaticMoveError => "static_move_error",
            Self::SiblingDifference => "sibling_difference",
            Self::TwoValueError => "two_value_error",
            Self::StaticTwoValueError => "static_two_value_error",
        }
    }

    /// Whether it exists for a search to depth d: without a move there is no move error.
    pub fn exists(self, d: usize) -> bool {
        d > 0 || !matches!(self, Self::MoveError | Self::StaticMoveError | Self::SiblingDifference)
    }
}

/// How well a value is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uncertainty {
    /// The stated error of a computation (see `integrate::romberg` for how it is found).
    Error(f64),
    /// The standard error over sampled trees.
    StandardError(f64),
}

impl Uncertainty {
    /// The number.
    pub fn amount(self) -> f64 {
        match self {
            Self::Error(amount) | Self::StandardError(amount) => amount,
        }
    }

    /// The key in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error(_) => "error",
            Self::StandardError(_) => "standard_error",
        }
    }
}

/// A value and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UncertainValue {
    /// The value.
    pub value: f64,
    /// How well it is known.
    pub uncertainty: Uncertainty,
}

impl UncertainValue {
    /// A computed value.
    pub fn computed(value: f64, error: f64) -> Self {
        Self { value, uncertainty: Uncertainty::Error(error) }
    }
}

/// All figures of a search to depth d; `None` where a quantity does not exist or was not measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The depth of search.
    pub d: usize,
    /// In the order of [`Quantity::ALL`].
    pub figures: [Option<UncertainValue>; 6],
}

impl Row {
    /// The figure of a quantity.
    pub fn get(&self, quantity: Quantity) -> Option<UncertainValue> {
        self.figures[quantity as usize]
    }
}

impl TryFrom<String> for Quantity {
    type Error = String;
    fn try_from(name: String) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|quantity| quantity.name() == name);
        named.ok_or_else(|| format!("`{name}` is not a quantity"))
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
