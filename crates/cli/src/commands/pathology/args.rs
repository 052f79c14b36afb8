//! The options of `prodmax pathology`: the model, and which trees are sampled.

use std::path::PathBuf;

use clap::Args;
use prodmax_jobs::ron_file;
use prodmax_pathology::granularity::Range;
use prodmax_pathology::{Grains, RealModel, Sampling, Steps, Values};

use crate::error::Error;
use crate::whole_number::within;

/// The parameters of the model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(super) struct ModelArgs {
    /// Take the model of this file (`-` is standard input); other options change single parameters of it.
    #[arg(long, value_name = "FILE")]
    pub(super) spec: Option<PathBuf>,

    /// The branching factor [default: 2, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u32>(1..=RealModel::MAX_B.into())
    )]
    b: Option<u32>,

    /// The standard deviation of a node's value around its parent's [default: 1, or what the spec says]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = positive)]
    sigma_v: Option<f64>,

    /// The standard deviation of the noise at the lowest ply of search [default: 0.2, or what the spec says]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = positive)]
    sigma_e: Option<f64>,

    /// The distribution around the parent: normal, uniform or triangular [default: normal, or what the spec says]
    #[arg(long, value_name = "NAME")]
    steps: Option<Steps>,

    /// Whether leaves depend on each other: dependent or independent [default: dependent, or what the spec says]
    #[arg(long, value_name = "NAME")]
    values: Option<Values>,

    /// The bound of all values [default: none, or what the spec says]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = positive)]
    m: Option<f64>,

    /// The depth of the tree [default: 10, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=RealModel::MAX_DEPTH as i128)
    )]
    d_max: Option<usize>,

    /// Give values only N grains [default: real values, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u32>(2..=1_000_000)
    )]
    grains: Option<u32>,

    /// The grains cover the values from -X to X [default: all values of a leaf, or 3 standard deviations of one]
    #[arg(
        long,
        value_name = "X",
        requires = "grains",
        allow_negative_numbers = true,
        value_parser = positive
    )]
    range: Option<f64>,

    /// Print this depth of search only [default: all from 0 to d_max]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(0..=RealModel::MAX_DEPTH as i128)
    )]
    pub(super) d: Option<usize>,
}

/// Which trees are sampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sample")]
pub(super) struct SamplingArgs {
    /// How many trees [default: 10000, fewer where trees are large]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(2..=Sampling::MAX_TREES.into())
    )]
    trees: Option<u64>,

    /// The number of the first tree.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=1 << 62)
    )]
    first_tree: u64,

    /// The seed of all trees.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=u64::MAX.into())
    )]
    seed: u64,

    /// How often the noise of each tree is drawn.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=Sampling::MAX_REPETITIONS as i128)
    )]
    repetitions: usize,
}

/// A number greater than 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if number > 0.0 && number.is_finite() {
        Ok(number)
    } else {
        Err(format!("{text} is not a finite number greater than 0"))
    }
}

impl ModelArgs {
    pub(super) fn model(&self) -> Result<RealModel, Error> {
        let written: RealModel = match &self.spec {
            Some(path) => ron_file::read_or_stdin(path)?,
            None => RealModel::default(),
        };
        let mut model = RealModel {
            b: self.b.unwrap_or(written.b),
            steps: self.steps.unwrap_or(written.steps),
            values: self.values.unwrap_or(written.values),
            sigma_v: self.sigma_v.unwrap_or(written.sigma_v),
            sigma_e: self.sigma_e.unwrap_or(written.sigma_e),
            m: self.m.or(written.m),
            d_max: self.d_max.unwrap_or(written.d_max),
            grains: None,
        };
        let grains = self.grains.map(|count| {
            let default = || Range::Support.half_width(&model, count);
            let deviations = || Range::LeafDeviations(3.0).half_width(&model, count);
            let range = self.range.or_else(default).or_else(deviations).unwrap_or(1.0);
            Grains { count, range }
        });
        model.grains = grains.or(written.grains);
        Ok(model)
    }
}

impl SamplingArgs {
    /// The trees asked for; by default as many as in the paper for b = 2, fewer where that would take hours.
    pub(super) fn sampling(&self, leaves: f64) -> Sampling {
        let trees = self.trees.unwrap_or((2e7 / leaves).clamp(8.0, 10_000.0) as u64);
        Sampling { trees, first_tree: self.first_tree, seed: self.seed, repetitions: self.repetitions }
    }
}
