//! The files of `golden/` and `specs/` of this version, for use outside a checkout: published figures, recorded runs and
//! experiments, by their paths.
//!
//! ```
//! // Known when the program is compiled; a file that does not exist is an error there.
//! const TABLE_2: &str = prodmax_data::text("specs/table2.ron");
//! assert!(TABLE_2.contains("Experiment("));
//!
//! // Whatever files there are.
//! assert!(prodmax_data::folder("specs/simulate").any(|(name, _)| name == "b.ron"));
//! ```

/// Every file by its path, in the order of the paths.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of a file by its path, e.g. `golden/table2.ron`, for constants.
///
/// # Panics
/// If there is no such file: in a constant, the program does not compile then.
#[allow(clippy::panic, reason = "an error when a constant is compiled")]
pub const fn text(path: &str) -> &'static str {
    let mut index = 0;
    while index < FILES.len() {
        if is_same(FILES[index].0.as_bytes(), path.as_bytes()) {
            return FILES[index].1;
        }
        index += 1;
    }
    panic!("there is no such file in golden/ or specs/")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The files of a folder by their names, not those of its subfolders, in the order of their names.
pub fn folder(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().filter_map(move |(path, text)| {
        let name = path.strip_prefix(folder)?.strip_prefix('/')?;
        (!name.contains('/')).then_some((name, *text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_once_and_by_folder() {
        assert!(FILES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(folder("golden").all(|(name, _)| !name.contains('/') && !name.ends_with(".rs")));
        assert_eq!(folder("specs/readings").filter(|(name, _)| *name == "stated.ron").count(), 1);
        assert_eq!(folder("nowhere").count(), 0);
        assert!(text("golden/table2.ron").starts_with("//"));
    }
}
