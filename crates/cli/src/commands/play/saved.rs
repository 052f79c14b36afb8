//! Games in files: checkpoints and game logs.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use prodmax_games::play::{MatchResults, MatchSpec};

use crate::context::Context;
use crate::error::Error;
use crate::sink;

/// The maximum size of a game log: millions of games.
const MAX_BYTES: u64 = 1 << 30;

/// Reads games and checks them.
pub(super) fn read(path: &Path) -> Result<MatchResults, Error> {
    let text = prodmax_store::read(path, MAX_BYTES)?;
    let text = String::from_utf8_lossy(&text);
    MatchResults::read(&text)
        .map_err(|source| Error::GameLog { path: path.to_owned(), source: Box::new(source) })
}

/// Writes games.
pub(super) fn write(path: &Path, results: &MatchResults) -> Result<(), Error> {
    let failed = |error: serde_json::Error| Error::Write { path: path.to_owned(), source: error.into() };
    sink::write(Some(path), results.to_text().map_err(failed)?.as_bytes())
}

/// All games of several files.
pub(super) fn merge(files: &[PathBuf]) -> Result<MatchResults, Error> {
    let mut merged: Option<MatchResults> = None;
    for file in files {
        let next = read(file)?;
        let failed = |source| Error::GameLog { path: file.clone(), source: Box::new(source) };
        merged = Some(match merged {
            None => next,
            Some(sum) => sum.merge(&next).map_err(failed)?,
        });
    }
    // The argument parser requires at least one file.
    merged.ok_or(Error::NoPlayers)
}

/// The games of a match in its checkpoint; none if there is no such file yet.
pub(super) fn resume(path: &Path, spec: MatchSpec, context: &Context) -> Result<MatchResults, Error> {
    if !path.exists() {
        return Ok(MatchResults::new(spec));
    }
    let kept = read(path)?;
    let asked: std::collections::HashSet<_> = spec.pairs().collect();
    // Games outside the range would be lost when the checkpoint is written.
    let beyond = kept.pairs.iter().find(|pair| !asked.contains(&(pair.resource, pair.start)));
    let beyond = beyond.map(|pair| format!("start {} is not asked for here", pair.start));
    let other = (!kept.spec.same_games(&spec)).then(|| difference(&kept.spec, &spec));
    if let Some(difference) = other.or(beyond) {
        return Err(Error::OtherMatch { path: path.to_owned(), id: kept.spec.id, difference });
    }
    context.note(&format!("{}: continuing with {} finished games", path.display(), kept.games()));
    Ok(MatchResults { spec, pairs: kept.pairs })
}

/// The first setting in which two matches differ, apart from their names and what may differ in a checkpoint.
fn difference(kept: &MatchSpec, wanted: &MatchSpec) -> String {
    let settings = |spec: &MatchSpec| serde_json::to_value(spec).unwrap_or_default();
    let (kept, wanted) = (settings(kept), settings(wanted));
    let defining = ["game", "players", "ply", "ties", "opening", "seed"];
    let differs = defining.into_iter().find(|&key| kept[key] != wanted[key]);
    differs.map_or_else(
        || "other settings".to_owned(),
        |key| format!("another {key}: {}, not {}", kept[key], wanted[key]),
    )
}

/// A file that is saved from time to time.
#[derive(Debug)]
pub(super) struct Checkpoint<'a, T> {
    path: &'a Path,
    write: fn(&Path, &T) -> Result<(), Error>,
    last: Instant,
    failed: Option<Error>,
}

impl<'a, T> Checkpoint<'a, T> {
    /// How long finished work may stay unsaved.
    const PAUSE: Duration = Duration::from_secs(10);

    pub(super) fn new(path: &'a Path, write: fn(&Path, &T) -> Result<(), Error>) -> Self {
        Self { path, write, last: Instant::now(), failed: None }
    }

    /// Saves if it is time to. A failure stops the run.
    pub(super) fn keep(&mut self, results: &T, interrupt: &AtomicBool) {
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
    pub(super) fn finish(self, results: &T) -> Result<(), Error> {
        match self.failed {
            Some(error) => Err(error),
            None => (self.write)(self.path, results),
        }
    }
}
