//! The table of crates in DESIGN.md agrees with cargo.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Our crates and which of our crates each depends on, without `prodmax-`; the tests are left out.
fn cargo_graph(root: &Path) -> Graph {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let short = |name: &Value| name.as_str().unwrap().trim_start_matches("prodmax-").to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| package["name"] != "prodmax-tests")
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let ours = dependencies.filter(|dependency| {
                dependency["kind"].is_null() && dependency["name"].as_str().unwrap().starts_with("prodmax-")
            });
            (short(&package["name"]), ours.map(|dependency| short(&dependency["name"])).collect())
        })
        .collect()
}

fn design_graph(root: &Path) -> Graph {
    let text = std::fs::read_to_string(root.join("DESIGN.md")).unwrap();
    let names =
        |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut graph = Graph::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        // The table of crates is the only one with three columns and code in the first.
        if let [name, _, uses] = cells[..] {
            let name = names(name).remove(0);
            let all = uses.contains("all of them");
            let uses = if all { graph.keys().cloned().collect() } else { names(uses).into_iter().collect() };
            graph.insert(name, uses);
        }
    }
    graph
}

#[test]
fn the_crate_graph_in_the_design_is_that_of_cargo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    assert_eq!(design_graph(&root), cargo_graph(&root));
}
