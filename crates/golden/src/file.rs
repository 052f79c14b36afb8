//! Reading golden files, with errors that give the position.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;
use prodmax_jobs::Cost;
use prodmax_jobs::ReadError;
use prodmax_jobs::ron_file::{self, RonError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::expression;
use crate::finding::Finding;
use crate::published::{Digits, Published};
use crate::quantity::Quantity;
use crate::reading::Reading;
use crate::verdict::Verdict;

/// One published figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique among all golden files.
    pub id: String,
    /// Paper, table, row, column.
    pub source: String,
    /// As printed; a sentence in words of ours.
    pub published: Published,
    /// What became of the digits that are not printed.
    #[serde(default, skip_serializing_if = "Digits::is_rounded")]
    pub digits: Digits,
    /// Why no value of ours can be compared with it, if none can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_comparable: Option<String>,
    /// The entry of the same figure of the same experiment that is printed elsewhere, if this one prints it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
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

/// What an entry is, and so what its verdict says. Each kind is counted by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A published figure.
    Figure,
    /// A published figure that is printed elsewhere, too: one experiment is counted once.
    Repeat,
    /// A published figure that follows from others of the same paper: the paper's own arithmetic.
    Arithmetic,
    /// A sentence of a paper.
    Claim,
    /// A figure of ours that no paper prints.
    Own,
}

impl Kind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 5] = [Self::Figure, Self::Repeat, Self::Arithmetic, Self::Claim, Self::Own];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Repeat => "repeat",
            Self::Arithmetic => "arithmetic",
            Self::Claim => "claim",
            Self::Own => "own",
        }
    }
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
    /// What it repeats does not exist, prints something else, or is itself a repeat.
    #[error("it cannot repeat `{0}`, which does not exist, prints something else, or repeats another entry")]
    Repeats(String),
    /// There is no such reading.
    #[error("there is no reading `{0}` for golden entries; the readings are {all}", all = Reading::names().join(", "))]
    Reading(String),
}

impl Entry {
    /// The model as the papers state it.
    pub const STATED: &'static str = Reading::STATED.name;

    /// What the entry is.
    pub fn kind(&self) -> Kind {
        if self.published.is_none() {
            Kind::Own
        } else if matches!(self.quantity, Quantity::Claim { .. }) {
            Kind::Claim
        } else if self.repeats.is_some() {
            Kind::Repeat
        } else if self.quantity.is_arithmetic() {
            Kind::Arithmetic
        } else {
            Kind::Figure
        }
    }

    /// The verdict on the entry with this value of ours.
    pub fn judge(&self, ours: &Finding) -> Verdict {
        if self.not_comparable.is_some() {
            return Verdict::NotComparable;
        }
        Verdict::with_digits(&self.published, self.digits, ours, self.quantity.is_signed())
    }

    /// What has to be said beside the verdict, if anything.
    pub fn remark(&self) -> Option<String> {
        if let Some(why) = &self.not_comparable {
            return Some(format!("not comparable: {why}"));
        }
        if let Some(first) = &self.repeats {
            return Some(format!("the figure of {first}, printed again"));
        }
        (self.digits == Digits::CutOff).then(|| "the printed digits are cut off, not rounded".to_owned())
    }

    /// The remarks on these entries, each with the id of its entry; those that are printed again are counted instead.
    pub fn remarks<'a>(entries: impl IntoIterator<Item = &'a Self>) -> Vec<String> {
        let (mut remarks, mut repeats) = (Vec::new(), 0);
        for entry in entries {
            match entry.remark() {
                Some(_) if entry.repeats.is_some() => repeats += 1,
                Some(remark) => remarks.push(format!("{}: {remark}.", entry.id)),
                None => {}
            }
        }
        if repeats > 0 {
            remarks.push(format!(
                "Of these figures {repeats} {} printed elsewhere, too: the same experiment, which is counted once.",
                if repeats == 1 { "is" } else { "are" }
            ));
        }
        remarks
    }

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
            Quantity::Claim { .. } => ("a sentence", !self.published.is_none()),
            Quantity::Formula(_) => ("a polynomial in p", expression::parse(self.published.text()).is_some()),
            _ => ("a number", self.published.number().is_some()),
        };
        let is_empty = self.published.is_none() && !matches!(self.quantity, Quantity::Claim { .. });
        if !(fits || is_empty) {
            return Some((
                "published",
                EntryProblem::Published { text: self.published.text().to_owned(), kind },
            ));
        }
        Reading::named(&self.reading)
            .is_none()
            .then(|| ("reading", EntryProblem::Reading(self.reading.clone())))
    }
}

impl GoldenFile {
    /// Reads one file.
    pub fn read(path: &Path) -> Result<Self, GoldenError> {
        let text = prodmax_jobs::read(path, ron_file::MAX_BYTES)?;
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
        repeats(&files)?;
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

/// An error if an entry repeats one that does not exist, prints something else or is a repeat itself.
pub fn repeats(files: &[GoldenFile]) -> Result<(), GoldenError> {
    let all = || files.iter().flat_map(|file| &file.golden.entries);
    for file in files {
        for entry in &file.golden.entries {
            let Some(first) = &entry.repeats else { continue };
            let is_first = |other: &&Entry| {
                other.id == *first && other.repeats.is_none() && other.published == entry.published
            };
            if all().find(is_first).is_none() {
                let at = file.find(&entry.id, 0).unwrap_or(0);
                return Err(file.refuse(at, EntryProblem::Repeats(first.clone())));
            }
        }
    }
    Ok(())
}
