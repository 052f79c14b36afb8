//! Where results go: standard output, or a file that is complete or not there at all.

use std::io::{self, ErrorKind};
use std::path::Path;

use prodmax_output::file::{self, Writing};

use crate::error::Error;

/// Writes to a file; to standard output for none or `-`.
pub(crate) fn write(target: Option<&Path>, bytes: &[u8]) -> Result<(), Error> {
    write_with(target, &|out| out.write_all(bytes))
}

/// As [`write()`], for what is not held in memory.
pub(crate) fn write_with(target: Option<&Path>, writing: Writing<'_>) -> Result<(), Error> {
    match target {
        None => write_stdout(writing),
        Some(path) if path == Path::new("-") => write_stdout(writing),
        Some(path) => {
            file::write_with(path, writing).map_err(|source| Error::Write { path: path.to_owned(), source })
        }
    }
}

/// A reader that closed the pipe has seen what it wanted: no failure.
fn write_stdout(writing: Writing<'_>) -> Result<(), Error> {
    match file::buffered(io::stdout().lock(), writing) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}
