//! The experiments of this version, for use outside a checkout.

use crate::experiment::Experiment;
use crate::ron_file::{self, RonError};

/// The files of `specs/` by name, in order.
const FILES: [(&str, &str); 15] = [
    ("branching.ron", include_str!("../specs/branching.ron")),
    ("crossover.ron", include_str!("../specs/crossover.ron")),
    ("depth2.ron", include_str!("../specs/depth2.ron")),
    ("depth3.ron", include_str!("../specs/depth3.ron")),
    ("depth4.ron", include_str!("../specs/depth4.ron")),
    ("rules-depth4.ron", include_str!("../specs/rules-depth4.ron")),
    ("rules-hints.ron", include_str!("../specs/rules-hints.ron")),
    ("rules-means.ron", include_str!("../specs/rules-means.ron")),
    ("rules-steepness.ron", include_str!("../specs/rules-steepness.ron")),
    ("rules.ron", include_str!("../specs/rules.ron")),
    ("simulation-curves.ron", include_str!("../specs/simulation-curves.ron")),
    ("steepness-estimates.ron", include_str!("../specs/steepness-estimates.ron")),
    ("steepness.ron", include_str!("../specs/steepness.ron")),
    ("table1.ron", include_str!("../specs/table1.ron")),
    ("table2.ron", include_str!("../specs/table2.ron")),
];

impl Experiment {
    /// The experiments of this version, in the order of their files.
    pub fn built_in() -> Result<Vec<Self>, RonError> {
        FILES.iter().map(|(name, text)| ron_file::parse(text, &format!("built-in/{name}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_built_in_experiments_are_those_of_the_repository() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        let paths = ron_file::list(&directory).unwrap();
        let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, FILES.map(|(name, _)| name));
        assert_eq!(Experiment::built_in().unwrap().len(), FILES.len());
    }
}
