//! Reading regular files up to a given length.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refused.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder, a device, a pipe.
    #[error("{}: is not a regular file; give the path of one", path.display())]
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// Longer than the limit.
    #[error("{}: is too long; at most {most} bytes are read", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The limit.
        most: u64,
    },
}

/// The contents of a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_open(&open(path)?, path, most)
}

/// Opens a regular file. Opening a pipe would wait for a writer, so the type of the file is checked first.
pub fn open(path: &Path) -> Result<File, ReadError> {
    check_regular(path)?;
    File::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })
}

/// The rest of an open file of at most `most` bytes. Too little memory is an error.
pub fn read_open(mut file: &File, path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let too_long = || ReadError::TooLong { path: path.to_owned(), most };
    let length = file.metadata().map_err(io)?.len();
    if length > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize + 1).map_err(|error| io(io::Error::other(error)))?;
    // A file can grow while it is read, and some do not report a length.
    file.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// The text of a regular file of at most `most` bytes.
pub fn read_text(path: &Path, most: u64) -> Result<String, ReadError> {
    let not_text = |error| ReadError::Io { path: path.to_owned(), source: io::Error::other(error) };
    String::from_utf8(read(path, most)?).map_err(not_text)
}

/// An error if `path` exists but is not a regular file.
pub fn check_regular(path: &Path) -> Result<(), ReadError> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() => Err(ReadError::NotRegular { path: path.to_owned() }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_bounded_length_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let message = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert!(message(&path, 4).ends_with("file: is too long; at most 4 bytes are read"));
        assert!(message(folder.path(), 9).ends_with("is not a regular file; give the path of one"));
        assert!(message(&folder.path().join("none"), 9).contains("cannot be read"));
        #[cfg(unix)]
        assert_eq!(
            message(Path::new("/dev/zero"), 9),
            "/dev/zero: is not a regular file; give the path of one"
        );
    }
}
