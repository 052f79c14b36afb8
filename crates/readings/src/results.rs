//! The file with all results: CSV, appended block by block, so that an interrupted search goes on where it was.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use prodmax_store::{Checksum, ReadError};
use thiserror::Error;

use crate::grid::{DIMENSIONS, Grid};
use crate::score::{FactScore, Score};
use crate::search::{Evaluated, Search};

/// Why results cannot be kept.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Results of something else.
    #[error("{}: holds other data than the results of this grid and target; name another file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// Not a regular file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line that this program did not write.
    #[error("{}:{line}: is not a result of this search; remove the file or name another one", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
    },
}

/// The longest file of results: some ten million readings.
const MOST_BYTES: u64 = 4 << 30;

/// The columns of the scores.
const SCORES: [&str; 9] = [
    "rms",
    "within",
    "signs",
    "depth2_matched",
    "depth2_root",
    "depth2_critical",
    "depth2_minimax_percent",
    "depth2_threshold_percent",
    "depth2_ratio",
];

/// An open file of results.
pub struct Results {
    path: PathBuf,
    file: File,
    cells: bool,
    next: usize,
    /// The choices as they are written, per grid and dimension.
    labels: Vec<Vec<Vec<String>>>,
}

impl Results {
    /// Opens or creates a file; returns what it holds already, up to the last whole block. With `cells` every cell's
    /// value is a column too.
    pub fn open(path: &Path, search: &Search, cells: bool) -> Result<(Self, Vec<Score>), ResultsError> {
        let io = |source| ResultsError::Io { path: path.to_owned(), source };
        prodmax_store::read::check_regular(path)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let bytes = prodmax_store::read::read_open(&file, path, MOST_BYTES)?;
        let header = header(search, cells);
        let (mut scores, mut length) = (Vec::new(), 0);
        if bytes.is_empty() || header.as_bytes().starts_with(&bytes) {
            // New, or interrupted while the header was written.
            file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(io)?;
            file.write_all(header.as_bytes()).map_err(io)?;
            length = header.len();
        } else if !bytes.starts_with(header.as_bytes()) {
            return Err(ResultsError::Other { path: path.to_owned() });
        } else {
            length += header.len();
            let mut ends = Vec::new();
            // What follows the last line break was interrupted.
            for line in bytes[length..].split_inclusive(|&byte| byte == b'\n').filter(|l| l.ends_with(b"\n"))
            {
                let text = std::str::from_utf8(line).ok();
                let score = text.and_then(|text| parse(text.trim_end(), scores.len()));
                let bad = || ResultsError::Line { path: path.to_owned(), line: scores.len() + 2 };
                scores.push(score.ok_or_else(bad)?);
                length += line.len();
                ends.push(length);
            }
            let whole = search.whole_blocks(scores.len());
            scores.truncate(whole);
            length = if whole == 0 { header.len() } else { ends[whole - 1] };
            file.set_len(length as u64).map_err(io)?;
        }
        file.seek(SeekFrom::Start(length as u64)).map_err(io)?;
        let next = scores.len();
        let labels = |grid: &Grid| (0..DIMENSIONS.len()).map(|dimension| grid.labels(dimension)).collect();
        let labels = search.grids().iter().map(labels).collect();
        Ok((Self { path: path.to_owned(), file, cells, next, labels }, scores))
    }

    /// Appends the next readings.
    pub fn append(&mut self, search: &Search, evaluated: &[Evaluated]) -> Result<(), ResultsError> {
        let mut text = String::new();
        for one in evaluated {
            self.row(&mut text, search, one);
            self.next += 1;
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|source| ResultsError::Io { path: self.path.clone(), source })
    }

    /// One line; its last field is a checksum of the others.
    fn row(&self, text: &mut String, search: &Search, evaluated: &Evaluated) {
        let start = text.len();
        let (grid, within) = search.place(self.next);
        let _ = write!(text, "{}", self.next);
        for (labels, choice) in self.labels[grid].iter().zip(search.grids()[grid].choices(within)) {
            let _ = write!(text, ",{}", labels[choice]);
        }
        let Score { rms, within, signs, facts } = &evaluated.score;
        let _ = write!(text, ",{rms},{within},{signs}");
        match facts {
            Some(facts) => {
                let _ = write!(text, ",{},{},{}", facts.matched, facts.root, facts.critical);
                for number in [facts.minimax_percent, facts.threshold_percent, facts.ratio] {
                    let _ = write!(text, ",{}", number.map_or_else(String::new, |number| number.to_string()));
                }
            }
            None => text.push_str(",,,,,,"),
        }
        if self.cells {
            for value in &evaluated.values {
                let _ = write!(text, ",{}", value.map_or_else(String::new, |value| format!("{value:.6}")));
            }
        }
        let sum = checksum(&text[start..]);
        let _ = writeln!(text, ",{sum}");
    }
}

fn checksum(line: &str) -> String {
    Checksum::default().bytes(line.as_bytes()).text()
}

/// The first column's name carries the fingerprint of the search, so the file needs no line that is not CSV.
fn header(search: &Search, cells: bool) -> String {
    let mut header =
        format!("index_{:016x},{},{}", search.fingerprint(), DIMENSIONS.join(","), SCORES.join(","));
    if cells {
        for cell in &search.target().cells {
            let _ = write!(header, ",{}", cell.id);
        }
    }
    header.push_str(",checksum\n");
    header
}

/// The score in a line, if it is the line of this reading.
fn parse(line: &str, index: usize) -> Option<Score> {
    let (line, sum) = line.rsplit_once(',')?;
    if sum != checksum(line) {
        return None;
    }
    let fields: Vec<&str> = line.split(',').collect();
    let scores = fields.get(1 + DIMENSIONS.len()..1 + DIMENSIONS.len() + SCORES.len())?;
    if fields[0].parse::<usize>().ok()? != index {
        return None;
    }
    let optional = |text: &str| -> Option<Option<f64>> {
        if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
    };
    let facts = if scores[3].is_empty() {
        None
    } else {
        Some(FactScore {
            matched: scores[3].parse().ok()?,
            root: scores[4].parse().ok()?,
            critical: scores[5].parse().ok()?,
            minimax_percent: optional(scores[6])?,
            threshold_percent: optional(scores[7])?,
            ratio: optional(scores[8])?,
        })
    };
    Some(Score {
        rms: scores[0].parse().ok()?,
        within: scores[1].parse().ok()?,
        signs: scores[2].parse().ok()?,
        facts,
    })
}
