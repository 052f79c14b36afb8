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
    assert!(run("--trees 20 --first-tree 10 --checkpoint second.json").status.success());
    let merge = |files: &str| prodmax(directory.path(), &format!("simulate merge --format json {files}"));
    assert_eq!(figures(&merge("first.json second.json")), whole);
    assert_eq!(figures(&merge("second.json first.json")), whole);
    let twice = merge("first.json first.json");
    assert_eq!(twice.status.code(), Some(2));
    let message = String::from_utf8(twice.stderr).unwrap();
    assert_eq!(message, "prodmax: first.json: tree 0 is in both results; it would be counted twice\n");
}

#[test]
fn a_checkpoint_is_continued_and_guarded() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), &format!("{MODEL} --checkpoint kept.json {rest}"));
    figures(&run("--trees 12"));
    let more = run("--trees 30 --threads 3");
    let note = String::from_utf8(more.stderr.clone()).unwrap();
    assert_eq!(note, "prodmax: note: kept.json: continuing with 12 finished trees\n");
    assert_eq!(
        figures(&more),
        figures(&prodmax(directory.path(), &format!("{MODEL} --trees 30 --threads 1")))
    );
    // Another seed, or a range without some of its trees, must not overwrite it.
    for other in ["--trees 30 --seed 5", "--trees 10"] {
        let command = format!("{} --checkpoint kept.json {other}", MODEL.replace("--seed 4 ", ""));
        let command = if other.contains("seed") { command } else { format!("{command} --seed 4") };
        let refused = prodmax(directory.path(), &command);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(
            String::from_utf8(refused.stderr).unwrap().contains("is the checkpoint of another simulation")
        );
    }
    assert_eq!(figures(&prodmax(directory.path(), "simulate merge kept.json --format json"))["missing"], 0);
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
        run("--rules mean:4,hints:0.9 --trees 7 --first-tree 5 --checkpoint second.json").status.success()
    );
    assert_eq!(figures(&merge("first.json second.json")), whole);
    assert!(run("--trees 7 --first-tree 5 -o khs.json").status.success());
    assert_eq!(
        message(merge("first.json khs.json")),
        "prodmax: khs.json: the results belong to different simulations (`flags` and `flags`): `rules` is \
         mean:4,hints:9/10 in one and minimax,product in the other; only the range of trees may differ\n"
    );
    assert_eq!(
        message(run("--rules mean:4,product --trees 7 --first-tree 5 --checkpoint second.json")),
        "prodmax: second.json: is the checkpoint of another simulation (`flags`): `rules` is mean:4,hints:9/10 there \
         and mean:4,product here; name another file, or remove it to start over\n"
    );
    assert_eq!(
        message(run("--rules mean:4,hints:0.9 --trees 6 --first-tree 5 --checkpoint second.json")),
        "prodmax: second.json: is the checkpoint of another simulation (`flags`): it has tree 11, which is not asked \
         for here; name another file, or remove it to start over\n"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_finished_trees() {
    let directory = tempfile::tempdir().unwrap();
    // So many trees that it cannot finish, and so large ones that not too many are kept.
    let model = MODEL.replace("--tree-depth 10", "--tree-depth 14");
    let arguments = format!("{model} --trees 200000 --checkpoint kept.json --quiet");
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments.split_whitespace()).current_dir(directory.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{:?}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept: Value =
        serde_json::from_slice(&std::fs::read(directory.path().join("kept.json")).unwrap()).unwrap();
    assert_eq!(printed["trees"], kept["trees"]);
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
    figures(&run("--trees 10 --checkpoint one.json"));
    figures(&run("--trees 20 --first-tree 10 --checkpoint two.json"));
    let merge = |files: &str| prodmax(directory.path(), &format!("pathology merge --format json {files}"));
    for files in ["one.json two.json", "two.json one.json"] {
        assert_eq!(figures(&merge(files))["rows"], whole["rows"]);
    }
    let more = run("--trees 30 --checkpoint one.json");
    let note = String::from_utf8(more.stderr.clone()).unwrap();
    assert_eq!(note, "prodmax: note: one.json: continuing with 10 finished trees\n");
    assert_eq!(figures(&more), whole);
    let refused = |output: Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        refused(merge("one.json two.json")),
        "prodmax: two.json: tree 10 is in both results; it would be counted twice\n"
    );
    assert_eq!(
        refused(run("--trees 30 --checkpoint one.json --b 3")),
        "prodmax: one.json: is the checkpoint of another sample: `b` is 2 there and 3 here; name another file, or remove \
         it to start over\n"
    );
    assert!(
        refused(run("--trees 5 --checkpoint one.json"))
            .contains("it has tree 29, which is not asked for here")
    );
    std::fs::write(directory.path().join("one.json"), "{}").unwrap();
    assert!(
        refused(merge("one.json"))
            .starts_with("prodmax: one.json: is not a sample of prodmax pathology: missing")
    );
    let integrated = prodmax(directory.path(), "pathology --method integrate --checkpoint x.json");
    assert_eq!(
        refused(integrated),
        "prodmax: --checkpoint keeps sampled trees, but nothing is sampled; add --method sample\n"
    );
}
