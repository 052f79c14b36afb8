//! What people keep up to date agrees with cargo: the table of crates in DESIGN.md, the lock file of the Python package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// What the manifests of a workspace say.
fn metadata(root: &Path) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Our crates and which of our crates each depends on, without `prodmax-`; the tests are left out.
fn cargo_graph(root: &Path) -> Graph {
    let metadata = metadata(root);
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
    let section = text.split("\n## ").find(|section| section.starts_with("Crates\n")).unwrap();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split(" | ").collect();
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

/// Every crate and what it needs, other than for its tests and for features that are chosen.
fn needed(root: &Path) -> Graph {
    let metadata = metadata(root);
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let needed = dependencies
                .filter(|dependency| dependency["kind"] != "dev" && dependency["optional"] == false)
                .map(|dependency| dependency["name"].as_str().unwrap().to_owned());
            (package["name"].as_str().unwrap().to_owned(), needed.collect())
        })
        .collect()
}

/// Our crates in a lock file and what they need.
fn locked(path: &Path) -> Graph {
    let text = std::fs::read_to_string(path).unwrap();
    let quoted = |line: &str| line.split('"').nth(1).unwrap().split(' ').next().unwrap().to_owned();
    text.split("[[package]]")
        .skip(1)
        // Crates of others have a source.
        .filter(|package| !package.contains("\nsource = "))
        .map(|package| {
            let name = package.lines().find(|line| line.starts_with("name = ")).unwrap();
            let needed = package.lines().filter(|line| line.starts_with(" \"")).map(quoted);
            (quoted(name), needed.collect())
        })
        .collect()
}

/// The Python package has a workspace of its own, so building everything else does not notice that its lock file is out of
/// date; building the package then fails.
#[test]
fn the_lock_file_of_the_python_package_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = root.join("crates/python");
    let mut needed = needed(&root);
    needed.extend(self::needed(&python));
    let locked = locked(&python.join("Cargo.lock"));
    assert!(locked.len() > 10 && locked.contains_key("prodmax-python"), "{locked:?}");
    for (name, dependencies) in locked {
        assert_eq!(
            dependencies, needed[&name],
            "{name}: run `cargo metadata --manifest-path crates/python/Cargo.toml` to update the lock file"
        );
    }
}
