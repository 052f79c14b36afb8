//! Lists the files of `golden/` and `specs/`, so that the library can embed them: a new file needs no line anywhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The folders that are embedded, without the source files of this package.
const FOLDERS: [&str; 2] = ["golden", "specs"];

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else if path.extension().is_none_or(|extension| extension != "rs") {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut found = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        files(&root.join(folder), &mut found)?;
    }
    // Paths with one separator on every platform, in the order of their bytes.
    let mut found: Vec<(String, PathBuf)> = found
        .into_iter()
        .map(|path| {
            let parts = path.strip_prefix(&root).unwrap_or(&path).components();
            let name: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            (name.join("/"), path)
        })
        .collect();
    found.sort();
    let mut text = String::from("&[\n");
    for (name, path) in found {
        let _ = writeln!(text, "    ({name:?}, include_str!({path:?})),");
    }
    text.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("files.rs"), text)
}
