//! Reading RON files with errors that give the position: `file:line:column: reason`.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ReadError;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The longest file that is read: anything longer is not a spec.
pub const MAX_BYTES: u64 = 16 << 20;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum RonError {
    /// The file itself could not be read, is not a regular file, or is too long.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The text is malformed.
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

/// The RON files in a directory (not in its subdirectories), in the order of their names.
pub fn list(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ron") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Line and column (1-based, in characters) of a byte of a text, for errors that the parser does not detect.
pub fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Reads a regular file of at most [`MAX_BYTES`].
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, RonError> {
    parse_bytes(&crate::read(path, MAX_BYTES)?, path)
}

/// Reads a file, or standard input if the path is `-`.
pub fn read_or_stdin<T: DeserializeOwned>(path: &Path) -> Result<T, RonError> {
    if path != Path::new("-") {
        return read(path);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    parse_bytes(&bytes, path)
}

/// Reads the contents of a file (or of standard input, `-`): at most [`MAX_BYTES`] of UTF-8 text. Never panics.
pub fn parse_bytes<T: DeserializeOwned>(bytes: &[u8], path: &Path) -> Result<T, RonError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ReadError::TooLong { path: path.to_owned(), most: MAX_BYTES }.into());
    }
    let name = path.display().to_string();
    // Some editors start files with a byte-order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text, &name),
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
            Err(RonError::Syntax { name, line, column, reason: "the text is not UTF-8".to_owned() })
        }
    }
}

/// Reads a text; `name` is the file name used in messages. Never panics, whatever the text is.
pub fn parse<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, RonError> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| RonError::Syntax {
        name: name.to_owned(),
        line: error.span.start.line,
        column: error.span.start.col,
        reason: error.code.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        parse_bytes::<Vec<u8>>(bytes, Path::new("some.ron")).unwrap_err().to_string()
    }

    #[test]
    fn errors_give_the_position() {
        assert!(message(b"[1,\n 2,\n  x]").starts_with("some.ron:3:3: "), "{}", message(b"[1,\n 2,\n  x]"));
        assert_eq!(message(b"[1,\n \xff]"), "some.ron:2:2: the text is not UTF-8");
        assert_eq!(message(b"\xff"), "some.ron:1:1: the text is not UTF-8");
        assert!(message(b"\xef\xbb\xbf[x]").starts_with("some.ron:1:2: "), "a byte-order mark is skipped");
    }

    #[test]
    fn files_up_to_the_size_limit_are_read_and_longer_ones_refused() {
        assert_eq!(MAX_BYTES, 16_777_216);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.ron");
        let mut text = b"[1, 2]".to_vec();
        text.resize(MAX_BYTES as usize, b' ');
        std::fs::write(&path, &text).unwrap();
        assert_eq!(read::<Vec<u8>>(&path).unwrap(), [1, 2]);
        text.push(b' ');
        std::fs::write(&path, &text).unwrap();
        let message = read::<Vec<u8>>(&path).unwrap_err().to_string();
        assert!(message.ends_with("long.ron: is too long; at most 16777216 bytes are read"), "{message}");
        text.extend([b' '; 9]);
        assert!(matches!(
            parse_bytes::<Vec<u8>>(&text, &path),
            Err(RonError::Read(ReadError::TooLong { most: MAX_BYTES, .. }))
        ));
    }

    #[test]
    fn only_ron_files_are_listed_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.ron", "a.ron", "c.txt", "ron"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(list(folder.path()).unwrap(), ["a.ron", "b.ron"].map(|name| folder.path().join(name)));
    }
}
