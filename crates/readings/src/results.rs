//! The table of all results: CSV, one line per reading.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use prodmax_jobs::{Checksum, ReadError};
use thiserror::Error;

use crate::grid::{DIMENSIONS, Grid};
use crate::score::Score;
use crate::search::{Evaluated, GridSearch};

/// Why a file cannot get the results.
#[derive(Debug, Error)]
pub enum ScoreFileError {
    /// It holds something else.
    #[error("{}: does not hold the results of this grid and target; name another file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

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

/// The rows of a search.
pub struct ScoreFile<'a> {
    search: &'a GridSearch,
    /// The choices as text, per grid and dimension.
    labels: Vec<Vec<Vec<String>>>,
}

impl<'a> ScoreFile<'a> {
    /// The file with the results of this search. If the search keeps the values of cells, each has a column.
    pub fn new(search: &'a GridSearch) -> Self {
        let labels = |grid: &Grid| (0..DIMENSIONS.len()).map(|dimension| grid.labels(dimension)).collect();
        Self { search, labels: search.grids().iter().map(labels).collect() }
    }

    /// An error if there is such a file already, but of something else: it would be overwritten.
    pub fn check(&self, path: &Path) -> Result<(), ScoreFileError> {
        if !path.exists() {
            return Ok(());
        }
        let header = self.header();
        let mut found = Vec::new();
        let failed = |source| ReadError::Io { path: path.to_owned(), source };
        let file: File = prodmax_jobs::read::open(path)?;
        file.take(header.len() as u64).read_to_end(&mut found).map_err(failed)?;
        // It may have been cut off by another program.
        match header.as_bytes().starts_with(&found) {
            true => Ok(()),
            false => Err(ScoreFileError::Other { path: path.to_owned() }),
        }
    }

    /// Writes all rows.
    pub fn write(&self, evaluated: &[Evaluated], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.header().as_bytes())?;
        evaluated
            .iter()
            .enumerate()
            .try_for_each(|(index, one)| out.write_all(self.row(index, one).as_bytes()))
    }

    /// One line; its last field is a checksum of the others.
    fn row(&self, index: usize, evaluated: &Evaluated) -> String {
        let (grid, within) = self.search.place(index);
        let choices = self.labels[grid].iter().zip(self.search.grids()[grid].choices(within));
        let mut fields = vec![index.to_string()];
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
        if self.search.cells() {
            let cell = |value: &Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
            fields.extend(evaluated.values.iter().map(cell));
        }
        let line = record(&fields);
        let sum = Checksum::default().bytes(line.as_bytes()).text();
        format!("{line},{sum}\n")
    }

    /// The name of the first column contains the fingerprint of the search, so that the whole file is CSV.
    fn header(&self) -> String {
        let mut fields = vec![format!("index_{:016x}", self.search.fingerprint())];
        fields.extend(DIMENSIONS.iter().chain(&SCORES).map(ToString::to_string));
        if self.search.cells() {
            fields.extend(self.search.target().cells.iter().map(|cell| cell.id.clone()));
        }
        fields.push("checksum".to_owned());
        record(&fields) + "\n"
    }
}

/// Fields as a line of CSV, without the line break.
fn record(fields: &[String]) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    // Writing to a vector cannot fail, so no error is lost.
    let bytes = writer.write_record(fields).ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}
