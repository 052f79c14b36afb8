//! Finished experiments, stored so that an interrupted run can be continued. The name of a stored result depends on what
//! it was computed from; a file that cannot be read counts as missing.

use std::path::{Path, PathBuf};

use prodmax_output::file;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A directory of finished results.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
    /// The program that computed the results: those of another one are not used.
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
        let hash = fnv1a(&[self.version.as_bytes(), id.as_bytes(), input.as_bytes()]);
        // An id is free text, a file name is not.
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = id.chars().take(60).map(plain).collect();
        self.directory.join(format!("{name}-{hash:016x}.json"))
    }

    /// The stored result, if there is one.
    pub fn get<T: DeserializeOwned>(&self, id: &str, input: &str) -> Option<T> {
        let bytes = self.reads.then(|| std::fs::read(self.path(id, input)).ok())??;
        serde_json::from_slice(&bytes).ok()
    }

    /// Stores a result.
    pub fn put<T: Serialize>(
        &self,
        id: &str,
        input: &str,
        result: &T,
    ) -> Result<(), (PathBuf, std::io::Error)> {
        let path = self.path(id, input);
        let text = serde_json::to_vec(result).map_err(|error| (path.clone(), error.into()))?;
        file::write(&path, &text).map_err(|error| (path, error))
    }
}

/// FNV-1a with 64 bits: unlike the hash of the standard library, the same in every version of it.
fn fnv1a(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        // The end of a part counts too, so that parts cannot be shifted against each other.
        for byte in part.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_damaged_result_counts_as_missing() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path(), "1", true);
        std::fs::write(cache.path("a", "b"), "[1, 2").unwrap();
        assert_eq!(cache.get::<Vec<i32>>("a", "b"), None);
    }
}
