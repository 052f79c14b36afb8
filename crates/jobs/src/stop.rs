//! Work that can be stopped from outside.
//!
//! A program that exits when it is interrupted does not need this. A program that keeps running, e.g. a notebook, gives
//! its worker threads a flag ([`watch`]); long loops check it ([`check`]) and unwind when it is set, so that all memory
//! is freed. [`until_stopped`] is where the unwinding ends. On threads without a flag nothing happens.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The panic payload with which [`check`] unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// From now on, work on this thread stops when the flag is set.
pub fn watch(flag: Arc<AtomicBool>) {
    FLAG.set(Some(flag));
}

/// Stops the work if the flag of this thread is set. Takes a few nanoseconds.
#[inline]
pub fn check() {
    if FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))) {
        // Unlike `panic!`, this prints no message: a stop is not an error.
        resume_unwind(Box::new(Stopped));
    }
}

/// Runs `work`; an error if it was stopped. Other panics are propagated.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use prodmax_jobs::stop::{self, Stopped};
/// assert_eq!(stop::until_stopped(|| { stop::check(); 5 }), Ok(5));
/// stop::watch(Arc::new(AtomicBool::new(true)));
/// assert_eq!(stop::until_stopped(|| { stop::check(); 5 }), Err(Stopped));
/// ```
pub fn until_stopped<T>(work: impl FnOnce() -> T) -> Result<T, Stopped> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_threads_that_watch_the_flag_stop() {
        let flag = Arc::new(AtomicBool::new(true));
        let watching = {
            let flag = Arc::clone(&flag);
            std::thread::spawn(move || {
                watch(Arc::clone(&flag));
                let stopped = until_stopped(check);
                flag.store(false, Ordering::Relaxed);
                (stopped, until_stopped(check))
            })
        };
        assert_eq!(until_stopped(check), Ok(()));
        assert_eq!(watching.join().unwrap(), (Err(Stopped), Ok(())));
    }

    #[test]
    fn other_panics_are_propagated() {
        let worker = std::thread::spawn(|| until_stopped(|| resume_unwind(Box::new("a panic"))));
        assert_eq!(*worker.join().unwrap_err().downcast::<&str>().unwrap(), "a panic");
    }
}
