//! How many computations there are at once, how long they may take, and which ones replace others.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::task::{StopReason, StopWhenGone, Task};
use crate::{Engine, Refusal};

/// What the server allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of computations at once; as many jobs may run besides them.
    pub parallel: usize,
    /// The maximum number of waiting requests.
    pub waiting: usize,
    /// Open connections.
    pub connections: usize,
    /// A figure that is expected to take longer is refused and has to be run as a job.
    pub live: Duration,
    /// The time of a request, waiting included.
    pub request: Duration,
    /// The time of a job.
    pub job: Duration,
    /// The time that a client may take to send the head of a request, or may pause while it reads an answer.
    pub io_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            parallel: 2,
            waiting: 128,
            connections: 256,
            live: Duration::from_secs(5),
            request: Duration::from_secs(60),
            job: Duration::from_secs(3600),
            io_timeout: Duration::from_secs(10),
        }
    }
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Refused(Refusal),
    Stopped(StopReason),
    Busy,
}

/// Two kinds of work, which do not wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Figure,
    Job,
}

/// Schedules the computations of all requests.
pub(crate) struct Scheduler {
    engine: Arc<dyn Engine>,
    limits: Limits,
    figures: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// The latest request of each page that gave its name.
    pages: Mutex<HashMap<String, Weak<Task>>>,
}

impl Scheduler {
    pub(crate) fn new(engine: Arc<dyn Engine>, limits: Limits) -> Self {
        let seats = || Arc::new(Semaphore::new(limits.parallel.max(1)));
        Self {
            engine,
            limits,
            figures: seats(),
            jobs: seats(),
            waiting: AtomicUsize::new(0),
            pages: Mutex::default(),
        }
    }

    /// A task for new work. Earlier work of the same page is stopped.
    pub(crate) fn task(&self, kind: Kind, page: Option<String>) -> Arc<Task> {
        let task = Task::new(match kind {
            Kind::Figure => self.limits.live,
            Kind::Job => self.limits.job,
        });
        if let Some(page) = page {
            let mut pages = self.pages();
            pages.retain(|_, task| task.strong_count() > 0);
            let before = pages.insert(page, Arc::downgrade(&task));
            stop(before, StopReason::Replaced);
        }
        task
    }

    /// Stops the work of a page; returns whether there was any.
    pub(crate) fn stop(&self, page: &str) -> bool {
        let task = self.pages().remove(page);
        stop(task, StopReason::Asked)
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<String, Weak<Task>>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes an answer. The work stops if the client is gone.
    pub(crate) async fn answer(
        &self,
        words: Vec<String>,
        kind: Kind,
        task: Arc<Task>,
    ) -> Result<String, Failure> {
        let _guard = StopWhenGone(Arc::clone(&task));
        let time = match kind {
            Kind::Figure => self.limits.request,
            Kind::Job => self.limits.job,
        };
        let answered = async {
            tokio::select! {
                biased;
                why = task.stopped() => Err(Failure::Stopped(why)),
                answer = self.compute(words, kind, &task) => answer,
            }
        };
        match timeout(time, answered).await {
            Ok(answer) => answer,
            Err(_) => {
                task.stop(StopReason::Late);
                Err(Failure::Stopped(StopReason::Late))
            }
        }
    }

    /// Waits for a turn, and computes. Work that is stopped keeps its place until it has really ended.
    async fn compute(&self, words: Vec<String>, kind: Kind, task: &Arc<Task>) -> Result<String, Failure> {
        let seats = match kind {
            Kind::Figure => &self.figures,
            Kind::Job => &self.jobs,
        };
        let waiting = Waiting::new(&self.waiting);
        if waiting.before >= self.limits.waiting {
            return Err(Failure::Busy);
        }
        let seat = Arc::clone(seats).acquire_owned().await.map_err(|_| Failure::Busy)?;
        drop(waiting);
        let (engine, task) = (Arc::clone(&self.engine), Arc::clone(task));
        let work = tokio::task::spawn_blocking(move || {
            let _seat = seat;
            engine.answer(words, &task)
        });
        match work.await {
            Ok(answer) => answer.map_err(Failure::Refused),
            Err(error) => Err(Failure::Refused(Refusal::Broken(error.to_string()))),
        }
    }
}

fn stop(task: Option<Weak<Task>>, why: StopReason) -> bool {
    let task = task.and_then(|task| task.upgrade());
    task.inspect(|task| task.stop(why)).is_some()
}

/// Counts a waiting request while it exists.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    before: usize,
}

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        let before = count.fetch_add(1, Ordering::SeqCst);
        Self { count, before }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
    }
}
