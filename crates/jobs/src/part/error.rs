//! Why kept work cannot be used: a sentence for each reason, with the file and what to do.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lines::LinesError;
use crate::read::ReadError;
use crate::share::Shard;

/// Why a part cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PartError {
    /// The system reported an error.
    #[error("{}: the part cannot be read or written: {source}", path.display())]
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
    #[error(
        "{}: this is neither a checkpoint nor the part of a shard, or its first line is damaged; name another file",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A part of something else.
    #[error("{}: the part {difference}; name another file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// An answer without kept work, or with a damaged record of it.
    #[error("{}: this is neither kept work nor an answer that carries a record: {reason}", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A damaged line.
    #[error("{}: line {line} is damaged; delete the file and compute what was in it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
    },
    /// A shard that is not finished.
    #[error(
        "{}: shard {shard} is not finished; run its command again with the same file: it resumes where it stopped",
        path.display()
    )]
    Unfinished {
        /// The file.
        path: PathBuf,
        /// The shard.
        shard: Shard,
    },
    /// The same shard twice.
    #[error("{} and {} are both shard {shard}; give each shard once", paths[0].display(), paths[1].display())]
    Twice {
        /// The files.
        paths: [PathBuf; 2],
        /// The shard.
        shard: Shard,
    },
    /// Shards that are not there.
    #[error(
        "{} of the {of} shards {} missing ({}); give all parts",
        missing.len(), if missing.len() == 1 { "is" } else { "are" }, listed(missing)
    )]
    Missing {
        /// Their numbers.
        missing: Vec<u32>,
        /// How many there are.
        of: u32,
    },
    /// No part at all.
    #[error("no parts were given; name the parts of all shards")]
    None,
    /// A section that is not in a part, or not only once.
    #[error("{}: the part belongs to another computation ({difference})", path.display())]
    Section {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Kept work of something else.
    #[error("{}: belongs to another computation ({difference}); name another file", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Something that is kept twice.
    #[error("{}: {step} {number} is there twice, or in another file, too; it would be counted twice", path.display())]
    Doubled {
        /// The file.
        path: PathBuf,
        /// What it is.
        step: &'static str,
        /// Its number.
        number: u64,
    },
    /// Something that was kept when more was asked for.
    #[error(
        "{}: {step} {number} is kept there, but not asked for; ask for it, too, or name another file", path.display()
    )]
    NotAsked {
        /// The file.
        path: PathBuf,
        /// What it is.
        step: &'static str,
        /// Its number.
        number: u64,
    },
    /// Units that no part holds.
    #[error(
        "{missing} of {all} steps of the work are in no part, the first one is {first}; the parts do not belong together"
    )]
    Gap {
        /// How many are missing.
        missing: u64,
        /// How many there are.
        all: u64,
        /// The first one.
        first: u64,
    },
}

impl PartError {
    pub(super) fn of(path: &Path) -> impl Fn(LinesError) -> Self {
        let path = path.to_owned();
        move |error| match error {
            LinesError::Io(source) => Self::Io { path: path.clone(), source },
            LinesError::Read(error) => Self::Read(error),
            LinesError::Foreign => Self::Foreign { path: path.clone() },
            LinesError::Other(_) => Self::Foreign { path: path.clone() },
            LinesError::Damaged(line) => Self::Damaged { path: path.clone(), line },
        }
    }
}

/// The first few numbers as a list in a sentence.
fn listed(numbers: &[u32]) -> String {
    const MAX_LISTED: usize = 12;
    let mut words: Vec<String> = numbers.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    if numbers.len() > MAX_LISTED {
        words.push(format!("and {} more", numbers.len() - MAX_LISTED));
    }
    words.join(", ")
}
