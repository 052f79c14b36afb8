//! `prodmax simulate`: the simulation study of KHS section VI, Tables III and IV and Fig. 6.

mod args;
mod json;
mod share;
mod stored;
mod tables;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use prodmax_jobs::Work;
use prodmax_jobs::part::is_part;
use prodmax_simulate::{SimulationProgress, SimulationResults, SimulationSpec, effort, simulate};

use super::merge::Merge;
use super::{Command, Run};
use crate::args::continued_file;
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::output::{CommandResult, Output};
use crate::saved::{self, Checkpoint};
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
///     prodmax simulate --spec specs/simulate/b.ron --checkpoint b.json
///
/// plays 1000 trees. Ctrl-C keeps those that are finished; the same command
/// continues with the rest.
///
///     prodmax simulate --trees 500 --first-tree 1000 --format json -o more.json
///     prodmax simulate merge b.json more.json
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
    /// The files are checkpoints or outputs of `prodmax simulate --format json`, or the parts of all shards (see prodmax
    /// merge).
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

    fn simulate(&self, context: &Context) -> Result<SimulationResults, Error> {
        let spec = self.spec()?;
        let begun = match (context.work(), &self.checkpoint) {
            (Work::Merge(parts), _) => share::of_parts(parts, spec)?,
            (_, Some(path)) => saved::resume(path, spec, context)?,
            (_, None) => SimulationResults::new(spec),
        };
        let effort = effort::of(&begun.spec, rayon::current_num_threads());
        let left = 1.0 - begun.trees.len() as f64 / begun.spec.trees.max(1) as f64;
        let instead = "use fewer or smaller trees, or divide them among several runs with --first-tree";
        let meter = guard::admit(context, "trees", effort.times(left), instead)?;
        let interrupt = context.interrupt_and_keep();
        let mut kept = self.checkpoint.as_deref().map(|path| Checkpoint::new(path, saved::write));
        let results =
            simulate(begun, interrupt, &mut |progress: SimulationProgress, results: &SimulationResults| {
                meter.show(progress.finished, progress.trees);
                if let Some(kept) = &mut kept {
                    kept.keep(results, interrupt);
                }
            })?;
        drop(meter);
        if let Some(kept) = kept {
            kept.finish(&results)?;
        }
        Ok(results)
    }
}

impl Run for Simulate {
    fn shard(&self) -> Option<ShardArg> {
        self.shard.shard
    }

    fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        Ok(share::plan(&self.spec()?, shards))
    }

    fn share(&self, context: &Context) -> Result<(), Error> {
        match context.work() {
            Work::Shard(part) => share::share(context, part, &self.spec()?),
            _ => Err(Error::NoPart),
        }
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
        let (results, per_tree) = match &self.command {
            Some(Merging::Merge { files, per_tree }) if files.iter().any(|file| is_part(file)) => {
                let merge = Merge::of(files);
                if !*per_tree {
                    return merge.run(context);
                }
                let (parts, _folder, command) = merge.open()?;
                match command {
                    Command::Simulate(simulate) => (simulate.simulate(&context.with_parts(parts))?, true),
                    _ => return Err(Error::OtherParts { command: "simulate" }),
                }
            }
            Some(Merging::Merge { files, per_tree }) => (saved::merge(files)?, *per_tree),
            None => (self.simulate(context)?, self.per_tree),
        };
        let missing = results.missing().count();
        if missing > 0 {
            let asked = results.spec.trees;
            let are = if missing == 1 { "is" } else { "are" };
            context.note(&format!(
                "{missing} of {asked} trees {are} missing; the figures cover only the others"
            ));
        }
        let tables = if per_tree { vec![tables::per_tree(&results)] } else { tables::all(&results)? };
        let value = json::value(&results)?;
        Ok(CommandResult::Figures(Output { holds: missing == 0, ..Output::figures(value, tables) }))
    }
}
