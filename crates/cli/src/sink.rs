//! Where results go: standard output, or a file that is complete or not there at all.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use crate::error::Error;

/// Writes its text to wherever it should go.
type Writing<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Writes to a file; to standard output for none or `-`.
pub(crate) fn write(target: Option<&Path>, bytes: &[u8]) -> Result<(), Error> {
    write_with(target, &|out| out.write_all(bytes))
}

/// As [`write()`], for what is not held in memory.
pub(crate) fn write_with(target: Option<&Path>, writing: Writing<'_>) -> Result<(), Error> {
    match target {
        None => write_stdout(writing),
        Some(path) if path == Path::new("-") => write_stdout(writing),
        Some(path) => {
            write_file(path, writing).map_err(|source| Error::Write { path: path.to_owned(), source })
        }
    }
}

/// Writes through a buffer and leaves nothing in it.
fn buffered(out: impl Write, writing: Writing<'_>) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(1 << 16, out);
    writing(&mut buffer)?;
    buffer.flush()
}

/// A reader that closed the pipe has seen what it wanted: no failure.
fn write_stdout(writing: Writing<'_>) -> Result<(), Error> {
    match buffered(io::stdout().lock(), writing) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}

fn write_file(path: &Path, writing: Writing<'_>) -> io::Result<()> {
    match std::fs::metadata(path) {
        // A device or a pipe is written to, not replaced.
        Ok(existing) if !existing.is_file() => {
            return buffered(std::fs::OpenOptions::new().write(true).open(path)?, writing);
        }
        // Behind a link the file is replaced, not the link.
        Ok(_) => return replace(&path.canonicalize()?, writing),
        Err(_) => {}
    }
    replace(path, writing)
}

/// Writes beside the file first and renames: an interrupted run leaves the old file as it was.
fn replace(path: &Path, writing: Writing<'_>) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".prodmax-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of any new file (the umask applies) rather than those of a secret one.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    buffered(&mut file, writing)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("figures.json");
        write(Some(&path), b"old and longer").unwrap();
        write(Some(&path), b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| directory.path().join(name));
        std::fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(Some(&link), b"new").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
