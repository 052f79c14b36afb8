//! Finished parts of a computation in a file, so that a run can be continued.
//!
//! The file is one of checked lines (see [`crate::lines`]): the first identifies the computation, each other
//! line is the result of one part. Numbers that are not whole are written as the bits of the double in hexadecimal,
//! so that they are read back exactly.

use std::path::{Path, PathBuf};
use std::str::SplitAsciiWhitespace;

use thiserror::Error;

use crate::lines::{Lines, LinesError, difference};
use crate::read::ReadError;

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system reported an error.
    #[error("{}: the checkpoint cannot be read or written: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Not a regular file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Some other kind of file.
    #[error("{}: this is not a checkpoint of such a computation; name another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A checkpoint of another computation.
    #[error(
        "{}: the checkpoint belongs to another computation ({difference}); name another file or delete it", path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A damaged line that is not the last one.
    #[error("{}: line {line} of the checkpoint is damaged; delete the file to start again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
}

/// A file that is open for appending finished parts.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    lines: Lines,
}

impl Checkpoint {
    /// Opens or creates a file for the computation that `identity` describes. `magic` names its kind; it changes
    /// whenever the format changes, or anything that affects a part. Finished parts are passed to `each`, which returns
    /// whether they are valid.
    pub fn open(
        path: &Path,
        magic: &str,
        identity: &str,
        each: &mut dyn FnMut(SplitAsciiWhitespace<'_>) -> bool,
    ) -> Result<Self, CheckpointError> {
        let header = format!("{magic} {identity}");
        let lines = Lines::open(path, &header, &mut |text| each(text.split_ascii_whitespace()));
        let path = path.to_owned();
        match lines {
            Ok(lines) => Ok(Self { path, lines }),
            Err(LinesError::Io(source)) => Err(CheckpointError::Io { path, source }),
            Err(LinesError::Read(error)) => Err(error.into()),
            Err(LinesError::Foreign) => Err(CheckpointError::Foreign { path }),
            Err(LinesError::Damaged(line)) => Err(CheckpointError::Damaged { path, line }),
            Err(LinesError::Other(found)) => {
                let found = found.strip_prefix(magic).map_or(&found[..], str::trim_start);
                Err(CheckpointError::Other { path, difference: difference(found, identity) })
            }
        }
    }

    /// Appends a finished part, given as words.
    pub fn append(&self, part: &str) -> Result<(), CheckpointError> {
        self.lines.append(part).map_err(|source| CheckpointError::Io { path: self.path.clone(), source })
    }
}

/// A double as a word that is read back exactly.
pub fn bits(double: f64) -> String {
    format!("{:016x}", double.to_bits())
}

/// The double that the next word stands for.
pub fn double(words: &mut SplitAsciiWhitespace<'_>) -> Option<f64> {
    u64::from_str_radix(words.next()?, 16).ok().map(f64::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_read_back_exactly() {
        for number in [0.1, -0.0, f64::MIN_POSITIVE, 1e300] {
            let text = bits(number);
            let read = double(&mut text.split_ascii_whitespace()).map(f64::to_bits);
            assert_eq!(read, Some(number.to_bits()));
        }
    }
}
