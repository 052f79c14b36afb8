//! `prodmax pathology`: real-valued minimax, LGB's Tables 1 to 11 and other parameters.

mod tables;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use prodmax_effort::Effort;
use prodmax_pathology::granularity::{Range, grained};
use prodmax_pathology::sample::check as check_sample;
use prodmax_pathology::tables::{Method, TABLES, TableError, compare};
use prodmax_pathology::{Grains, RealModel, Row, Sampling, Steps, Values, effort, integrate, sample};
use prodmax_spec::ron_file;

use super::Run;
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::output::{Outcome, Output};
use crate::whole_number::within;

/// Does deeper search hurt when values are real numbers? LGB's Tables 1 to 11.
///
/// In the model of Luštrek, Gams and Bratko (LGB) the values of siblings lie around
/// that of their parent. A search to depth d sees the true values at depth d through
/// normal noise and backs them up by minimax. Position error is the mean distance of
/// the root's true and heuristic value, move error the probability of a wrong move.
/// If they grow with d, minimax is pathological.
///
/// The paper sampled 10,000 trees. Here the joint law of true and heuristic value is
/// computed from the leaves to the root (--method integrate), with a stated error, for
/// any branching factor; --method sample repeats the paper's experiment, with standard
/// errors over trees.
///
/// Examples:
///
///     prodmax pathology --table 5
///
/// puts our figures next to the published ones: a figure agrees if it lies within 2
/// standard errors of a sample of the paper's size, it is near within 4.
///
///     prodmax pathology --b 40 --sigma-e 0.2
///
/// computes all errors for 40 moves at every node, depth 10: 10^16 leaves.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Pathology {
    /// Compare this table of LGB with our figures.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=TABLES as i128),
        conflicts_with_all = ["spec", "b", "sigma_v", "sigma_e", "steps", "values", "m", "d_max", "grains", "range", "d"]
    )]
    table: Option<usize>,

    /// How figures are found [default: integrate, or sample where integration is not possible]
    #[arg(long, value_enum, value_name = "HOW")]
    method: Option<MethodArg>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    sampling: SamplingArgs,
}

/// [`Method`] for clap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// By recursion of the laws, with a stated error
    Integrate,
    /// From random trees, with standard errors
    Sample,
    /// Both
    Both,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Integrate => Self::Integrate,
            MethodArg::Sample => Self::Sample,
            MethodArg::Both => Self::Both,
        }
    }
}

/// The parameters of the model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct ModelArgs {
    /// Take the model of this file (`-` is standard input); other options change single parameters of it.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,

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
    d: Option<usize>,
}

/// Which trees are sampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sample")]
struct SamplingArgs {
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
fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if number > 0.0 && number.is_finite() {
        Ok(number)
    } else {
        Err(format!("{text} is not a finite number greater than 0"))
    }
}

impl ModelArgs {
    fn model(&self) -> Result<RealModel, Error> {
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
    fn sampling(&self, leaves: f64) -> Sampling {
        let trees = self.trees.unwrap_or((2e7 / leaves).clamp(8.0, 10_000.0) as u64);
        Sampling { trees, first_tree: self.first_tree, seed: self.seed, repetitions: self.repetitions }
    }
}

impl Pathology {
    fn table(&self, context: &Context, table: usize) -> Result<Outcome, Error> {
        let method = self.method.map_or(Method::Integrate, Method::from);
        let sampling = self.sampling.sampling(1024.0);
        let effort = effort::table(table, method, &sampling, rayon::current_num_threads());
        let what = format!("table {table}");
        let _meter = guard::admit(context, &what, effort, "sample fewer trees with --trees")?;
        let cells = compare(table, method, sampling)?;
        Ok(Outcome::Figures(Output::figures(
            tables::compared_json(table, &cells),
            vec![tables::compared(table, &cells)],
        )))
    }

    fn rows(&self, context: &Context) -> Result<Outcome, Error> {
        let model = self.model.model()?;
        model.check().map_err(TableError::from)?;
        if let Some(d) = self.model.d {
            model.check_depth(d).map_err(TableError::from)?;
        }
        let computable = match model.grains {
            None => model.m.is_none(),
            Some(_) => grained_is_possible(&model),
        };
        let default = if computable { MethodArg::Integrate } else { MethodArg::Sample };
        let method = self.method.unwrap_or(default);
        if self.method.is_none() && !computable {
            context.note("this model is not integrated; its figures are sampled");
        }
        let leaves = f64::from(model.b).powi(model.d_max as i32);
        let sampling = self.sampling.sampling(leaves);
        let threads = rayon::current_num_threads();
        let mut work = Effort::NONE;
        if method != MethodArg::Sample {
            let grained = model.grains.is_some();
            let one = if grained { effort::grained } else { effort::integration };
            work = work.then(one(&model, threads));
        }
        if method != MethodArg::Integrate {
            check_sample(&model, sampling).map_err(TableError::from)?;
            work = work.then(effort::sample(&model, &sampling, threads));
        }
        let instead = "use a smaller b, d_max or number of grains, or sample fewer trees with --trees";
        let _meter = guard::admit(context, "the model", work, instead)?;
        let mut median = None;
        let integrated: Option<Vec<Row>> = match (method, model.grains) {
            (MethodArg::Sample, _) => None,
            (_, Some(_)) => Some(grained(&model).map_err(TableError::from)?),
            (_, None) => {
                let integration = integrate(&model, 1e-5).map_err(TableError::from)?;
                median = Some(integration.median);
                Some(integration.rows)
            }
        };
        let sampled = match method {
            MethodArg::Integrate => None,
            _ => {
                // The threshold of the two-value errors is the exact median where it is known.
                let unbounded = model.m.is_none() && model.grains.is_none();
                let known = median.map(|median| median.value);
                let threshold = known
                    .or_else(|| integrate(&model, 1e-5).ok().filter(|_| unbounded).map(|i| i.median.value));
                Some(sample(&model, sampling, threshold).map_err(TableError::from)?)
            }
        };
        let asked = |rows: Vec<Row>| -> Vec<Row> {
            rows.into_iter().filter(|row| self.model.d.is_none_or(|d| d == row.d)).collect()
        };
        let found = tables::Found {
            model: &model,
            median,
            integrated: integrated.map(asked),
            sampled: sampled.map(asked),
            sampling,
        };
        Ok(Outcome::Figures(Output::figures(found.json(), found.tables())))
    }
}

/// Whether a model with grains can be computed.
fn grained_is_possible(model: &RealModel) -> bool {
    let small = model.grains.is_some_and(|grains| grains.count <= prodmax_pathology::granularity::MAX_GRAINS);
    small && model.m.is_none() && (model.values == Values::Independent || model.steps == Steps::Normal)
}

impl Run for Pathology {
    fn files(&self) -> Files {
        Files::default().reads("--spec", &self.model.spec)
    }

    fn run(&self, context: &Context) -> Result<Outcome, Error> {
        match self.table {
            Some(table) => self.table(context, table),
            None => self.rows(context),
        }
    }
}
