//! Sampled trees in files.

use std::path::Path;

use prodmax_pathology::{SampleResults, SampleSpec};

use crate::error::Error;
use crate::saved::Saved;

impl Saved for SampleResults {
    type Spec = SampleSpec;

    /// Sums, whatever the number of trees.
    const MAX_BYTES: u64 = 16 << 20;

    fn begin(spec: SampleSpec) -> Self {
        Self::new(spec)
    }

    fn read(content: &[u8], path: &Path) -> Result<Self, Error> {
        serde_json::from_slice(content)
            .map_err(|error| Error::NoSample { path: path.to_owned(), reason: error.to_string() })
    }

    fn content(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn merge_with(&self, other: &Self, path: &Path) -> Result<Self, Error> {
        self.merge(other).map_err(|source| Error::Sample { path: path.to_owned(), source })
    }

    fn continue_with(mut self, spec: SampleSpec, path: &Path) -> Result<Self, Error> {
        let other = |reason| Error::OtherSample { path: path.to_owned(), reason };
        if let Some((field, first, second)) = self.spec.difference(&spec) {
            return Err(other(format!("`{field}` is {first} there and {second} here")));
        }
        if let Some(tree) = self.finished.beyond(&spec.tree_numbers()) {
            return Err(other(format!("it has tree {tree}, which is not asked for here")));
        }
        self.spec = spec;
        Ok(self)
    }

    fn finished(&self) -> String {
        let trees = self.finished.count();
        if trees == 1 { "1 finished tree".to_owned() } else { format!("{trees} finished trees") }
    }
}
