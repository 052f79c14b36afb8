//! Long work: a meter on standard error, and stopping in good order on an interrupt.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::context::Context;
use crate::error::Error;

/// What work is told to stop by.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether it was the user who stopped it.
static SIGNALLED: AtomicBool = AtomicBool::new(false);

/// The exit status of what the user has stopped, as of a program that the signal itself ends.
pub(crate) const INTERRUPT_STATUS: u8 = 130;

/// Whether the user has interrupted the program.
pub(crate) fn was_interrupted() -> bool {
    SIGNALLED.load(Ordering::SeqCst)
}

/// Lets an interrupt end the program with a last word: for work that has nothing to put in order.
pub(crate) fn end_on_interrupt(last_word: String) -> Result<(), Error> {
    let on_signal = move || {
        let _ = writeln!(std::io::stderr(), "prodmax: {last_word}");
        std::process::exit(INTERRUPT_STATUS.into());
    };
    ctrlc::set_handler(on_signal).map_err(Error::Signal)
}

/// A flag that is set when the user interrupts (or ends) the program: work that watches it can stop in good order. A
/// second interrupt ends the program at once.
pub(crate) fn interrupt() -> Result<&'static AtomicBool, Error> {
    static WATCHED: OnceLock<()> = OnceLock::new();
    if WATCHED.get().is_none() {
        let on_signal = || {
            INTERRUPTED.store(true, Ordering::SeqCst);
            if SIGNALLED.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPT_STATUS.into());
            }
        };
        ctrlc::set_handler(on_signal).map_err(Error::Signal)?;
        let _ = WATCHED.set(());
    }
    Ok(&INTERRUPTED)
}

/// What is done sooner needs no lines.
const PATIENCE: Duration = Duration::from_secs(3);

/// Shows how far a computation is: a bar with the time left on a terminal, a line per tenth elsewhere.
pub(crate) enum Meter {
    Quiet,
    Lines { name: String, begun: Instant, tenths: AtomicU64 },
    Bar(ProgressBar),
}

impl Meter {
    /// A meter for the work called `name`.
    pub(crate) fn new(context: &Context, name: &str) -> Self {
        if context.quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { name: name.to_owned(), begun: Instant::now(), tenths: AtomicU64::new(0) };
        }
        let bar = ProgressBar::new(0).with_message(name.to_owned());
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % of {len}, {eta} left")
        {
            bar.set_style(style);
        }
        Self::Bar(bar)
    }

    /// So many of all steps are done.
    pub(crate) fn show(&self, done: u64, all: u64) {
        match self {
            Self::Quiet => {}
            Self::Lines { name, begun, tenths } => {
                let tenth = done * 10 / all.max(1);
                let news = tenths.fetch_max(tenth, Ordering::SeqCst) < tenth;
                if news && begun.elapsed() > PATIENCE {
                    // Nobody is left to tell if standard error is closed.
                    let _ = writeln!(std::io::stderr(), "prodmax: {name}: {} %", tenth * 10);
                }
            }
            Self::Bar(bar) => {
                bar.set_length(all);
                bar.set_position(done);
            }
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
