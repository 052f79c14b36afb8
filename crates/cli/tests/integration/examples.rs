//! Runs every example of a help text, as a reader would type it.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A server for the moment that it takes to print its address.
const SERVE: &str = "mkfifo said; prodmax serve --port 0 > said & read -r line < said; kill -INT $!; rm said; \
    [[ $line == http://127.0.0.1:* ]]";

/// Examples that take too long, or that need something not every machine has, and what is run instead.
const INSTEAD: [(&str, &str); 20] = [
    ("prodmax check --slow", "prodmax check --slow --only table1"),
    (
        "prodmax formulas --verify --spec specs/table2.ron",
        "prodmax formulas --verify --spec specs/depth2.ron",
    ),
    (
        "prodmax table1 --depth 3 --all --format csv --output cases.csv",
        "prodmax table1 --all --format csv --output cases.csv",
    ),
    (
        "prodmax mass --root 1 --increments 8,8,8,8 --engine law --number certified --width 0.5",
        "prodmax mass --root 1 --increments 8,8,8,8 --engine law --number certified --width 3",
    ),
    ("prodmax serve", SERVE),
    ("prodmax serve --open --port 0", SERVE),
    (
        "prodmax play --spec specs/play/kalah-hints-minimax-whole.ron --checkpoint hints.jsonl",
        "prodmax play --spec specs/play/kalah-hints-minimax-whole.ron --starts 2 --checkpoint hints.jsonl",
    ),
    (
        "prodmax play quality --game connect4 --players penalty:10,alphabeta --calls 100,1000",
        "prodmax play quality --game connect4 --players penalty:10,alphabeta --calls 100,1000 --positions 3",
    ),
    (
        "prodmax mass --root 1 --increments 8,8,8,8 --checkpoint depth4.ckpt",
        "prodmax mass --root 1 --increments 5,5,5,5 --checkpoint depth4.ckpt",
    ),
    (
        "prodmax readings --target golden/table2.ron --grid specs/readings/search-1.ron --output-all search-1.csv",
        "prodmax readings --target golden/table2.ron --grid small-grid.ron --output-all search-1.csv",
    ),
    (
        "prodmax simulate --spec specs/simulate/b.ron --checkpoint b.trees",
        "prodmax simulate --spec specs/simulate/b.ron --trees 10 --checkpoint b.trees",
    ),
    (
        "prodmax simulate --rules minimax,hints:9/10 --trees 50",
        "prodmax simulate --rules minimax,hints:9/10 --trees 5",
    ),
    (
        "prodmax simulate --trees 500 --first-tree 1000 --format json -o more.json",
        "prodmax simulate --trees 5 --first-tree 10 --format json -o more.json",
    ),
    ("prodmax reproduce --out report", "prodmax reproduce --specs my-specs --out report"),
    (
        "prodmax reproduce --out report --fresh --quiet --format json",
        "prodmax reproduce --specs my-specs --out report --fresh --quiet --format json",
    ),
    ("prodmax man enumerate | man -l -", "prodmax man enumerate | grep -q '^.TH prodmax-enumerate '"),
    (
        "prodmax man simulate merge | man -l -",
        "prodmax man simulate merge | grep -q '^.TH prodmax-simulate-merge '",
    ),
    (
        r#"storm --prism depth2.pm --prop 'P=? [F "minimax_errs"]; P=? [F "product_errs"]'"#,
        "grep -q minimax_errs depth2.pm",
    ),
    (
        r#"storm --prism uniform.pm --exact --prop 'P=? [F "minimax_errs"]'"#,
        "grep -q minimax_errs uniform.pm",
    ),
    (
        r#"storm --prism mean.pm --prop 'P=? [F "minimax_errs"]; P=? [F "mean_4_errs"]'"#,
        "grep -q minimax_errs mean.pm && grep -q mean_4_errs mean.pm",
    ),
];

fn bash(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_prodmax"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", line]).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", path).env("HOME", folder).env("COLUMNS", "100").output().unwrap()
}

fn stdout_of(folder: &Path, line: &str) -> String {
    let output = bash(folder, line);
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The indented lines before the usage that are commands; a line that ends with a backslash continues.
fn examples(help: &str) -> Vec<String> {
    let text = help.split("\nUsage:").next().unwrap().replace("\\\n", "");
    let words = ["prodmax ", "storm ", "source "];
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let lines = lines.filter(|line| words.iter().any(|word| line.starts_with(word)));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// What an example may rely on: the files of the repository, and a folder with the reader's own specs. Of the golden files only
/// those that take a moment: all of them are checked by the tests of the report.
fn reader() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    stdout_of(
        folder.path(),
        &format!(
            "cp -r {0}/specs {0}/golden . && rm golden/{{baum,lgb,depths,rivest,simulated,branching,readings}}.ron && mkdir -p my-specs .config/fish/completions .zfunc && cp specs/depth2.ron my-specs",
            repository.display()
        ),
    );
    let grid = repository.join("crates/cli/tests/readings/small.ron");
    std::fs::copy(grid, folder.path().join("small-grid.ron")).unwrap();
    folder
}

#[test]
fn every_example_of_every_help_text_runs() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("examples: SKIPPED, because there is no bash");
        return;
    }
    let folder = reader();
    let overview = stdout_of(folder.path(), "prodmax --help");
    let commands = overview.split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    // A line that is indented further continues the description of the command before it.
    let commands = commands.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"mass") && commands.contains(&"man"), "{commands:?}");
    let mut found = Vec::new();
    for command in commands.into_iter().filter(|&command| command != "help") {
        let examples = examples(&stdout_of(folder.path(), &format!("prodmax {command} --help")));
        assert!(!examples.is_empty(), "the help of {command} has no example");
        found.extend(examples);
    }
    // Before anything is run: an example that is no longer replaced could take hours.
    let instead = |example: &str| INSTEAD.iter().find(|(from, _)| *from == example);
    let replaced: BTreeSet<&str> = found.iter().filter_map(|example| Some(instead(example)?.0)).collect();
    let all: BTreeSet<&str> = INSTEAD.iter().map(|(from, _)| *from).collect();
    assert_eq!(replaced, all, "no help text has these examples any more");
    for example in &found {
        stdout_of(folder.path(), instead(example).map_or(example.as_str(), |(_, to)| to));
    }
    let run = found.len();
    assert!(run > 30, "only {run} examples were found");
}
