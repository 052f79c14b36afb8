//! Threads for programs that run commands and keep running afterwards: their work can be stopped.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prodmax_jobs::stop;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads that wait for work. Starting threads takes longer than a small model, so they are kept.
static IDLE: Mutex<Vec<Workers>> = Mutex::new(Vec::new());

fn idle() -> MutexGuard<'static, Vec<Workers>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of one computation at a time.
#[derive(Debug)]
pub struct Workers {
    pool: ThreadPool,
    /// A process that was forked has none of the threads of its parent.
    process: u32,
}

impl Workers {
    /// Takes threads for work that stops when the flag is set. An error is a sentence.
    pub fn take(flag: &Arc<AtomicBool>) -> Result<Self, String> {
        let process = std::process::id();
        let mut workers = None;
        let mut idle = idle();
        while let Some(next) = idle.pop() {
            if next.process == process {
                workers = Some(next);
                break;
            }
            // Its threads are gone, and waiting for them would never end.
            std::mem::forget(next);
        }
        drop(idle);
        let workers = match workers {
            Some(workers) => workers,
            None => Self {
                pool: ThreadPoolBuilder::new().build().map_err(|error| {
                    format!(
                        "the threads cannot be started: {error}; raise the limits of the system (ulimit) or use fewer of \
                         them (RAYON_NUM_THREADS)"
                    )
                })?,
                process,
            },
        };
        workers.pool.broadcast(|_| stop::watch(Arc::clone(flag)));
        Ok(workers)
    }

    /// The threads.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// Keeps the threads for the next work. They must have nothing left to do.
    pub fn give_back(self) {
        idle().push(self);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use prodmax_jobs::stop::{Stopped, check, until_stopped};

    use super::*;

    #[test]
    fn threads_obey_the_flag_of_their_latest_work() {
        let flags = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let stops = |workers: &Workers| workers.pool().install(|| until_stopped(check)) == Err(Stopped);
        let workers = Workers::take(&flags[0]).unwrap();
        assert!(!stops(&workers));
        flags[0].store(true, Ordering::Relaxed);
        assert!(stops(&workers));
        workers.give_back();
        let workers = Workers::take(&flags[1]).unwrap();
        assert!(!stops(&workers));
        flags[1].store(true, Ordering::Relaxed);
        assert!(stops(&workers));
    }
}
