//! Runs work on separate threads, so that other Python threads keep running and Ctrl-C is noticed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prodmax_commands::host::{Host, Workers};
use prodmax_jobs::stop::Stopped;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Python's signals are checked and progress is reported to it.
const POLL: Duration = Duration::from_millis(50);

/// How long interrupted work may take to stop. Work that takes longer is left to finish in the background.
const GRACE: Duration = Duration::from_millis(700);

/// What running work reports to the caller.
struct Reports {
    stop: Arc<AtomicBool>,
    notes: Mutex<Vec<String>>,
    /// The name of the work, and how many of how many steps are done.
    progress: Mutex<Option<(String, u64, u64)>>,
}

impl Host for Reports {
    fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn progress(&self, name: &str, done: u64, all: u64) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some((name.to_owned(), done, all));
    }
}

/// The Python functions that receive events: `note(text)` and `progress(name, done, all)`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Listeners<'a, 'py> {
    pub(crate) note: Option<&'a Bound<'py, PyAny>>,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

impl Listeners<'_, '_> {
    fn notify(&self, reports: &Reports) -> PyResult<()> {
        let notes = std::mem::take(&mut *reports.notes.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(note) = self.note {
            for text in notes {
                note.call1((text,))?;
            }
        }
        // Called even if nothing is new, so that a bar can show the elapsed time.
        let news = reports.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let (Some(progress), Some(news)) = (self.progress, news) {
            progress.call1(news)?;
        }
        Ok(())
    }
}

/// How work ended.
type Ended<T> = Result<T, Box<dyn Any + Send>>;

/// Does work on threads of its own and waits for it, without holding the interpreter's lock. Ctrl-C, or an error of a
/// listener, stops the work.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    listeners: Listeners<'_, '_>,
    work: impl FnOnce(Arc<dyn Host>) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let workers = Workers::take(&stop).map_err(PyRuntimeError::new_err)?;
    let reports =
        Arc::new(Reports { stop: Arc::clone(&stop), notes: Mutex::default(), progress: Mutex::default() });
    let (sender, mut receiver) = channel::<Ended<T>>();
    let host: Arc<dyn Host> = Arc::<Reports>::clone(&reports);
    workers.pool().spawn(move || {
        let ended = catch_unwind(AssertUnwindSafe(|| work(host)));
        // Nobody waits for work that was left to finish in the background.
        drop(sender.send(ended));
    });
    loop {
        let ended;
        (receiver, ended) = wait(py, receiver, POLL);
        let heard = listeners.notify(&reports);
        let interrupted = match ended {
            Some(ended) => {
                workers.give_back();
                heard?;
                return ended.map_err(|thrown| failure(thrown.as_ref()));
            }
            None => heard.and_then(|()| py.check_signals()),
        };
        if let Err(error) = interrupted {
            stop.store(true, Ordering::Relaxed);
            if wait(py, receiver, GRACE).1.is_some() {
                workers.give_back();
            }
            return Err(error);
        }
    }
}

/// Waits for the end of the work, without the interpreter's lock.
fn wait<T: Send>(
    py: Python<'_>,
    receiver: Receiver<Ended<T>>,
    time: Duration,
) -> (Receiver<Ended<T>>, Option<Ended<T>>) {
    py.detach(move || {
        let ended: Option<Ended<T>> = match receiver.recv_timeout(time) {
            Ok(ended) => Some(ended),
            Err(RecvTimeoutError::Timeout) => None,
            // The sender is only dropped after it has sent.
            Err(RecvTimeoutError::Disconnected) => {
                let reason: Box<dyn Any + Send> = Box::new("the work has disappeared");
                Some(Err(reason))
            }
        };
        (receiver, ended)
    })
}

/// The error for work that did not end well.
fn failure(thrown: &(dyn Any + Send)) -> PyErr {
    if thrown.is::<Stopped>() {
        return PyRuntimeError::new_err("the work was stopped");
    }
    let text = thrown.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| thrown.downcast_ref::<&str>().copied()).unwrap_or("no reason is given");
    PyRuntimeError::new_err(format!("internal error: {text}; please report this"))
}
