//! Games in files: checkpoints and game logs.

use std::path::Path;

use prodmax_games::play::{MatchResults, MatchSpec};

use crate::error::Error;
use crate::saved::Saved;

impl Saved for MatchResults {
    type Spec = MatchSpec;

    /// Millions of games.
    const MAX_BYTES: u64 = 1 << 30;

    fn begin(spec: MatchSpec) -> Self {
        Self::new(spec)
    }

    fn read(content: &[u8], path: &Path) -> Result<Self, Error> {
        MatchResults::read(&String::from_utf8_lossy(content))
            .map_err(|source| Error::GameLog { path: path.to_owned(), source: Box::new(source) })
    }

    fn content(&self) -> Result<Vec<u8>, serde_json::Error> {
        self.to_text().map(String::into_bytes)
    }

    fn merge_with(&self, other: &Self, path: &Path) -> Result<Self, Error> {
        self.merge(other).map_err(|source| Error::GameLog { path: path.to_owned(), source: Box::new(source) })
    }

    fn continue_with(self, spec: MatchSpec, path: &Path) -> Result<Self, Error> {
        let asked: std::collections::HashSet<_> = spec.pairs().collect();
        // Games outside the range would be lost when the checkpoint is written.
        let beyond = self.pairs.iter().find(|pair| !asked.contains(&(pair.resource, pair.start)));
        let beyond = beyond.map(|pair| format!("start {} is not asked for here", pair.start));
        let other = (!self.spec.same_games(&spec)).then(|| difference(&self.spec, &spec));
        match other.or(beyond) {
            Some(difference) => {
                Err(Error::OtherMatch { path: path.to_owned(), id: self.spec.id, difference })
            }
            None => Ok(Self { spec, pairs: self.pairs }),
        }
    }

    fn finished(&self) -> String {
        format!("{} finished games", self.games())
    }
}

/// The first setting in which two matches differ, apart from their names and what may differ in a checkpoint.
fn difference(kept: &MatchSpec, wanted: &MatchSpec) -> String {
    let settings = |spec: &MatchSpec| serde_json::to_value(spec).unwrap_or_default();
    let (kept, wanted) = (settings(kept), settings(wanted));
    let defining = ["game", "players", "ply", "ties", "opening", "seed"];
    let differs = defining.into_iter().find(|&key| kept[key] != wanted[key]);
    differs.map_or_else(
        || "other settings".to_owned(),
        |key| format!("another {key}: {}, not {}", kept[key], wanted[key]),
    )
}
