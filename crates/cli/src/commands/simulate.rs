//! `prodmax simulate`: the simulation study of KHS section VI, Tables III and IV and Fig. 6.

mod json;
mod saved;
mod tables;

use prodmax_rules::RulePair;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use prodmax_enumerate::Line;
use prodmax_mass::Curve;
use prodmax_simulate::{Assignment, Overflow, Progress, SimulationResults, SimulationSpec, effort, simulate};
use prodmax_spec::ron_file;

use super::Run;
use crate::args::continued_file;
use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::model_args::ZeroArg;
use crate::output::{Outcome, Output};
use crate::signals::interrupt_and_keep;
use crate::whole_number::{whole, within};

/// Play game contests between two rules in random trees, as in KHS's Tables III and IV.
///
/// Trees of depth 18 are drawn and stored; two rules, in the paper Minimax and
/// Product, search every node of each to every depth d and play two games from it,
/// each moving first once.
/// A pair of games is critical if one player wins both. Table III lets Product
/// use estimated probabilities to win, Table IV the actual ones. Fig. 6 counts
/// wrong move decisions.
///
/// Games of one tree overlap, so standard errors are computed from whole trees
/// (delete-one jackknife), beside the sign test that the paper prints. A published
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
/// Only minimax,product is set beside the published tables.
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
}

/// What else can be done with results.
#[derive(Debug, Subcommand)]
enum Merging {
    /// Add the results of several runs of the same simulation, exactly.
    ///
    /// The files are checkpoints or outputs of `prodmax simulate --format json`.
    Merge {
        /// Results with different trees of the same simulation.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Print the counts of every tree instead of the tables.
        #[arg(long)]
        per_tree: bool,
    },
}

/// The arguments that name a simulation.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
struct SimulationArgs {
    /// Take the simulation of this file (`-` is standard input) instead.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "tree_depth", "root", "increment", "h_max", "zero", "overflow", "truth", "assignment", "estimate", "depths",
    ])]
    spec: Option<PathBuf>,

    /// The two rules that play, e.g. minimax,mean:4 [default: minimax,product, or what the spec says]
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,

    /// The depth of the stored trees.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 18,
        allow_negative_numbers = true,
        value_parser = within::<usize>(1..=SimulationSpec::MAX_TREE_DEPTH as i128)
    )]
    tree_depth: usize,

    /// The heuristic value of the root.
    #[arg(
        long,
        value_name = "VALUE",
        default_value_t = -6,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    root: i64,

    /// The greatest increment, the same at every level.
    #[arg(
        long,
        value_name = "A",
        default_value_t = 8,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    increment: i64,

    /// The greatest heuristic value.
    #[arg(
        long,
        value_name = "VALUE",
        default_value_t = Line::DEFAULT_H_MAX,
        allow_negative_numbers = true,
        value_parser = whole::<i64>
    )]
    h_max: i64,

    /// Whether the value 0 exists: with `skip`, as in the paper, one step up from -1 is +1.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    zero: ZeroArg,

    /// What happens beyond h_max: clamp (values stay at the end), saturate (values run on, probabilities stay),
    /// extend (both run on).
    #[arg(long, value_name = "HOW", default_value = "clamp")]
    overflow: Overflow,

    /// The curve of the true values, and of rules with actual probabilities.
    #[arg(long, value_name = "CURVE", default_value = "pearl:16")]
    truth: Curve,

    /// How true values are drawn: top-down or bottom-up.
    #[arg(long, value_name = "HOW", default_value = "top-down")]
    assignment: Assignment,

    /// The curve of rules with estimated probabilities.
    #[arg(long, value_name = "CURVE", default_value = "pearl:1")]
    estimate: Curve,

    /// The search depths, e.g. 2,4,6 or 1-8.
    #[arg(long, value_name = "LIST", default_value = "1-8", allow_negative_numbers = true)]
    depths: Depths,
}

/// A list of depths as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Depths(Vec<usize>);

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = |part: &str| format!("`{part}` is no depth; write a list like 2,4,6 or a range like 1-8");
        let backwards = |part: &str| {
            format!("`{part}` goes backwards; a range goes from the lesser depth to the greater")
        };
        let too_deep = |part: &str| {
            let deepest = SimulationSpec::MAX_TREE_DEPTH;
            format!(
                "`{part}` goes too deep; depths lie between 1 and the tree depth, which is at most {deepest}"
            )
        };
        let number = |text: &str, part: &str| text.trim().parse::<usize>().map_err(|_| bad(part));
        let mut depths = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                Some((from, to)) => match (number(from, part)?, number(to, part)?) {
                    (from, to) if from > to => return Err(backwards(part)),
                    // Longer ranges cannot be meant, and would fill the memory.
                    (_, to) if to > SimulationSpec::MAX_TREE_DEPTH => return Err(too_deep(part)),
                    (from, to) => depths.extend(from..=to),
                },
                None => depths.push(number(part, part)?),
            }
        }
        Ok(Self(depths))
    }
}

impl SimulationArgs {
    fn spec(&self) -> Result<SimulationSpec, Error> {
        let mut spec = match &self.spec {
            Some(path) => ron_file::read_or_stdin(path)?,
            None => self.flags(),
        };
        if let Some(pair) = &self.rules {
            spec.rules = pair.clone();
        }
        Ok(spec)
    }

    /// The simulation that the other flags describe.
    fn flags(&self) -> SimulationSpec {
        SimulationSpec {
            id: "flags".to_owned(),
            title: "settings of the command line".to_owned(),
            source: "the command line".to_owned(),
            tree_depth: self.tree_depth,
            root: self.root,
            increment: self.increment,
            h_max: self.h_max,
            zero: self.zero.into(),
            overflow: self.overflow,
            rules: RulePair::default(),
            truth: self.truth.clone(),
            assignment: self.assignment,
            estimate: self.estimate.clone(),
            depths: self.depths.0.clone(),
            trees: 100,
            first_tree: 0,
            seed: 0,
        }
    }
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
        let begun = match &self.checkpoint {
            Some(path) => saved::resume(path, spec, context)?,
            None => SimulationResults::new(spec),
        };
        let effort = effort::of(&begun.spec, rayon::current_num_threads());
        let left = 1.0 - begun.trees.len() as f64 / begun.spec.trees.max(1) as f64;
        let instead = "use fewer or smaller trees, or divide them among several runs with --first-tree";
        let meter = guard::admit(context, "trees", effort.times(left), instead)?;
        let interrupt = interrupt_and_keep();
        let mut kept = self.checkpoint.as_deref().map(saved::Checkpoint::new);
        let results = simulate(begun, interrupt, &mut |progress: Progress, results: &SimulationResults| {
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
    fn files(&self) -> Files {
        let files = Files::default().reads("--spec", &self.model.spec);
        let files = files.keeps("--checkpoint", self.checkpoint.as_deref());
        match &self.command {
            Some(Merging::Merge { files: merged, .. }) => files.reads("FILE", merged),
            None => files,
        }
    }

    fn run(&self, context: &Context) -> Result<Outcome, Error> {
        let (results, per_tree) = match &self.command {
            Some(Merging::Merge { files, per_tree }) => (saved::merge(files)?, *per_tree),
            None => (self.simulate(context)?, self.per_tree),
        };
        let missing = results.missing().count();
        if missing > 0 {
            let asked = results.spec.trees;
            let are = if missing == 1 { "is" } else { "are" };
            context.note(&format!("{missing} of {asked} trees {are} missing; the figures are of the others"));
        }
        let tables = if per_tree { vec![tables::per_tree(&results)] } else { tables::all(&results)? };
        let value = json::value(&results)?;
        Ok(Outcome::Figures(Output { value, tables, holds: missing == 0, junit: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_lists_and_ranges() {
        let depths = |text: &str| text.parse::<Depths>().map(|depths| depths.0);
        assert_eq!(depths("2,4, 6"), Ok(vec![2, 4, 6]));
        assert_eq!(depths("1-3,8"), Ok(vec![1, 2, 3, 8]));
        assert_eq!(
            depths("8-1"),
            Err("`8-1` goes backwards; a range goes from the lesser depth to the greater".to_owned())
        );
        assert_eq!(
            depths("2,1-99999999999"),
            Err(
                "`1-99999999999` goes too deep; depths lie between 1 and the tree depth, which is at most 24"
                    .to_owned()
            )
        );
        for bad in ["", "x", "1-", "-3"] {
            let message = depths(bad).unwrap_err();
            assert!(
                message.ends_with("is no depth; write a list like 2,4,6 or a range like 1-8"),
                "{message}"
            );
        }
    }
}
