//! The time and memory that a shard takes, estimated before it is queued.

use prodmax_jobs::Effort;
use prodmax_mass::deep::SweepPlan;

use crate::args::Arguments;
use crate::error::Error;

/// The memory that the program itself takes: its code, its threads, its output.
const OWN_BYTES: f64 = 30e6;

/// The work of a command, divided into shards. Times are those of one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorkPlan {
    /// What every shard does before its own units of work; the bytes are those that its threads share.
    pub(crate) set_up: Effort,
    /// All units of work; the bytes are those of one thread.
    pub(crate) units: Effort,
    /// Reading all parts and printing the figures.
    pub(crate) merge: Effort,
}

impl WorkPlan {
    /// Several deep sweeps, one after the other.
    pub(crate) fn of_sweeps(sweeps: &[SweepPlan]) -> Self {
        let all = |work: fn(&SweepPlan) -> Effort| sweeps.iter().map(work).fold(Effort::NONE, Effort::then);
        let set_up = all(|sweep| sweep.set_up);
        let sums = all(|sweep| Effort { bytes: sweep.sums_bytes, seconds: 0.0 });
        Self { set_up, units: all(|sweep| sweep.blocks), merge: set_up.and(sums) }
    }

    /// What one shard takes on this many threads.
    pub(crate) fn shard(&self, shards: u32, threads: usize) -> Effort {
        let threads = threads.max(1) as f64;
        Effort {
            bytes: OWN_BYTES + self.set_up.bytes + self.units.bytes * threads,
            seconds: self.set_up.seconds + self.units.seconds / f64::from(shards.max(1)) / threads,
        }
    }

    /// What merging takes.
    pub(crate) fn merging(&self) -> Effort {
        Effort { bytes: OWN_BYTES + self.merge.bytes, seconds: self.merge.seconds }
    }

    /// The processor time of all shards.
    pub(crate) fn processor_seconds(&self, shards: u32) -> f64 {
        self.set_up.seconds * f64::from(shards) + self.units.seconds
    }
}

/// The arguments of a command given after `--`, whose work is to be divided.
pub(crate) fn parse(words: &[String]) -> Result<Arguments, Error> {
    let line = std::iter::once("prodmax").chain(words.iter().map(String::as_str)).map(Into::into);
    let parsed =
        crate::args::parse(line).map_err(|error| Error::DividedCommand { reason: first_line(&error) })?;
    if parsed.arguments.command.shard().is_some() || parsed.arguments.output.is_some() {
        return Err(Error::DividedCommand {
            reason: "leave out --shard and --output, which are added to it".to_owned(),
        });
    }
    super::check(&parsed)?;
    Ok(parsed.arguments)
}

/// What the argument parser says, without its advice.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
