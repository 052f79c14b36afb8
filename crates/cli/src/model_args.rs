//! The arguments that name models, for every command that works on them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use prodmax_enumerate::{Line, Model, ModelError, ZeroMode};
use prodmax_output::answer::Listed;
use prodmax_spec::{Experiment, Settings};
use serde_json::Value;

use crate::error::Error;
use crate::files::Files;
use crate::roots::{self, Roots};
use crate::whole_number::whole;

/// The maximum number of models at once.
pub(crate) const MAX_MODELS: usize = 100_000;

/// Models by their roots and increments, or those of a spec.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelArgs {
    /// The heuristic value of the root, or several: a list like -4,-1,1 or a range like -4..2, with both ends and all
    /// values between them that exist.
    #[arg(long, value_name = "VALUES")]
    root: Vec<Roots>,

    /// The greatest increment of each level, from the root's moves down: `8,8` is a tree of depth 2. May be given several
    /// times; every list goes with every root.
    #[arg(long, value_name = "A,B,…")]
    increments: Vec<Increments>,

    /// Whether the value 0 exists: with `skip`, as in the paper, one step up from -1 is +1 [default: skip, or what the
    /// spec says]
    #[arg(long, value_enum, value_name = "HOW")]
    zero: Option<ZeroArg>,

    /// The greatest heuristic value [default: 42, or what the spec says]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = whole::<i64>)]
    h_max: Option<i64>,

    /// The number of moves of every node [default: 2, or what the spec says]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = whole::<i64>)]
    branching: Option<i64>,

    /// Take all models of this file (`-` is standard input) instead.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["root", "increments"])]
    spec: Option<PathBuf>,
}

/// The models that [`ModelArgs`] name: at least one.
#[derive(Clone, Debug)]
pub(crate) struct Models {
    models: Vec<Model>,
    /// Whether the results are about one model. A list, a range or a spec gives a list of results even if it has only
    /// one model, so that a script need not check.
    is_one: bool,
    /// What a spec prescribes.
    settings: Settings,
}

impl Models {
    /// All models in order.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Model> {
        self.models.iter()
    }

    /// The model, if only one was named.
    pub(crate) fn one(&self) -> Option<&Model> {
        self.models.first().filter(|_| self.is_one)
    }

    /// What a spec prescribes; empty without one.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Results for programs: an object for one model, a list for several.
    pub(crate) fn listed<T>(&self, results: Vec<T>) -> Listed<T> {
        Listed::new(self.is_one, results)
    }

    /// The same for values.
    pub(crate) fn json(&self, results: impl IntoIterator<Item = Value>) -> Value {
        let mut results: Vec<Value> = results.into_iter().collect();
        if self.is_one && results.len() == 1 { results.swap_remove(0) } else { Value::Array(results) }
    }
}

impl ModelArgs {
    /// Whether a model is named at all.
    pub(crate) fn are_given(&self) -> bool {
        !self.root.is_empty() || !self.increments.is_empty() || self.spec.is_some()
    }

    /// The files that are read for the models.
    pub(crate) fn files(&self) -> Files {
        Files::default().reads("--spec", &self.spec)
    }

    /// Checks the flags or reads the spec.
    pub(crate) fn models(&self) -> Result<Models, Error> {
        if let Some(path) = &self.spec {
            return self.read_spec(path);
        }
        match (&self.root[..], &self.increments[..]) {
            ([], []) => return Err(Error::NoModel),
            ([], _) => return Err(Error::NoRoot),
            (_, []) => return Err(Error::NoIncrements),
            _ => {}
        }
        let zero = self.zero.unwrap_or_default().into();
        let h_max = self.h_max.unwrap_or(Line::DEFAULT_H_MAX);
        let branching = self.branching.unwrap_or(Model::DEFAULT_BRANCHING);
        if let (Some(root), [increments]) = (roots::single(&self.root), &self.increments[..]) {
            let models = vec![Model::new(root, &increments.0, zero, h_max)?.with_branching(branching)?];
            return Ok(Models { models, is_one: true, settings: Settings::default() });
        }
        let line = Line::new(h_max, zero).map_err(ModelError::from)?;
        let roots = roots::values(&self.root, &line)?;
        let count = roots.len().saturating_mul(self.increments.len());
        if count > MAX_MODELS {
            return Err(Error::ManyModels(count));
        }
        let mut models = Vec::with_capacity(count);
        // The root varies fastest, as in specs.
        for increments in &self.increments {
            for &root in &roots {
                models.push(named_model(root, &increments.0, zero, h_max, branching)?);
            }
        }
        Ok(Models { models, is_one: false, settings: Settings::default() })
    }

    /// The models of a spec, on another line if one is named.
    fn read_spec(&self, path: &Path) -> Result<Models, Error> {
        let spec = Experiment::read(path)?;
        let on_line = |model: &Model| {
            if self.zero.is_none() && self.h_max.is_none() && self.branching.is_none() {
                return Ok(model.clone());
            }
            let increments: Vec<i64> = model.increments().iter().map(|&a| a.into()).collect();
            let zero = self.zero.map_or(model.line().zero(), ZeroMode::from);
            let h_max = self.h_max.unwrap_or(model.line().h_max().into());
            let branching = self.branching.unwrap_or(model.branching() as i64);
            named_model(model.root().get().into(), &increments, zero, h_max, branching)
        };
        let models = spec.models().map(on_line).collect::<Result<Vec<_>, _>>()?;
        if models.is_empty() {
            return Err(Error::EmptySpec { name: path.display().to_string() });
        }
        Ok(Models { models, is_one: false, settings: spec.settings })
    }
}

/// A model; an error names it by its root and increments.
fn named_model(
    root: i64,
    increments: &[i64],
    zero: ZeroMode,
    h_max: i64,
    branching: i64,
) -> Result<Model, Error> {
    let model = Model::new(root, increments, zero, h_max).and_then(|model| model.with_branching(branching));
    model.map_err(|source| {
        let increments: Vec<String> = increments.iter().map(i64::to_string).collect();
        let root = if root == 0 { "0".to_owned() } else { format!("{root:+}") };
        Error::OneOfModels { root, increments: increments.join(","), source }
    })
}

/// A list of increments as typed.
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

/// [`ZeroMode`] for clap.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ZeroArg {
    /// There is no 0.
    #[default]
    Skip,
    /// Ordinary integers.
    Allow,
}

impl From<ZeroArg> for ZeroMode {
    fn from(zero: ZeroArg) -> Self {
        match zero {
            ZeroArg::Skip => Self::Skip,
            ZeroArg::Allow => Self::Allow,
        }
    }
}
