//! The arguments that name models, for every command that works on them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use prodmax_enumerate::{Line, Model, Zero};
use prodmax_mass::Curve;
use prodmax_rules::RuleList;
use prodmax_spec::Experiment;

use crate::error::Error;
use crate::whole_number::whole;

/// A model by its root and increments, or the models of a spec.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelArgs {
    /// The heuristic value of the root.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = whole::<i64>)]
    root: Option<i64>,

    /// The greatest increment of each level, from the root's moves down: `8,8` is a tree of depth 2.
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    increments: Option<Increments>,

    /// Whether the value 0 exists: with `skip`, as in the paper, one step up from -1 is +1.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    zero: ZeroArg,

    /// The greatest heuristic value.
    #[arg(
        long,
        value_name = "VALUE",
        default_value_t = Line::DEFAULT_H_MAX,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    h_max: i64,

    /// The number of moves of every node.
    #[arg(
        long,
        value_name = "B",
        default_value_t = Model::DEFAULT_BRANCHING,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    branching: i64,

    /// Take all models of this file (`-` is standard input) instead.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["root", "increments", "zero", "h_max", "branching"])]
    spec: Option<PathBuf>,
}

/// What [`ModelArgs`] name.
#[derive(Clone, Debug)]
pub(crate) enum Models {
    /// By flags: results are about one model.
    One(Model),
    /// By a spec: results are a list, even if it has only one model.
    Spec(Box<Experiment>),
}

impl Models {
    /// All models in order.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &Model> + '_> {
        match self {
            Self::One(model) => Box::new(std::iter::once(model)),
            Self::Spec(spec) => Box::new(spec.models()),
        }
    }

    /// The curve of the estimate that a spec prescribes.
    pub(crate) fn estimate(&self) -> Option<&Curve> {
        match self {
            Self::One(_) => None,
            Self::Spec(spec) => spec.settings.estimate.as_ref(),
        }
    }
}

impl Models {
    /// The rules that a spec prescribes.
    pub(crate) fn rules(&self) -> Option<&RuleList> {
        match self {
            Self::One(_) => None,
            Self::Spec(spec) => spec.settings.rules.as_ref(),
        }
    }
}

impl ModelArgs {
    /// Whether a model is named at all.
    pub(crate) fn are_given(&self) -> bool {
        self.root.is_some() || self.increments.is_some() || self.spec.is_some()
    }

    /// Checks the flags or reads the spec.
    pub(crate) fn models(&self) -> Result<Models, Error> {
        if let Some(path) = &self.spec {
            return read_spec(path);
        }
        let (root, increments) = match (self.root, &self.increments) {
            (Some(root), Some(increments)) => (root, increments),
            (None, None) => return Err(Error::NoModel),
            (None, Some(_)) => return Err(Error::NoRoot),
            (Some(_), None) => return Err(Error::NoIncrements),
        };
        let model = Model::new(root, &increments.0, self.zero.into(), self.h_max)?;
        Ok(Models::One(model.with_branching(self.branching)?))
    }
}

fn read_spec(path: &Path) -> Result<Models, Error> {
    let spec = Experiment::read(path)?;
    if spec.models().next().is_none() {
        return Err(Error::EmptySpec { name: path.display().to_string() });
    }
    Ok(Models::Spec(Box::new(spec)))
}

/// A list of increments as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Increments(pub(crate) Vec<i64>);

impl FromStr for Increments {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self(Vec::new()));
        }
        let numbers: Result<_, String> = text.split(',').map(|part| whole(part.trim())).collect();
        numbers.map(Self).map_err(|reason| format!("{reason}; write a list like 8,8"))
    }
}

/// [`Zero`] for clap.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ZeroArg {
    /// There is no 0.
    #[default]
    Skip,
    /// Ordinary integers.
    Allow,
}

impl From<ZeroArg> for Zero {
    fn from(zero: ZeroArg) -> Self {
        match zero {
            ZeroArg::Skip => Self::Skip,
            ZeroArg::Allow => Self::Allow,
        }
    }
}
