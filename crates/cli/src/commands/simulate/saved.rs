//! Results in files: checkpoints, and the output of `--format json`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use prodmax_simulate::{Difference, SimulationResults, SimulationSpec};
use prodmax_store::Parts;

use crate::context::Context;
use crate::error::Error;
use crate::format_number::counted;
use crate::sink;

/// The maximum size of a file of results: a million trees of depth 18.
const MAX_BYTES: u64 = 4 << 30;

/// Reads results and checks them.
fn read(path: &Path) -> Result<SimulationResults, Error> {
    let no_results = |reason: String| Error::NoResults { path: path.to_owned(), reason };
    let bytes = prodmax_store::read(path, MAX_BYTES)?;
    let results: SimulationResults =
        serde_json::from_slice(&bytes).map_err(|error| no_results(error.to_string()))?;
    results.check().map_err(|source| Error::Results { path: path.to_owned(), source })?;
    Ok(results)
}

/// The sum of several results.
pub(super) fn merge(files: &[PathBuf]) -> Result<SimulationResults, Error> {
    let mut merged: Option<SimulationResults> = None;
    for file in files {
        let next = read(file)?;
        merged = Some(match merged {
            None => next,
            Some(sum) => sum.merge(&next).map_err(|source| Error::Results { path: file.clone(), source })?,
        });
    }
    // The argument parser requires at least one file.
    merged.ok_or_else(|| Error::NoResults { path: PathBuf::new(), reason: "no file is named".to_owned() })
}

/// What the trees of a part depend on.
pub(super) fn identity(spec: &SimulationSpec) -> String {
    // A spec can always be written.
    format!("simulation={}", serde_json::to_string(spec).unwrap_or_default())
}

/// All trees, from the parts of all shards.
pub(super) fn of_parts(parts: &Parts, spec: SimulationSpec) -> Result<SimulationResults, Error> {
    let mut trees = Vec::new();
    parts.numbered(&identity(&spec), spec.trees, &mut |unit, text| {
        let tree = spec.tree_from_line(text).filter(|tree| tree.tree == spec.first_tree + unit);
        let is_tree = tree.is_some();
        trees.extend(tree);
        is_tree
    })?;
    let mut results = SimulationResults::new(spec);
    results.extend(trees);
    results.check()?;
    Ok(results)
}

/// The results of a simulation in its checkpoint; none if there is no such file yet.
pub(super) fn resume(
    path: &Path,
    spec: SimulationSpec,
    context: &Context,
) -> Result<SimulationResults, Error> {
    if !path.exists() {
        return Ok(SimulationResults::new(spec));
    }
    let kept = read(path)?;
    let wanted = spec.tree_indices();
    // Trees outside the range would be lost when the checkpoint is written.
    let beyond = kept.trees.iter().find(|tree| !wanted.contains(&tree.tree));
    let reason = match (kept.spec.difference(&spec), beyond) {
        (Some(Difference { field, first, second }), _) => {
            Some(format!("`{field}` is {first} there and {second} here"))
        }
        (None, Some(tree)) => Some(format!("it has tree {}, which is not asked for here", tree.tree)),
        (None, None) => None,
    };
    if let Some(reason) = reason {
        return Err(Error::Checkpoint { path: path.to_owned(), id: kept.spec.id, reason });
    }
    let finished = counted(kept.trees.len(), "finished tree");
    context.note(&format!("{}: continuing with {finished}", path.display()));
    Ok(SimulationResults { spec, trees: kept.trees })
}

/// A file that is saved from time to time.
#[derive(Debug)]
pub(super) struct Checkpoint<'a> {
    path: &'a Path,
    last: Instant,
    failed: Option<Error>,
}

impl<'a> Checkpoint<'a> {
    /// How long finished trees may stay unsaved.
    const PAUSE: Duration = Duration::from_secs(10);

    pub(super) fn new(path: &'a Path) -> Self {
        Self { path, last: Instant::now(), failed: None }
    }

    /// Saves if it is time to. A failure stops the run.
    pub(super) fn keep(&mut self, results: &SimulationResults, interrupt: &AtomicBool) {
        if self.last.elapsed() < Self::PAUSE {
            return;
        }
        if let Err(error) = self.write(results) {
            self.failed = Some(error);
            interrupt.store(true, Ordering::Relaxed);
        }
        self.last = Instant::now();
    }

    /// Saves everything.
    pub(super) fn finish(self, results: &SimulationResults) -> Result<(), Error> {
        match self.failed {
            Some(error) => Err(error),
            None => self.write(results),
        }
    }

    fn write(&self, results: &SimulationResults) -> Result<(), Error> {
        let failed = |source| Error::Write { path: self.path.to_owned(), source };
        let mut bytes = serde_json::to_vec(results).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        sink::write(Some(self.path), &bytes)
    }
}
