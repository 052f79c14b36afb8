//! Divisible work of a command: all of it, from a checkpoint on, one shard, or merged from the parts of all shards.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_jobs::divide::{self, DivideError, KeptFile};
use prodmax_jobs::{Divisible, Job, Keep, Part, Run, Work};

use crate::context::Context;
use crate::error::Error;
use crate::long_run::Meter;
use crate::shard::PROGRAM;
use crate::signals::{kept_in, set_exit_message};

impl<E> From<DivideError<E>> for Error
where
    Self: From<E>,
{
    fn from(error: DivideError<E>) -> Self {
        match error {
            DivideError::Work(error) => error.into(),
            DivideError::Kept(error) => error.into(),
        }
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// A file in which a command keeps what is finished. A new one to which nothing was added is removed again.
pub(crate) struct Checkpoint {
    part: Part,
    is_new: bool,
}

impl Checkpoint {
    /// Opens or creates the file, if one is named; an error if it is of other work. What is divided among machines is kept
    /// in parts instead.
    pub(crate) fn open<D: Divisible>(
        context: &Context,
        path: Option<&Path>,
        command: &str,
        work: &D,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = path.filter(|_| !context.is_divided()) else { return Ok(None) };
        let is_new = !path.exists();
        let part = Part::checkpoint(path, PROGRAM, command, work)?;
        Ok(Some(Self { part, is_new }))
    }

    /// The number of finished units.
    pub(crate) fn units(&self) -> u64 {
        self.part.units()
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if self.is_new && self.part.units() == 0 {
            let _ = std::fs::remove_file(self.part.path());
        }
    }
}

/// Does the work that the command is asked for. An interrupted shard is an error; otherwise the sum may be partial.
pub(crate) fn run<D: Divisible>(
    context: &Context,
    work: &D,
    checkpoint: Option<&Checkpoint>,
    stop: &AtomicBool,
    meter: &Meter,
) -> Result<Run<D::Sum>, Error>
where
    Error: From<D::Error>,
{
    let keep = match (context.work(), checkpoint) {
        (Work::Whole, None) => Keep::Nowhere,
        (Work::Whole, Some(checkpoint)) => Keep::Checkpoint(&checkpoint.part),
        (Work::Shard(part), _) => Keep::Shard(part),
        (Work::Merge(parts), _) => Keep::Merged(parts),
    };
    if let Keep::Checkpoint(part) = keep {
        set_exit_message(kept_in(part.path()));
    }
    let begun = AtomicBool::new(false);
    let progress = |done: u64, all: u64| {
        let is_first = !begun.swap(true, Ordering::Relaxed);
        if let Keep::Checkpoint(part) = keep
            && is_first
            && done > 0
        {
            let steps = D::STEP[usize::from(done != 1)];
            context.note(&format!("{}: continuing with {done} finished {steps}", part.path().display()));
        }
        meter.show(done, all);
    };
    match divide::run(work, &Job { keep, stop, progress: &progress })? {
        Run::Shard { done, all } if done < all => {
            Err(Error::ShardInterrupted { done, all, name: D::STEP[1] })
        }
        run => Ok(run),
    }
}

/// Files that runs of a command have kept or printed.
pub(crate) fn read(paths: &[PathBuf], command: &'static str) -> Result<Vec<KeptFile>, Error> {
    paths.iter().map(|path| Ok(KeptFile::read(path, command)?)).collect()
}
