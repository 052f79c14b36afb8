//! The file with all results: CSV, appended block by block, so that an interrupted search can resume where it
//! stopped.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use prodmax_jobs::{Checksum, ReadError};
use thiserror::Error;

use crate::grid::{DIMENSIONS, Grid};
use crate::score::{FactScore, Score};
use crate::search::{Evaluated, GridSearch};

/// Why a file of results cannot be used.
#[derive(Debug, Error)]
pub enum ScoreFileError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It belongs to another search.
    #[error("{}: does not hold the results of this grid and target; name another file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// Not a regular file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line that was not written by this search.
    #[error("{}:{line}: is not a result of this search; remove the file or name another one", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
    },
}

/// The longest file of results: some ten million readings.
const MAX_BYTES: u64 = 4 << 30;

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
pub struct ScoreFile {
    path: PathBuf,
    file: File,
    cells: bool,
    next: usize,
    /// The choices as text, per grid and dimension.
    labels: Vec<Vec<Vec<String>>>,
}

impl ScoreFile {
    /// Opens or creates a file and returns the scores it already holds, up to the last complete block. With `cells`
    /// every cell's value has a column too.
    pub fn open(path: &Path, search: &GridSearch, cells: bool) -> Result<(Self, Vec<Score>), ScoreFileError> {
        let io = |source| ScoreFileError::Io { path: path.to_owned(), source };
        prodmax_jobs::read::check_regular(path)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let bytes = prodmax_jobs::read::read_open(&file, path, MAX_BYTES)?;
        let header = header(search, cells);
        let (mut scores, mut length) = (Vec::new(), 0);
        if bytes.is_empty() || header.as_bytes().starts_with(&bytes) {
            // A new file, or interrupted while the header was written.
            file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(io)?;
            file.write_all(header.as_bytes()).map_err(io)?;
            length = header.len();
        } else if !bytes.starts_with(header.as_bytes()) {
            return Err(ScoreFileError::Other { path: path.to_owned() });
        } else {
            length += header.len();
            let mut ends = Vec::new();
            // Text after the last line break is an interrupted line.
            for line in bytes[length..].split_inclusive(|&byte| byte == b'\n').filter(|l| l.ends_with(b"\n"))
            {
                let text = std::str::from_utf8(line).ok();
                let score = text.and_then(|text| parse(text.trim_end(), scores.len()));
                let bad = || ScoreFileError::Line { path: path.to_owned(), line: scores.len() + 2 };
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
    pub fn append(&mut self, search: &GridSearch, evaluated: &[Evaluated]) -> Result<(), ScoreFileError> {
        let mut text = String::new();
        for one in evaluated {
            self.row(&mut text, search, one);
            self.next += 1;
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|source| ScoreFileError::Io { path: self.path.clone(), source })
    }

    /// One line; its last field is a checksum of the others.
    fn row(&self, text: &mut String, search: &GridSearch, evaluated: &Evaluated) {
        let (grid, within) = search.place(self.next);
        let choices = self.labels[grid].iter().zip(search.grids()[grid].choices(within));
        let mut fields = vec![self.next.to_string()];
        fields.extend(choices.map(|(labels, choice)| labels[choice].clone()));
        let optional = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let Score { rms, within, signs, facts } = &evaluated.score;
        fields.extend([rms.to_string(), within.to_string(), signs.to_string()]);
        match facts {
            Some(facts) => {
                fields.extend([
                    facts.matched.to_string(),
                    facts.root.to_string(),
                    facts.critical.to_string(),
                ]);
                fields.extend([facts.minimax_percent, facts.threshold_percent, facts.ratio].map(optional));
            }
            None => fields.extend(std::array::from_fn::<_, 6, _>(|_| String::new())),
        }
        if self.cells {
            let cell = |value: &Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
            fields.extend(evaluated.values.iter().map(cell));
        }
        let line = record(&fields);
        text.push_str(&line);
        let _ = writeln!(text, ",{}", checksum(&line));
    }
}

/// Fields as a line of CSV, without the line break.
fn record(fields: &[String]) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    // Writing to a vector cannot fail, so no error is lost.
    let bytes = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Option<csv::StringRecord> {
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    reader.into_records().next()?.ok()
}

fn checksum(line: &str) -> String {
    Checksum::default().bytes(line.as_bytes()).text()
}

/// The name of the first column contains the fingerprint of the search, so that the whole file is CSV.
fn header(search: &GridSearch, cells: bool) -> String {
    let mut fields = vec![format!("index_{:016x}", search.fingerprint())];
    fields.extend(DIMENSIONS.iter().chain(&SCORES).map(ToString::to_string));
    if cells {
        fields.extend(search.target().cells.iter().map(|cell| cell.id.clone()));
    }
    fields.push("checksum".to_owned());
    record(&fields) + "\n"
}

/// The score in a line, if the line is intact and belongs to this reading.
fn parse(line: &str, index: usize) -> Option<Score> {
    let (line, sum) = line.rsplit_once(',')?;
    if sum != checksum(line) {
        return None;
    }
    let record = fields(line)?;
    let fields: Vec<&str> = record.iter().collect();
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
