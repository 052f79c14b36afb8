//! Running a simulation: many trees on all threads, with progress, interruption and checkpoints.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::experiment::{Experiment, Workspace};
use crate::results::{Results, ResultsError};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Trees finished, with those of earlier runs that this one continues.
    pub finished: u64,
    /// Trees finished by this run.
    pub fresh: u64,
    /// Trees that the spec asks for.
    pub trees: u64,
}

/// What a run tells its caller. All methods are called from the thread that called [`simulate`].
pub trait Observer {
    /// After every batch of trees (a few per thread), with everything finished so far.
    fn batch(&mut self, progress: Progress, results: &Results);
}

impl<F: FnMut(Progress, &Results)> Observer for F {
    fn batch(&mut self, progress: Progress, results: &Results) {
        self(progress, results);
    }
}

/// Trees per thread between two looks at the outside world.
const BATCH: usize = 8;

/// Runs all trees that are missing in `results`: all of them for [`Results::new`], the rest for those of an
/// interrupted run. Each tree depends on its number alone, so the counts do not depend on the number of threads,
/// on interruptions or on how a run is divided. When `interrupt` becomes true, those being played are given up and the
/// finished ones are returned.
pub fn simulate(
    results: Results,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Results, ResultsError> {
    results.check()?;
    let experiment = Experiment::new(&results.spec)?;
    // Not collected: a run may ask for more trees than numbers fit into memory, to be interrupted some day.
    let finished: Vec<u64> = results.trees.iter().map(|counts| counts.tree).collect();
    let is_missing = |tree: &u64| finished.binary_search(tree).is_err();
    let mut missing = results.spec.tree_indices().filter(is_missing);
    let mut results = results;
    let before = results.trees.len() as u64;
    // Workspaces are large: they outlive the batches.
    let idle: Mutex<Vec<Workspace>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let run = |&number: &u64| {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let waiting = lock().pop();
        let mut room = waiting.unwrap_or_else(|| experiment.workspace());
        let counts = experiment.tree_until(number, &mut room, interrupt);
        lock().push(room);
        counts
    };
    loop {
        let batch: Vec<u64> = missing.by_ref().take(BATCH * rayon::current_num_threads()).collect();
        if batch.is_empty() {
            break;
        }
        let finished: Vec<_> = batch.par_iter().with_max_len(1).filter_map(run).collect();
        results.extend(finished);
        let finished = results.trees.len() as u64;
        let progress = Progress { finished, fresh: finished - before, trees: results.spec.trees };
        observer.batch(progress, &results);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(results)
}
