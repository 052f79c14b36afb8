//! Simulations that are kept, interrupted, continued and merged.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn prodmax(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments.split_whitespace()).current_dir(directory).output().unwrap()
}

fn figures(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

const MODEL: &str = "simulate --tree-depth 10 --depths 2,3 --seed 4 --format json";

#[test]
fn merged_runs_are_the_whole_run() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), &format!("{MODEL} {rest}"));
    let whole = figures(&run("--trees 30"));
    // One output file and one checkpoint, in either order.
    assert!(run("--trees 10 -o first.json").status.success());
    assert!(run("--trees 20 --first-tree 10 --checkpoint second.trees").status.success());
    let merge = |files: &str| prodmax(directory.path(), &format!("simulate merge --format json {files}"));
    assert_eq!(figures(&merge("first.json second.trees")), whole);
    assert_eq!(figures(&merge("second.trees first.json")), whole);
    let twice = merge("first.json first.json");
    assert_eq!(twice.status.code(), Some(2));
    let message = String::from_utf8(twice.stderr).unwrap();
    assert_eq!(
        message,
        "prodmax: first.json: tree 0 is there twice, or in another file, too; it would be counted twice\n"
    );
}

#[test]
fn a_checkpoint_is_continued_and_guarded() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), &format!("{MODEL} --checkpoint kept.trees {rest}"));
    figures(&run("--trees 12"));
    let more = run("--trees 30 --threads 3");
    let note = String::from_utf8(more.stderr.clone()).unwrap();
    assert_eq!(note, "prodmax: note: kept.trees: continuing with 12 finished trees\n");
    assert_eq!(
        figures(&more),
        figures(&prodmax(directory.path(), &format!("{MODEL} --trees 30 --threads 1")))
    );
    // Another seed, or a range without some of its trees, must not overwrite it.
    for (other, reason) in [
        ("--trees 30 --seed 5", "belongs to another computation (another seed: 4, not 5); name another file"),
        ("--trees 10", "tree 10 is kept there, but not asked for"),
    ] {
        let command = format!("{} --checkpoint kept.trees {other}", MODEL.replace("--seed 4 ", ""));
        let command = if other.contains("seed") { command } else { format!("{command} --seed 4") };
        let refused = prodmax(directory.path(), &command);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(
            String::from_utf8(refused.stderr).unwrap().starts_with(&format!("prodmax: kept.trees: {reason}"))
        );
    }
    assert_eq!(figures(&prodmax(directory.path(), "simulate merge kept.trees --format json"))["missing"], 0);
}

#[test]
fn results_of_other_rules_are_merged_and_continued_separately() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), &format!("{MODEL} {rest}"));
    let merge = |files: &str| prodmax(directory.path(), &format!("simulate merge --format json {files}"));
    let message = |output: Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let whole = figures(&run("--rules mean:4,hints:9/10 --trees 12"));
    assert_eq!(whole["rules"], serde_json::json!(["mean:4", "hints:9/10"]));
    assert!(run("--rules mean:4,hints:9/10 --trees 5 -o first.json").status.success());
    assert!(
        run("--rules mean:4,hints:0.9 --trees 7 --first-tree 5 --checkpoint second.trees").status.success()
    );
    assert_eq!(figures(&merge("first.json second.trees")), whole);
    assert!(run("--trees 7 --first-tree 5 -o khs.json").status.success());
    assert_eq!(
        message(merge("first.json khs.json")),
        "prodmax: khs.json: belongs to another computation (another rules: minimax,product, not mean:4,hints:9/10); name \
         another file\n"
    );
    assert_eq!(
        message(run("--rules mean:4,product --trees 7 --first-tree 5 --checkpoint second.trees")),
        "prodmax: second.trees: belongs to another computation (another rules: mean:4,hints:9/10, not mean:4,product); \
         name another file\n"
    );
    assert_eq!(
        message(run("--rules mean:4,hints:0.9 --trees 6 --first-tree 5 --checkpoint second.trees")),
        "prodmax: second.trees: tree 11 is kept there, but not asked for; ask for it, too, or name another file\n"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_finished_trees() {
    let directory = tempfile::tempdir().unwrap();
    // So many trees that it cannot finish, and so large ones that not too many are kept.
    let model = MODEL.replace("--tree-depth 10", "--tree-depth 14");
    let arguments = format!("{model} --trees 200000 --checkpoint kept.trees --quiet");
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments.split_whitespace()).current_dir(directory.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{:?}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Trees beyond the last one are missing.
    let merged = prodmax(directory.path(), "simulate merge kept.trees --format json");
    assert_eq!(merged.status.code(), Some(1), "{merged:?}");
    let kept: Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!(printed, kept);
    assert!(!kept["trees"].as_array().unwrap().is_empty());
    let left: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only the checkpoint is left");
}

/// Samples of `prodmax pathology` are kept by the same mechanism.
#[test]
fn samples_are_merged_continued_and_guarded() {
    let directory = tempfile::tempdir().unwrap();
    let model = "pathology --method sample --d-max 4 --seed 4 --format json";
    let run = |rest: &str| prodmax(directory.path(), &format!("{model} {rest}"));
    let whole = figures(&run("--trees 30"));
    figures(&run("--trees 10 --checkpoint one.trees"));
    figures(&run("--trees 20 --first-tree 10 --checkpoint two.trees"));
    let merge = |files: &str| prodmax(directory.path(), &format!("pathology merge --format json {files}"));
    for files in ["one.trees two.trees", "two.trees one.trees"] {
        assert_eq!(figures(&merge(files))["rows"], whole["rows"]);
    }
    let more = run("--trees 30 --checkpoint one.trees");
    let note = String::from_utf8(more.stderr.clone()).unwrap();
    assert_eq!(note, "prodmax: note: one.trees: continuing with 10 finished trees\n");
    assert_eq!(figures(&more), whole);
    let refused = |output: Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        refused(merge("one.trees two.trees")),
        "prodmax: two.trees: tree 10 is there twice, or in another file, too; it would be counted twice\n"
    );
    assert_eq!(
        refused(run("--trees 30 --checkpoint one.trees --b 3")),
        "prodmax: one.trees: belongs to another computation (another b: 2, not 3); name another file\n"
    );
    assert!(
        refused(run("--trees 5 --checkpoint one.trees")).contains("tree 5 is kept there, but not asked for")
    );
    std::fs::write(directory.path().join("one.trees"), "{}").unwrap();
    assert!(refused(merge("one.trees")).starts_with(
        "prodmax: one.trees: this is neither kept work nor an answer that carries a record: missing"
    ));
    let integrated = prodmax(directory.path(), "pathology --method integrate --checkpoint x.trees");
    assert_eq!(
        refused(integrated),
        "prodmax: --checkpoint keeps sampled trees, but nothing is sampled; add --method sample\n"
    );
}
