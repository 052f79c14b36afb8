//! Running a simulation: many trees on all threads, with progress, interruption and checkpoints.

use std::sync::atomic::AtomicBool;

use prodmax_jobs::draw::{Trees, draw_trees};

use crate::counts::TreeCounts;
use crate::experiment::{Simulation, Workspace};
use crate::results::{SimulationResults, SimulationResultsError};

/// How far a run has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulationProgress {
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
    fn batch(&mut self, progress: SimulationProgress, results: &SimulationResults);
}

impl<F: FnMut(SimulationProgress, &SimulationResults)> Observer for F {
    fn batch(&mut self, progress: SimulationProgress, results: &SimulationResults) {
        self(progress, results);
    }
}

/// Trees per thread between two reports to the observer.
const BATCH: usize = 8;

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
        let progress = SimulationProgress { finished, fresh: finished - before, trees: results.spec.trees };
        observer.batch(progress, &results);
    });
    Ok(results)
}
