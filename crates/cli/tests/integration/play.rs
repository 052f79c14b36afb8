//! Matches that are kept, continued, merged, listed and replayed.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn prodmax(directory: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prodmax"));
    command.args(arguments.split_whitespace()).current_dir(directory).output().unwrap()
}

fn figures(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

const MATCH: &str = "play --game kalah --stones 4 --players hints:9/10,minimax --depth 2 --format json";

#[test]
fn a_checkpoint_is_continued_guarded_and_never_lost() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), &format!("{MATCH} {rest}"));
    figures(&run("--seed 3 --starts 6 --checkpoint kept.jsonl"));
    let more = run("--seed 3 --starts 14 --threads 3 --checkpoint kept.jsonl");
    let note = String::from_utf8(more.stderr.clone()).unwrap();
    assert_eq!(note, "prodmax: note: kept.jsonl: continuing with 12 finished games\n");
    assert_eq!(figures(&more), figures(&run("--seed 3 --starts 14 --threads 1")));
    for (other, difference) in [
        ("--seed 4 --starts 14", "another seed: 3, not 4"),
        ("--seed 3 --starts 5", "start 5 is not asked for here"),
    ] {
        let message = refusal(&run(&format!("{other} --checkpoint kept.jsonl")));
        let expected = format!("kept.jsonl: holds games of another match (`flags`: {difference})");
        assert!(message.contains(&expected), "{message}");
    }
    // A damaged file is refused and left unchanged.
    let kept = directory.path().join("kept.jsonl");
    let text = std::fs::read_to_string(&kept).unwrap();
    let damaged = &text[..text.len() - 30];
    std::fs::write(&kept, damaged).unwrap();
    let message = refusal(&run("--seed 3 --starts 14 --checkpoint kept.jsonl"));
    assert!(message.starts_with("prodmax: kept.jsonl: line 15 is not a line of a game log: "), "{message}");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), damaged);
}

#[test]
fn logs_are_merged_listed_and_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let run = |rest: &str| prodmax(directory.path(), rest);
    let whole = figures(&run(&format!("{MATCH} --starts 9 --game-log whole.jsonl")));
    figures(&run(&format!("{MATCH} --starts 4 --game-log a.jsonl")));
    figures(&run(&format!("{MATCH} --starts 5 --first-start 4 --game-log b.jsonl")));
    let merged = figures(&run("play merge b.jsonl a.jsonl --game-log both.jsonl --format json"));
    assert_eq!(merged["total"], whole["total"]);
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
    assert_eq!(read("both.jsonl"), read("whole.jsonl"));
    let games = figures(&run("play --replay whole.jsonl --format json"));
    assert_eq!(games.as_array().unwrap().len(), 18);
    assert_eq!((&games[1]["first"], &games[1]["second"]), (&"minimax".into(), &"hints:9/10".into()));
    let game = figures(&run("play --replay whole.jsonl --number 2 --format json"));
    let count = |key: &str| games[1][key].as_str().unwrap().split(',').count();
    assert_eq!(game["positions"].as_array().unwrap().len(), 1 + count("opening") + count("moves"));
    let text = String::from_utf8(run("play --replay whole.jsonl --number 2").stdout).unwrap();
    assert!(text.starts_with("Game 2: minimax against hints:9/10, depth 2\n"), "{text}");
    let message = refusal(&run("play --replay whole.jsonl --number 19"));
    assert_eq!(message, "prodmax: there is no game 19; the file has 18 games, numbered from 1\n");
}

#[test]
fn the_specs_of_the_published_matches_are_read() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/play");
    let mut read = 0;
    for entry in std::fs::read_dir(&specs).unwrap() {
        let path = entry.unwrap().path();
        let short = format!("play --spec {} --starts 1 --format json", path.display());
        let found = figures(&prodmax(&specs, &short));
        assert_eq!(found["spec"]["id"].as_str(), path.file_stem().unwrap().to_str());
        read += 1;
    }
    assert!(read >= 8);
}
