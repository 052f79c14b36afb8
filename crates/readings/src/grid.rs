//! Grids of readings: a list of choices per dimension, and all their combinations.

use std::path::Path;

use prodmax_jobs::ron_file::{self, RonError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::dimension::{
    Form, MinNode, SameIncrement, ScaledCurve, Sharing, Statistic, Ties, Weights, ZeroReading,
};
use crate::reading::Reading;

/// The names of the dimensions, from the one that varies slowest in a grid's numbering to the fastest. The first six
/// decide which trees are critical and by which curve they are judged; the rest are cheap to vary.
pub const DIMENSIONS: [&str; 12] = [
    "estimate",
    "zero",
    "weights",
    "ties",
    "same_increment",
    "truth",
    "positive",
    "mixed",
    "negative",
    "min_node",
    "sharing",
    "statistic",
];

/// How many of the dimensions are constant within a block of readings.
pub const BLOCK_DIMENSIONS: usize = 6;

/// All combinations of these choices; dimensions that are left out are as the papers state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawGrid", into = "RawGrid")]
pub struct Grid(RawGrid);

/// A grid as read from a file, before it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Grid", default, deny_unknown_fields)]
struct RawGrid {
    estimate: Vec<ScaledCurve>,
    zero: Vec<ZeroReading>,
    weights: Vec<Weights>,
    ties: Vec<Ties>,
    same_increment: Vec<SameIncrement>,
    truth: Vec<ScaledCurve>,
    positive: Vec<Form>,
    mixed: Vec<Form>,
    negative: Vec<Form>,
    min_node: Vec<MinNode>,
    sharing: Vec<Sharing>,
    statistic: Vec<Statistic>,
}

impl Default for RawGrid {
    fn default() -> Self {
        Reading::default().into()
    }
}

impl From<Reading> for RawGrid {
    fn from(reading: Reading) -> Self {
        Self {
            estimate: vec![reading.estimate],
            zero: vec![reading.zero],
            weights: vec![reading.weights],
            ties: vec![reading.ties],
            same_increment: vec![reading.same_increment],
            truth: vec![reading.truth],
            positive: vec![reading.positive],
            mixed: vec![reading.mixed],
            negative: vec![reading.negative],
            min_node: vec![reading.min_node],
            sharing: vec![reading.sharing],
            statistic: vec![reading.statistic],
        }
    }
}

/// Why a grid is invalid.
#[derive(Debug, Error)]
enum GridError {
    #[error("the dimension {0} has no choices; leave it out to keep what the papers state")]
    Empty(&'static str),
    #[error("the dimension {0} has the choice {1} twice")]
    Twice(&'static str, String),
    #[error("{0}")]
    Conflict(String),
    #[error("a grid of {0:.1e} readings is too large; at most {MAX_READINGS} are allowed")]
    TooLarge(f64),
}

/// The maximum number of readings of one grid.
const MAX_READINGS: usize = 1 << 32;

impl TryFrom<RawGrid> for Grid {
    type Error = GridError;

    fn try_from(raw: RawGrid) -> Result<Self, GridError> {
        let grid = Self(raw);
        let mut len = 1.0;
        for (dimension, name) in DIMENSIONS.into_iter().enumerate() {
            let labels = grid.labels(dimension);
            if labels.is_empty() {
                return Err(GridError::Empty(name));
            }
            if let Some(twice) = labels.iter().enumerate().find(|(i, label)| labels[..*i].contains(label)) {
                return Err(GridError::Twice(name, twice.1.clone()));
            }
            len *= labels.len() as f64;
        }
        if len > MAX_READINGS as f64 {
            return Err(GridError::TooLarge(len));
        }
        // Only the few dimensions that vary within a block can conflict.
        for inner in 0..grid.block_len() {
            grid.reading(inner).check().map_err(|conflict| GridError::Conflict(conflict.to_string()))?;
        }
        Ok(grid)
    }
}

impl From<Grid> for RawGrid {
    fn from(grid: Grid) -> Self {
        grid.0
    }
}

impl From<Reading> for Grid {
    /// The grid of one reading.
    fn from(reading: Reading) -> Self {
        Self(reading.into())
    }
}

fn labels<T: ToString>(choices: &[T]) -> Vec<String> {
    choices.iter().map(ToString::to_string).collect()
}

impl Grid {
    /// The choices in a dimension (given by its index in [`DIMENSIONS`]) as they are written in files.
    pub fn labels(&self, dimension: usize) -> Vec<String> {
        let grid = &self.0;
        match dimension {
            0 => labels(&grid.estimate),
            1 => labels(&grid.zero),
            2 => labels(&grid.weights),
            3 => labels(&grid.ties),
            4 => labels(&grid.same_increment),
            5 => labels(&grid.truth),
            6 => labels(&grid.positive),
            7 => labels(&grid.mixed),
            8 => labels(&grid.negative),
            9 => labels(&grid.min_node),
            10 => labels(&grid.sharing),
            _ => labels(&grid.statistic),
        }
    }

    /// The number of choices per dimension.
    pub fn sizes(&self) -> [usize; DIMENSIONS.len()] {
        let grid = &self.0;
        [
            grid.estimate.len(),
            grid.zero.len(),
            grid.weights.len(),
            grid.ties.len(),
            grid.same_increment.len(),
            grid.truth.len(),
            grid.positive.len(),
            grid.mixed.len(),
            grid.negative.len(),
            grid.min_node.len(),
            grid.sharing.len(),
            grid.statistic.len(),
        ]
    }

    /// The number of readings.
    pub fn len(&self) -> usize {
        self.sizes().iter().product()
    }

    /// Always false: every dimension has at least one choice.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of readings in a block: they differ only in the last dimensions.
    pub fn block_len(&self) -> usize {
        self.sizes()[BLOCK_DIMENSIONS..].iter().product()
    }

    /// The choices of the reading with this index.
    pub fn choices(&self, mut index: usize) -> [usize; DIMENSIONS.len()] {
        let mut choices = [0; DIMENSIONS.len()];
        for (choice, size) in choices.iter_mut().zip(self.sizes()).rev() {
            *choice = index % size;
            index /= size;
        }
        choices
    }

    /// The reading with this index.
    pub fn reading(&self, index: usize) -> Reading {
        let c = self.choices(index);
        let grid = &self.0;
        Reading {
            estimate: grid.estimate[c[0]].clone(),
            zero: grid.zero[c[1]],
            weights: grid.weights[c[2]],
            ties: grid.ties[c[3]],
            same_increment: grid.same_increment[c[4]],
            truth: grid.truth[c[5]].clone(),
            positive: grid.positive[c[6]],
            mixed: grid.mixed[c[7]],
            negative: grid.negative[c[8]],
            min_node: grid.min_node[c[9]],
            sharing: grid.sharing[c[10]],
            statistic: grid.statistic[c[11]],
        }
    }
}

/// The contents of a grid file: grids that are searched one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Search", deny_unknown_fields)]
pub struct GridFile {
    /// A short name.
    pub id: String,
    /// The title that readers see.
    pub title: String,
    /// The grids.
    pub grids: Vec<Grid>,
}

impl GridFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, RonError> {
        ron_file::read(path)
    }
}
