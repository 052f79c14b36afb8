//! One guard for all commands: what work takes is known before it starts.
//!
//! A command passes on the effort of its plan (see the modules `effort` of the engines). Work that cannot fit into the
//! available memory, or would not end within a year, is refused with a hint at what would work; before work that
//! takes more than ten seconds, a note says so. The guard also shows that something is going on.

use prodmax_jobs::memory::{self, Memory, Source};
use prodmax_jobs::{Effort, text};

use crate::context::Context;
use crate::error::Error;
use crate::long_run::Meter;

/// Before work that takes longer, a note says so.
const NOTE_SECONDS: f64 = 10.0;

/// Work that takes longer is refused.
const MAX_SECONDS: f64 = 365.25 * 86400.0;

/// The memory that the program itself takes: its code, its threads, its output.
const OWN_BYTES: f64 = 30e6;

/// The address space that the allocator reserves for every thread that allocates.
const RESERVED_BYTES: u64 = 64 << 20;

/// The memory for blocks if none is named: a quarter of what is available, 1 GiB if the system does not report it.
pub(crate) fn default_memory() -> u64 {
    available().map_or(1 << 30, |memory| memory.bytes / 4)
}

/// The memory available for work on all threads.
fn available() -> Option<Memory> {
    let memory = memory::available()?;
    let reserved = match memory.source {
        Source::AddressSpace => (rayon::current_num_threads() as u64 + 1) * RESERVED_BYTES,
        Source::Machine | Source::Cgroup => 0,
    };
    Some(Memory { bytes: memory.bytes.saturating_sub(reserved), ..memory })
}

/// Lets work start, or refuses it: `what` names the work, `instead` says what to do instead.
pub(crate) fn admit(context: &Context, what: &str, effort: Effort, instead: &str) -> Result<Meter, Error> {
    if effort.seconds > MAX_SECONDS {
        let (what, instead) = (what.to_owned(), instead.to_owned());
        return Err(Error::Forever { what, time: text::about(effort.seconds), instead });
    }
    if let Some(time_limit) = context.time_limit()
        && effort.seconds > time_limit.as_secs_f64()
    {
        // Work that does not fit into memory cannot be run as a job either.
        check_memory(what, effort, available(), instead)?;
        let (what, instead) = (what.to_owned(), instead.to_owned());
        let [time, time_limit] = [effort.seconds, time_limit.as_secs_f64()].map(text::about);
        return Err(Error::TooLong { what, time, time_limit, instead });
    }
    admit_forced(context, what, effort, instead)
}

/// The same, however long it takes.
pub(crate) fn admit_forced(
    context: &Context,
    what: &str,
    effort: Effort,
    instead: &str,
) -> Result<Meter, Error> {
    check_memory(what, effort, available(), instead)?;
    if effort.seconds > NOTE_SECONDS {
        context.note(&format!("{what}: this takes {}", text::about(effort.seconds)));
    }
    Ok(Meter::new(context, what))
}

fn check_memory(what: &str, effort: Effort, memory: Option<Memory>, instead: &str) -> Result<(), Error> {
    if let Some(memory) = memory
        && effort.bytes > OWN_BYTES
        && effort.bytes + OWN_BYTES > memory.bytes as f64
    {
        let (needed, given) = (text::size(effort.bytes), text::size(memory.bytes as f64));
        let (what, instead) = (what.to_owned(), instead.to_owned());
        return Err(Error::Memory { what, needed, given, place: memory.source.phrase(), instead });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_does_not_fit_is_refused_with_advice() {
        let memory = Some(Memory { bytes: 4 << 30, source: Source::Cgroup });
        let refused = |bytes, memory| {
            let effort = Effort { bytes, seconds: 0.0 };
            check_memory("root +1", effort, memory, "use less").err().map(|error| error.to_string())
        };
        assert_eq!(refused(4e9, memory), None);
        assert_eq!(refused(1e12, None), None);
        assert_eq!(
            refused(8.2e9, memory).unwrap(),
            "root +1: this needs about 7.6 GiB of memory, but only 4.0 GiB are available under the limit of the \
             control group; use less"
        );
        let forever = Effort { bytes: 0.0, seconds: 1e12 };
        let context = Context::shell(true);
        let message = admit(&context, "root +1", forever, "use less").err().unwrap().to_string();
        assert_eq!(message, "root +1: this would take about 31688 years; use less");
        assert!(admit_forced(&context, "root +1", forever, "use less").is_ok());
    }

    #[test]
    fn small_work_is_never_refused() {
        let tiny = Some(Memory { bytes: 1 << 20, source: Source::AddressSpace });
        assert!(check_memory("a tree", Effort { bytes: 1e5, seconds: 0.0 }, tiny, "").is_ok());
    }
}
