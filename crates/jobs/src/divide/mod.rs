//! Divisible work: one loop for whole runs, checkpoints, shards and merged parts.
//!
//! Work is a range of numbered *steps*: trees, games, readings, pairs of subtrees. A *unit* is a run of consecutive steps
//! that is computed at once; what is found out about it is one line of a [part](crate::part), behind its first step and
//! the number of its steps. So whatever was kept, by this run or another one, with whatever bounds: what is missing are
//! the steps that no kept run covers, and kept runs belong together if they do not overlap.
//!
//! Threads take units in their order. A finding is written to the file as soon as it is there, and absorbed in the order
//! of the steps, so sums do not depend on the number of threads or on interruptions. A checkpoint is the part of shard
//! 1/1; merging is the same run with all steps read.

mod kept;
mod record;
mod units;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

pub use self::kept::{KeptFile, merge};
pub use self::record::Record;
pub use self::units::Units;

use self::kept::Kept;
use self::units::{Todo, length};
use crate::part::{Part, PartError, Parts, Section};
use crate::share::Shard;

/// Work that consists of steps which can be computed anywhere, in any order.
pub trait Divisible: Sync {
    /// What a step is called, and several of them.
    const STEP: [&'static str; 2];
    /// What is found out about a unit.
    type Finding: Send;
    /// The memory of one thread.
    type Workspace: Send;
    /// What the findings add up to, in the order of the steps.
    type Sum: Send;
    /// Why a unit cannot be computed, or findings do not fit together.
    type Error: Send;

    /// Everything that findings depend on, except for which steps are asked for, in one line.
    fn identity(&self) -> String;

    /// How the identity of kept work differs; `None` if its findings belong to this work.
    fn difference(&self, kept: &str) -> Option<String> {
        let own = self.identity();
        (kept != own).then(|| crate::lines::difference(kept, &own))
    }

    /// The steps that are asked for.
    fn steps(&self) -> Range<u64>;

    /// The units that these are cut into, or those of a shard. Where units begin and end may follow from the steps that
    /// are asked for, unless the sum depends on it; then [`Divisible::read`] refuses other runs.
    fn units(&self, shard: Option<Shard>) -> Units {
        Units::even(self.steps(), 1, shard)
    }

    /// How many of these units may be in progress at once.
    fn at_once(&self, _units: &Units) -> Result<usize, Self::Error> {
        Ok(rayon::current_num_threads())
    }

    /// Memory for units.
    fn workspace(&self) -> Self::Workspace;

    /// Computes a unit, or what is left of it between kept ones. When `stop` becomes true, as many of the first steps
    /// as are finished are enough; `None` if none is. The number is that of the finished steps.
    fn compute(
        &self,
        steps: Range<u64>,
        workspace: &mut Self::Workspace,
        stop: &AtomicBool,
    ) -> Result<Option<(u64, Self::Finding)>, Self::Error>;

    /// A finding as one line.
    fn write(&self, finding: &Self::Finding) -> String;

    /// The finding in such a line; `None` if it cannot be one of these steps.
    fn read(&self, steps: Range<u64>, line: &str) -> Option<Self::Finding>;

    /// The sum of no findings.
    fn begin(&self) -> Self::Sum;

    /// Adds a finding; they come in the order of their steps.
    fn absorb(
        &self,
        sum: &mut Self::Sum,
        steps: Range<u64>,
        finding: Self::Finding,
    ) -> Result<(), Self::Error>;

    /// Whether a unit that begins with this step is still needed: a match that is decided needs no more games.
    fn is_wanted(&self, _sum: &Self::Sum, _step: u64) -> bool {
        true
    }
}

/// Where findings are kept.
#[derive(Clone, Copy, Debug)]
pub enum Keep<'a> {
    /// In memory only.
    Nowhere,
    /// In a checkpoint, from which the work goes on.
    Checkpoint(&'a Part),
    /// In the part of a shard, which is all that is computed.
    Shard(&'a Part),
    /// All of them are read from the parts of all shards.
    Merged(&'a Parts),
}

/// How work is done.
pub struct Job<'a> {
    /// Where findings are kept.
    pub keep: Keep<'a>,
    /// Becomes true when the work is to stop.
    pub stop: &'a AtomicBool,
    /// Is told how many of how many steps are done: at the beginning those that were kept, then after every unit.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl<'a> Job<'a> {
    /// Work that is kept nowhere and shows no progress.
    pub fn new(stop: &'a AtomicBool) -> Self {
        Self { keep: Keep::Nowhere, stop, progress: &|_, _| () }
    }
}

/// What a run leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run<S> {
    /// The sum of all steps.
    Whole(S),
    /// The sum of some steps.
    Partial {
        /// Their sum.
        sum: S,
        /// How many there are.
        done: u64,
        /// How many were asked for.
        all: u64,
    },
    /// The part of a shard.
    Shard {
        /// How many steps are done.
        done: u64,
        /// How many the shard has.
        all: u64,
    },
}

impl<S> Run<S> {
    /// The sum of all steps, or of those that are done; a shard has none.
    pub fn sum(self) -> Option<S> {
        match self {
            Self::Whole(sum) | Self::Partial { sum, .. } => Some(sum),
            Self::Shard { .. } => None,
        }
    }
}

/// Why divisible work cannot be done.
#[derive(Debug, Error)]
pub enum DivideError<E> {
    /// It failed.
    #[error(transparent)]
    Work(E),
    /// What is kept cannot be read, written or used.
    #[error(transparent)]
    Kept(#[from] PartError),
}

impl DivideError<Infallible> {
    /// The error of work that cannot fail.
    pub fn kept(self) -> PartError {
        match self {
            Self::Work(never) => match never {},
            Self::Kept(error) => error,
        }
    }
}

/// What all threads add to.
struct State<D: Divisible> {
    sum: D::Sum,
    /// All steps before this one are absorbed.
    next: u64,
    /// Later runs that are there already: the step behind each, and its finding unless it was not wanted.
    waiting: BTreeMap<u64, (u64, Option<D::Finding>)>,
    /// How many steps are done.
    done: u64,
}

impl<D: Divisible> State<D> {
    /// Absorbs the findings that are next; at the end all, whatever is missing between them.
    fn absorb(&mut self, work: &D, is_end: bool) -> Result<(), D::Error> {
        while let Some(entry) = self.waiting.first_entry().filter(|entry| is_end || *entry.key() == self.next)
        {
            let (start, (end, finding)) = entry.remove_entry();
            self.next = end;
            if let Some(finding) = finding {
                work.absorb(&mut self.sum, start..end, finding)?;
            }
        }
        Ok(())
    }
}

/// Locks; what a thread that was stopped has left is whole, because nothing is computed while a lock is held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work: what is missing is computed on all threads, until it is finished or stopped.
pub fn run<D: Divisible>(work: &D, job: &Job<'_>) -> Result<Run<D::Sum>, DivideError<D::Error>> {
    let mut kept = Kept::default();
    let (part, shard) = match job.keep {
        Keep::Nowhere => (None, None),
        Keep::Checkpoint(part) => (Some(part), None),
        Keep::Shard(part) => (Some(part), Some(part.shard())),
        Keep::Merged(parts) => return kept::merge_parts(work, parts),
    };
    part.map_or(Ok(()), |part| kept.add_part(work, part))?;
    let units = work.units(shard);
    kept.check_asked::<D>(&units)?;
    let section = part.map(|part| kept::section(work, part)).transpose()?;
    Loop::new(work, job, section, shard, &units, kept).run(&units)
}

/// The loop, as all threads see it.
struct Loop<'a, D: Divisible> {
    work: &'a D,
    job: &'a Job<'a>,
    section: Option<Section<'a>>,
    shard: Option<Shard>,
    todo: Mutex<Todo<'a>>,
    state: Mutex<State<D>>,
    /// How many steps there are.
    all: u64,
    /// Held while progress is shown, so that it never goes back.
    turn: Mutex<()>,
    /// The first error; it stops the other threads.
    error: Mutex<Option<DivideError<D::Error>>>,
    failed: AtomicBool,
}

impl<'a, D: Divisible> Loop<'a, D> {
    fn new(
        work: &'a D,
        job: &'a Job<'a>,
        section: Option<Section<'a>>,
        shard: Option<Shard>,
        units: &'a Units,
        kept: Kept<D::Finding>,
    ) -> Self {
        let todo = Mutex::new(Todo::new(units, kept.runs()));
        let done = kept.runs().map(|run| length(&run)).sum();
        // A shard adds nothing up.
        let waiting = if shard.is_some() { BTreeMap::new() } else { kept.findings() };
        let state = State { sum: work.begin(), next: work.steps().start, waiting, done };
        Self {
            work,
            job,
            section,
            shard,
            todo,
            state: Mutex::new(state),
            all: units.steps(),
            turn: Mutex::new(()),
            error: Mutex::new(None),
            failed: AtomicBool::new(false),
        }
    }

    fn run(self, units: &Units) -> Result<Run<D::Sum>, DivideError<D::Error>> {
        lock(&self.state).absorb(self.work, false).map_err(DivideError::Work)?;
        self.show();
        let threads = self.work.at_once(units).map_err(DivideError::Work)?;
        rayon::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|_| {
                    if let Err(error) = self.compute() {
                        self.failed.store(true, Ordering::Relaxed);
                        lock(&self.error).get_or_insert(error);
                    }
                });
            }
        });
        if let Some(error) = self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let all = self.all;
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.absorb(self.work, true).map_err(DivideError::Work)?;
        let State { sum, done, .. } = state;
        Ok(match self.shard {
            Some(_) => Run::Shard { done, all },
            None if done == all => Run::Whole(sum),
            None => Run::Partial { sum, done, all },
        })
    }

    /// What one thread does.
    fn compute(&self) -> Result<(), DivideError<D::Error>> {
        let mut workspace = None;
        while !self.job.stop.load(Ordering::Relaxed) && !self.failed.load(Ordering::Relaxed) {
            let next = lock(&self.todo).next();
            let Some(unit) = next else { break };
            let is_wanted = self.shard.is_some() || self.work.is_wanted(&lock(&self.state).sum, unit.start);
            if !is_wanted {
                self.settle(unit, None)?;
                continue;
            }
            let workspace = workspace.get_or_insert_with(|| self.work.workspace());
            let found =
                self.work.compute(unit.clone(), workspace, self.job.stop).map_err(DivideError::Work)?;
            let Some((steps, finding)) = found else { break };
            let finished = unit.start..unit.start.saturating_add(steps).min(unit.end);
            if let Some(section) = self.section {
                section.append(finished.start, &unit_text(&finished, &self.work.write(&finding)))?;
            }
            self.settle(finished, Some(finding))?;
        }
        Ok(())
    }

    /// Counts a run of steps that is done, and absorbs it if all before it are.
    fn settle(&self, run: Range<u64>, finding: Option<D::Finding>) -> Result<(), DivideError<D::Error>> {
        let mut state = lock(&self.state);
        state.done += length(&run);
        if self.shard.is_none() {
            state.waiting.insert(run.start, (run.end, finding));
            state.absorb(self.work, false).map_err(DivideError::Work)?;
        }
        drop(state);
        self.show();
        Ok(())
    }

    fn show(&self) {
        let _turn = lock(&self.turn);
        let done = lock(&self.state).done;
        (self.job.progress)(done, self.all);
    }
}

/// What is written for a unit behind its first step: the number of its steps and what was found.
fn unit_text(run: &Range<u64>, text: &str) -> String {
    format!("{} {text}", length(run))
}
