//! The folder of a report: whether it is ours, and which files in it a report wrote.
//!
//! A hidden file lists them. From it the next run knows that the folder contains a report, and which files are no
//! longer part of it and can be removed. Nothing else in the folder is ever removed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use prodmax_jobs::file;
use prodmax_jobs::read_text;

use crate::error::ReportError;
use crate::write::CACHE;

/// The list of the files that a report wrote.
const LIST: &str = ".prodmax-report";
/// The longest page or list that is read: longer ones are not ours.
const MAX_BYTES: u64 = 256 << 20;
/// The folders whose files belong to the report.
const FOLDERS: [&str; 3] = ["data", "tables", "figures"];
/// Records that other programs put below `data/`, perhaps before there is a report.
const RECORDS: [&str; 3] = ["storm.json", "z3.json", "slurm.json"];
/// A text near the start of every page that prodmax writes, including those of reports that have no list of files.
const PAGE_MARK: &str = "prodmax report";

/// Creates the folders of a report. A folder that contains something else is refused unless `force` is set, and a
/// place that cannot be written to is detected before any work is done.
pub fn prepare(out: &Path, force: bool) -> Result<(), ReportError> {
    if out.exists() && !out.is_dir() {
        return Err(ReportError::File(out.to_owned()));
    }
    if !force && !is_ours(out) {
        return Err(ReportError::Foreign(out.to_owned()));
    }
    let make =
        |path: PathBuf| std::fs::create_dir_all(&path).map_err(|source| ReportError::Write { path, source });
    make(out.to_owned())?;
    // From now on the folder is ours, even if the run is killed before anything else is in it.
    if !list_path(out).exists() {
        write_list(out, &BTreeSet::new())?;
    }
    FOLDERS.into_iter().chain([CACHE]).try_for_each(|folder| make(out.join(folder)))
}

/// Whether a folder is missing, is empty, or contains a report or records for one.
fn is_ours(out: &Path) -> bool {
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    // What a run left that was killed while it wrote the list.
    let is_left = |name: &str| name.starts_with(file::PREFIX);
    let only_records = || {
        names(out).iter().all(|name| name == FOLDERS[0] || is_left(name))
            && names(&out.join(FOLDERS[0])).iter().all(|name| RECORDS.contains(&name.as_str()))
    };
    let has_page =
        || read_text(&out.join("index.html"), MAX_BYTES).is_ok_and(|page| page.contains(PAGE_MARK));
    list_path(out).is_file() || only_records() || has_page()
}

/// Writes the files of a report and removes the files of an earlier one that are not among them.
pub(crate) fn replace(out: &Path, files: &[(PathBuf, String)]) -> Result<(), ReportError> {
    let new: BTreeSet<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    let old = read_list(out);
    // Until the old files are gone the list includes them, so that an interrupted run loses track of nothing.
    write_list(out, &old.union(&new).cloned().collect())?;
    for (path, text) in files {
        let path = out.join(path);
        file::write(&path, text.as_bytes()).map_err(|source| ReportError::Write { path, source })?;
    }
    for path in old.difference(&new).map(|path| out.join(path)).filter(|path| path.is_file()) {
        std::fs::remove_file(&path).map_err(|source| ReportError::Remove { path, source })?;
    }
    write_list(out, &new)
}

fn list_path(out: &Path) -> PathBuf {
    out.join(LIST)
}

/// The files that the last report wrote. Anything else in the list is ignored: a damaged list must not cause other
/// files to be removed.
fn read_list(out: &Path) -> BTreeSet<PathBuf> {
    let text = read_text(&list_path(out), MAX_BYTES).unwrap_or_default();
    text.lines().map(PathBuf::from).filter(|path| is_file_of_a_report(path)).collect()
}

fn is_file_of_a_report(path: &Path) -> bool {
    let parts: Vec<Component<'_>> = path.components().collect();
    match parts[..] {
        [Component::Normal(folder), Component::Normal(name)] => {
            FOLDERS.iter().any(|&own| folder == own) && !RECORDS.iter().any(|&record| name == record)
        }
        _ => false,
    }
}

fn write_list(out: &Path, files: &BTreeSet<PathBuf>) -> Result<(), ReportError> {
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    let path = list_path(out);
    file::write(&path, text.as_bytes()).map_err(|source| ReportError::Write { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<(PathBuf, String)> {
        names.iter().map(|name| (PathBuf::from(name), "text".to_owned())).collect()
    }

    #[test]
    fn a_folder_of_something_else_is_refused_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path(), false).unwrap();
        prepare(folder.path(), false).unwrap();
        let other = tempfile::tempdir().unwrap();
        std::fs::create_dir(other.path().join("data")).unwrap();
        std::fs::write(other.path().join("data/storm.json"), "{}").unwrap();
        assert!(is_ours(other.path()), "a record of a verification");
        std::fs::write(other.path().join("data/mine.csv"), "1").unwrap();
        let message = prepare(other.path(), false).unwrap_err().to_string();
        assert!(message.contains("holds files that are not a report of prodmax"), "{message}");
        assert!(!other.path().join("tables").exists(), "nothing was created");
        prepare(other.path(), true).unwrap();
        prepare(other.path(), false).unwrap();
        let killed = tempfile::tempdir().unwrap();
        std::fs::write(killed.path().join(".prodmax-Ab12"), "").unwrap();
        assert!(is_ours(killed.path()), "what a killed run left");
        let old = tempfile::tempdir().unwrap();
        std::fs::write(old.path().join("index.html"), "<p>prodmax report</p>").unwrap();
        prepare(old.path(), false).unwrap();
    }

    #[test]
    fn files_that_are_no_longer_written_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        prepare(out, false).unwrap();
        replace(out, &files(&["data/a.json", "data/b.json", "tables/b.md"])).unwrap();
        std::fs::write(out.join("data/mine.json"), "mine").unwrap();
        std::fs::write(out.join("data/storm.json"), "{}").unwrap();
        // A damaged list contains files that no report writes.
        let list = std::fs::read_to_string(list_path(out)).unwrap();
        std::fs::write(out.join("note.txt"), "mine").unwrap();
        let damaged = format!("{list}note.txt\n../x\n/etc/hostname\ndata/storm.json\ndata/../note.txt\n");
        std::fs::write(list_path(out), damaged).unwrap();
        replace(out, &files(&["data/a.json"])).unwrap();
        let exists = |name: &str| out.join(name).exists();
        assert!(exists("data/a.json") && !exists("data/b.json") && !exists("tables/b.md"));
        assert!(exists("data/mine.json") && exists("data/storm.json") && exists("note.txt"));
        assert_eq!(std::fs::read_to_string(list_path(out)).unwrap(), "data/a.json\n");
    }
}
