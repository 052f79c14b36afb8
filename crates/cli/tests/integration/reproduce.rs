//! `prodmax reproduce` interrupted: it says what is kept, and continues from there.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Reproduces into a folder the experiment of the README and a simulation that takes a few seconds.
fn reproduce(folder: &Path) -> Command {
    std::fs::create_dir_all(folder.join("specs/simulate")).unwrap();
    std::fs::write(
        folder.join("specs/mine.ron"),
        "Experiment(id: \"mine\", title: \"Mine\", source: \"none\", models: [(roots: [1], increments: [[2, 2]])])",
    )
    .unwrap();
    let simulation =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../specs/simulate/b.ron"));
    std::fs::write(folder.join("specs/simulate/b.ron"), simulation.unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(["reproduce", "--specs", "specs", "--out", "out", "--format", "json"]).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn kept(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("out/.cache")).map_or(0, Iterator::count)
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let child = reproduce(folder.path()).spawn().unwrap();
    let begun = Instant::now();
    while kept(folder.path()) == 0 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(stdout.is_empty() && !folder.path().join("out/index.html").exists());
    let last_word = "prodmax: interrupted; what was finished is kept in out/.cache, and the same command continues from there";
    assert!(said.lines().any(|line| line == last_word), "{said}");
    assert!(kept(folder.path()) > 0);
}
