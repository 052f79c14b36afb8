//! `prodmax pathology`: real-valued minimax, LGB's Tables 1 to 11 and other parameters.

mod args;
mod formulas;
mod grains;
mod methods;
mod question;
mod study;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use prodmax_jobs::Effort;
use prodmax_jobs::divide::{self, KeptFile};
use prodmax_jobs::{Run as Finished, Work};
use prodmax_pathology::answer::{ComparedAnswer, ErrorsAnswer, RulesAnswer};
use prodmax_pathology::granularity::{MAX_GRAINS, grained};
use prodmax_pathology::integrate::check as integrable;
use prodmax_pathology::tables::{Method, TABLES, TableError, compare};
use prodmax_pathology::{
    RealModel, Row, RuleSample, Sample, SampleResults, SampleSpec, Steps, TOLERANCE, Values, effort,
    integrate,
};
use prodmax_rules::RuleList;

use self::args::{ModelArgs, SamplingArgs, positive};
use self::formulas::PathologyFormulas;
use self::grains::PathologyGrains;
use self::methods::PathologyMethods;
use self::question::Question;
use self::study::{PathologyMap, PathologyStudy};
use super::Run;
use crate::args::continued_file;
use crate::context::Context;
use crate::divided::{self, Checkpoint};
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::long_run::Meter;
use crate::output::{CommandResult, Output};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;
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
///
///     prodmax pathology --rules minimax,product,mean:4 --d-max 4 --trees 200
///
/// lets other rules back up the same noisy values, as probabilities: does deeper search
/// hurt them?
///
///     prodmax pathology --method sample --trees 300 --checkpoint one.trees
///     prodmax pathology --method sample --trees 300 --first-tree 300 --checkpoint two.trees
///     prodmax pathology merge one.trees two.trees
///
/// samples in two runs, which may be interrupted and continued, and adds them up.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Pathology {
    #[command(subcommand)]
    command: Option<PathologyCommand>,

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

    /// The greatest error of integrated figures (lengths: this part of the greater of sigma_v and sigma_e): a model with a
    /// figure that cannot be known so well is refused.
    #[arg(
        long,
        value_name = "X",
        default_value_t = TOLERANCE,
        conflicts_with = "table",
        allow_negative_numbers = true,
        value_parser = positive
    )]
    tolerance: f64,

    /// Let these rules back up probabilities instead of minimax values; their figures are sampled.
    #[arg(long, value_name = "RULES", conflicts_with_all = ["table", "method"])]
    rules: Option<RuleList>,

    /// With --rules: a value v is the probability 1/(1 + e^(-v/X)) that MAX wins [default: sigma_v]
    #[arg(long, value_name = "X", requires = "rules", allow_negative_numbers = true, value_parser = positive)]
    scale: Option<f64>,

    /// Keep sampled trees in this file, and continue from it if it exists.
    #[arg(long, value_name = "FILE", value_parser = continued_file(), conflicts_with = "table")]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    sampling: SamplingArgs,

    #[command(flatten)]
    shard: ShardArgs,
}

/// The subcommands of `prodmax pathology`.
#[derive(Debug, Subcommand)]
enum PathologyCommand {
    Formulas(PathologyFormulas),
    Grains(PathologyGrains),
    Map(PathologyMap),
    Methods(PathologyMethods),
    Study(PathologyStudy),
    /// Add the samples of several runs with the same parameters, exactly.
    Merge {
        /// Files that were kept with --checkpoint, or parts of shards (see prodmax merge).
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
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

impl Pathology {
    fn table(&self, context: &Context, table: usize) -> Result<CommandResult, Error> {
        let method = self.method.map_or(Method::Integrate, Method::from);
        let sampling = |leaves: f64| self.sampling.sampling(leaves);
        let effort = effort::table(table, method, &sampling, rayon::current_num_threads());
        let what = format!("table {table}");
        let _meter = guard::admit(context, &what, effort, "sample fewer trees with --trees")?;
        let cells = compare(table, method, &sampling)?;
        Ok(CommandResult::Figures(Output::answer(&ComparedAnswer::new(table, cells))))
    }

    /// What is asked about one model: how its figures are found, and which sample is drawn.
    fn question(&self, context: &Context) -> Result<Question, Error> {
        let model = self.model.model()?;
        model.check().map_err(TableError::from)?;
        if let Some(d) = self.model.d {
            model.check_depth(d).map_err(TableError::from)?;
        }
        let leaves = f64::from(model.b).powi(model.d_max as i32);
        if let Some(rules) = &self.rules {
            let sampling = self.sampling.sampling(leaves * rules.named().len() as f64);
            let by_rules = RuleSample { rules: rules.clone(), scale: self.scale.unwrap_or(model.sigma_v) };
            let spec = SampleSpec { by_rules: Some(by_rules), ..SampleSpec::new(&model, sampling, None) };
            spec.check().map_err(TableError::from)?;
            return Ok(Question { model, integrates: false, sample: Some(spec) });
        }
        let computable = match model.grains {
            None => model.m.is_none() || integrable(&model).is_ok(),
            Some(_) => grained_is_possible(&model),
        };
        let default =
            if computable && self.checkpoint.is_none() { MethodArg::Integrate } else { MethodArg::Sample };
        let method = self.method.unwrap_or(default);
        if self.method.is_none() && !computable {
            context.note("this model is not integrated; its figures are sampled");
        }
        if method == MethodArg::Integrate && self.checkpoint.is_some() {
            return Err(Error::NothingSampled);
        }
        if method != MethodArg::Sample && model.grains.is_none() {
            integrable(&model).map_err(TableError::from)?;
        }
        let sample = match method {
            MethodArg::Integrate => None,
            _ => {
                let spec = SampleSpec::new(&model, self.sampling.sampling(leaves), None);
                spec.check().map_err(TableError::from)?;
                Some(spec)
            }
        };
        Ok(Question { model, integrates: method != MethodArg::Sample, sample })
    }

    fn rows(&self, context: &Context) -> Result<CommandResult, Error> {
        let question = self.question(context)?;
        let Question { model, integrates, sample } = &question;
        let threads = rayon::current_num_threads();
        let mut work = Effort::NONE;
        if *integrates {
            let one = if model.grains.is_some() { effort::grained } else { effort::integration };
            work = work.then(one(model, threads));
        }
        if let (Some(spec), false) = (sample, context.is_divided()) {
            work = work.then(effort::sample(spec, threads));
        }
        let what = if sample.is_some() { "trees" } else { "the model" };
        let meter = guard::admit(context, what, work, INSTEAD)?;
        let mut median = None;
        let integrated: Option<Vec<Row>> = match (integrates, model.grains) {
            (false, _) => None,
            (true, Some(_)) => Some(grained(model).map_err(TableError::from)?),
            (true, None) => {
                let integration = integrate(model, self.tolerance).map_err(TableError::from)?;
                median = integration.median;
                Some(integration.rows)
            }
        };
        let spec = question.with_threshold(median.map(|median| median.value));
        let sampled =
            spec.map(|spec| self.sample(context, &spec, &meter)).transpose()?.and_then(Finished::sum);
        drop(meter);
        self.found(context, model, median, integrated, sampled)
    }

    /// Draws the trees that are not kept anywhere.
    fn sample(
        &self,
        context: &Context,
        spec: &SampleSpec,
        meter: &Meter,
    ) -> Result<Finished<SampleResults>, Error> {
        let sample = Sample::new(spec)?;
        let checkpoint = Checkpoint::open(context, self.checkpoint.as_deref(), "pathology", &sample)?;
        let stop = match context.work() {
            Work::Shard(_) => context.interrupt(),
            _ => context.interrupt_and_keep(),
        };
        divided::run(context, &sample, checkpoint.as_ref(), stop, meter)
    }

    /// The sample whose trees can be divided, and the integration that it needs first.
    fn divided(&self, context: &Context) -> Result<Question, Error> {
        const WHY: &str = "only sampled trees can be divided: name a model and --method sample or --rules";
        let not_divided = || Error::NotDivided { why: WHY };
        if self.command.is_some() || self.table.is_some() {
            return Err(not_divided());
        }
        Some(self.question(context)?).filter(|question| question.sample.is_some()).ok_or_else(not_divided)
    }

    /// Figures as they are shown.
    fn found(
        &self,
        context: &Context,
        model: &RealModel,
        median: Option<prodmax_number::Approximate>,
        integrated: Option<Vec<Row>>,
        sampled: Option<SampleResults>,
    ) -> Result<CommandResult, Error> {
        let asked = |rows: Vec<Row>| -> Vec<Row> {
            rows.into_iter().filter(|row| self.model.d.is_none_or(|d| d == row.d)).collect()
        };
        let missing = sampled.as_ref().map_or(0, SampleResults::missing);
        if missing > 0 {
            let are = if missing == 1 { "tree is" } else { "trees are" };
            context.note(&format!("{missing} {are} missing; the figures cover only the others"));
        }
        let by_rules = sampled.as_ref().map(|results| RulesAnswer::new(results, self.model.d)).transpose()?;
        if let Some(answer) = by_rules.flatten() {
            return Ok(CommandResult::Figures(Output::answer(&answer)));
        }
        let curves = sampled.as_ref().map(SampleResults::curves).transpose()?;
        let rows = curves.and_then(|curves| curves.into_iter().next()).map(asked);
        let sampled = sampled.as_ref().zip(rows.as_deref());
        let sampled = sampled.map(|(results, rows)| (results.spec.sampling(), missing, rows));
        let answer = ErrorsAnswer::new(model, median, integrated.map(asked).as_deref(), sampled);
        Ok(CommandResult::Figures(Output::answer(&answer)))
    }
}

/// The trees in the files of several runs.
fn merged(files: &[PathBuf]) -> Result<Finished<SampleResults>, Error> {
    let files = divided::read(files, "pathology")?;
    let spec = KeptFile::asked(&files).and_then(|(work, trees)| SampleSpec::of_kept(work, trees));
    let spec = spec.ok_or(Error::NothingKept { command: "pathology" })?;
    Ok(divide::merge(&Sample::new(&spec)?, &files)?)
}

/// What to do if a model takes too much.
const INSTEAD: &str = "use a smaller b, d_max or number of grains, or sample fewer trees with --trees";

/// Whether a model with grains can be computed.
fn grained_is_possible(model: &RealModel) -> bool {
    let small = model.grains.is_some_and(|grains| grains.count <= MAX_GRAINS);
    small && model.m.is_none() && (model.values == Values::Independent || model.steps == Steps::Normal)
}

impl Run for Pathology {
    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, _: u32) -> Result<WorkPlan, Error> {
        let question = self.divided(&Context::shell(true))?;
        // What is integrated before the first tree is drawn.
        let set_up = question.set_up(1);
        let spec = question.sample.ok_or(Error::NothingSampled)?;
        Ok(WorkPlan { set_up, units: effort::sample(&spec, 1), merge: set_up })
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        let spec = self.divided(context)?.with_threshold(None);
        let (Work::Shard(part), Some(spec)) = (context.work(), spec) else { return Err(Error::NoPart) };
        let work = effort::sample(&spec, rayon::current_num_threads());
        let meter = guard::admit(context, "trees", work.times(1.0 / f64::from(part.shard().of())), INSTEAD)?;
        self.sample(context, &spec, &meter).map(|_| ())
    }

    fn files(&self) -> Files {
        let files = Files::default().reads("--spec", &self.model.spec);
        let files = files.keeps("--checkpoint", self.checkpoint.as_deref());
        match &self.command {
            Some(PathologyCommand::Merge { files: merged }) => files.reads("FILE", merged),
            Some(PathologyCommand::Study(study)) => files.reads("--spec", [&study.spec]),
            _ => files,
        }
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        match (&self.command, self.table) {
            (Some(PathologyCommand::Merge { files }), _) => {
                let results = merged(files)?.sum().ok_or(Error::NoPart)?;
                let model = results.spec.model.clone();
                self.found(context, &model, None, None, Some(results))
            }
            (Some(PathologyCommand::Formulas(formulas)), _) => Ok(CommandResult::Figures(formulas.output()?)),
            (Some(PathologyCommand::Grains(grains)), _) => {
                Ok(CommandResult::Figures(grains.output(context)?))
            }
            (Some(PathologyCommand::Map(map)), _) => Ok(CommandResult::Figures(map.output(context)?)),
            (Some(PathologyCommand::Methods(methods)), _) => {
                Ok(CommandResult::Figures(methods.output(context)?))
            }
            (Some(PathologyCommand::Study(study)), _) => Ok(CommandResult::Figures(study.output(context)?)),
            (None, Some(table)) => self.table(context, table),
            (None, None) => self.rows(context),
        }
    }
}
