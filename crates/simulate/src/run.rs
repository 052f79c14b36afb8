//! Running a simulation: many trees on all threads, with progress, interruption and checkpoints.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::counts::TreeCounts;
use crate::experiment::{Simulation, Workspace};
use crate::results::{SimulationResults, SimulationResultsError};

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

/// Trees per thread between two reports to the observer.
const BATCH: usize = 8;

/// Trees that depend only on their numbers, so that they can be drawn in any order, on any thread, in any run.
pub trait Trees: Sync {
    /// The memory of one thread.
    type Workspace: Send;
    /// What is found out about a tree.
    type Finding: Send;

    /// Memory for trees.
    fn workspace(&self) -> Self::Workspace;

    /// Draws tree number `number`; `None` if it was interrupted.
    fn draw(
        &self,
        number: u64,
        workspace: &mut Self::Workspace,
        interrupt: &AtomicBool,
    ) -> Option<Self::Finding>;
}

impl Trees for Simulation {
    type Workspace = Workspace;
    type Finding = TreeCounts;

    fn workspace(&self) -> Workspace {
        Simulation::workspace(self)
    }

    fn draw(&self, number: u64, workspace: &mut Workspace, interrupt: &AtomicBool) -> Option<TreeCounts> {
        self.tree_until(number, workspace, interrupt)
    }
}

/// Draws single trees on any number of threads.
pub struct Runner<'a, T: Trees> {
    trees: &'a T,
    /// Workspaces are large: they outlive the trees.
    idle: Mutex<Vec<T::Workspace>>,
}

impl<'a, T: Trees> Runner<'a, T> {
    /// For these trees.
    pub fn new(trees: &'a T) -> Self {
        Self { trees, idle: Mutex::new(Vec::new()) }
    }

    /// What is found out about a tree; nothing if `interrupt` became true before it was finished.
    pub fn tree(&self, number: u64, interrupt: &AtomicBool) -> Option<T::Finding> {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let lock = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let reused = lock().pop();
        let mut workspace = reused.unwrap_or_else(|| self.trees.workspace());
        let tree = self.trees.draw(number, &mut workspace, interrupt);
        lock().push(workspace);
        tree
    }
}

/// Draws the trees with these numbers on all threads, `per_thread` times as many at once as there are threads, and
/// hands every such batch to `keep`, in the order of the numbers. When `interrupt` becomes true, the trees in progress
/// are abandoned, the finished ones are kept and nothing more is drawn.
pub fn draw_trees<T: Trees>(
    trees: &T,
    mut numbers: impl Iterator<Item = u64>,
    per_thread: usize,
    interrupt: &AtomicBool,
    mut keep: impl FnMut(Vec<(u64, T::Finding)>),
) {
    let runner = Runner::new(trees);
    let draw = |&number: &u64| Some((number, runner.tree(number, interrupt)?));
    loop {
        // Not all at once: a run may ask for so many trees, to be interrupted some day, that their numbers do not fit
        // into memory.
        let batch: Vec<u64> = numbers.by_ref().take(per_thread * rayon::current_num_threads()).collect();
        if batch.is_empty() {
            break;
        }
        keep(batch.par_iter().with_max_len(1).filter_map(draw).collect());
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
}

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
    let experiment = Simulation::new(&results.spec)?;
    let finished: Vec<u64> = results.trees.iter().map(|counts| counts.tree).collect();
    let is_missing = |tree: &u64| finished.binary_search(tree).is_err();
    let missing = results.spec.tree_indices().filter(is_missing);
    let mut results = results;
    let before = results.trees.len() as u64;
    draw_trees(&experiment, missing, BATCH, interrupt, |batch| {
        results.extend(batch.into_iter().map(|(_, counts)| counts));
        let finished = results.trees.len() as u64;
        let progress = Progress { finished, fresh: finished - before, trees: results.spec.trees };
        observer.batch(progress, &results);
    });
    Ok(results)
}
