//! Long work: a progress meter on standard error.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::context::Context;
use crate::host::Host;

/// Work that finishes sooner prints no progress lines.
const LINE_DELAY: Duration = Duration::from_secs(3);

/// Work that finishes sooner shows no bar.
const BAR_DELAY: Duration = Duration::from_millis(1500);

/// How often the time in a bar is updated.
const TICK: Duration = Duration::from_millis(250);

/// Shows how far a computation has got: on a terminal a bar with the remaining time, or with the elapsed time if no
/// steps are counted; elsewhere a line for every tenth.
pub(crate) enum Meter {
    Quiet,
    /// Another program shows it.
    Hosted {
        name: String,
        host: Arc<dyn Host>,
    },
    Lines {
        name: String,
        begun: Instant,
        tenths: AtomicU64,
    },
    Bar(Bar),
}

/// A bar that is drawn once the work takes a while. The thread that waits for that ends with the sender.
pub(crate) struct Bar {
    bar: ProgressBar,
    _waiting: Sender<()>,
}

impl Bar {
    fn new(name: &str) -> Self {
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message(name.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{msg}: {elapsed}") {
            bar.set_style(style);
        }
        let (sender, waiting) = channel();
        let later = bar.clone();
        let show = move || {
            if waiting.recv_timeout(BAR_DELAY) == Err(RecvTimeoutError::Timeout) {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        };
        // If the thread cannot be started there is no bar, but the work is done anyway.
        drop(std::thread::Builder::new().spawn(show));
        Self { bar, _waiting: sender }
    }

    fn show(&self, done: u64, all: u64) {
        if self.bar.length() != Some(all) {
            if let Ok(style) =
                ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % of {len}, {eta} left")
            {
                self.bar.set_style(style);
            }
            self.bar.set_length(all);
        }
        self.bar.set_position(done);
    }
}

impl Meter {
    /// A meter for the work called `name`.
    pub(crate) fn new(context: &Context, name: &str) -> Self {
        if let Some(host) = context.host() {
            host.progress(name, 0, 0);
            return Self::Hosted { name: name.to_owned(), host: Arc::clone(host) };
        }
        if context.quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { name: name.to_owned(), begun: Instant::now(), tenths: AtomicU64::new(0) };
        }
        Self::Bar(Bar::new(name))
    }

    /// Whether it is a bar on a terminal.
    pub(crate) fn is_bar(&self) -> bool {
        matches!(self, Self::Bar(_))
    }

    /// Shows that `done` of `all` steps are done.
    pub(crate) fn show(&self, done: u64, all: u64) {
        match self {
            Self::Quiet => {}
            Self::Hosted { name, host } => host.progress(name, done, all),
            Self::Lines { name, begun, tenths } => {
                let tenth = done * 10 / all.max(1);
                let news = tenths.fetch_max(tenth, Ordering::SeqCst) < tenth;
                if news && begun.elapsed() > LINE_DELAY {
                    // If standard error is closed, the message is lost.
                    let _ = writeln!(std::io::stderr(), "prodmax: {name}: {} %", tenth * 10);
                }
            }
            Self::Bar(bar) => bar.show(done, all),
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.bar.finish_and_clear();
        }
    }
}
