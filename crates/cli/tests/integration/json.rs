//! The JSON of every command has exactly the keys that docs/json.md describes, and values of the types named there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The sections of the page, and commands that together print all keys of each, in this order: some read what others
/// wrote. `OUT` is a folder that is removed afterwards; what is in single quotes is one word.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "enumerate",
        &[
            "enumerate --root 1 --increments 2,1",
            "enumerate --root 1 --increments 8,8,8,8 --plan",
            "enumerate --root 1 --increments 2,1 --branching 3",
        ],
    ),
    (
        "mass",
        &[
            "mass --root 1 --increments 2,2 --number certified",
            "mass --root 1 --increments 2,2 --branching 3",
            "mass --root 1 --increments 2,2 --truth uniform:1/4 --number exact",
            "mass --root 1 --increments 2,2 --rules minimax,mean:4 --number certified",
            "mass --root 1 --increments 2,2 --rules minimax,mean:4 --truth uniform:1/4 --number exact",
            "mass --root 1 --increments 2,2,2 --engine deep --quality",
            "mass --root 1 --increments 2,2,2 --engine law --grid 512",
            "mass --root 1 --increments 2,2,2 --engine law --rules ideal,minimax",
            "mass --root 1 --increments 2,2,2,2 --branching 3 --engine law --grid 512 --rules minimax,product --number certified",
            "mass --root 1 --increments 2,2,2 --engine law --grid 512 --number certified",
        ],
    ),
    ("mass --reading", &["mass --root -1 --increments 2,2 --reading sign-wise"]),
    (
        "contest",
        &[
            "contest --root 1 --increments 2,2 --branching 3 --rules minimax,product",
            "contest --root 1 --increments 2,2 --rules minimax,product --number certified",
            "contest --root 1 --increments 2,2 --rules minimax,product --truth uniform:1/4 --number exact",
        ],
    ),
    (
        "crossover",
        &[
            "crossover --root -3 --increments 8,8",
            "crossover --root -3 --increments 2,2 --branching 3",
            "crossover --root -1 --increments 2,2,2 --rules minimax,mean:2",
        ],
    ),
    (
        "show",
        &[
            "show --tree '((8 -3) (1 2))'",
            "show --tree '((8 -3) (1 2))' --rules minimax,product,mean:4",
            "show --tree '((1 1) (1 1))'",
        ],
    ),
    ("rules", &["rules"]),
    ("table1", &["table1", "table1 --all"]),
    ("table1 --depth 3", &["table1 --depth 3"]),
    ("table1 --depth 3 --types", &["table1 --depth 3 --types"]),
    ("formulas", &["formulas --p 1/20"]),
    (
        "formulas --verify",
        &["formulas --verify --root -3 --increments 8,8", "formulas --verify --root -1 --increments 2,2,2"],
    ),
    ("formulas --baum", &["formulas --baum"]),
    ("table2", &["table2", "table2 --number certified"]),
    ("readings", &["readings --tables 1"]),
    ("check", &["check --only formulas.g"]),
    ("check --bless", &["check --bless --golden OUT/golden"]),
    ("check --recorded", &["check --recorded"]),
    ("check --recorded --each", &["check --recorded --each --only table1"]),
    ("critical", &["critical --root -1 --increments 3,3", "critical --root -1 --increments 3,3 --draw 2"]),
    (
        "reproduce",
        &[
            "reproduce --specs crates/cli/tests/small/specs --golden crates/cli/tests/small/golden --out OUT/report",
        ],
    ),
    ("perft", &["perft --game kalah --depth 2"]),
    (
        "search",
        &[
            "search --game kalah --rule minimax --depth 2",
            "search --game connect4 --moves 4,4 --player penalty:10 --calls 20",
            "search --game connect4 --player alphabeta --milliseconds 1",
        ],
    ),
    (
        "play",
        &[
            "play --game kalah --players minimax,product --depth 1 --starts 2 --game-log OUT/games",
            "play merge OUT/games",
            "play --game connect4 --players penalty:10,alphabeta --calls 10 --game-log OUT/by-calls",
            "play --game kalah --players minimax,product --depth 1 --until-decided",
            "play --game connect4 --players penalty:10,alphabeta --milliseconds 1,2 --starts 1 --game-log OUT/by-time",
        ],
    ),
    (
        "play --replay",
        &["play --replay OUT/games", "play --replay OUT/by-calls", "play --replay OUT/by-time"],
    ),
    (
        "play --replay --number",
        &[
            "play --replay OUT/games --number 3",
            "play --replay OUT/by-calls --number 1",
            "play --replay OUT/by-time --number 1",
        ],
    ),
    ("plan", &["plan --shards 4 -- simulate --trees 100"]),
    (
        "play quality",
        &[
            "play quality --game connect4 --players penalty:10,alphabeta --calls 50 --discs 24,28 --positions 4",
            "play quality --game connect4 --players product --depth 2 --discs 24,28 --positions 2",
            "play quality --game connect4 --players alphabeta --milliseconds 1 --discs 24,28 --positions 2",
        ],
    ),
    (
        "play study",
        &[
            "play study --spec crates/cli/tests/study/small.ron",
            "play study --spec crates/cli/tests/study/time.ron",
        ],
    ),
    (
        "pathology",
        &[
            "pathology --b 2 --d-max 2",
            "pathology --b 2 --d-max 2 --method sample --trees 5",
            "pathology --b 2 --d-max 2 --method both --trees 5",
            "pathology --b 2 --d-max 2 --m 3 --grains 5 --method sample --trees 5 --checkpoint OUT/trees",
            "pathology merge OUT/trees",
        ],
    ),
    (
        "pathology formulas",
        &[
            "pathology formulas --losses 2/5 --plies 1 --verify",
            "pathology formulas --plies 1",
            "pathology formulas --section-4 --plies 1",
        ],
    ),
    (
        "pathology grains",
        &[
            "pathology grains --b 3 --most 30",
            "pathology grains --b 3 --at 10",
            "pathology grains --b 2 --readings independent",
        ],
    ),
    (
        "pathology methods",
        &["pathology methods --recorded --table 8", "pathology methods --table 5 --trees 200"],
    ),
    ("pathology map", &["pathology map --b 2 --sigma-e 0.5 --grains 5 --d-max 2"]),
    ("pathology study", &["pathology study --spec crates/cli/tests/study/lgb.ron"]),
    ("pathology --table", &["pathology --table 8", "pathology --table 8 --method sample --trees 5"]),
    (
        "pathology --rules",
        &[
            "pathology --rules minimax,product --d-max 2 --trees 5",
            "pathology --rules minimax,product --d-max 2 --trees 5 --grains 5",
        ],
    ),
    (
        "simulate",
        &[
            "simulate --tree-depth 6 --depths 2,3 --trees 3",
            "simulate --trees 2 --depths 2",
            "simulate --trees 3 --depths 2,3 --tree-depth 6 --rules minimax,mean:2 --checkpoint OUT/simulated",
            "simulate merge OUT/simulated",
        ],
    ),
];

/// Commands without JSON of their own: they print scripts, manual pages and models in another language, serve, or print
/// the bytes of another command (`merge`, compared with the command in `shard.rs`).
const WITHOUT: [&str; 7] = ["completions", "help", "man", "prism", "serve", "merge", "slurm"];

/// Keys under which other keys are names of rules.
const BY_RULE: [&str; 8] =
    ["errors", "error_shares", "quality", "choices", "wins", "values", "estimated", "actual"];

/// The types of the values at every path.
type Types = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The type of a value as the page names it; an array may have elements of several types.
fn types(value: &Value) -> Vec<String> {
    let one = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Object(_) => "object",
        Value::Array(elements) => {
            return elements.iter().flat_map(types).map(|inner| format!("array of {inner}")).collect();
        }
    };
    vec![one.to_owned()]
}

/// All paths of a value with their types; names of rules and of golden entries are replaced with placeholders.
fn paths(value: &Value, path: &str, found: &mut Types) {
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
                // Of what is known of figures, only the place is described: the paths are those of the figures.
                if path.is_empty() && key == "known" {
                    continue;
                }
                let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                paths(inner, &path, found);
                found.entry(path).or_default().extend(types(inner));
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| paths(inner, path, found)),
        _ => {}
    }
}

/// The words of a command; every second piece between single quotes is one word.
fn words(command: &str, out: &Path) -> Vec<String> {
    let pieces = command.split('\'').enumerate();
    let words = pieces.flat_map(|(number, piece)| match number % 2 {
        0 => piece.split_whitespace().collect(),
        _ => vec![piece],
    });
    words.map(|word| word.replace("OUT", out.to_str().unwrap())).collect()
}

fn printed(command: &str, out: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_prodmax"))
        // Before the others: what follows `--` is another command.
        .args(["--format", "json", "--quiet"])
        .args(words(command, out))
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The keys that the page describes and their types, by section.
fn described() -> BTreeMap<String, Types> {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let mut sections = BTreeMap::new();
    for section in page.split("\n## `prodmax ").skip(1) {
        let (name, text) = section.split_once('`').unwrap();
        let keys = text.lines().filter_map(|line| line.strip_prefix("- `")).map(|line| {
            let (key, rest) = line.split_once("` (").unwrap_or_else(|| panic!("{name}: no type in {line}"));
            let (types, _) = rest.split_once("): ").unwrap();
            (key.to_owned(), types.split(" or ").map(str::to_owned).collect())
        });
        sections.insert(name.to_owned(), keys.collect());
    }
    sections
}

#[test]
fn every_key_is_described_and_every_description_has_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    // A value that was recorded wrongly, to be recorded again.
    std::fs::create_dir(out.join("golden")).unwrap();
    std::fs::copy(root().join("crates/cli/tests/golden/moved/golden.ron"), out.join("golden/golden.ron"))
        .unwrap();
    let described = described();
    let mut seen = BTreeMap::new();
    for (name, commands) in SECTIONS {
        let mut found = Types::new();
        commands.iter().for_each(|command| paths(&printed(command, out), "", &mut found));
        seen.insert((*name).to_owned(), found);
    }
    let keys = |sections: &BTreeMap<String, Types>| -> BTreeMap<String, BTreeSet<String>> {
        sections.iter().map(|(name, types)| (name.clone(), types.keys().cloned().collect())).collect()
    };
    assert_eq!(keys(&seen), keys(&described));
    for (name, found) in &seen {
        for (key, types) in found {
            let mut allowed = described[name][key].clone();
            // The page says so once for all figures.
            if allowed.contains("number") {
                allowed.extend(["null", "integer"].map(str::to_owned));
            }
            assert!(types.is_subset(&allowed), "{name}: {key} is {types:?}, but described as {allowed:?}");
        }
    }
}

/// The commands that a help text lists.
fn listed(words: &[&str]) -> Vec<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_prodmax")).args(words).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let Some((_, commands)) = help.split_once("\nCommands:") else { return Vec::new() };
    let lines = commands.lines().skip(1).take_while(|line| !line.is_empty());
    // The description of a command may take more lines, which are indented further.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_section_and_every_command_below_it_is_run() {
    let commands = listed(&[]);
    assert!(commands.iter().any(|name| name == "mass"), "{commands:?}");
    let mut below = Vec::new();
    for name in commands.iter().filter(|name| !WITHOUT.contains(&name.as_str())) {
        assert!(
            SECTIONS.iter().any(|(section, _)| section == name),
            "{name} is not described in docs/json.md"
        );
        let inner = listed(&[name.as_str()]).into_iter().filter(|inner| inner != "help");
        below.extend(inner.map(|inner| format!("{name} {inner} ")));
    }
    assert!(below.contains(&"play merge ".to_owned()), "{below:?}");
    for command in below {
        let is_run = |(_, commands): &(&str, &[&str])| commands.iter().any(|line| line.starts_with(&command));
        assert!(SECTIONS.iter().any(is_run), "no `{command}` is run for docs/json.md");
    }
}
