//! Work that can be stopped from outside.
//!
//! A program that ends when the user interrupts it needs nothing of this. A program that goes on, e.g. a notebook, gives
//! the threads that work for it a flag ([`watch`]); long loops look at it ([`check`]) and unwind when it is set, so that
//! all memory is free again. [`until_stopped`] is where the unwinding ends. On threads without a flag nothing happens.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What is thrown at a [`check`].
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
        // Without the message of a panic: this is none.
        resume_unwind(Box::new(Stopped));
    }
}

/// Does some work. A panic that is not a stop goes on.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::AtomicBool;
/// use prodmax_effort::stop::{self, Stopped};
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
