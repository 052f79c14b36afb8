//! The golden files of this version, for use outside a checkout.

use std::path::PathBuf;

use crate::file::{GoldenError, GoldenFile};

/// The files of `golden/` by name, in order.
const FILES: [(&str, &str); 17] = [
    ("baum.ron", include_str!("../golden/baum.ron")),
    ("beyond.ron", include_str!("../golden/beyond.ron")),
    ("branching.ron", include_str!("../golden/branching.ron")),
    ("claims.ron", include_str!("../golden/claims.ron")),
    ("curves.ron", include_str!("../golden/curves.ron")),
    ("depth2.ron", include_str!("../golden/depth2.ron")),
    ("depths.ron", include_str!("../golden/depths.ron")),
    ("formulas.ron", include_str!("../golden/formulas.ron")),
    ("lgb.ron", include_str!("../golden/lgb.ron")),
    ("readings.ron", include_str!("../golden/readings.ron")),
    ("rivest.ron", include_str!("../golden/rivest.ron")),
    ("rules.ron", include_str!("../golden/rules.ron")),
    ("simulated.ron", include_str!("../golden/simulated.ron")),
    ("storm.ron", include_str!("../golden/storm.ron")),
    ("table1.ron", include_str!("../golden/table1.ron")),
    ("table2.ron", include_str!("../golden/table2.ron")),
    ("text.ron", include_str!("../golden/text.ron")),
];

fn parse((name, text): &(&str, &str)) -> Result<GoldenFile, GoldenError> {
    GoldenFile::parse(&PathBuf::from(format!("built-in/{name}")), text.as_bytes())
}

impl GoldenFile {
    /// The golden files of this version, in the order of their names.
    pub fn built_in() -> Result<Vec<Self>, GoldenError> {
        FILES.iter().map(parse).collect()
    }

    /// Table II as published, and the figures of depth 2.
    pub fn built_in_table2_and_depth2() -> Result<[Self; 2], GoldenError> {
        let find = |name: &str| {
            let file = FILES.iter().find(|(other, _)| *other == name);
            file.map_or_else(|| Err(GoldenError::None(PathBuf::from(name))), parse)
        };
        Ok([find("table2.ron")?, find("depth2.ron")?])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_built_in_files_are_those_of_the_repository() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
        let names: Vec<_> = GoldenFile::read_directory(&directory)
            .unwrap()
            .iter()
            .map(|file| file.path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, FILES.map(|(name, _)| name));
        assert_eq!(GoldenFile::built_in().unwrap().len(), FILES.len());
        assert!(GoldenFile::built_in_table2_and_depth2().is_ok());
    }
}
