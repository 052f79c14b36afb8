//! What is measured: one row of figures per depth of search, by any method.

use prodmax_number::Approximate;
use prodmax_number::possible::{Impossible, ImpossibleFigure, Kind};
use serde::{Deserialize, Serialize, Serializer};

use crate::model::RealModel;

/// The greatest stated error of a computed figure, unless another is asked for.
pub const TOLERANCE: f64 = 1e-5;

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

    /// What a reader calls it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::PositionError => "the position error",
            Self::MoveError => "the move error",
            Self::StaticMoveError => "the static move error",
            Self::SiblingDifference => "the difference of siblings",
            Self::TwoValueError => "the two-value error",
            Self::StaticTwoValueError => "the static two-value error",
        }
    }

    /// Whether it is a length or a probability.
    pub fn kind(self) -> Kind {
        match self {
            Self::PositionError | Self::SiblingDifference => Kind::Size,
            Self::MoveError | Self::StaticMoveError | Self::TwoValueError | Self::StaticTwoValueError => {
                Kind::Probability
            }
        }
    }

    /// Whether it exists for a search to depth d: without a move there is no move error.
    pub fn exists(self, d: usize) -> bool {
        d > 0 || !matches!(self, Self::MoveError | Self::StaticMoveError | Self::SiblingDifference)
    }
}

/// How well computed figures have to be known: probabilities to a number, lengths to a part of the greater of σ_v and σ_e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Of probabilities.
    pub probability: f64,
    /// Of lengths.
    pub length: f64,
}

impl Tolerance {
    /// The tolerance of a model's figures.
    pub fn of(model: &RealModel, tolerance: f64) -> Self {
        Self { probability: tolerance, length: tolerance * model.sigma_v.max(model.sigma_e) }
    }

    fn for_kind(self, kind: Kind) -> f64 {
        if kind == Kind::Probability { self.probability } else { self.length }
    }

    /// Whether a figure is known well enough.
    pub fn admits(self, kind: Kind, figure: Approximate) -> bool {
        figure.error() <= self.for_kind(kind)
    }
}

/// All figures of a search to depth d; `None` where a quantity does not exist or was not measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The depth of search.
    pub d: usize,
    /// In the order of [`Quantity::ALL`].
    pub figures: [Option<Approximate>; 6],
}

impl Row {
    /// The figures of a search to depth d, in the order of [`Quantity::ALL`], each of which passes the gate.
    pub fn new(
        d: usize,
        figures: [Option<Approximate>; 6],
        tolerance: Tolerance,
    ) -> Result<Self, ImpossibleFigure> {
        let mut passed = [None; 6];
        for ((quantity, figure), passed) in Quantity::ALL.into_iter().zip(figures).zip(&mut passed) {
            let kind = quantity.kind();
            let check = |figure: Approximate| figure.known_to(kind, tolerance.for_kind(kind));
            let named =
                |reason: Impossible| reason.of(format!("{} of a search to depth {d}", quantity.words()));
            *passed = figure.map(check).transpose().map_err(named)?;
        }
        Ok(Self { d, figures: passed })
    }

    /// The figure of a quantity.
    pub fn get(&self, quantity: Quantity) -> Option<Approximate> {
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
