//! The commands, one file each. A new one is a file here, its `mod` line, and a variant and its arm below.

mod check;
mod check_recorded;
#[cfg(feature = "man")]
mod completions;
mod contest;
mod critical;
mod crossover;
mod enumerate;
mod formulas;
#[cfg(feature = "man")]
mod man;
mod mass;
mod mass_reading;
mod merge;
mod pathology;
mod perft;
mod plan;
mod play;
mod prism;
mod readings;
mod reproduce;
mod rules;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod simulate;
mod slurm;
mod table1;
mod table2;

use clap::Subcommand;

use crate::context::Context;
use crate::error::Error;
use crate::files::Files;
use crate::output::CommandResult;
use crate::shard::args::ShardArg;
use crate::shard::plan::WorkPlan;

/// What every command does: compute something.
pub(crate) trait Run {
    fn run(&self, context: &Context) -> Result<CommandResult, Error>;

    /// The files that it uses.
    fn files(&self) -> Files {
        Files::default()
    }

    /// Whether it has a drawing.
    fn draws(&self) -> bool {
        false
    }

    /// The shard of the work that is asked for; none if all of it is.
    fn shard(&self) -> Option<ShardArg> {
        None
    }

    /// Computes the units of work that belong to the shard of the context.
    fn share(&self, _: &Context) -> Result<(), Error> {
        Err(Error::NotDivided { why: INDIVISIBLE })
    }

    /// What all its work takes if it is divided into this many shards.
    fn plan(&self, _shards: u32) -> Result<WorkPlan, Error> {
        Err(Error::DividedCommand { reason: INDIVISIBLE.to_owned() })
    }

    /// Whether it prints something when it is done: not if it goes on until it is interrupted.
    fn ends(&self) -> bool {
        true
    }
}

const INDIVISIBLE: &str = "its work cannot be divided; that of mass and contest (deep models), readings, simulate, \
                           play and pathology (samples) can";

/// The commands by name; the help text of each is the documentation of its arguments' type.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Enumerate(enumerate::Enumerate),
    Table1(table1::Table1),
    Formulas(formulas::Formulas),
    Mass(mass::Mass),
    Contest(contest::Contest),
    Rules(rules::Rules),
    Crossover(crossover::Crossover),
    Critical(critical::Critical),
    Show(show::Show),
    Table2(table2::Table2),
    Readings(readings::Readings),
    Simulate(simulate::Simulate),
    Perft(perft::Perft),
    Search(search::Search),
    Play(play::Play),
    Pathology(pathology::Pathology),
    Merge(merge::Merge),
    Plan(plan::Plan),
    Slurm(slurm::Slurm),
    Check(check::Check),
    Reproduce(reproduce::Reproduce),
    Prism(prism::Prism),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    #[cfg(feature = "man")]
    Completions(completions::Completions),
    #[cfg(feature = "man")]
    Man(man::Man),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(&self, context: &Context) -> Result<CommandResult, Error> {
        self.command().run(context)
    }

    /// The files that it uses.
    pub(crate) fn files(&self) -> Files {
        self.command().files()
    }

    /// Whether it has a drawing.
    pub(crate) fn draws(&self) -> bool {
        self.command().draws()
    }

    /// The shard of the work that is asked for; none if all of it is.
    pub(crate) fn shard(&self) -> Option<ShardArg> {
        self.command().shard()
    }

    /// Computes the units of work that belong to the shard of the context.
    pub(crate) fn share(&self, context: &Context) -> Result<(), Error> {
        self.command().share(context)
    }

    /// What all its work takes if it is divided into this many shards.
    pub(crate) fn plan(&self, shards: u32) -> Result<WorkPlan, Error> {
        self.command().plan(shards)
    }

    /// Whether it prints something when it is done.
    pub(crate) fn ends(&self) -> bool {
        self.command().ends()
    }

    fn command(&self) -> &dyn Run {
        match self {
            Self::Enumerate(command) => command,
            Self::Table1(command) => command,
            Self::Formulas(command) => command,
            Self::Mass(command) => command,
            Self::Contest(command) => command,
            Self::Rules(command) => command,
            Self::Crossover(command) => command,
            Self::Critical(command) => command,
            Self::Show(command) => command,
            Self::Table2(command) => command,
            Self::Readings(command) => command,
            Self::Simulate(command) => command,
            Self::Perft(command) => command,
            Self::Search(command) => command,
            Self::Play(command) => command,
            Self::Pathology(command) => command,
            Self::Merge(command) => command,
            Self::Plan(command) => command,
            Self::Slurm(command) => command,
            Self::Check(command) => command,
            Self::Reproduce(command) => command,
            Self::Prism(command) => command,
            #[cfg(feature = "serve")]
            Self::Serve(command) => command,
            #[cfg(feature = "man")]
            Self::Completions(command) => command,
            #[cfg(feature = "man")]
            Self::Man(command) => command,
        }
    }
}
