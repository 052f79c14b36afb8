//! Simulated trees in files: checkpoints, and the output of `--format json`.

use std::path::Path;

use prodmax_simulate::{Difference, SimulationResults, SimulationSpec};

use crate::error::Error;
use crate::saved::Saved;
use prodmax_output::large::counted;

impl Saved for SimulationResults {
    type Spec = SimulationSpec;

    /// A million trees of depth 18.
    const MAX_BYTES: u64 = 4 << 30;

    fn begin(spec: SimulationSpec) -> Self {
        Self::new(spec)
    }

    fn read(content: &[u8], path: &Path) -> Result<Self, Error> {
        let no_results = |reason: String| Error::NoResults { path: path.to_owned(), reason };
        let results: Self = serde_json::from_slice(content).map_err(|error| no_results(error.to_string()))?;
        results.check().map_err(|source| Error::Results { path: path.to_owned(), source })?;
        Ok(results)
    }

    fn content(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn merge_with(&self, other: &Self, path: &Path) -> Result<Self, Error> {
        self.merge(other).map_err(|source| Error::Results { path: path.to_owned(), source })
    }

    fn continue_with(self, spec: SimulationSpec, path: &Path) -> Result<Self, Error> {
        let wanted = spec.tree_indices();
        // Trees outside the range would be lost when the checkpoint is written.
        let beyond = self.trees.iter().find(|tree| !wanted.contains(&tree.tree));
        let reason = match (self.spec.difference(&spec), beyond) {
            (Some(Difference { field, first, second }), _) => {
                Some(format!("`{field}` is {first} there and {second} here"))
            }
            (None, Some(tree)) => Some(format!("it has tree {}, which is not asked for here", tree.tree)),
            (None, None) => None,
        };
        match reason {
            Some(reason) => Err(Error::Checkpoint { path: path.to_owned(), id: self.spec.id, reason }),
            None => Ok(Self { spec, trees: self.trees }),
        }
    }

    fn finished(&self) -> String {
        counted(self.trees.len(), "finished tree")
    }
}
