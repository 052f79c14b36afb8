//! Where results go: standard output, or a file that is complete or not there at all.

use std::io::{ErrorKind, Write};
use std::path::Path;

use prodmax_output::file;

use crate::error::Error;

/// Writes to a file; to standard output for none or `-`.
pub(crate) fn write(target: Option<&Path>, bytes: &[u8]) -> Result<(), Error> {
    match target {
        None => write_stdout(bytes),
        Some(path) if path == Path::new("-") => write_stdout(bytes),
        Some(path) => {
            file::write(path, bytes).map_err(|source| Error::Write { path: path.to_owned(), source })
        }
    }
}

/// A reader that closed the pipe has seen what it wanted: no failure.
fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}
