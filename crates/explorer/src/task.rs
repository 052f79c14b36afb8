//! Notes and progress of a running computation, and how it is stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The progress of some work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub name: String,
    /// Finished steps.
    pub done: u64,
    /// All steps; 0 if they are not counted.
    pub all: u64,
}

/// Why a computation was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// A newer request of the same page took its place.
    Replaced,
    /// The user stopped it.
    Asked,
    /// It took too long.
    Late,
    /// The client is gone.
    Gone,
}

/// The link between a request and the thread that computes its answer.
#[derive(Debug)]
pub struct Task {
    stop: Arc<AtomicBool>,
    why: Mutex<Option<StopReason>>,
    stopped: Notify,
    time_limit: Duration,
    begun: Instant,
    news: Mutex<News>,
}

#[derive(Debug, Default)]
struct News {
    progress: Option<Progress>,
    notes: Vec<String>,
}

impl Task {
    /// For work that is refused if it is expected to take longer than `time_limit`.
    pub fn new(time_limit: Duration) -> Arc<Self> {
        Arc::new(Self {
            stop: Arc::default(),
            why: Mutex::default(),
            stopped: Notify::new(),
            time_limit,
            begun: Instant::now(),
            news: Mutex::default(),
        })
    }

    /// The flag that is set when the work has to stop.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// The limit on the expected time of the work.
    pub fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// The time since the request.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Stops the work. The first reason counts.
    pub fn stop(&self, why: StopReason) {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        self.stop.store(true, Ordering::SeqCst);
        // One request waits for a task; if it does not wait yet, it will not wait at all.
        self.stopped.notify_one();
    }

    /// Waits until the work is stopped.
    pub(crate) async fn stopped(&self) -> StopReason {
        loop {
            if let Some(why) = *self.why.lock().unwrap_or_else(PoisonError::into_inner) {
                return why;
            }
            self.stopped.notified().await;
        }
    }

    /// Reports the progress of the work.
    pub fn progress(&self, name: &str, done: u64, all: u64) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.progress = Some(Progress { name: name.to_owned(), done, all });
    }

    /// Adds a note for the user.
    pub fn note(&self, text: &str) {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).notes.push(text.to_owned());
    }

    /// The progress of the work, and the notes that were not read yet.
    pub(crate) fn news(&self) -> (Option<Progress>, Vec<String>) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        (news.progress.clone(), std::mem::take(&mut news.notes))
    }
}

/// Stops the work when it is dropped, because the client is gone.
pub(crate) struct StopWhenGone(pub(crate) Arc<Task>);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.stop(StopReason::Gone);
    }
}
