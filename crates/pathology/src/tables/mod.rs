//! Our figures compared with the published ones: every figure of LGB's Tables 1 to 11.

pub mod columns;
pub mod criterion;
mod equation_9;
mod granular;
mod published;
pub mod samples;
pub mod threshold;

use prodmax_jobs::ron_file::RonError;
use prodmax_number::possible::ImpossibleFigure;
use thiserror::Error;

pub use self::columns::ColumnDeviation;
pub use self::equation_9::Equation9;
pub use self::granular::Scatter;
pub use self::published::{PrintedFigure, TABLES, published};
use self::samples::Samples;
use crate::figures::{Quantity, Row, TOLERANCE};
use crate::integrate::{Constant, IntegrateError, integrate_each, sigma_e_for};
use crate::model::{RealModel, Steps, Values};
use crate::sample::{SampleError, Sampling, sample_each};
use prodmax_number::{Approximate, Uncertainty};

/// How our figures are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By recursion of the laws.
    #[default]
    Integrate,
    /// From random trees.
    Sample,
    /// Both, so that one can be checked against the other.
    Both,
}

/// Why a table cannot be computed.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table.
    #[error("LGB have no Table {0}; give a number from 1 to {TABLES}")]
    Unknown(usize),
    /// A model is invalid.
    #[error(transparent)]
    RealModel(#[from] crate::model::RealModelError),
    /// Integration failed.
    #[error(transparent)]
    Integrate(#[from] IntegrateError),
    /// Sampling failed.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The computation with grains failed.
    #[error(transparent)]
    Grains(#[from] crate::granularity::GrainError),
    /// A figure that does not pass the gate.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// A sample cannot be completed.
    #[error(transparent)]
    Results(#[from] crate::sample::SampleResultsError),
    /// The printed column of Table 6 has no best exponential.
    #[error("eq. (9) cannot be fitted to the printed column of Table 6; correct golden/pathology/table6.ron")]
    NoFit,
    /// The recorded samples cannot be read.
    #[error("the recorded samples cannot be read: {0}; record them again (`make record-pathology`)")]
    Record(String),
    /// The published figures cannot be read.
    #[error(transparent)]
    PrintedFigure(#[from] RonError),
}

/// How close a published figure is to ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// Within 2 standard errors of a sample of the paper's size, or equal if it is a count: as for golden entries.
    Agrees,
    /// Within 4, as about one figure in twenty should be.
    Near,
    /// Further away.
    Differs,
}

impl Closeness {
    /// By the deviation in standard errors.
    fn of(deviation: f64) -> Self {
        match deviation.abs() {
            off if off <= 2.0 => Self::Agrees,
            off if off <= 4.0 => Self::Near,
            _ => Self::Differs,
        }
    }

    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Near => "near",
            Self::Differs => "differs",
        }
    }
}

/// A published figure and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// As printed.
    pub published: PrintedFigure,
    /// By integration; `None` if it was not requested.
    pub integrated: Option<Approximate>,
    /// From our own sample.
    pub sampled: Option<Approximate>,
    /// The standard error of a sample of the paper's size, from the variance between recorded trees; `None` for
    /// counts.
    pub paper_standard_error: Option<f64>,
    /// How close the two are.
    pub verdict: Closeness,
}

impl Compared {
    /// Our figure: integrated if possible, otherwise sampled.
    pub fn ours(&self) -> Option<Approximate> {
        self.integrated.or(self.sampled)
    }

    /// By how many standard errors the published figure is off, beyond what rounding explains.
    pub fn deviation(&self) -> Option<f64> {
        Some(deviation(&self.published, self.ours()?, self.paper_standard_error?))
    }
}

fn deviation(published: &PrintedFigure, ours: Approximate, paper_standard_error: f64) -> f64 {
    let error = match ours.uncertainty {
        Uncertainty::StandardError(error) => error.hypot(paper_standard_error),
        _ => paper_standard_error,
    };
    let off = published.value() - ours.value;
    let beyond = (off.abs() - published.half_unit()).max(0.0);
    // Without an error anything beyond rounding is infinitely far off.
    if beyond == 0.0 { 0.0 } else { (beyond / error).copysign(off) }
}

/// The depth of search of a row.
fn depth(table: usize, d_max: usize, row: usize) -> usize {
    if table == 8 { d_max.saturating_sub(row) } else { row }
}

/// The number of trees behind most published figures.
pub const PAPER_TREES: u64 = 10_000;

/// The columns of a table that share a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// As in the published data.
    pub name: &'static str,
    /// The model; σ_e may be replaced, see `constant`.
    pub model: RealModel,
    /// The static error that is kept the same for all depths, if any, and its value.
    pub constant: Option<(Constant, f64)>,
    /// The number of trees behind the published figures.
    pub trees: u64,
}

impl Series {
    /// The leaves of one tree.
    pub fn leaves(&self) -> f64 {
        f64::from(self.model.b).powi(self.model.d_max as i32)
    }

    fn has_model_of(&self, other: &Self) -> bool {
        (&self.model, self.constant) == (&other.model, other.constant)
    }
}

/// The models of a table; empty for Table 6, which is about numbers of grains, and for tables that do not exist.
pub fn series(table: usize) -> Vec<Series> {
    let one = |name, model: RealModel, constant| {
        let trees = if model.b == 5 { 2500 } else { PAPER_TREES };
        Series { name, model, constant, trees }
    };
    let plain = |name, model| one(name, model, None);
    let initial = RealModel::default();
    let independent = RealModel { values: Values::Independent, ..initial.clone() };
    let pair = |first, second| {
        vec![one("dependent", initial.clone(), first), one("independent", independent.clone(), second)]
    };
    match table {
        1 => vec![plain("b=2", initial.clone()), plain("b=5", RealModel { b: 5, ..initial.clone() })],
        2 => {
            let named = |steps: Steps| plain(steps.name(), RealModel { steps, ..initial.clone() });
            vec![named(Steps::Normal), named(Steps::Triangular), named(Steps::Uniform)]
        }
        3 => {
            let bounded = |name, m| plain(name, RealModel { m, ..initial.clone() });
            vec![
                bounded("m=1", Some(1.0)),
                bounded("m=2", Some(2.0)),
                bounded("m=3", Some(3.0)),
                bounded("m=4", Some(4.0)),
                bounded("m=5", Some(5.0)),
                bounded("m=infinite", None),
            ]
        }
        4 => {
            let noisy = |name, sigma_e| plain(name, RealModel { sigma_e, ..initial.clone() });
            vec![
                noisy("sigma_e=1", 1.0),
                noisy("sigma_e=0.5", 0.5),
                noisy("sigma_e=0.2", 0.2),
                noisy("sigma_e=0.1", 0.1),
            ]
        }
        5 => vec![plain("independent", independent)],
        7 | 8 | 10 => pair(None, None),
        // That of the deepest search with σ_e = 0.2: siblings at depth 10 are normal, which gives .0628.
        9 => {
            let constant = Some((Constant::StaticMoveError, 0.2f64.atan() / std::f64::consts::PI));
            pair(constant, constant)
        }
        // The same from Table 10, as printed there.
        11 => {
            let constant = |target| Some((Constant::StaticTwoValueError, target));
            pair(constant(0.0202), constant(0.0592))
        }
        _ => Vec::new(),
    }
}

/// The noise for every depth of search: the model's, or the noise that keeps a static error constant.
pub fn noise(series: &Series) -> Result<Vec<f64>, IntegrateError> {
    let model = &series.model;
    match series.constant {
        None => Ok(vec![model.sigma_e; model.d_max + 1]),
        Some((constant, target)) => {
            let solved = sigma_e_for(model, constant, target)?;
            Ok(solved.iter().map(|figure| figure.map_or(model.sigma_e, |figure| figure.value)).collect())
        }
    }
}

/// Rows by both methods, as far as they were asked for.
struct Found {
    integrated: Option<Vec<Row>>,
    sampled: Option<Vec<Row>>,
    /// Rows whose standard errors are those of a sample of `recorded_trees` trees.
    recorded: Vec<Row>,
    recorded_trees: u64,
}

/// The figures of a model. The sample is the recorded one unless another is asked for.
fn find(
    series: &Series,
    method: Method,
    samples: &Samples,
    sampling: Option<&SamplingOf<'_>>,
) -> Result<Found, TableError> {
    let missing = || TableError::Record(format!("there is no sample for {}", series.name));
    let recorded = samples.of(series).ok_or_else(missing)?;
    let rows = recorded.curves()?.swap_remove(0);
    let integration = match method {
        Method::Sample => None,
        _ => Some(integrate_each(&series.model, &noise(series)?, TOLERANCE)?),
    };
    let sampled = match (method, sampling) {
        (Method::Integrate, _) => None,
        (_, None) => Some(rows.clone()),
        // The threshold and the noise of every depth are those of the record, which integration found.
        (_, Some(sampling)) => {
            let spec = &recorded.spec;
            Some(sample_each(&series.model, &spec.sigma_e, sampling(series.leaves()), spec.threshold)?)
        }
    };
    Ok(Found {
        integrated: integration.map(|integration| integration.rows),
        sampled,
        recorded: rows,
        recorded_trees: recorded.finished.count(),
    })
}

/// Which trees to sample where a tree has this many leaves.
pub type SamplingOf<'a> = dyn Fn(f64) -> Sampling + 'a;

/// A table: every published figure together with ours, in the order of the published data. `sampling` says which trees
/// to sample if figures are sampled.
pub fn compare(table: usize, method: Method, sampling: &SamplingOf<'_>) -> Result<Vec<Compared>, TableError> {
    if !(1..=TABLES).contains(&table) {
        return Err(TableError::Unknown(table));
    }
    let published = published(table)?;
    let samples = Samples::recorded()?;
    if table == 6 {
        return granular::compare(published, &samples.criteria);
    }
    cells_of(table, method, published, &samples, Some(sampling))
}

/// The figures of any table but the sixth; without `sampling` the sampled ones are those of `samples`.
fn cells_of(
    table: usize,
    method: Method,
    published: Vec<PrintedFigure>,
    samples: &Samples,
    sampling: Option<&SamplingOf<'_>>,
) -> Result<Vec<Compared>, TableError> {
    let mut found = Vec::new();
    for series in series(table) {
        found.push((find(&series, method, samples, sampling)?, series));
    }
    let compared = |published: PrintedFigure| {
        let (found, series) = found.iter().find(|(_, series)| series.name == published.series)?;
        let quantity = Quantity::ALL.into_iter().find(|quantity| quantity.name() == published.quantity)?;
        let d = depth(table, series.model.d_max, published.row);
        let figure = |rows: &[Row]| rows.get(d).and_then(|row| row.get(quantity));
        let integrated = found.integrated.as_deref().and_then(figure);
        let sampled = found.sampled.as_deref().and_then(figure);
        let scale = (found.recorded_trees as f64 / series.trees as f64).sqrt();
        let paper = figure(&found.recorded)?.error() * scale;
        let verdict = Closeness::of(deviation(&published, integrated.or(sampled)?, paper));
        Some(Compared { published, integrated, sampled, paper_standard_error: Some(paper), verdict })
    };
    Ok(published.into_iter().filter_map(compared).collect())
}

#[cfg(test)]
mod tests;
