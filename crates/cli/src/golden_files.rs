//! The golden files that a command uses: those of a directory, or the built-in ones.

use std::path::{Path, PathBuf};

use prodmax_golden::{GoldenError, GoldenFile};
use prodmax_jobs::ron_file;

/// Where golden files are looked for if no directory is named.
const DEFAULT_FOLDER: &str = "golden";

/// The files that [`load`] reads.
pub(crate) fn list(directory: Option<&Path>) -> Vec<PathBuf> {
    ron_file::list(directory.unwrap_or(Path::new(DEFAULT_FOLDER))).unwrap_or_default()
}

/// Reads the files of `directory`, by default those of `golden/` in the current directory or else the built-in ones.
pub(crate) fn load(directory: Option<&Path>) -> Result<Vec<GoldenFile>, GoldenError> {
    match directory {
        Some(directory) => GoldenFile::read_directory(directory),
        None if Path::new(DEFAULT_FOLDER).is_dir() => GoldenFile::read_directory(Path::new(DEFAULT_FOLDER)),
        None => GoldenFile::built_in(),
    }
}
