//! Finished parts of a computation in a file, so that a run can be continued.
//!
//! The file consists of lines of text. The first identifies the computation, each other line is the result of one
//! part; every line ends with a checksum of it and, for a part, of the first line. Numbers that are not whole are
//! written as the bits of the double in hexadecimal, so that they are read back exactly. A line is written by one
//! call when its part is finished: whenever the process ends, only the end of the last line can be lost, which shows
//! in the missing line end or the checksum. A reader ignores such a line and cuts it off.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::SplitAsciiWhitespace;
use std::sync::{Mutex, PoisonError};

use prodmax_store::{Checksum, ReadError};
use thiserror::Error;

/// Larger files are not checkpoints.
const MAX_BYTES: u64 = 4 << 30;

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
pub(crate) struct Checkpoint {
    path: PathBuf,
    seed: u64,
    file: Mutex<File>,
}

impl Checkpoint {
    /// Opens or creates a file for the computation that `identity` describes. `magic` names its kind; it changes
    /// whenever the format changes, or anything that affects a part. Returns the finished parts.
    pub(crate) fn open<T>(
        path: &Path,
        magic: &str,
        identity: &str,
        parse: impl Fn(SplitAsciiWhitespace<'_>) -> Option<T>,
    ) -> Result<(Self, Vec<T>), CheckpointError> {
        let io = |source| CheckpointError::Io { path: path.to_owned(), source };
        let foreign = || CheckpointError::Foreign { path: path.to_owned() };
        // A device could be read forever.
        prodmax_store::read::check_regular(path)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() > MAX_BYTES {
            return Err(foreign());
        }
        let bytes = prodmax_store::read::read_open(&file, path, MAX_BYTES)?;
        let text = format!("{magic} {identity}");
        let seed = checksum(0, &text);
        let header = format!("{text} {seed:016x}\n");
        let mut done = Vec::new();
        let mut whole = 0;
        for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            if number == 0 {
                match check_header(line, &header, magic) {
                    Header::Same => whole = line.len(),
                    Header::Torn => break,
                    Header::Foreign => return Err(foreign()),
                    Header::Other(found) => {
                        let (path, difference) = (path.to_owned(), difference(&found, identity));
                        return Err(CheckpointError::Other { path, difference });
                    }
                }
                continue;
            }
            match contents(line, seed).and_then(|text| parse(text.split_ascii_whitespace())) {
                Some(part) => done.push(part),
                // A write that was cut off has no line end (and is the last one); a complete line that is wrong was
                // damaged.
                None if !line.ends_with(b"\n") => break,
                None => return Err(CheckpointError::Damaged { path: path.to_owned(), line: number + 1 }),
            }
            whole += line.len();
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        if whole == 0 {
            file.write_all(header.as_bytes()).map_err(io)?;
        }
        Ok((Self { path: path.to_owned(), seed, file: Mutex::new(file) }, done))
    }

    /// Appends a finished part, given as words.
    pub(crate) fn append(&self, part: &str) -> Result<(), CheckpointError> {
        let line = line(part, self.seed);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Finished parts survive a power failure, too.
        let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|source| CheckpointError::Io { path: self.path.clone(), source })
    }
}

enum Header {
    Same,
    /// The beginning of the right header, without its line end.
    Torn,
    /// The header of another computation: its identity.
    Other(String),
    Foreign,
}

fn check_header(line: &[u8], header: &str, magic: &str) -> Header {
    if line == header.as_bytes() {
        return Header::Same;
    }
    if header.as_bytes().starts_with(line) {
        return Header::Torn;
    }
    let whole = str::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n')?.rsplit_once(' '));
    match whole {
        Some((text, sum)) if *sum == format!("{:016x}", checksum(0, text)) => {
            match text.strip_prefix(magic) {
                Some(identity) => Header::Other(identity.trim_start().to_owned()),
                None => Header::Other(text.to_owned()),
            }
        }
        _ => Header::Foreign,
    }
}

/// The first field in which two identities differ; they are lists of `key=value`: `another root: +1, not +2`. What comes
/// later in the list follows from what comes first.
fn difference(found: &str, wanted: &str) -> String {
    let fields = |text| str::split(text, ' ').filter_map(|field| field.split_once('='));
    let value = |text, key| fields(text).find(|(other, _)| *other == key).map_or("none", |(_, value)| value);
    let keys = fields(wanted).chain(fields(found)).map(|(key, _)| key);
    let differs =
        keys.map(|key| (key, value(found, key), value(wanted, key))).find(|(_, is, should)| is != should);
    match differs {
        Some((key, is, should)) => format!("another {}: {is}, not {should}", key.replace('_', " ")),
        None => format!("{found}, not {wanted}"),
    }
}

/// The checksum of a line, continued from a seed.
pub(crate) fn checksum(seed: u64, text: &str) -> u64 {
    Checksum::seeded(seed).bytes(text.as_bytes()).value()
}

/// A line of the file.
fn line(part: &str, seed: u64) -> String {
    format!("{part} {:016x}\n", checksum(seed, part))
}

/// What a line of the file says, if it is intact.
fn contents(line: &[u8], seed: u64) -> Option<&str> {
    let (text, sum) = str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once(' ')?;
    (sum == format!("{:016x}", checksum(seed, text))).then_some(text)
}

/// A double as a word that is read back exactly.
pub(crate) fn bits(double: f64) -> String {
    format!("{:016x}", double.to_bits())
}

/// The double that the next word stands for.
pub(crate) fn double(words: &mut SplitAsciiWhitespace<'_>) -> Option<f64> {
    u64::from_str_radix(words.next()?, 16).ok().map(f64::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_another_run_is_refused() {
        let line = line("block 3 7", 9);
        assert_eq!(contents(line.as_bytes(), 9), Some("block 3 7"));
        assert_eq!(contents(line.as_bytes(), 8), None);
    }

    #[test]
    fn a_conflict_names_the_field_that_differs() {
        let found = "root=+1 increments=3,3 truth=arctan:4 blocks=7";
        let wanted = "root=+2 increments=3,3 truth=arctan:4 blocks=8";
        assert_eq!(difference(found, wanted), "another root: +1, not +2");
        let wanted = "root=+1 increments=3,3 truth=arctan:4 rule=ideal blocks=7";
        assert_eq!(difference(found, wanted), "another rule: none, not ideal");
        assert_eq!(difference(wanted, found), "another rule: ideal, not none");
        assert_eq!(difference("a", "b"), "a, not b");
    }

    #[test]
    fn doubles_are_read_back_exactly() {
        for number in [0.1, -0.0, f64::MIN_POSITIVE, 1e300] {
            let text = bits(number);
            let read = double(&mut text.split_ascii_whitespace()).map(f64::to_bits);
            assert_eq!(read, Some(number.to_bits()));
        }
    }
}
