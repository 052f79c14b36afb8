//! How far a simulation is, on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use prodmax_simulate::Progress;

use crate::context::Context;

/// Shows progress: one line that is rewritten on a terminal, else a line now and then.
#[derive(Debug)]
pub(super) struct Shown {
    quiet: bool,
    terminal: bool,
    begun: Instant,
    last: Instant,
    dirty: bool,
}

impl Shown {
    pub(super) fn new(context: &Context) -> Self {
        let now = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        Self { quiet: context.quiet, terminal, begun: now, last: now, dirty: false }
    }

    /// After every batch of trees.
    pub(super) fn show(&mut self, progress: Progress) {
        let pause = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(30) };
        if self.quiet || self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let line = line(progress, self.begun.elapsed());
        // Nobody is left to tell if standard error is closed.
        let _ = if self.terminal {
            self.dirty = true;
            write!(std::io::stderr(), "\r\x1b[K{line}")
        } else {
            writeln!(std::io::stderr(), "{line}")
        };
    }

    /// Clears the line.
    pub(super) fn end(&mut self) {
        if self.dirty {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(progress: Progress, elapsed: Duration) -> String {
    let Progress { finished, fresh, trees } = progress;
    let rate = fresh as f64 / elapsed.as_secs_f64();
    let left = (trees - finished) as f64 / rate;
    let left = if left.is_finite() { format!(", {} left", time(left)) } else { String::new() };
    format!("prodmax: {finished} of {trees} trees, {rate:.0} per second{left}")
}

/// A time in the units that suit it.
fn time(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_counts_the_trees_of_this_run_only() {
        let progress = Progress { finished: 600, fresh: 100, trees: 1000 };
        let shown = line(progress, Duration::from_secs(2));
        assert_eq!(shown, "prodmax: 600 of 1000 trees, 50 per second, 8 s left");
        assert_eq!([time(59.2), time(60.0), time(3725.0)], ["1 min 0 s", "1 min 0 s", "1 h 2 min"]);
    }

    #[test]
    fn no_time_is_foretold_from_nothing() {
        let progress = Progress { finished: 500, fresh: 0, trees: 1000 };
        assert_eq!(line(progress, Duration::from_secs(2)), "prodmax: 500 of 1000 trees, 0 per second");
    }
}
