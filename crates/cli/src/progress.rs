//! How far a long command has got: a bar on a terminal, plain lines elsewhere, nothing if notes are suppressed.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use prodmax_report::Progress;

/// Shows the progress of a run of experiments on standard error.
pub(crate) enum Watch {
    Quiet,
    Lines,
    Bar(ProgressBar),
}

impl Watch {
    pub(crate) fn new(quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines;
        }
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:28} {pos:>3}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        Self::Bar(bar)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Watch {
    fn begin(&self, title: &str, steps: usize) {
        if let Self::Bar(bar) = self {
            bar.set_length(steps as u64);
            bar.set_position(0);
            bar.set_message(title.to_owned());
        }
    }

    fn step(&self) {
        if let Self::Bar(bar) = self {
            bar.inc(1);
        }
    }

    fn end(&self, title: &str, kept: bool) {
        let line = if kept { format!("kept  {title}") } else { format!("done  {title}") };
        match self {
            Self::Quiet => {}
            // If standard error is closed, the message is lost.
            Self::Lines => drop(writeln!(std::io::stderr(), "{line}")),
            Self::Bar(bar) => bar.println(line),
        }
    }
}
