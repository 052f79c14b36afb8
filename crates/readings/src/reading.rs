//! A reading: one choice in each dimension.

use std::path::Path;

use prodmax_enumerate::{EnumerateError, Model, ModelError};
use prodmax_jobs::ron_file::{self, RonError};
use prodmax_mass::MassError;
use prodmax_number::possible::ImpossibleFigure;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::dimension::{
    Form, MinNode, SameIncrement, ScaledCurve, Sharing, Statistic, Ties, Weights, ZeroReading,
};

/// One choice in each dimension; dimensions that are left out are as the papers state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// the curve through which rules see the leaves
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub estimate: ScaledCurve,
    /// the value 0
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub zero: ZeroReading,
    /// what counts as one tree
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub weights: Weights,
    /// how a tie counts
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub ties: Ties,
    /// how trees whose branches have equal first increments count
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub same_increment: SameIncrement,
    /// the curve of the true probabilities
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub truth: ScaledCurve,
    /// the truth of a node whose leaves are both evaluated as won for the side that moves there
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub positive: Form,
    /// the truth of a node with one leaf of either kind (a leaf at 0 counts as won for MAX)
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub mixed: Form,
    /// the truth of a node whose leaves are both evaluated as lost for that side
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub negative: Form,
    /// the truth of a MIN node above leaves
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub min_node: MinNode,
    /// which leaves share their truth
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub sharing: Sharing,
    /// the reading's statistic
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub statistic: Statistic,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            estimate: ScaledCurve::arctan(1),
            zero: ZeroReading::default(),
            weights: Weights::default(),
            ties: Ties::default(),
            same_increment: SameIncrement::default(),
            truth: ScaledCurve::arctan(4),
            positive: Form::default(),
            mixed: Form::default(),
            negative: Form::default(),
            min_node: MinNode::default(),
            sharing: Sharing::default(),
            statistic: Statistic::default(),
        }
    }
}

/// Why a reading cannot be measured.
#[derive(Debug, Error)]
pub enum ReadingError {
    /// A figure that cannot be.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// Its choices exclude each other.
    #[error(
        "with truth shared in a {0} the nodes follow the game rule; leave positive, mixed and negative out \
         (independent) or share nothing"
    )]
    Conflict(Sharing),
    /// More or fewer than two moves.
    #[error("readings are of trees with two moves everywhere, not with {0}")]
    Branching(usize),
    /// The model does not fit on the reading's line.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The classes cannot be enumerated.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// The classes cannot be ordered.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// The model is too large for this reading.
    #[error("{classes} depth-1 classes are too many for a reading; at most {most} are allowed")]
    TooManyClasses {
        /// Their number.
        classes: String,
        /// The limit.
        most: u32,
    },
    /// The model is too deep for shared truth.
    #[error("shared truth is computed only up to depth 4, but this model has depth {0}")]
    TooDeep(usize),
    /// The file does not exist or does not contain a reading.
    #[error(transparent)]
    File(#[from] RonError),
    /// The reading in a file is invalid.
    #[error("{name}: {source}")]
    InFile {
        /// The file.
        name: String,
        /// What is wrong.
        source: Box<ReadingError>,
    },
    /// No reading has this name.
    #[error(
        "there is no reading `{0}`; name one of {names} or a file that ends in .ron",
        names = Reading::NAMES.join(", ")
    )]
    Unknown(String),
}

/// A reading with its name and where it comes from: a file in `specs/readings/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Reading", deny_unknown_fields)]
pub struct ReadingFile {
    /// A short name.
    pub id: String,
    /// The title that readers see.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// The choices.
    #[serde(default)]
    pub choices: Reading,
}

/// The readings that come with the program.
const FILES: [(&str, &str); 4] = [
    ("stated", prodmax_data::text("specs/readings/stated.ron")),
    ("per-case", prodmax_data::text("specs/readings/per-case.ron")),
    ("sign-wise", prodmax_data::text("specs/readings/sign-wise.ron")),
    ("error-product", prodmax_data::text("specs/readings/error-product.ron")),
];

impl Reading {
    /// The names of the readings that come with the program.
    pub const NAMES: [&str; FILES.len()] = [FILES[0].0, FILES[1].0, FILES[2].0, FILES[3].0];

    /// An error if choices exclude each other.
    pub fn check(&self) -> Result<(), ReadingError> {
        let forms = [self.positive, self.mixed, self.negative];
        let by_game_rule = matches!(self.sharing, Sharing::Branch | Sharing::Tree);
        if by_game_rule && forms != [Form::Independent; 3] {
            return Err(ReadingError::Conflict(self.sharing));
        }
        Ok(())
    }

    /// The model with the same root and increments on this reading's line.
    pub fn model(&self, model: &Model) -> Result<Model, ReadingError> {
        if !model.is_binary() {
            return Err(ReadingError::Branching(model.branching()));
        }
        let increments: Vec<i64> = model.increments().iter().map(|&a| a.into()).collect();
        let h_max = self.truth.h_max.min(self.estimate.h_max);
        Ok(Model::new(model.root().get().into(), &increments, self.zero.line(), h_max.into())?)
    }
}

impl ReadingFile {
    /// The reading with this name, or from this file.
    pub fn load(name_or_file: &str) -> Result<Self, ReadingError> {
        let built_in = FILES.iter().find(|(name, _)| *name == name_or_file);
        let file: Self = match built_in {
            Some((name, text)) => ron_file::parse(text, &format!("specs/readings/{name}.ron"))?,
            None if name_or_file.ends_with(".ron") => ron_file::read(Path::new(name_or_file))?,
            None => return Err(ReadingError::Unknown(name_or_file.to_owned())),
        };
        let in_file =
            |source| ReadingError::InFile { name: name_or_file.to_owned(), source: Box::new(source) };
        file.choices.check().map_err(in_file)?;
        Ok(file)
    }
}
