//! Finished experiments, stored so that an interrupted run can be continued. The name of a stored result depends on
//! what it was computed from; a file that cannot be read or is damaged counts as missing.

use std::path::{Path, PathBuf};

use prodmax_jobs::Checksum;
use prodmax_jobs::file;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The kind of the containers of results, and the version of their format.
const KIND: &str = "result";
const VERSION: u32 = 1;

/// The longest result that is read.
const MAX_BYTES: u64 = 1 << 30;

/// A directory of finished results.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
    /// The version of the program: results of other versions are not used.
    version: String,
    /// Whether stored results are used.
    reads: bool,
}

impl Cache {
    /// The cache in a directory.
    pub fn new(directory: &Path, version: &str, reads: bool) -> Self {
        Self { directory: directory.to_owned(), version: version.to_owned(), reads }
    }

    /// Where the result of `id` computed from `input` is stored.
    pub fn path(&self, id: &str, input: &str) -> PathBuf {
        self.directory.join(format!("{}-{}", name(id), self.hash(id, input)))
    }

    /// Removes the results of experiments that are no longer there: all that do not belong to one of these ids.
    pub fn keep_only<'a>(&self, ids: impl IntoIterator<Item = &'a str>) {
        let names: Vec<String> = ids.into_iter().map(name).collect();
        let files = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        for file in files.filter(|file| file.file_type().is_ok_and(|kind| kind.is_file())) {
            let stored = file.file_name().to_string_lossy().into_owned();
            // Files that do not look like stored results are left alone.
            let Some((name, hash)) = stored.rsplit_once('-') else { continue };
            let is_hash = hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
            if is_hash && !names.iter().any(|other| other == name) {
                // A file that cannot be removed does no harm.
                let _ = std::fs::remove_file(file.path());
            }
        }
    }

    /// A hash of what a result is computed from: the program's version, the id and the input.
    fn hash(&self, id: &str, input: &str) -> String {
        let parts = [self.version.as_bytes(), id.as_bytes(), input.as_bytes()];
        parts.into_iter().fold(Checksum::default(), Checksum::part).text()
    }

    /// Whether there is a stored result, which may be damaged.
    pub fn has(&self, id: &str, input: &str) -> bool {
        self.reads && self.path(id, input).is_file()
    }

    /// The stored result, if there is one.
    pub fn get<T: DeserializeOwned>(&self, id: &str, input: &str) -> Option<T> {
        let bytes = self.reads.then(|| prodmax_jobs::read(&self.path(id, input), MAX_BYTES).ok())??;
        let text = String::from_utf8(bytes).ok()?;
        let content = prodmax_jobs::open(&text, KIND, VERSION, &self.hash(id, input)).ok()?;
        serde_json::from_str(content).ok()
    }

    /// Stores a result.
    pub fn put<T: Serialize>(
        &self,
        id: &str,
        input: &str,
        result: &T,
    ) -> Result<(), (PathBuf, std::io::Error)> {
        let path = self.path(id, input);
        let content = serde_json::to_string(result).map_err(|error| (path.clone(), error.into()))?;
        let text = prodmax_jobs::seal(KIND, VERSION, &self.hash(id, input), &content);
        file::write(&path, text.as_bytes()).map_err(|error| (path, error))
    }
}

/// An id may contain any characters, a file name may not.
fn name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    id.chars().take(60).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_removed_experiments_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), "1", true);
        for id in ["a", "b-c", "d/e"] {
            cache.put(id, "input", &1).unwrap();
        }
        std::fs::write(folder.path().join("notes-mine"), "").unwrap();
        cache.keep_only(["a", "d/e"]);
        let has = |id| cache.get::<i32>(id, "input").is_some();
        assert_eq!([has("a"), has("b-c"), has("d/e")], [true, false, true]);
        assert!(folder.path().join("notes-mine").exists());
    }

    #[test]
    fn a_result_is_found_again_only_for_the_same_input_and_program() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path(), "1", true);
        cache.put("table 2/..", "spec", &vec![1, 2]).unwrap();
        assert_eq!(cache.get::<Vec<i32>>("table 2/..", "spec"), Some(vec![1, 2]));
        assert_eq!(cache.get::<Vec<i32>>("table 2/..", "spec changed"), None);
        assert_eq!(Cache::new(directory.path(), "2", true).get::<Vec<i32>>("table 2/..", "spec"), None);
        assert_eq!(Cache::new(directory.path(), "1", false).get::<Vec<i32>>("table 2/..", "spec"), None);
    }

    /// Changes every byte of a stored result, one at a time.
    #[test]
    fn a_damaged_result_counts_as_missing() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path(), "1", true);
        std::fs::write(cache.path("a", "b"), "[1, 2]").unwrap();
        assert_eq!(cache.get::<Vec<i32>>("a", "b"), None, "not a container");
        cache.put("a", "b", &vec![17, 23]).unwrap();
        let whole = std::fs::read(cache.path("a", "b")).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(cache.path("a", "b"), damaged).unwrap();
            assert_eq!(cache.get::<Vec<i32>>("a", "b"), None, "byte {at}");
        }
        std::fs::write(cache.path("a", "b"), whole).unwrap();
        assert_eq!(cache.get::<Vec<i32>>("a", "b"), Some(vec![17, 23]));
    }
}
