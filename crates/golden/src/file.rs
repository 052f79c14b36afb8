//! Golden files: reading them, with errors that say where.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;
use prodmax_spec::Cost;
use prodmax_spec::ron_file::{self, RonError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::expression;
use crate::published::Published;
use crate::quantity::{Calculator, Quantity};
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
    /// What is computed for it.
    pub quantity: Quantity,
    /// Under which reading of the paper.
    pub reading: String,
    /// Our value, as recorded.
    pub ours: String,
    /// How long the check takes.
    pub cost: Cost,
    /// The verdict, as recorded.
    pub verdict: Verdict,
}

/// What a golden file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// What the published result is called.
    pub title: String,
    /// Its figures.
    pub entries: Vec<Entry>,
}

/// A golden file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub golden: Golden,
}

/// Why golden files cannot be used.
#[derive(Debug, Error)]
pub enum GoldenError {
    /// The directory.
    #[error("{}: cannot be read: {source}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No golden file there.
    #[error("{}: there is no golden file (*.ron) in this directory", .0.display())]
    None(PathBuf),
    /// A file.
    #[error(transparent)]
    File(#[from] RonError),
    /// An entry that cannot be meant.
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

/// Why an entry cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryProblem {
    /// The id.
    #[error("the id `{0}` is used a second time")]
    Duplicate(String),
    /// What is printed is not of the kind that is computed for it.
    #[error("`{text}` is not {kind}, as this quantity is; write it as it is printed, or leave it empty")]
    Published {
        /// As given.
        text: String,
        /// What it should be.
        kind: &'static str,
    },
    /// No such reading.
    #[error("there is no reading `{0}` for golden entries; the only one is `stated`")]
    Reading(String),
}

impl Entry {
    /// Where in an entry something is wrong (the field), and what.
    fn problem(&self) -> Option<(&'static str, EntryProblem)> {
        let (kind, fits) = match self.quantity {
            Quantity::Table1Case { .. } => {
                let names = ["minimax", "product", "irrelevant"];
                ("one of minimax, product and irrelevant", names.contains(&self.published.text()))
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
        (self.reading != Calculator::STATED).then(|| ("reading", EntryProblem::Reading(self.reading.clone())))
    }
}

impl GoldenFile {
    /// Reads one file.
    pub fn read(path: &Path) -> Result<Self, GoldenError> {
        let text = std::fs::read(path).map_err(|source| RonError::Io { path: path.to_owned(), source })?;
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

    /// Reads all golden files of a directory in the order of their names.
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

    /// Where the `nth` (from 0) entry with this id begins in the text: the byte of `id: "…"`.
    pub(crate) fn find(&self, id: &str, nth: usize) -> Option<usize> {
        let needle = format!("id: \"{id}\"");
        self.text.match_indices(&needle).nth(nth).map(|(at, _)| at)
    }
}

/// An error if an id occurs twice in all files together.
pub fn unique(files: &[GoldenFile]) -> Result<(), GoldenError> {
    let mut seen: HashSet<&str> = HashSet::new();
    for file in files {
        let mut here: HashSet<&str> = HashSet::new();
        for Entry { id, .. } in &file.golden.entries {
            if !seen.insert(id) {
                // In a file with the id twice the second one is meant.
                let at = file.find(id, usize::from(here.contains(id.as_str()))).unwrap_or(0);
                return Err(file.refuse(at, EntryProblem::Duplicate(id.clone())));
            }
            here.insert(id);
        }
    }
    Ok(())
}
