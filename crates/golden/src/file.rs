//! Reading golden files, with errors that give the position.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;
use prodmax_spec::Cost;
use prodmax_spec::ron_file::{self, RonError};
use prodmax_store::ReadError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::expression;
use crate::published::Published;
use crate::quantity::Quantity;
use crate::verdict::Verdict;

/// One published figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique among all golden files.
    pub id: String,
    /// Paper, table, row, column.
    pub source: String,
    /// As printed.
    pub published: Published,
    /// What to compute for it.
    pub quantity: Quantity,
    /// The reading of the paper under which it is computed.
    pub reading: String,
    /// Our value, as recorded.
    pub ours: String,
    /// How long the check takes.
    pub cost: Cost,
    /// The verdict, as recorded.
    pub verdict: Verdict,
}

/// The contents of a golden file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The title of the published result.
    pub title: String,
    /// Its figures.
    pub entries: Vec<Entry>,
}

/// A golden file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenFile {
    /// Its path.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its contents.
    pub golden: Golden,
}

/// Why golden files cannot be used.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// The directory cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No golden file there.
    #[error("{}: there is no golden file (*.ron) in this directory", .0.display())]
    None(PathBuf),
    /// A file is malformed.
    #[error(transparent)]
    File(#[from] RonError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An invalid entry.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong.
        problem: EntryProblem,
    },
}

/// Why an entry is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryProblem {
    /// Its id is already in use.
    #[error("the id `{0}` is used a second time")]
    Duplicate(String),
    /// The printed figure does not match the kind of quantity that is computed for it.
    #[error("`{text}` is not {kind}, which this quantity needs; write it as printed, or leave it empty")]
    Published {
        /// The printed figure.
        text: String,
        /// What it should be.
        kind: &'static str,
    },
    /// There is no such reading.
    #[error("there is no reading `{0}` for golden entries; the readings are {all}", all = Entry::READINGS.join(", "))]
    Reading(String),
}

impl Entry {
    /// The model as the papers state it.
    pub const STATED: &'static str = "stated";

    /// The readings of the papers' text that entries can name.
    pub const READINGS: [&'static str; 3] = [Self::STATED, "sign-wise", "error-product"];

    /// The field of an entry that is wrong, and what is wrong with it.
    fn problem(&self) -> Option<(&'static str, EntryProblem)> {
        let (kind, fits) = match self.quantity {
            Quantity::Table1Case { .. } => {
                let names = ["minimax", "product", "irrelevant"];
                ("one of minimax, product and irrelevant", names.contains(&self.published.text()))
            }
            Quantity::Connect4Value { .. } => {
                ("one of won, drawn and lost", ["won", "drawn", "lost"].contains(&self.published.text()))
            }
            Quantity::Formula(_) => ("a polynomial in p", expression::parse(self.published.text()).is_some()),
            _ => ("a number", self.published.number().is_some()),
        };
        if !fits && !self.published.is_none() {
            return Some((
                "published",
                EntryProblem::Published { text: self.published.text().to_owned(), kind },
            ));
        }
        (!Entry::READINGS.contains(&self.reading.as_str()))
            .then(|| ("reading", EntryProblem::Reading(self.reading.clone())))
    }
}

impl GoldenFile {
    /// Reads one file.
    pub fn read(path: &Path) -> Result<Self, GoldenError> {
        let text = prodmax_store::read(path, ron_file::MAX_BYTES)?;
        Self::parse(path, &text)
    }

    /// Reads the bytes of a file.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, GoldenError> {
        let golden = ron_file::parse_bytes(bytes, path)?;
        let file = Self { path: path.to_owned(), text: String::from_utf8_lossy(bytes).into_owned(), golden };
        for entry in &file.golden.entries {
            if let Some((field, problem)) = entry.problem() {
                let start = file.find(&entry.id, 0).unwrap_or(0);
                let inside = file.text[start..].find(&format!("{field}:")).unwrap_or(0);
                return Err(file.refuse(start + inside, problem));
            }
        }
        Ok(file)
    }

    /// An error about an entry, at a byte of the text.
    fn refuse(&self, at: usize, problem: EntryProblem) -> GoldenError {
        let (line, column) = ron_file::place(&self.text, at);
        GoldenError::Entry { path: self.path.clone(), line, column, problem }
    }

    /// Reads all golden files in a directory, in the order of their names.
    pub fn read_directory(directory: &Path) -> Result<Vec<Self>, GoldenError> {
        let failed = |source| GoldenError::Directory { path: directory.to_owned(), source };
        let paths = ron_file::list(directory).map_err(failed)?;
        if paths.is_empty() {
            return Err(GoldenError::None(directory.to_owned()));
        }
        let files = paths.iter().map(|path| Self::read(path)).collect::<Result<Vec<_>, _>>()?;
        unique(&files)?;
        Ok(files)
    }

    /// The position in the text, in bytes, of the `nth` (from 0) `id: "…"` with this id.
    pub(crate) fn find(&self, id: &str, nth: usize) -> Option<usize> {
        let needle = format!("id: \"{id}\"");
        self.text.match_indices(&needle).nth(nth).map(|(at, _)| at)
    }
}

/// An error if an id occurs twice, in one file or in two.
pub fn unique(files: &[GoldenFile]) -> Result<(), GoldenError> {
    let mut seen: HashSet<&str> = HashSet::new();
    for file in files {
        let mut here: HashSet<&str> = HashSet::new();
        for Entry { id, .. } in &file.golden.entries {
            if !seen.insert(id) {
                // If this file has the id twice, point at the second one.
                let at = file.find(id, usize::from(here.contains(id.as_str()))).unwrap_or(0);
                return Err(file.refuse(at, EntryProblem::Duplicate(id.clone())));
            }
            here.insert(id);
        }
    }
    Ok(())
}
