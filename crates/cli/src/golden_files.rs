//! The golden files a command works with: those of a directory, or the ones built in.

use std::path::{Path, PathBuf};

use prodmax_golden::{GoldenError, GoldenFile};
use prodmax_spec::ron_file;

/// Where golden files are looked for if none are named.
const USUAL: &str = "golden";

/// The files that [`load`] reads.
pub(crate) fn list(directory: Option<&Path>) -> Vec<PathBuf> {
    ron_file::list(directory.unwrap_or(Path::new(USUAL))).unwrap_or_default()
}

/// Reads the files of `directory`; without one those of `golden/` here, or else those built in.
pub(crate) fn load(directory: Option<&Path>) -> Result<Vec<GoldenFile>, GoldenError> {
    match directory {
        Some(directory) => GoldenFile::read_directory(directory),
        None if Path::new(USUAL).is_dir() => GoldenFile::read_directory(Path::new(USUAL)),
        None => GoldenFile::built_in(),
    }
}
