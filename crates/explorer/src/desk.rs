//! How many computations there are at once, how long they may take, and which ones replace others.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::line::{Line, StopWhenGone, Why};
use crate::{Engine, Refusal};

/// What the server allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Computations at once; as many jobs may go on besides them.
    pub parallel: usize,
    /// Requests that wait for their turn.
    pub waiting: usize,
    /// Open connections.
    pub connections: usize,
    /// A figure that is expected to take longer is refused: it is for a job.
    pub live: Duration,
    /// The time of a request, waiting included.
    pub request: Duration,
    /// The time of a job.
    pub job: Duration,
    /// The time that a client may take to send the head of a request, and to go on reading an answer.
    pub patience: Duration,
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
            patience: Duration::from_secs(10),
        }
    }
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Refused(Refusal),
    Stopped(Why),
    Busy,
}

/// Two kinds of work, which do not wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Figure,
    Job,
}

/// Where requests wait for their turn.
pub(crate) struct Desk {
    engine: Arc<dyn Engine>,
    limits: Limits,
    figures: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// The latest work of each page that has named itself.
    pages: Mutex<HashMap<String, Weak<Line>>>,
}

impl Desk {
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

    /// A line for new work. Work that the same page asked for before is stopped.
    pub(crate) fn line(&self, kind: Kind, page: Option<String>) -> Arc<Line> {
        let line = Line::new(match kind {
            Kind::Figure => self.limits.live,
            Kind::Job => self.limits.job,
        });
        if let Some(page) = page {
            let mut pages = self.pages();
            pages.retain(|_, line| line.strong_count() > 0);
            let before = pages.insert(page, Arc::downgrade(&line));
            stop(before, Why::Replaced);
        }
        line
    }

    /// Stops the work of a page; returns whether there was any.
    pub(crate) fn stop(&self, page: &str) -> bool {
        let line = self.pages().remove(page);
        stop(line, Why::Asked)
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<String, Weak<Line>>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes an answer. The work stops if nobody waits for it any more.
    pub(crate) async fn answer(
        &self,
        words: Vec<String>,
        kind: Kind,
        line: Arc<Line>,
    ) -> Result<String, Failure> {
        let _guard = StopWhenGone(Arc::clone(&line));
        let time = match kind {
            Kind::Figure => self.limits.request,
            Kind::Job => self.limits.job,
        };
        let answered = async {
            tokio::select! {
                biased;
                why = line.stopped() => Err(Failure::Stopped(why)),
                answer = self.compute(words, kind, &line) => answer,
            }
        };
        match timeout(time, answered).await {
            Ok(answer) => answer,
            Err(_) => {
                line.stop(Why::Late);
                Err(Failure::Stopped(Why::Late))
            }
        }
    }

    /// Waits for a turn, and computes. Work that is stopped keeps its place until it has really ended.
    async fn compute(&self, words: Vec<String>, kind: Kind, line: &Arc<Line>) -> Result<String, Failure> {
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
        let (engine, line) = (Arc::clone(&self.engine), Arc::clone(line));
        let work = tokio::task::spawn_blocking(move || {
            let _seat = seat;
            engine.answer(words, &line)
        });
        match work.await {
            Ok(answer) => answer.map_err(Failure::Refused),
            Err(error) => Err(Failure::Refused(Refusal::Broken(error.to_string()))),
        }
    }
}

fn stop(line: Option<Weak<Line>>, why: Why) -> bool {
    let line = line.and_then(|line| line.upgrade());
    line.inspect(|line| line.stop(why)).is_some()
}

/// One request more that waits, as long as this exists.
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
