//! The golden files of this version, for use outside a checkout.

use std::path::PathBuf;

use crate::file::{GoldenError, GoldenFile};

fn parse((name, text): (&str, &str)) -> Result<GoldenFile, GoldenError> {
    GoldenFile::parse(&PathBuf::from(format!("built-in/{name}")), text.as_bytes())
}

impl GoldenFile {
    /// The golden files of this version, in the order of their names.
    pub fn built_in() -> Result<Vec<Self>, GoldenError> {
        prodmax_data::folder("golden").map(parse).collect()
    }

    /// Table II as published, and the figures of depth 2.
    pub fn built_in_table2_and_depth2() -> Result<[Self; 2], GoldenError> {
        const TABLE_2: &str = prodmax_data::text("golden/table2.ron");
        const DEPTH_2: &str = prodmax_data::text("golden/depth2.ron");
        Ok([parse(("table2.ron", TABLE_2))?, parse(("depth2.ron", DEPTH_2))?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_files_can_be_read() {
        let all = GoldenFile::built_in().unwrap();
        let two = GoldenFile::built_in_table2_and_depth2().unwrap();
        assert!(two.iter().all(|file| all.contains(file)));
        crate::file::repeats(&all).unwrap();
    }
}
