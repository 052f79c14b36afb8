//! The JSON of every command has exactly the keys that docs/json.md describes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The sections of the page, and commands that together print all keys of each.
const SECTIONS: &[(&str, &[&[&str]])] = &[
    (
        "enumerate",
        &[
            &["enumerate", "--root", "1", "--increments", "2,1"],
            &["enumerate", "--root", "1", "--increments", "8,8,8,8", "--plan"],
            &["enumerate", "--root", "1", "--increments", "2,1", "--branching", "3"],
        ],
    ),
    (
        "mass",
        &[
            &["mass", "--root", "1", "--increments", "2,2", "--number", "certified"],
            &["mass", "--root", "1", "--increments", "2,2", "--branching", "3"],
            &["mass", "--root", "1", "--increments", "2,2", "--truth", "uniform:1/4", "--number", "exact"],
            &[
                "mass",
                "--root",
                "1",
                "--increments",
                "2,2",
                "--rules",
                "minimax,mean:4",
                "--number",
                "certified",
            ],
            &[
                "mass",
                "--root",
                "1",
                "--increments",
                "2,2",
                "--rules",
                "minimax,mean:4",
                "--truth",
                "uniform:1/4",
                "--number",
                "exact",
            ],
        ],
    ),
    ("mass --reading", &[&["mass", "--root", "-1", "--increments", "2,2", "--reading", "sign-wise"]]),
    (
        "mass --engine law",
        &[
            &["mass", "--root", "1", "--increments", "2,2,2", "--engine", "law", "--grid", "512"],
            &["mass", "--root", "1", "--increments", "2,2,2", "--engine", "law", "--rules", "ideal,minimax"],
            &[
                "mass",
                "--root",
                "1",
                "--increments",
                "2,2,2,2",
                "--branching",
                "3",
                "--engine",
                "law",
                "--grid",
                "512",
                "--rules",
                "minimax,product",
                "--number",
                "certified",
            ],
            &[
                "mass",
                "--root",
                "1",
                "--increments",
                "2,2,2",
                "--engine",
                "law",
                "--grid",
                "512",
                "--number",
                "certified",
            ],
        ],
    ),
    (
        "contest",
        &[
            &[
                "contest",
                "--root",
                "1",
                "--increments",
                "2,2",
                "--branching",
                "3",
                "--rules",
                "minimax,product",
            ],
            &[
                "contest",
                "--root",
                "1",
                "--increments",
                "2,2",
                "--rules",
                "minimax,product",
                "--number",
                "certified",
            ],
            &[
                "contest",
                "--root",
                "1",
                "--increments",
                "2,2",
                "--rules",
                "minimax,product",
                "--truth",
                "uniform:1/4",
                "--number",
                "exact",
            ],
        ],
    ),
    (
        "crossover",
        &[
            &["crossover", "--root", "-3", "--increments", "8,8"],
            &["crossover", "--root", "-3", "--increments", "2,2", "--branching", "3"],
            &["crossover", "--root", "-1", "--increments", "2,2,2", "--rules", "minimax,mean:2"],
        ],
    ),
    (
        "show",
        &[
            &["show", "--tree", "((8 -3) (1 2))"],
            &["show", "--tree", "((8 -3) (1 2))", "--rules", "minimax,product,mean:4"],
        ],
    ),
    ("rules", &[&["rules"]]),
    ("table1", &[&["table1"], &["table1", "--all"]]),
    ("table1 --depth 3", &[&["table1", "--depth", "3"]]),
    ("table1 --depth 3 --types", &[&["table1", "--depth", "3", "--types"]]),
    ("formulas", &[&["formulas", "--p", "1/20"]]),
    (
        "formulas --verify",
        &[
            &["formulas", "--verify", "--root", "-3", "--increments", "8,8"],
            &["formulas", "--verify", "--root", "-1", "--increments", "2,2,2"],
        ],
    ),
    ("formulas --baum", &[&["formulas", "--baum"]]),
    ("table2", &[&["table2"]]),
    ("readings", &[&["readings", "--tables", "1"]]),
    ("check", &[&["check", "--only", "formulas.g"]]),
    ("check --recorded", &[&["check", "--recorded"]]),
    ("check --recorded --each", &[&["check", "--recorded", "--each", "--only", "table1"]]),
    (
        "critical",
        &[
            &["critical", "--root", "-1", "--increments", "3,3"],
            &["critical", "--root", "-1", "--increments", "3,3", "--draw", "2"],
        ],
    ),
    (
        "reproduce",
        &[&[
            "reproduce",
            "--specs",
            "crates/cli/tests/small/specs",
            "--golden",
            "crates/cli/tests/small/golden",
            "--out",
            OUT,
        ]],
    ),
    ("perft", &[&["perft", "--game", "kalah", "--depth", "2"]]),
    (
        "search",
        &[
            &["search", "--game", "kalah", "--rule", "minimax", "--depth", "2"],
            &["search", "--game", "connect4", "--moves", "4,4", "--player", "penalty:10", "--calls", "20"],
            &["search", "--game", "connect4", "--player", "alphabeta", "--milliseconds", "1"],
        ],
    ),
    (
        "play",
        &[
            &["play", "--game", "kalah", "--players", "minimax,product", "--depth", "1", "--starts", "2"],
            &["play", "--game", "connect4", "--players", "penalty:10,alphabeta", "--calls", "10"],
            &["play", "--game", "kalah", "--players", "minimax,product", "--depth", "1", "--until-decided"],
            &[
                "play",
                "--game",
                "connect4",
                "--players",
                "penalty:10,alphabeta",
                "--milliseconds",
                "1,2",
                "--starts",
                "1",
            ],
        ],
    ),
    ("plan", &[&["plan", "--shards", "4", "--", "simulate", "--trees", "100"]]),
    (
        "play quality",
        &[
            &[
                "play",
                "quality",
                "--game",
                "connect4",
                "--players",
                "penalty:10,alphabeta",
                "--calls",
                "50",
                "--discs",
                "24,28",
                "--positions",
                "4",
            ],
            &[
                "play",
                "quality",
                "--game",
                "connect4",
                "--players",
                "product",
                "--depth",
                "2",
                "--discs",
                "24,28",
                "--positions",
                "2",
            ],
            &[
                "play",
                "quality",
                "--game",
                "connect4",
                "--players",
                "alphabeta",
                "--milliseconds",
                "1",
                "--discs",
                "24,28",
                "--positions",
                "2",
            ],
        ],
    ),
    (
        "play study",
        &[
            &["play", "study", "--spec", "crates/cli/tests/study/small.ron"],
            &["play", "study", "--spec", "crates/cli/tests/study/time.ron"],
        ],
    ),
    (
        "pathology",
        &[
            &["pathology", "--b", "2", "--d-max", "2"],
            &["pathology", "--b", "2", "--d-max", "2", "--method", "sample", "--trees", "5"],
        ],
    ),
    (
        "pathology formulas",
        &[
            &["pathology", "formulas", "--losses", "2/5", "--plies", "1", "--verify"],
            &["pathology", "formulas", "--plies", "1"],
            &["pathology", "formulas", "--section-4", "--plies", "1"],
        ],
    ),
    (
        "pathology grains",
        &[
            &["pathology", "grains", "--b", "3", "--most", "30"],
            &["pathology", "grains", "--b", "3", "--at", "10"],
            &["pathology", "grains", "--b", "2", "--readings", "independent"],
        ],
    ),
    (
        "pathology methods",
        &[
            &["pathology", "methods", "--recorded", "--table", "8"],
            &["pathology", "methods", "--table", "5", "--trees", "200"],
        ],
    ),
    (
        "pathology map",
        &[&["pathology", "map", "--b", "2", "--sigma-e", "0.5", "--grains", "5", "--d-max", "2"]],
    ),
    ("pathology study", &[&["pathology", "study", "--spec", "crates/cli/tests/study/lgb.ron"]]),
    ("pathology --table", &[&["pathology", "--table", "8"]]),
    ("pathology --rules", &[&["pathology", "--rules", "minimax,product", "--d-max", "2", "--trees", "5"]]),
    (
        "simulate",
        &[
            &["simulate", "--tree-depth", "6", "--depths", "2,3", "--trees", "3"],
            &[
                "simulate",
                "--tree-depth",
                "6",
                "--depths",
                "2,3",
                "--trees",
                "3",
                "--rules",
                "minimax,mean:2",
            ],
        ],
    ),
];

/// A placeholder for a folder that is removed afterwards.
const OUT: &str = "OUT";

/// Commands without JSON: they print scripts, manual pages and models in another language.
const WITHOUT: [&str; 7] = ["completions", "help", "man", "prism", "serve", "merge", "slurm"];

/// Keys under which other keys are names of rules.
const BY_RULE: [&str; 8] =
    ["errors", "error_shares", "quality", "choices", "wins", "nodes", "estimated", "actual"];

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All paths of a value; names of rules and of golden entries are replaced with placeholders.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                let parent = path.rsplit('.').next().unwrap();
                let is_rule = key.parse::<prodmax_rules::Rule>().is_ok() && BY_RULE.contains(&parent);
                let key = match key.as_str() {
                    _ if is_rule => "RULE",
                    id if id.starts_with("table2.") => "ID",
                    plain => plain,
                };
                let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                paths(inner, &path, found);
                found.insert(path);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| paths(inner, path, found)),
        _ => {}
    }
}

fn printed(arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let arguments =
        arguments.iter().map(|&argument| if argument == OUT { out.as_os_str() } else { argument.as_ref() });
    let arguments: Vec<&std::ffi::OsStr> = arguments.collect();
    let output = Command::new(env!("CARGO_BIN_EXE_prodmax"))
        // Before the others: what follows `--` is another command.
        .args(["--format", "json", "--quiet"])
        .args(&arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The keys that the page describes, by section.
fn described() -> BTreeMap<String, BTreeSet<String>> {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let mut sections = BTreeMap::new();
    for section in page.split("\n## `prodmax ").skip(1) {
        let (name, text) = section.split_once('`').unwrap();
        let keys =
            text.lines().filter_map(|line| Some(line.strip_prefix("- `")?.split_once("`: ")?.0.to_owned()));
        sections.insert(name.to_owned(), keys.collect());
    }
    sections
}

#[test]
fn every_key_is_described_and_every_description_has_its_key() {
    let described = described();
    let mut seen = BTreeMap::new();
    for (name, commands) in SECTIONS {
        let mut found = BTreeSet::new();
        commands.iter().for_each(|arguments| paths(&printed(arguments), "", &mut found));
        seen.insert((*name).to_owned(), found);
    }
    assert_eq!(seen, described);
}

#[test]
fn every_command_has_a_section() {
    let help = Command::new(env!("CARGO_BIN_EXE_prodmax")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:").unwrap();
    let names = commands.lines().skip(1).take_while(|line| !line.is_empty());
    // The description of a command may take more lines, which are indented further.
    let names: Vec<&str> = names
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"mass"), "{help}");
    for name in names.into_iter().filter(|name| !WITHOUT.contains(name)) {
        assert!(
            SECTIONS.iter().any(|(section, _)| *section == name),
            "{name} is not described in docs/json.md"
        );
    }
}
