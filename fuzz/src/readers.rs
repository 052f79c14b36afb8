//! What every reader must do with any input: read it, or refuse it with a message that begins with the file.

use std::path::Path;

use prodmax_enumerate::Tree;
use prodmax_enumerate::{Line, ZeroMode};
use prodmax_games::play::{MatchResults, MatchSpec};
use prodmax_golden::GoldenFile;
use prodmax_jobs::divide::{self, KeptFile, Record};
use prodmax_jobs::{Divisible, open, ron_file, seal};
use prodmax_mass::Curve;
use prodmax_number::fraction;
use prodmax_pathology::RealModel;
use prodmax_readings::{GridFile, ReadingFile, Target};
use prodmax_simulate::{Simulation, SimulationSpec};
use prodmax_spec::Experiment;

/// What a file was read as, if it could be read.
fn read<T: serde::de::DeserializeOwned>(name: &str, bytes: &[u8]) -> Option<T> {
    match ron_file::parse_bytes::<T>(bytes, Path::new(name)) {
        Ok(found) => Some(found),
        Err(error) => {
            assert!(error.to_string().starts_with(&format!("{name}:")), "{error}");
            None
        }
    }
}

/// Specs of experiments.
pub fn spec(bytes: &[u8]) {
    drop(read::<Experiment>("spec.ron", bytes));
}

/// Golden files.
pub fn golden(bytes: &[u8]) {
    if let Err(error) = GoldenFile::parse(Path::new("golden.ron"), bytes) {
        assert!(error.to_string().starts_with("golden.ron:"), "{error}");
    }
}

/// What readings are compared with: a golden file gives a target or a sentence.
pub fn target(bytes: &[u8]) {
    let Ok(file) = GoldenFile::parse(Path::new("golden.ron"), bytes) else { return };
    match Target::of(&[file]) {
        Ok(target) => assert!(!target.cells.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Grids of readings, which can be counted.
pub fn grid(bytes: &[u8]) {
    if let Some(file) = read::<GridFile>("grid.ron", bytes) {
        file.grids.iter().for_each(|grid| drop(grid.reading(grid.len() - 1)));
    }
}

/// Single readings, which are checked.
pub fn reading(bytes: &[u8]) {
    if let Some(file) = read::<ReadingFile>("reading.ron", bytes) {
        drop(file.choices.check().map_err(|error| error.to_string()));
    }
}

/// Simulations, which are checked: what is wrong with one is a sentence.
pub fn simulate(bytes: &[u8]) {
    if let Some(spec) = read::<SimulationSpec>("simulate.ron", bytes) {
        drop(spec.check().map_err(|error| error.to_string()));
    }
}

/// Models with real values, which are checked.
pub fn pathology(bytes: &[u8]) {
    if let Some(model) = read::<RealModel>("pathology.ron", bytes) {
        drop(model.check().map_err(|error| error.to_string()));
    }
}

/// Matches.
pub fn play(bytes: &[u8]) {
    if let Some(spec) = read::<MatchSpec>("play.ron", bytes) {
        assert!(spec.same_games(&spec.clone()));
    }
}

/// Answers of simulations, which are merged: damage that the checksum lets pass must not panic.
pub fn results(bytes: &[u8]) {
    let Ok(record) = Record::parse(bytes) else { return };
    let files = [KeptFile::Answer { path: "answer.json".into(), record }];
    let spec = KeptFile::asked(&files).and_then(|(work, trees)| SimulationSpec::of_kept(work, trees));
    let Some(Ok(simulation)) = spec.map(|spec| Simulation::new(&spec)) else { return };
    if let Ok(found) = divide::merge(&simulation, &files) {
        let results = found.sum().unwrap_or_else(|| simulation.begin());
        assert_eq!(results.check(), Ok(()));
    }
}

/// Game logs: what is read is written as the same games.
pub fn game_log(text: &str) {
    let Ok(results) = MatchResults::read(text) else { return };
    let Ok(written) = results.to_text() else { return };
    assert!(MatchResults::read(&written).is_ok_and(|again| again == results), "{written}");
}

/// Trees: a text that is one has b^depth leaves.
pub fn tree(text: &str) {
    let Ok(line) = Line::new(42, ZeroMode::Skip) else { return };
    if let Ok(tree) = Tree::parse(text, &line) {
        let shape = tree.shape();
        assert_eq!(tree.leaves().len(), shape.branching.pow(shape.depth as u32));
    }
}

/// Curves and fractions: what is read survives being printed.
pub fn curve(text: &str) {
    if let Ok(curve) = text.parse::<Curve>() {
        let printed = curve.to_string();
        // A decimal of 200 characters can be longer as a fraction than may be read.
        assert!(printed.len() > 200 || printed.parse() == Ok(curve), "{printed}");
    }
    if let Ok(value) = fraction::parse(text) {
        let printed = value.to_string();
        assert!(printed.len() > 200 || fraction::parse(&printed) == Ok(value), "{printed}");
    }
}

/// The container of what is stored: only what was sealed is opened, and a changed bit is noticed.
pub fn container((text, of, content, at, bit): (&str, &str, &str, u16, u8)) {
    if let Ok(found) = open(text, "result", 1, of) {
        assert_eq!(seal("result", 1, of, found), text);
    }
    let sealed = seal("result", 1, of, content);
    assert_eq!(open(&sealed, "result", 1, of), Ok(content));
    let mut bytes = sealed.into_bytes();
    let at = usize::from(at) % bytes.len();
    bytes[at] ^= 1 << (bit % 8);
    if let Ok(damaged) = String::from_utf8(bytes) {
        assert!(open(&damaged, "result", 1, of).is_err(), "{damaged}");
    }
}
