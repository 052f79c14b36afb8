//! Tells the binary which revision it was built from, for `prodmax --version`.

#![allow(clippy::print_stdout, reason = "cargo reads the output")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let described = revision().map_or_else(|| version.to_owned(), |hash| format!("{version} ({hash})"));
    println!("cargo:rustc-env=PRODMAX_VERSION={described}");
}

/// The short hash of the checkout; none if the sources are not a checkout of their own (an unpacked archive inside
/// another repository must not get that repository's hash).
fn revision() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    if Path::new(&top).canonicalize().ok()? != workspace {
        return None;
    }
    // The log of HEAD grows with every commit and checkout; a missing file would force a rebuild every time.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--path-format=absolute", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
