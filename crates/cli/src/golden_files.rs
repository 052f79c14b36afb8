//! The golden files a command works with: those of a directory, or the ones built in.

use std::path::{Path, PathBuf};

use prodmax_golden::{GoldenError, GoldenFile};

/// The golden files of this version, for use outside a checkout.
const BUILT_IN: [(&str, &str); 7] = [
    ("beyond.ron", include_str!("../../../golden/beyond.ron")),
    ("depth2.ron", include_str!("../../../golden/depth2.ron")),
    ("formulas.ron", include_str!("../../../golden/formulas.ron")),
    ("rules.ron", include_str!("../../../golden/rules.ron")),
    ("storm.ron", include_str!("../../../golden/storm.ron")),
    ("table1.ron", include_str!("../../../golden/table1.ron")),
    ("table2.ron", include_str!("../../../golden/table2.ron")),
];

/// Where golden files are looked for if none are named.
const USUAL: &str = "golden";

/// Reads the files of `directory`; without one those of `golden/` here, or else those built in.
pub(crate) fn load(directory: Option<&Path>) -> Result<Vec<GoldenFile>, GoldenError> {
    match directory {
        Some(directory) => GoldenFile::read_directory(directory),
        None if Path::new(USUAL).is_dir() => GoldenFile::read_directory(Path::new(USUAL)),
        None => BUILT_IN.iter().map(|(name, text)| built_in(name, text)).collect(),
    }
}

/// Table II as built in.
pub(crate) fn table2() -> Result<GoldenFile, GoldenError> {
    built_in("table2.ron", include_str!("../../../golden/table2.ron"))
}

/// The figures of depth 2 as built in.
pub(crate) fn depth2() -> Result<GoldenFile, GoldenError> {
    built_in("depth2.ron", include_str!("../../../golden/depth2.ron"))
}

fn built_in(name: &str, text: &str) -> Result<GoldenFile, GoldenError> {
    GoldenFile::parse(&PathBuf::from(format!("built-in/{name}")), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_files_are_those_of_the_repository() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
        let names: Vec<_> = GoldenFile::read_directory(&directory)
            .unwrap()
            .iter()
            .map(|file| file.path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, BUILT_IN.map(|(name, _)| name));
    }
}
