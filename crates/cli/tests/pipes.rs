//! What sessions cannot show: standard input, closed pipes, files, threads.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn prodmax(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command
}

#[test]
fn a_closed_pipe_is_no_failure() {
    // The list of a large spec does not fit into the buffer of a pipe, so the write really fails.
    let directory = tempfile::tempdir().unwrap();
    let spec = directory.path().join("many.ron");
    let increments = vec!["[1]"; 2000].join(",");
    let text = format!(
        "(id: \"many\", title: \"\", source: \"\", models: [(roots: [1], increments: [{increments}])])"
    );
    std::fs::write(&spec, text).unwrap();
    let mut command = prodmax(&["enumerate", "--format", "json", "--spec"]);
    let mut child = command.arg(&spec).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(line, "[\n");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_spec_is_read_from_standard_input() {
    let run = |text: &[u8]| {
        let mut command = prodmax(&["enumerate", "--spec", "-", "--format", "json"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text).unwrap();
        child.wait_with_output().unwrap()
    };
    let good = run(b"(id: \"a\", title: \"b\", source: \"c\", models: [(roots: [1], increments: [[8, 8]])])");
    assert!(good.status.success() && good.stdout.starts_with(b"[\n  {\n    \"root\": 1,"), "{good:?}");
    let bad = run(b"(\n  id: \"\xff\")");
    assert_eq!(bad.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&bad.stderr), "prodmax: -:2:8: the text is not UTF-8\n");
}

#[test]
fn a_file_gets_exactly_what_standard_output_gets() {
    let directory = tempfile::tempdir().unwrap();
    for format in ["table", "json", "csv", "markdown", "latex"] {
        let file = directory.path().join(format);
        let arguments = ["enumerate", "--root=-1", "--increments", "3,3,3", "--format", format];
        let printed = prodmax(&arguments).args(["--output", "-"]).output().unwrap();
        let written = prodmax(&arguments).arg("-o").arg(&file).output().unwrap();
        assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
        assert!(!printed.stdout.is_empty());
        assert_eq!(std::fs::read(&file).unwrap(), printed.stdout);
    }
    let nowhere = prodmax(&["enumerate", "--root", "1", "--increments", "1", "-o", "no/such/place"]);
    let output = { nowhere }.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"prodmax: no/such/place: cannot be written: "), "{output:?}");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads| {
        let arguments = ["enumerate", "--root", "1", "--increments", "3,3,3,3", "--threads", threads];
        prodmax(&arguments).output().unwrap().stdout
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn no_color_is_honoured_and_completions_exist() {
    let output = prodmax(&["enumerate", "--rot"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!output.stderr.contains(&0x1b), "{output:?}");
    for shell in ["bash", "zsh", "fish"] {
        let script = prodmax(&["completions", shell]).output().unwrap();
        assert!(script.status.success());
        assert!(String::from_utf8_lossy(&script.stdout).contains("increments"), "{shell}");
    }
    let page = prodmax(&["man", "enumerate"]).output().unwrap();
    assert!(String::from_utf8_lossy(&page.stdout).contains("\\-\\-increments"));
}
