//! Experiments: what a file in `specs/` says.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use prodmax_enumerate::{Line, Model, ModelError, ZeroMode};

use crate::settings::Settings;
use prodmax_jobs::ron_file::{self, RonError};

/// One experiment: what to compute, for which models, and which published figure it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// A short name, unique among the specs.
    pub id: String,
    /// The title that readers see.
    pub title: String,
    /// The paper, table and row it belongs to, or where else it comes from.
    pub source: String,
    /// The models, in the order in which they are computed.
    #[serde(default)]
    pub models: Vec<ModelGrid>,
    /// What to compute for each model.
    #[serde(default)]
    pub settings: Settings,
}

impl Experiment {
    /// Reads an experiment; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self, RonError> {
        ron_file::read_or_stdin(path)
    }

    /// All models of the experiment in order.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.models.iter().flat_map(|grid| &grid.models)
    }
}

/// Models that differ only in root and increments: every root with every list of increments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawGrid", into = "RawGrid")]
pub struct ModelGrid {
    raw: RawGrid,
    models: Vec<Model>,
}

impl ModelGrid {
    /// Every list of increments with every root; the root varies fastest.
    pub fn models(&self) -> &[Model] {
        &self.models
    }
}

/// The maximum number of models in a grid.
const MAX_MODELS: usize = 100_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "ModelGrid", deny_unknown_fields)]
struct RawGrid {
    roots: Vec<i64>,
    increments: Vec<Vec<i64>>,
    #[serde(default)]
    zero: ZeroMode,
    #[serde(default = "default_h_max")]
    h_max: i64,
    #[serde(default = "default_branching", skip_serializing_if = "is_default_branching")]
    branching: i64,
}

/// Why a grid of models is invalid.
#[derive(Debug, Error)]
enum GridError {
    #[error("the list of roots is empty; give at least one root")]
    NoRoots,
    #[error("the list of increments is empty; give at least one list like [8, 8]")]
    NoIncrements,
    #[error("{0} models are too many for one grid; at most {MAX_MODELS} are read")]
    TooMany(usize),
    #[error("root {root}, increments {increments:?}: {source}")]
    Model { root: i64, increments: Vec<i64>, source: ModelError },
}

fn default_h_max() -> i64 {
    Line::DEFAULT_H_MAX
}

fn default_branching() -> i64 {
    Model::DEFAULT_BRANCHING
}

fn is_default_branching(branching: &i64) -> bool {
    *branching == Model::DEFAULT_BRANCHING
}

impl TryFrom<RawGrid> for ModelGrid {
    type Error = GridError;

    fn try_from(raw: RawGrid) -> Result<Self, GridError> {
        if raw.roots.is_empty() {
            return Err(GridError::NoRoots);
        }
        if raw.increments.is_empty() {
            return Err(GridError::NoIncrements);
        }
        let count = raw.roots.len().saturating_mul(raw.increments.len());
        if count > MAX_MODELS {
            return Err(GridError::TooMany(count));
        }
        let mut models = Vec::with_capacity(count);
        for increments in &raw.increments {
            for &root in &raw.roots {
                let model = Model::new(root, increments, raw.zero, raw.h_max)
                    .and_then(|model| model.with_branching(raw.branching));
                let named = |source| GridError::Model { root, increments: increments.clone(), source };
                models.push(model.map_err(named)?);
            }
        }
        Ok(Self { raw, models })
    }
}

impl From<ModelGrid> for RawGrid {
    fn from(grid: ModelGrid) -> Self {
        grid.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(roots: usize, lists: usize) -> Result<ModelGrid, String> {
        let raw = RawGrid {
            roots: vec![1; roots],
            increments: vec![vec![0]; lists],
            zero: ZeroMode::Skip,
            h_max: default_h_max(),
            branching: 2,
        };
        ModelGrid::try_from(raw).map_err(|error| error.to_string())
    }

    #[test]
    fn a_grid_combines_every_list_with_every_root_and_varies_the_root_fastest() {
        let text =
            "(id: \"\", title: \"\", source: \"\", models: [(roots: [-1, 1], increments: [[2], [3, 4]])])";
        let experiment: Experiment = ron::from_str(text).unwrap();
        let expected = [(-1, vec![2]), (1, vec![2]), (-1, vec![3, 4]), (1, vec![3, 4])];
        let expected =
            expected.map(|(root, increments)| Model::new(root, &increments, ZeroMode::Skip, 42).unwrap());
        assert_eq!(experiment.models[0].models(), expected);
        assert_eq!(experiment.models().cloned().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_grid_can_have_more_moves_than_two() {
        let text = "(id: \"\", title: \"\", source: \"\", models: [(roots: [1], increments: [[2, 2]], branching: 3)])";
        let experiment: Experiment = ron::from_str(text).unwrap();
        assert_eq!(experiment.models().next().unwrap().branching(), 3);
        assert!(ron::to_string(&experiment).unwrap().contains("branching:3"));
        let wrong = ron::from_str::<Experiment>(&text.replace('3', "0")).unwrap_err().to_string();
        let sentence = "root 1, increments [2, 2]: the branching factor is 0; it must lie between 1 and 256";
        assert!(wrong.contains(sentence), "{wrong}");
    }

    #[test]
    fn the_size_of_a_grid_is_limited() {
        assert_eq!(grid(1000, 100).unwrap().models().len(), MAX_MODELS);
        assert_eq!(
            grid(1000, 101).unwrap_err(),
            "101000 models are too many for one grid; at most 100000 are read"
        );
        assert_eq!(grid(0, 1).unwrap_err(), "the list of roots is empty; give at least one root");
    }
}
