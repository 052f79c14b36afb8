//! Random trees that depend only on their numbers: drawn on all threads, until all are drawn or the work is stopped.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

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
