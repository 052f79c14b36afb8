//! What a command may use besides its arguments.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prodmax_jobs::{Part, Parts, Work};

use crate::host::Host;
use crate::signals;

/// Handed to every command.
pub(crate) struct Context {
    /// Whether nothing is written to standard error.
    pub(crate) quiet: bool,
    /// The program that runs the command; none if it is the shell.
    host: Option<Arc<dyn Host>>,
    divided: Divided,
}

/// Which share of its work a command does.
#[derive(Clone, Default)]
enum Divided {
    #[default]
    Whole,
    Shard(Arc<Part>),
    Merged(Arc<Parts>),
}

impl Context {
    /// For a command of the shell; `quiet` suppresses notes.
    pub(crate) fn shell(quiet: bool) -> Self {
        Self { quiet, host: None, divided: Divided::Whole }
    }

    /// For a command that another program runs.
    pub(crate) fn hosted(host: Arc<dyn Host>) -> Self {
        Self { quiet: true, host: Some(host), divided: Divided::Whole }
    }

    /// The same for a command that computes a shard.
    pub(crate) fn with_part(&self, part: Arc<Part>) -> Self {
        Self { host: self.host.clone(), divided: Divided::Shard(part), ..*self }
    }

    /// The same for a command whose work is read from parts.
    pub(crate) fn with_parts(&self, parts: Arc<Parts>) -> Self {
        Self { host: self.host.clone(), divided: Divided::Merged(parts), ..*self }
    }

    /// Which units of work the command computes, and where they are kept.
    pub(crate) fn work(&self) -> Work<'_> {
        match &self.divided {
            Divided::Whole => Work::Whole,
            Divided::Shard(part) => Work::Shard(part),
            Divided::Merged(parts) => Work::Merge(parts),
        }
    }

    /// Whether the work is divided into shards.
    pub(crate) fn is_divided(&self) -> bool {
        !matches!(self.divided, Divided::Whole)
    }

    /// The program that runs the command; none if it is the shell.
    pub(crate) fn host(&self) -> Option<&Arc<dyn Host>> {
        self.host.as_ref()
    }

    /// The limit on the expected time of work, if the program that runs the command has set one.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.host.as_ref().and_then(|host| host.time_limit())
    }

    /// Gives the user a note that is not part of the result, on standard error.
    pub(crate) fn note(&self, text: &str) {
        if let Some(host) = &self.host {
            host.note(text);
        } else if !self.quiet {
            let _ = writeln!(std::io::stderr(), "prodmax: note: {text}");
        }
    }

    /// The flag that is set when the user interrupts the work.
    pub(crate) fn interrupt(&self) -> &AtomicBool {
        match &self.host {
            Some(host) => host.stop(),
            None => signals::interrupt(),
        }
    }

    /// The same flag, for work that has results in memory to save or show when it stops.
    pub(crate) fn interrupt_and_keep(&self) -> &AtomicBool {
        match &self.host {
            Some(host) => host.stop(),
            None => signals::interrupt_and_keep(),
        }
    }
}
