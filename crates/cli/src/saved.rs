//! Results of many independent pieces of work (trees, games) in files: checkpoints that a later run continues, and parts
//! that are merged. One mechanism for all commands; what is in a file is up to the results.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::context::Context;
use crate::error::Error;
use crate::sink;

/// Results that can be written, read back, continued and merged.
pub(crate) trait Saved: Sized {
    /// What is to be done.
    type Spec;

    /// The maximum size of a file.
    const MAX_BYTES: u64;

    /// Results without any work done yet.
    fn begin(spec: Self::Spec) -> Self;

    /// Reads and checks the content of a file.
    fn read(content: &[u8], path: &Path) -> Result<Self, Error>;

    /// The content of a file.
    fn content(&self) -> Result<Vec<u8>, serde_json::Error>;

    /// These results and those of another file together.
    fn merge_with(&self, other: &Self, path: &Path) -> Result<Self, Error>;

    /// These results as a beginning of other work; an error if they are of something else.
    fn continue_with(self, spec: Self::Spec, path: &Path) -> Result<Self, Error>;

    /// What is finished, e.g. "3 finished trees".
    fn finished(&self) -> String;
}

/// Reads results and checks them.
pub(crate) fn read<R: Saved>(path: &Path) -> Result<R, Error> {
    R::read(&prodmax_jobs::read(path, R::MAX_BYTES)?, path)
}

/// Writes results, completely or not at all.
pub(crate) fn write<R: Saved>(path: &Path, results: &R) -> Result<(), Error> {
    let failed = |error: serde_json::Error| Error::Write { path: path.to_owned(), source: error.into() };
    sink::write(Some(path), &results.content().map_err(failed)?)
}

/// The results of several files together.
pub(crate) fn merge<R: Saved>(files: &[PathBuf]) -> Result<R, Error> {
    let mut merged: Option<R> = None;
    for file in files {
        let next: R = read(file)?;
        merged = Some(match merged {
            None => next,
            Some(sum) => sum.merge_with(&next, file)?,
        });
    }
    // The argument parser requires at least one file.
    merged.ok_or(Error::NothingToMerge)
}

/// The results in a checkpoint; none if there is no such file yet.
pub(crate) fn resume<R: Saved>(path: &Path, spec: R::Spec, context: &Context) -> Result<R, Error> {
    if !path.exists() {
        return Ok(R::begin(spec));
    }
    let kept = read::<R>(path)?.continue_with(spec, path)?;
    context.note(&format!("{}: continuing with {}", path.display(), kept.finished()));
    Ok(kept)
}

/// A file that is saved from time to time.
#[derive(Debug)]
pub(crate) struct Checkpoint<'a, T> {
    path: &'a Path,
    write: fn(&Path, &T) -> Result<(), Error>,
    last: Instant,
    failed: Option<Error>,
}

impl<'a, T> Checkpoint<'a, T> {
    /// How long finished work may stay unsaved.
    const PAUSE: Duration = Duration::from_secs(10);

    /// A checkpoint that is written in this way, e.g. by [`write()`].
    pub(crate) fn new(path: &'a Path, write: fn(&Path, &T) -> Result<(), Error>) -> Self {
        Self { path, write, last: Instant::now(), failed: None }
    }

    /// Saves if it is time to. A failure stops the run.
    pub(crate) fn keep(&mut self, results: &T, interrupt: &AtomicBool) {
        if self.last.elapsed() < Self::PAUSE {
            return;
        }
        if let Err(error) = (self.write)(self.path, results) {
            self.failed = Some(error);
            interrupt.store(true, Ordering::Relaxed);
        }
        self.last = Instant::now();
    }

    /// Saves everything.
    pub(crate) fn finish(self, results: &T) -> Result<(), Error> {
        match self.failed {
            Some(error) => Err(error),
            None => (self.write)(self.path, results),
        }
    }
}
