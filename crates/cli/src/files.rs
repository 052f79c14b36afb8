//! The files of a command: targets are checked to be writable before the work begins, and are never files that the
//! command uses.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use prodmax_jobs::file;
use prodmax_jobs::read::check_regular;

use crate::error::Error;

/// What a command does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It is read.
    Read,
    /// It is written.
    Written,
    /// It is read if it exists, and written.
    Kept,
}

/// The files that a command uses besides `--output`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(Vec<Entry>);

/// A file and the option that names it.
#[derive(Clone, Debug)]
struct Entry {
    option: &'static str,
    path: PathBuf,
    used: Use,
    /// Whether files whose names continue its name belong to it.
    family: bool,
}

impl Files {
    fn with(mut self, option: &'static str, path: Option<&Path>, used: Use, family: bool) -> Self {
        let named = path.filter(|path| *path != Path::new("-"));
        self.0.extend(named.map(|path| Entry { option, path: path.to_owned(), used, family }));
        self
    }

    /// Files that are read.
    pub(crate) fn reads<'a>(
        self,
        option: &'static str,
        paths: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Self {
        paths.into_iter().fold(self, |files, path| files.with(option, Some(path), Use::Read, false))
    }

    /// A file that is written.
    pub(crate) fn writes(self, option: &'static str, path: Option<&Path>) -> Self {
        self.with(option, path, Use::Written, false)
    }

    /// A file from which a later run resumes.
    pub(crate) fn keeps(self, option: &'static str, path: Option<&Path>) -> Self {
        self.with(option, path, Use::Kept, false)
    }

    /// The same, with further files next to it whose names continue its name.
    pub(crate) fn keeps_family(self, option: &'static str, path: Option<&Path>) -> Self {
        self.with(option, path, Use::Kept, true)
    }

    /// Whether an option names this file as one that is read.
    pub(crate) fn reads_as(&self, option: &str, path: &Path) -> bool {
        self.0.iter().any(|entry| entry.used == Use::Read && entry.option == option && entry.path == path)
    }

    /// Checks all of them and the target of the results before any work.
    pub(crate) fn check(self, output: Option<&Path>) -> Result<(), Error> {
        let files = self.writes("--output", output).0;
        for (place, target) in files.iter().enumerate().filter(|(_, entry)| entry.used != Use::Read) {
            // Reading the same file twice does no harm.
            let other = files.iter().enumerate().find(|(other, entry)| *other != place && target.is(entry));
            if let Some((other, _)) = other {
                let options = [place.min(other), place.max(other)].map(|place| files[place].option);
                return Err(Error::SameFile { path: target.path.clone(), options });
            }
            target.check_writable()?;
        }
        Ok(())
    }
}

impl Entry {
    fn is(&self, other: &Self) -> bool {
        is_same(&self.path, &other.path)
            || other.family && is_continued_name(&other.path, &self.path)
            || self.family && is_continued_name(&self.path, &other.path)
    }

    fn check_writable(&self) -> Result<(), Error> {
        let failed = |source| Error::Write { path: self.path.clone(), source };
        if self.used == Use::Kept {
            check_regular(&self.path)?;
            if self.path.exists() {
                // Rows are appended to it.
                OpenOptions::new().append(true).open(&self.path).map_err(failed)?;
            }
        }
        file::check_writable(&self.path).map_err(failed)
    }
}

/// Whether two names stand for the same file, by links or otherwise. Neither needs to exist.
fn is_same(a: &Path, b: &Path) -> bool {
    if let (Some(a), Some(b)) = (identity(a), identity(b))
        && a == b
    {
        return true;
    }
    match (resolved(a), resolved(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// The device and inode of an existing file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// A name without links; if the file does not exist, the name of its folder without links.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Some(path);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// Whether `other` is the name of `path` followed by a dot and more, in the same folder.
fn is_continued_name(path: &Path, other: &Path) -> bool {
    let (Some(path), Some(other)) = (resolved(path), resolved(other)) else { return false };
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let (Some(own), Some(longer)) = (name(&path), name(&other)) else { return false };
    path.parent() == other.parent() && longer.strip_prefix(&own).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(files: Files, output: &Path) -> String {
        files.check(Some(output)).unwrap_err().to_string()
    }

    #[test]
    fn a_target_is_never_a_file_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("spec.ron"), "()").unwrap();
        let [spec, kept] = [path("spec.ron"), path("kept")];
        let files = || Files::default().reads("--spec", [&spec]).keeps_family("--checkpoint", Some(&kept));
        files().check(Some(&path("other"))).unwrap();
        files().check(Some(Path::new("-"))).unwrap();
        files().check(None).unwrap();
        let same = format!("--spec and --output name the same file, {}; name another one", spec.display());
        assert_eq!(message(files(), &spec), same);
        assert!(message(files(), &kept).starts_with("--checkpoint and --output name the same file"));
        assert!(message(files(), &path("kept.ideal")).starts_with("--checkpoint and --output"));
        files().check(Some(&path("kept2"))).unwrap();
        let around = folder.path().join("../").join(folder.path().file_name().unwrap()).join("kept");
        assert!(message(files(), &around).starts_with("--checkpoint and --output"));
        let twice = Files::default().reads("--spec", [&spec]).keeps("--checkpoint", Some(&spec));
        assert!(twice.check(None).unwrap_err().to_string().starts_with("--spec and --checkpoint"));
        Files::default().reads("FILE", [&spec, &spec]).check(None).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&spec, path("link")).unwrap();
            std::fs::hard_link(&spec, path("hard")).unwrap();
            for name in ["link", "hard"] {
                assert!(message(files(), &path(name)).starts_with("--spec and --output"), "{name}");
            }
        }
    }

    #[test]
    fn a_target_that_cannot_be_written_is_found_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let refused = message(Files::default(), folder.path());
        assert!(refused.contains("cannot be written"), "{refused}");
        let refused = message(Files::default(), &folder.path().join("nowhere/a.json"));
        assert!(refused.contains("there is no folder"), "{refused}");
        #[cfg(unix)]
        {
            let full = Files::default().keeps("--checkpoint", Some(Path::new("/dev/full")));
            let refused = full.check(None).unwrap_err().to_string();
            assert_eq!(refused, "/dev/full: is not a regular file; give the path of one");
        }
    }
}
