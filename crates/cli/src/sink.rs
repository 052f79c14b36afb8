//! Where results go: to standard output, or to a file that is written completely or not at all.

use std::io::{self, ErrorKind, IsTerminal};
use std::path::Path;

use prodmax_jobs::file::{self, Writing};

use crate::error::Error;

/// Tables are laid out for terminals with at least this number of columns.
const MIN_WIDTH: usize = 40;

/// The width of a terminal that does not report it.
const DEFAULT_WIDTH: usize = 80;

/// The number of columns if figures go to a terminal: from COLUMNS, else from the system.
pub(crate) fn width(target: Option<&Path>) -> Option<usize> {
    if target.is_some_and(|path| path != Path::new("-")) || !io::stdout().is_terminal() {
        return None;
    }
    let named = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let measured = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    let width = named.filter(|&width| width > 0).or_else(measured).unwrap_or(DEFAULT_WIDTH);
    Some(width.max(MIN_WIDTH))
}

/// Writes to a file; to standard output for none or `-`.
pub(crate) fn write(target: Option<&Path>, bytes: &[u8]) -> Result<(), Error> {
    write_with(target, &|out| out.write_all(bytes))
}

/// Like [`write()`], for data that is not held in memory.
pub(crate) fn write_with(target: Option<&Path>, writing: Writing<'_>) -> Result<(), Error> {
    match target {
        None => write_stdout(writing),
        Some(path) if path == Path::new("-") => write_stdout(writing),
        Some(path) => {
            file::write_with(path, writing).map_err(|source| Error::Write { path: path.to_owned(), source })
        }
    }
}

/// A reader that closes the pipe has seen what it wanted: not a failure.
fn write_stdout(writing: Writing<'_>) -> Result<(), Error> {
    match file::buffered(io::stdout().lock(), writing) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}
