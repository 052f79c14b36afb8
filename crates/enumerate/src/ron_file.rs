//! Reading RON files with errors that say where: `file:line:column: reason`.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Files beyond this size are not specs.
const MAX_BYTES: u64 = 16 << 20;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum RonError {
    /// The file itself could not be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Too large to be meant.
    #[error("{}: is {bytes} bytes long; at most {MAX_BYTES} are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The text is not what it should be.
    #[error("{name}:{line}:{column}: {reason}")]
    Syntax {
        /// The file (or `-` for standard input).
        name: String,
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
}

/// Reads a file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, RonError> {
    let io = |source| RonError::Io { path: path.to_owned(), source };
    let bytes = std::fs::metadata(path).map_err(io)?.len();
    if bytes > MAX_BYTES {
        return Err(RonError::TooLarge { path: path.to_owned(), bytes });
    }
    let text = std::fs::read_to_string(path).map_err(io)?;
    parse(&text, &path.display().to_string())
}

/// Reads a text; `name` stands for the file in messages. Never panics, whatever the text is.
pub fn parse<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, RonError> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| RonError::Syntax {
        name: name.to_owned(),
        line: error.span.start.line,
        column: error.span.start.col,
        reason: error.code.to_string(),
    })
}
