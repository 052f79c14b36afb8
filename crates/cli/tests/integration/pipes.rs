//! What recorded sessions cannot show: standard input, closed pipes, files, threads.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn prodmax(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
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
fn a_list_stops_when_nobody_reads_it() {
    for (arguments, first) in [
        (
            vec!["table1", "--all"],
            "The cases of depth 2: interval of the draw value, wrong leaves, who is right\n",
        ),
        (
            vec!["table1", "--depth", "3", "--all", "--format", "csv"],
            "type,order,below,errors,wrong,decision,reason\n",
        ),
        (vec!["table1", "--depth", "3", "--all", "--format", "json"], "[\n"),
    ] {
        let mut command = prodmax(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(line, first);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// An entry of Table I, without its place in the table.
#[derive(Debug, PartialEq, Eq, serde::Deserialize)]
struct Entry {
    errors: usize,
    interval: usize,
    positions: std::collections::BTreeSet<String>,
    favours: String,
}

/// The 30 entries of the golden file, whose values are the columns they are in.
fn golden_entries() -> Vec<Entry> {
    #[derive(serde::Deserialize)]
    struct Golden {
        entries: Vec<Pinned>,
    }
    #[derive(serde::Deserialize)]
    struct Pinned {
        published: String,
        quantity: Quantity,
    }
    #[derive(serde::Deserialize)]
    enum Quantity {
        #[serde(rename = "table1_case")]
        Case { interval: usize, errors: Vec<String> },
        #[serde(rename = "table1_count")]
        Count(#[allow(dead_code, reason = "no entry of the table")] String),
        #[serde(rename = "table1_cases")]
        All,
    }
    let golden: Golden = ron::from_str(include_str!("../../../../golden/table1.ron")).unwrap();
    let entry = |Pinned { published, quantity }| match quantity {
        Quantity::Case { interval, errors } => Some(Entry {
            errors: errors.len(),
            interval,
            positions: errors.into_iter().collect(),
            favours: published,
        }),
        Quantity::Count(_) | Quantity::All => None,
    };
    golden.entries.into_iter().filter_map(entry).collect()
}

#[test]
fn json_of_table_1_is_the_golden_table() {
    let golden = golden_entries();
    let printed = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let output = prodmax(arguments).args(["--format", "json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let table = printed(&["table1"]);
    assert_eq!((table.len(), golden.len()), (30, 30));
    for (value, golden) in table.into_iter().zip(&golden) {
        let keys: Vec<_> = value.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["errors", "interval", "positions", "favours"]);
        assert_eq!(&serde_json::from_value::<Entry>(value).unwrap(), golden);
    }
    let all = printed(&["table1", "--all"]);
    assert_eq!(all.len(), 80);
    let critical = all.iter().filter(|case| case["decision"] != "irrelevant").count();
    assert_eq!(critical, golden.len());
    assert!(all.iter().all(|case| case["reason"].as_str().is_some_and(|reason| reason.contains(": "))));
}

#[test]
#[ignore = "slow: 463,104 lines"]
fn every_case_of_depth_3_is_streamed_and_counted_as_in_the_summary() {
    let output = prodmax(&["table1", "--depth", "3", "--all", "--format", "json"]).output().unwrap();
    let lines: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    let [first, cases @ .., last] = &lines[..] else { panic!("no list") };
    assert_eq!((*first, cases.len(), *last), ("[", 463_104, "]"));
    let favouring = |side: &str| cases.iter().filter(|case| case.contains(side)).count();
    assert_eq!(
        ["minimax", "product"].map(|side| favouring(&format!("\"decision\":\"{side}\""))),
        [113_967; 2]
    );
    let one: serde_json::Value = serde_json::from_str(cases[1000].trim_end_matches(',')).unwrap();
    assert_eq!(one["order"].as_array().map(Vec::len), Some(8));
    assert_eq!(one["errors"], one["positions"].as_array().unwrap().len());
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
fn a_simulation_is_read_from_standard_input() {
    let mut command = prodmax(&["simulate", "--spec", "-", "--trees", "1", "--per-tree", "--format", "csv"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let spec = br#"(id: "a", title: "b", source: "c", tree_depth: 4, root: -1, truth: "arctan:4",
        assignment: "top-down", estimate: "arctan:1", depths: [2], trees: 9)"#;
    child.stdin.take().unwrap().write_all(spec).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("tree,d,pairs,") && text.contains("\n0,2,7,"), "{text}");
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
        let enumerate = ["enumerate", "--root", "1", "--increments", "3,3,3,3", "--threads", threads];
        let verify = [
            "formulas",
            "--verify",
            "--root",
            "1",
            "--increments",
            "2,2,2",
            "--format",
            "json",
            "--threads",
            threads,
        ];
        [&enumerate[..], &verify].map(|arguments| prodmax(arguments).output().unwrap().stdout)
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

#[cfg(target_os = "linux")]
#[test]
fn output_that_does_not_fit_is_a_failure() {
    for arguments in [&["--help"][..], &["--version"], &["table1"], &["table1", "--all"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = prodmax(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("prodmax: standard output cannot be written: "), "{said}");
    }
}
