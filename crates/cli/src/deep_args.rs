//! The arguments of models whose depth-1 classes do not fit into memory.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use prodmax_jobs::{Effort, Work};
use prodmax_law::LawError;
use prodmax_mass::deep::{DeepError, Options, SweepPlan};
use prodmax_mass::{Engine, MeasureError, MeasurePlan, Measurement, NumberKind};
use prodmax_number::Figure;

use crate::args::continued_file;
use crate::context::Context;
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::shard::plan::WorkPlan;
use crate::signals::{kept_in, set_exit_message};

/// Work that would take longer is refused unless it is forced.
pub(crate) const MAX_SECONDS: f64 = 1800.0;

/// Why there is nothing to divide.
const NOT_DEEP: &str = "only models that are swept block by block can be divided (--engine deep, or \
                                   more than 2 million depth-1 classes), and there is none here";

/// What the sweeps of these models take in this many shards; an error if there is none.
pub(crate) fn work_plan<K: NumberKind>(plans: &[MeasurePlan<'_, K>], shards: u32) -> Result<WorkPlan, Error> {
    let sweeps: Vec<SweepPlan> = plans.iter().flat_map(|plan| plan.shards(shards)).collect();
    if sweeps.is_empty() {
        return Err(Error::DividedCommand { reason: NOT_DEEP.to_owned() });
    }
    Ok(WorkPlan::of_sweeps(&sweeps))
}

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
    /// The files that these arguments name.
    pub(crate) fn files(&self, files: Files) -> Files {
        files.keeps_family("--checkpoint", self.checkpoint.as_deref())
    }

    /// Whether finished work is kept in a file.
    pub(crate) fn keeps(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The longest that a sweep may take. Shards may take any time.
    pub(crate) fn most_seconds(&self, context: &Context) -> f64 {
        if self.force || context.is_divided() { f64::INFINITY } else { MAX_SECONDS }
    }

    /// Notes that a checkpoint is not needed: without a deep model there are no blocks to keep.
    pub(crate) fn note_unused(&self, context: &Context) {
        if self.checkpoint.is_some() {
            context.note("no checkpoint is needed: nothing is computed block by block");
        }
    }

    /// Measures a model with progress; what takes long can be interrupted and continued.
    pub(crate) fn measure<K: NumberKind>(
        &self,
        context: &Context,
        plan: &MeasurePlan<'_, K>,
    ) -> Result<Measurement<Figure>, Error> {
        Ok(self.watch(context, plan, |options| plan.run(options))?.map(Into::into))
    }

    /// Computes a shard of each of these models, which are swept block by block; an error if there is none.
    pub(crate) fn share<K: NumberKind>(
        &self,
        context: &Context,
        plans: &[MeasurePlan<'_, K>],
    ) -> Result<(), Error> {
        if plans.is_empty() {
            return Err(Error::NotDivided { why: NOT_DEEP });
        }
        plans.iter().try_for_each(|plan| self.watch(context, plan, |options| plan.share(options)))
    }

    fn watch<K: NumberKind, T>(
        &self,
        context: &Context,
        plan: &MeasurePlan<'_, K>,
        work: impl FnOnce(&Options<'_>) -> Result<T, MeasureError>,
    ) -> Result<T, Error> {
        let model = plan.model();
        let memory_bytes = self.memory.map_or_else(guard::default_memory, |size| size.0);
        let mut effort: Effort = plan.effort(memory_bytes, rayon::current_num_threads());
        let mut what = effort::names(&[model]);
        let keeps = self.checkpoint.as_deref().filter(|_| plan.engine() != Engine::Classes);
        let instead = match plan.engine() {
            Engine::Classes => "use doubles (--number f64), fewer rules or smaller increments",
            Engine::Deep => {
                effort.seconds *= match context.work() {
                    Work::Whole => 1.0,
                    Work::Shard(part) => 1.0 / f64::from(part.shard().of()),
                    Work::Merge(_) => 0.0,
                };
                "give less with --memory, or use smaller increments"
            }
            Engine::Law => {
                what += &format!(", grid {}", plan.steps());
                "use a coarser grid"
            }
        };
        let is_forced = plan.engine() == Engine::Deep && (self.force || context.is_divided());
        let admit = if is_forced { guard::admit_forced } else { guard::admit };
        let meter = admit(context, &what, effort, instead)?;
        if let Some(path) = keeps {
            set_exit_message(kept_in(path));
        }
        let options = Options {
            memory_bytes,
            block_pairs: None,
            checkpoint: keeps,
            work: context.work(),
            interrupt: context.interrupt(),
            progress: &|done, all| meter.show(done, all),
        };
        let (root, increments) = effort::name(model);
        work(&options).map_err(|source| match &source {
            MeasureError::Deep(error)
                if matches!(**error, DeepError::Interrupted { .. })
                    && (keeps.is_some() || context.is_divided()) =>
            {
                Error::Continued { root, increments, source }
            }
            MeasureError::Law(LawError::Interrupted) if keeps.is_some() => {
                Error::LawContinued { root, increments }
            }
            _ => Error::Measure { root, increments, source },
        })
    }
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
