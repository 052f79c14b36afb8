//! The arguments of models whose depth-1 classes do not fit into memory.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_jobs::Work;
use prodmax_mass::deep::{
    DeepError, Estimate, Options, PAIRS_PER_SECOND, check_model, check_rules, check_tournament,
};
use prodmax_mass::{Curves, Measurement, Number, Request, Tournament, is_deep};
use prodmax_rules::Rule;

use crate::args::continued_file;
use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::signals::{kept_in, set_exit_message};

/// Work that would take longer is refused unless it is forced.
pub(crate) const MAX_SECONDS: f64 = 1800.0;

/// How a deep last level is swept.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Deep models (more than 2 million depth-1 classes)")]
pub(crate) struct DeepArgs {
    /// Memory for the blocks, e.g. 512M or 4G [default: a quarter of what the machine or a limit of the system has]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// Keep finished blocks (or sums of the law) in this file, and go on from it if it exists: an interrupted run loses
    /// nothing. Further sweeps have files next to it, with the name of their rule added
    #[arg(long, value_name = "FILE", value_parser = continued_file())]
    checkpoint: Option<PathBuf>,

    /// Start even if it would take very long
    #[arg(long)]
    force: bool,
}

impl DeepArgs {
    /// Whether work that takes very long is allowed.
    pub(crate) fn force(&self) -> bool {
        self.force
    }

    /// The files that these arguments name.
    pub(crate) fn files(&self, files: Files) -> Files {
        files.keeps_family("--checkpoint", self.checkpoint.as_deref())
    }

    /// The file in which finished work is kept.
    pub(crate) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Whether finished blocks are kept in a file.
    pub(crate) fn keeps(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Refuses hopeless work, and says what to do instead.
    pub(crate) fn check(&self, context: &Context, model: &Model, request: &Request) -> Result<(), Error> {
        check_model(model).map_err(|source| failed(model, source))?;
        check_rules(request.rules.each_ref()).map_err(|source| failed(model, source))?;
        self.check_time(context, model, if request.quality { 2 } else { 1 })
    }

    /// Refuses rules that cannot be compared on a deep model, and hopeless work.
    pub(crate) fn check_tournament(
        &self,
        context: &Context,
        model: &Model,
        rules: &[Rule],
    ) -> Result<(), Error> {
        if !is_deep(model) {
            return Ok(());
        }
        check_model(model).map_err(|source| failed(model, source))?;
        check_tournament(rules).map_err(|source| failed(model, source))?;
        // One along each rule except minimax, and one along the ideal rule.
        self.check_time(context, model, rules.len())
    }

    /// Refuses this number of sweeps if they would take too long. Shards may take any time.
    fn check_time(&self, context: &Context, model: &Model, sweeps: usize) -> Result<(), Error> {
        if self.force || context.is_divided() {
            return Ok(());
        }
        let estimate = Estimate::of(model, rayon::current_num_threads(), PAIRS_PER_SECOND);
        estimate.check(MAX_SECONDS / sweeps as f64).map_err(|source| failed(model, source))
    }

    /// Notes that a checkpoint is not needed: without a deep model there are no blocks to keep.
    pub(crate) fn note_unused(&self, context: &Context) {
        if self.checkpoint.is_some() {
            context.note("no checkpoint is needed: nothing is computed block by block");
        }
    }

    /// Sweeps a model block by block.
    pub(crate) fn measure(
        &self,
        context: &Context,
        curves: &Curves,
        model: &Model,
        request: &Request,
    ) -> Result<Measurement, Error> {
        let sweeps = if request.quality { 2 } else { 1 };
        self.watch(context, model, sweeps, |options| curves.answer_deep(model, request, options))
    }

    /// Sweeps a model block by block, along one rule after the other.
    pub(crate) fn tournament(
        &self,
        context: &Context,
        curves: &Curves,
        model: &Model,
        rules: &[Rule],
        number: Number,
    ) -> Result<Tournament, Error> {
        self.watch(context, model, rules.len(), |options| {
            curves.tournament_deep(model, rules, number, options)
        })
    }

    /// Sweeps a shard of a model along each of these rules.
    pub(crate) fn share(
        &self,
        context: &Context,
        curves: &Curves,
        model: &Model,
        along: &[Rule],
    ) -> Result<(), Error> {
        self.watch(context, model, along.len(), |options| curves.share_deep(model, along, options))
    }

    /// Does deep work that shows its progress and can be interrupted and continued.
    fn watch<T>(
        &self,
        context: &Context,
        model: &Model,
        sweeps: usize,
        work: impl FnOnce(&Options<'_>) -> Result<T, DeepError>,
    ) -> Result<T, Error> {
        let (root, increments) = effort::name(model);
        let memory_bytes = self.memory.map_or_else(guard::default_memory, |size| size.0);
        let estimate = Estimate::of(model, rayon::current_num_threads(), PAIRS_PER_SECOND);
        let mut effort = estimate.effort(memory_bytes).times(sweeps as f64);
        effort.seconds *= match context.work() {
            Work::Whole => 1.0,
            Work::Shard(part) => 1.0 / f64::from(part.shard().of()),
            Work::Merge(_) => 0.0,
        };
        let instead = "give less with --memory, or use smaller increments";
        let admit = if self.force || context.is_divided() { guard::admit_forced } else { guard::admit };
        let meter = admit(context, &effort::names(&[model]), effort, instead)?;
        if let Some(path) = &self.checkpoint {
            set_exit_message(kept_in(path));
        }
        let options = Options {
            memory_bytes,
            block_pairs: None,
            checkpoint: self.checkpoint.as_deref(),
            work: context.work(),
            interrupt: context.interrupt(),
            progress: &|done, all| meter.show(done, all),
        };
        work(&options).map_err(|source| match source {
            DeepError::Interrupted { .. } if self.checkpoint.is_some() || context.is_divided() => {
                Error::Continued { root, increments, source: Box::new(source) }
            }
            _ => failed(model, source),
        })
    }
}

fn failed(model: &Model, source: DeepError) -> Error {
    let (root, increments) = effort::name(model);
    Error::Deep { root, increments, source: Box::new(source) }
}

/// A number of bytes with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            || format!("`{text}` is not a size; write a number of bytes or one with a unit, e.g. 512M or 4G");
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => 1,
            "K" | "KB" | "KIB" => 1 << 10,
            "M" | "MB" | "MIB" => 1 << 20,
            "G" | "GB" | "GIB" => 1 << 30,
            _ => return Err(bad()),
        };
        let number: u64 = digits.parse().map_err(|_| bad())?;
        number.checked_mul(unit).map(Self).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(
            [size("5"), size("2k"), size("3MiB"), size("4G")],
            [Ok(5), Ok(2048), Ok(3 << 20), Ok(4 << 30)]
        );
        for text in ["", "G", "-1", "1.5G", "1X", "99999999999G", "é"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
