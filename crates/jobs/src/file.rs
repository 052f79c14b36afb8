//! Files that are written completely or not at all.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard, TryLockError};
use std::time::{Duration, Instant};

/// The prefix of the names of incomplete files, which a program that is killed leaves behind.
pub const PREFIX: &str = ".prodmax-";

/// Held for reading while a file is being replaced.
static WRITES: RwLock<()> = RwLock::new(());

/// A function that writes the contents of a file.
pub type Writing<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Writes a file. An existing file stays as it is until the new text is complete; a device or a pipe is written to
/// directly, and a link stays a link.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, &|out| out.write_all(bytes))
}

/// Like [`write()`], for text that is not held in memory.
pub fn write_with(path: &Path, writing: Writing<'_>) -> io::Result<()> {
    match std::fs::metadata(path) {
        // A device or a pipe is written to, not replaced.
        Ok(existing) if !existing.is_file() => {
            return buffered(std::fs::OpenOptions::new().write(true).open(path)?, writing);
        }
        // If it is a link, the file it points to is replaced, not the link.
        Ok(_) => return replace(&path.canonicalize()?, writing),
        Err(_) => {}
    }
    replace(path, writing)
}

/// Checks that [`write()`] can write a file there, without touching an existing one. A device or a pipe is not opened,
/// because that can have effects.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(existing) if existing.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(existing) if !existing.is_file() => Ok(()),
        Ok(_) => temporary_next_to(&path.canonicalize()?).map(drop),
        Err(_) => temporary_next_to(path).map(drop),
    }
}

/// Waits until no file is half written, and lets no other write begin while the guard is held: for a program that is
/// about to end. `None` if it takes longer than `time_limit`.
pub fn between_writes(time_limit: Duration) -> Option<RwLockWriteGuard<'static, ()>> {
    let begun = Instant::now();
    loop {
        match WRITES.try_write() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if begun.elapsed() > time_limit => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Writes through a buffer and flushes it.
pub fn buffered(out: impl Write, writing: Writing<'_>) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(1 << 16, out);
    writing(&mut buffer)?;
    buffer.flush()
}

/// Writes a temporary file next to the target and renames it: an interrupted run leaves the old file as it was.
fn replace(path: &Path, writing: Writing<'_>) -> io::Result<()> {
    let _writing = WRITES.read().unwrap_or_else(PoisonError::into_inner);
    let mut file = temporary_next_to(path)?;
    buffered(&mut file, writing)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A new file in the same folder as another one; it is removed unless it is persisted.
fn temporary_next_to(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of an ordinary new file (the umask applies) instead of those of a private one.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // Otherwise the error would name the temporary file, which means nothing to the user.
    let refuse = |error: io::Error| match directory.is_dir() {
        true => io::Error::from(error.kind()),
        false => io::Error::new(error.kind(), format!("there is no folder {}", directory.display())),
    };
    builder.tempfile_in(directory).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("figures.json");
        write(&path, b"old and longer").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let nowhere = directory.path().join("nowhere");
        let error = write(&nowhere.join("figures.json"), b"new").unwrap_err();
        assert_eq!(error.to_string(), format!("there is no folder {}", nowhere.display()));
    }

    #[test]
    fn checking_whether_a_file_can_be_written_leaves_no_trace() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("figures.json");
        check_writable(&path).unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        write(&path, b"old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(check_writable(directory.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert!(check_writable(&directory.path().join("nowhere/figures.json")).is_err());
    }

    #[test]
    fn no_write_begins_between_writes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("figures.json");
        let guard = between_writes(Duration::from_secs(60)).unwrap();
        let writing = std::thread::spawn({
            let path = path.clone();
            move || write(&path, b"new")
        });
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        drop(guard);
        writing.join().unwrap().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| directory.path().join(name));
        std::fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
