//! What a command may use besides its arguments.

use std::io::Write;

/// Handed to every command.
#[derive(Debug)]
pub(crate) struct Context {
    /// Whether notes are suppressed.
    pub(crate) quiet: bool,
}

impl Context {
    /// Prints a note for the user on standard error that is not part of the result.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "prodmax: note: {text}");
        }
    }
}
