//! `prodmax simulate`: the simulation study of KHS section VI, Tables III and IV and Fig. 6.

mod args;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use prodmax_jobs::divide::{self, KeptFile};
use prodmax_jobs::{Effort, Run as Finished, Work};
use prodmax_simulate::answer::SimulationAnswer;
use prodmax_simulate::{Simulation, SimulationResults, SimulationSpec, effort};

use super::Run;
use crate::args::continued_file;
use crate::context::Context;
use crate::divided::{self, Checkpoint};
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::output::{CommandResult, Output};
use crate::shard::args::{ShardArg, ShardArgs};
use crate::shard::plan::WorkPlan;
use crate::whole_number::within;
use args::SimulationArgs;

/// Play game contests between two rules in random trees, as in KHS's Tables III and IV.
///
/// Trees of depth 18 are drawn and stored; two rules, in the paper Minimax and
/// Product, search every node of each to every depth d and play two games from it,
/// each moving first once.
/// A pair of games is critical if one player wins both. Table III lets Product
/// use estimated probabilities of winning, Table IV the actual ones. Fig. 6 counts
/// wrong move decisions.
///
/// Games of one tree overlap, so standard errors are computed from whole trees
/// (delete-one jackknife), next to the sign test that the paper prints. A published
/// figure agrees if it lies within 2 standard errors of ours, its own three trees
/// taken into account. Each tree depends on the seed and its number alone:
/// results do not depend on threads or on how a run is divided.
///
/// The paper leaves open how true values are assigned, the root, and what happens
/// beyond ±42. specs/simulate holds three readings; the defaults are reading b,
/// which reproduces Table IV. No reading reproduces Table III in full.
///
/// With --rules any two rules play (prodmax rules lists them). In the first contest
/// both use the estimated probabilities, in the second the actual ones. minimax
/// uses none and ideal always the actual ones, so each plays the same way in both.
/// Only minimax,product is compared with the published tables.
///
/// Examples:
///
///     prodmax simulate --spec specs/simulate/b.ron --checkpoint b.trees
///
/// plays 1000 trees. Ctrl-C keeps those that are finished; the same command
/// continues with the rest.
///
///     prodmax simulate --trees 500 --first-tree 1000 --format json -o more.json
///     prodmax simulate merge b.trees more.json
///
/// adds another 500 trees to them.
///
///     prodmax simulate --rules minimax,hints:9/10 --trees 50
///
/// plays the same trees with other rules.
///
///     prodmax simulate --spec specs/simulate/t0.ron --trees 50 --root -4
///
/// takes all but two settings from the file.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Simulate {
    #[command(subcommand)]
    command: Option<Merging>,

    #[command(flatten)]
    model: SimulationArgs,

    /// How many trees [default: 100, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(1..=SimulationSpec::MAX_TREES.into())
    )]
    trees: Option<u64>,

    /// The number of the first tree [default: 0, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=u64::MAX.into())
    )]
    first_tree: Option<u64>,

    /// The seed of all trees [default: 0, or what the spec says]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = within::<u64>(0..=u64::MAX.into())
    )]
    seed: Option<u64>,

    /// Keep finished trees in this file, and continue from it if it exists.
    #[arg(long, value_name = "FILE", value_parser = continued_file())]
    checkpoint: Option<PathBuf>,

    /// Print the counts of every tree instead of the tables.
    #[arg(long)]
    per_tree: bool,

    #[command(flatten)]
    shard: ShardArgs,
}

/// What else can be done with results.
#[derive(Debug, Subcommand)]
enum Merging {
    /// Add the results of several runs of the same simulation, exactly.
    ///
    /// The files are checkpoints, outputs of `prodmax simulate --format json`, or parts of shards (see prodmax merge).
    Merge {
        /// Results with different trees of the same simulation.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Print the counts of every tree instead of the tables.
        #[arg(long)]
        per_tree: bool,
    },
}

impl Simulate {
    fn spec(&self) -> Result<SimulationSpec, Error> {
        let mut spec = self.model.spec()?;
        spec.trees = self.trees.unwrap_or(spec.trees);
        spec.first_tree = self.first_tree.unwrap_or(spec.first_tree);
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.check()?;
        Ok(spec)
    }

    /// Plays the trees that are asked for; nothing is added up for a shard.
    fn simulate(&self, context: &Context) -> Result<Finished<SimulationResults>, Error> {
        let simulation = Simulation::new(&self.spec()?)?;
        let spec = simulation.spec();
        let checkpoint = Checkpoint::open(context, self.checkpoint.as_deref(), "simulate", &simulation)?;
        let kept = checkpoint.as_ref().map_or(0, Checkpoint::units);
        let left = match context.work() {
            Work::Whole => 1.0 - kept as f64 / spec.trees as f64,
            Work::Shard(part) => 1.0 / f64::from(part.shard().of()),
            Work::Merge(_) => 0.0,
        };
        let effort = effort::of(spec, rayon::current_num_threads()).times(left.max(0.0));
        let instead = match context.work() {
            Work::Shard(_) => "use smaller trees",
            _ => "use fewer or smaller trees, or divide them among several runs with --first-tree",
        };
        let meter = guard::admit(context, "trees", effort, instead)?;
        let stop = match context.work() {
            Work::Shard(_) => context.interrupt(),
            _ => context.interrupt_and_keep(),
        };
        divided::run(context, &simulation, checkpoint.as_ref(), stop, &meter)
    }
}

/// The trees in the files of several runs.
fn merged(files: &[PathBuf]) -> Result<Finished<SimulationResults>, Error> {
    let files = divided::read(files, "simulate")?;
    let spec = KeptFile::asked(&files).and_then(|(work, trees)| SimulationSpec::of_kept(work, trees));
    let simulation = Simulation::new(&spec.ok_or(Error::NothingKept { command: "simulate" })?)?;
    Ok(divide::merge(&simulation, &files)?)
}

impl Run for Simulate {
    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        let spec = self.spec()?;
        let all = effort::of(&spec, 1);
        // One tree at a time, without the results of the others.
        let tree = effort::of(&SimulationSpec { trees: 1, ..spec.clone() }, 1);
        let units = Effort { bytes: tree.bytes, ..all };
        // Which trees of a shard are finished.
        let set_up = Effort { bytes: 16.0 * spec.trees as f64 / f64::from(shards), seconds: 0.0 };
        Ok(WorkPlan { set_up, units, merge: Effort { seconds: 0.0, ..all } })
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        self.simulate(context).map(|_| ())
    }

    fn files(&self) -> Files {
        let files = Files::default().reads("--spec", &self.model.spec);
        let files = files.keeps("--checkpoint", self.checkpoint.as_deref());
        match &self.command {
            Some(Merging::Merge { files: merged, .. }) => files.reads("FILE", merged),
            None => files,
        }
    }

    fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        let (run, per_tree) = match &self.command {
            Some(Merging::Merge { files, per_tree }) => (merged(files)?, *per_tree),
            None => (self.simulate(context)?, self.per_tree),
        };
        let results = run.sum().ok_or(Error::NoPart)?;
        let asked = results.spec.trees;
        let answer = SimulationAnswer::new(results, per_tree)?;
        let missing = answer.missing();
        if missing > 0 {
            let are = if missing == 1 { "is" } else { "are" };
            context.note(&format!(
                "{missing} of {asked} trees {are} missing; the figures cover only the others"
            ));
        }
        Ok(CommandResult::Figures(Output::answer(&answer)))
    }
}
