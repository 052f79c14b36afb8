//! Running a simulation: many trees on all threads, with progress, interruption and checkpoints.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::counts::TreeCounts;
use crate::experiment::{Simulation, Workspace};
use crate::results::{SimulationResults, SimulationResultsError};
use crate::spec::{SimulationSpec, SpecError};

/// How far a run has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Trees finished, including those of earlier runs that this one continues.
    pub finished: u64,
    /// Trees finished by this run.
    pub fresh: u64,
    /// Trees that the spec asks for.
    pub trees: u64,
}

/// Receives the progress of a run. All methods are called from the thread that called [`simulate`].
pub trait Observer {
    /// Called after every batch of trees (a few per thread), with everything finished so far.
    fn batch(&mut self, progress: Progress, results: &SimulationResults);
}

impl<F: FnMut(Progress, &SimulationResults)> Observer for F {
    fn batch(&mut self, progress: Progress, results: &SimulationResults) {
        self(progress, results);
    }
}

/// Plays single trees of a simulation, on any number of threads.
pub struct Runner {
    simulation: Simulation,
    /// Workspaces are large: they outlive the trees.
    idle: Mutex<Vec<Workspace>>,
}

impl Runner {
    /// For a simulation.
    pub fn new(spec: &SimulationSpec) -> Result<Self, SpecError> {
        Ok(Self { simulation: Simulation::new(spec)?, idle: Mutex::new(Vec::new()) })
    }

    /// The counts of a tree; nothing if `interrupt` became true before it was finished.
    pub fn tree(&self, number: u64, interrupt: &AtomicBool) -> Option<TreeCounts> {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let lock = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let reused = lock().pop();
        let mut workspace = reused.unwrap_or_else(|| self.simulation.workspace());
        let counts = self.simulation.tree_until(number, &mut workspace, interrupt);
        lock().push(workspace);
        counts
    }
}

/// Trees per thread between two reports to the observer.
const BATCH: usize = 8;

/// Runs all trees that are missing in `results`: all of them for [`SimulationResults::new`], the rest for those of an
/// interrupted run. Each tree depends only on its number, so the counts do not depend on the number of threads, on
/// interruptions or on how a run is divided. When `interrupt` becomes true, the trees in progress are abandoned and the
/// finished ones are returned.
pub fn simulate(
    results: SimulationResults,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<SimulationResults, SimulationResultsError> {
    results.check()?;
    let runner = Runner::new(&results.spec)?;
    // Not collected: a run may ask for so many trees, to be interrupted some day, that their numbers do not fit into
    // memory.
    let finished: Vec<u64> = results.trees.iter().map(|counts| counts.tree).collect();
    let is_missing = |tree: &u64| finished.binary_search(tree).is_err();
    let mut missing = results.spec.tree_indices().filter(is_missing);
    let mut results = results;
    let before = results.trees.len() as u64;
    let run = |&number: &u64| runner.tree(number, interrupt);
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
