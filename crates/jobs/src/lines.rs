//! A file of lines that grows while work is done: the format of checkpoints and parts.
//!
//! The first line identifies the computation, each other line is a finished piece of work. Every line ends with a
//! checksum of it and, except for the first, of the first line. A line is written by one call when its piece is
//! finished: whenever the process ends, only the end of the last line can be lost, which shows in the missing line
//! end. A reader ignores such a line and cuts it off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::checksum::Checksum;
use crate::read::{ReadError, check_regular};

/// The longest line.
const MAX_LINE: u64 = 1 << 28;

/// How long finished lines may stay in the system's write cache: they survive the end of the process immediately, and a
/// power failure after this pause.
const SYNC_PAUSE: Duration = Duration::from_secs(1);

/// Why a file of lines cannot be used.
#[derive(Debug, Error)]
pub enum LinesError {
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a regular file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Some other kind of file.
    #[error("this is not a file of checked lines")]
    Foreign,
    /// The first line is intact but not the expected one.
    #[error("the first line belongs to something else: {0}")]
    Other(String),
    /// A damaged line that is not the last one.
    #[error("line {0} is damaged")]
    Damaged(usize),
}

/// A file that is open for appending lines.
#[derive(Debug)]
pub struct Lines {
    seed: u64,
    file: Mutex<Appended>,
}

#[derive(Debug)]
struct Appended {
    file: File,
    synced: Instant,
}

impl Lines {
    /// Opens or creates a file that begins with `header`. Every line after it is passed to `each`, which returns
    /// whether it is valid.
    pub fn open(path: &Path, header: &str, each: &mut dyn FnMut(&str) -> bool) -> Result<Self, LinesError> {
        // A device could be read forever.
        check_regular(path)?;
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let seed = checksum(0, header);
        let first = line(header, 0);
        let whole = match scan(&file, &mut |found| found == header, each) {
            Ok(scanned) => scanned.whole,
            // The beginning of the right header, without its line end.
            Err(LinesError::Foreign) if starts_with(&mut file, &first)? => 0,
            Err(error) => return Err(error),
        };
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(first.as_bytes())?;
        }
        Ok(Self { seed, file: Mutex::new(Appended { file, synced: Instant::now() }) })
    }

    /// Appends a line.
    pub fn append(&self, text: &str) -> io::Result<()> {
        let line = line(text, self.seed);
        let mut appended = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        appended.file.write_all(line.as_bytes())?;
        if appended.synced.elapsed() >= SYNC_PAUSE {
            appended.file.sync_data()?;
            appended.synced = Instant::now();
        }
        Ok(())
    }

    /// Makes sure that all lines survive a power failure.
    pub fn sync(&self) -> io::Result<()> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).file.sync_data()
    }
}

/// Whether the contents of a file are a prefix of this text.
fn starts_with(file: &mut File, text: &str) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let mut found = Vec::new();
    file.take(text.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(text.as_bytes().starts_with(&found))
}

/// The result of scanning a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The bytes of all complete lines.
    pub whole: u64,
    /// Whether an incomplete line follows.
    pub torn: bool,
}

/// Reads an open file from its beginning, one line at a time. `header` returns whether the first line is as expected;
/// every other line is passed to `each`, which returns whether it is valid. A last line without its line end is left
/// out.
pub fn scan(
    mut file: &File,
    header: &mut dyn FnMut(&str) -> bool,
    each: &mut dyn FnMut(&str) -> bool,
) -> Result<Scanned, LinesError> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    let (mut whole, mut seed) = (0, 0);
    for number in 1.. {
        line.clear();
        let length = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            break;
        }
        if !line.ends_with(b"\n") {
            return match number {
                1 => Err(LinesError::Foreign),
                _ if length == MAX_LINE => Err(LinesError::Damaged(number)),
                _ => Ok(Scanned { whole, torn: true }),
            };
        }
        match (contents(&line, seed), number) {
            (None, 1) => return Err(LinesError::Foreign),
            (Some(text), 1) if !header(text) => return Err(LinesError::Other(text.to_owned())),
            (Some(text), 1) => seed = checksum(0, text),
            (Some(text), _) if each(text) => {}
            _ => return Err(LinesError::Damaged(number)),
        }
        whole += length;
    }
    // An empty file has no header.
    if whole == 0 { Err(LinesError::Foreign) } else { Ok(Scanned { whole, torn: false }) }
}

/// The checksum of a text, continued from a seed.
pub fn checksum(seed: u64, text: &str) -> u64 {
    Checksum::seeded(seed).bytes(text.as_bytes()).value()
}

/// A line of the file.
fn line(text: &str, seed: u64) -> String {
    format!("{text} {:016x}\n", checksum(seed, text))
}

/// What a line of the file says, if it is intact.
fn contents(line: &[u8], seed: u64) -> Option<&str> {
    let (text, sum) = str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once(' ')?;
    (sum == format!("{:016x}", checksum(seed, text))).then_some(text)
}

/// The first field in which two identities differ; they are lists of `key=value`: `another root: +1, not +2`. What comes
/// later in the list follows from what comes first.
pub fn difference(found: &str, wanted: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_another_file_is_refused() {
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

    /// Whatever the length to which a file is cut, the lines that were complete are read and the next one follows.
    #[test]
    fn a_file_that_was_cut_off_goes_on_after_its_last_complete_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let texts = ["one", "two words", "3"];
        let write = || {
            let lines = Lines::open(&path, "header of it", &mut |_| true).unwrap();
            texts.iter().for_each(|text| lines.append(text).unwrap());
            lines.sync().unwrap();
        };
        write();
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let mut found = Vec::new();
            let lines = Lines::open(&path, "header of it", &mut |text| {
                found.push(text.to_owned());
                true
            });
            let complete = bytes[..length].iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1);
            assert_eq!(found, texts[..complete], "{length} bytes");
            let lines = lines.unwrap();
            texts[complete..].iter().for_each(|text| lines.append(text).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_files_and_damaged_lines_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let open = |header: &str| Lines::open(&path, header, &mut |text| text != "nonsense");
        open("a").unwrap().append("well").unwrap();
        assert!(matches!(open("b"), Err(LinesError::Other(found)) if found == "a"));
        open("a").unwrap().append("nonsense").unwrap();
        assert!(matches!(open("a"), Err(LinesError::Damaged(3))));
        std::fs::write(&path, "something else\n").unwrap();
        assert!(matches!(open("a"), Err(LinesError::Foreign)));
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(open("a"), Err(LinesError::Foreign)));
        assert!(matches!(
            Lines::open(folder.path(), "a", &mut |_| true),
            Err(LinesError::Read(ReadError::NotRegular { .. }))
        ));
    }
}
