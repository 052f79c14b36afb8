//! What a command may use of the world besides its arguments.

use std::io::Write;

/// Handed to every command.
#[derive(Debug)]
pub(crate) struct Context {
    /// Whether notes are unwanted.
    pub(crate) quiet: bool,
}

impl Context {
    /// Tells the user something on standard error that is not part of the result.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "prodmax: note: {text}");
        }
    }
}
