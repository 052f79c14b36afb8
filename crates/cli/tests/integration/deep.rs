//! Deep models from the command line: refusals, and runs that are killed and continued.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn prodmax(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    prodmax(arguments).output().unwrap()
}

#[test]
fn a_killed_run_is_continued_and_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("depth4.ckpt");
    let checkpoint = path.to_str().unwrap();
    // 7.7 million depth-1 classes, in memory for one block at a time.
    let model = ["mass", "--root", "1", "--increments", "5,5,5,5", "--format", "json", "--memory", "20M"];
    let whole = run(&model);
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    assert_eq!(run(&model[..7]).stdout, whole.stdout, "the last bits do not depend on the memory");
    let with_checkpoint: Vec<&str> = model.iter().copied().chain(["--checkpoint", checkpoint]).collect();
    for milliseconds in [20, 60, 120] {
        let mut child = prodmax(&with_checkpoint).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        // kill -9: the program gets no chance to clean up.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let continued = run(&with_checkpoint);
    assert!(continued.status.success(), "{}", String::from_utf8_lossy(&continued.stderr));
    assert_eq!(continued.stdout, whole.stdout);
    let again = run(&[&["--threads", "1"], &with_checkpoint[..]].concat());
    assert_eq!(again.stdout, whole.stdout, "also with one thread, with everything from the checkpoint");
    assert!(Path::new(checkpoint).exists());
}

#[test]
fn the_checkpoint_of_another_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("depth4.ckpt");
    let checkpoint = path.to_str().unwrap();
    let run_with = |root: &str| {
        run(&["mass", "--root", root, "--increments", "5,4,5,4", "--quiet", "--checkpoint", checkpoint])
    };
    assert!(run_with("1").status.success());
    let refused = run_with("2");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("checkpoint"), "{refused:?}");
}

#[test]
fn hopeless_work_is_refused_before_it_starts() {
    let refused = run(&["mass", "--root", "1", "--increments", "4,4,4,4,4", "--engine", "deep"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(
        message.contains("class pairs, about") && message.contains("try a smaller increment"),
        "{message}"
    );
}

#[test]
fn a_model_too_deep_to_sweep_is_estimated_by_its_law() {
    let model = ["mass", "--root", "1", "--increments", "4,4,4,4,4", "--grid", "256", "--format", "json"];
    let found = run(&model);
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    assert!(String::from_utf8_lossy(&found.stderr).contains("so estimates by the law of values"));
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(text.contains("\"engine\": \"law\"") && text.contains("\"margin\": "), "{text}");
    assert_eq!(run(&[&["--threads", "1"], &model[..]].concat()).stdout, found.stdout, "also with one thread");
}
