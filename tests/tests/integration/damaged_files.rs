//! The readers that `make fuzz` attacks, with damaged copies of the files that it begins with.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;

#[allow(unreachable_pub, reason = "a module of the fuzz targets, too")]
#[path = "../../../fuzz/src/readers.rs"]
mod readers;

const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The contents of the files in a folder, without the folders in it.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(Path::new(WORKSPACE).join(folder)).unwrap();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|p| p.is_file()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder}");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// What means something in the formats, or is a number that few can hold.
const WORDS: [&str; 30] = [
    "",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\\",
    "'",
    ",",
    ":",
    "-",
    ".",
    "/*",
    "//",
    "Some(",
    "#![",
    "r#\"",
    "0",
    "-1",
    "1e999",
    "NaN",
    "inf",
    "18446744073709551616",
    "1/0",
    "0/1",
    "\u{feff}",
    "\r\n",
    "é",
];

/// A piece of a file that is replaced with other bytes.
#[derive(Clone, Debug)]
struct Damage {
    at: Index,
    removed: usize,
    inserted: Vec<u8>,
}

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        let inserted = prop_oneof![
            3 => prop::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec()),
            1 => prop::collection::vec(any::<u8>(), 0..4),
        ];
        (any::<Index>(), prop_oneof![4 => 0usize..3, 1 => 0usize..5000], inserted)
            .prop_map(|(at, removed, inserted)| Self { at, removed, inserted })
    }

    fn to(&self, bytes: &mut Vec<u8>) {
        let from = self.at.index(bytes.len() + 1);
        let end = (from + self.removed).min(bytes.len());
        bytes.splice(from..end, self.inserted.iter().copied());
    }
}

/// Runs a reader on every file of a folder, and on some that are damaged in one to three places.
fn attack(folder: &str, reader: fn(&[u8])) {
    let files = files(folder);
    files.iter().for_each(|bytes| reader(bytes));
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) };
    let inputs = (any::<Index>(), prop::collection::vec(Damage::any(), 1..4));
    proptest!(config, |((file, damages) in inputs)| {
        let mut bytes = file.get(&files).clone();
        damages.iter().for_each(|damage| damage.to(&mut bytes));
        reader(&bytes);
    });
}

#[test]
fn specs() {
    attack("specs", readers::spec);
    attack("specs/simulate", readers::simulate);
    attack("specs/pathology", readers::pathology);
    attack("specs/play", readers::play);
}

#[test]
fn golden_files() {
    attack("golden", readers::golden);
    attack("golden", readers::target);
}

#[test]
fn readings() {
    attack("specs/readings", readers::grid);
    attack("specs/readings", readers::reading);
}

#[test]
fn results() {
    attack("fuzz/seeds/results", readers::results);
}

#[test]
fn game_logs() {
    attack("fuzz/seeds/game_log", |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            readers::game_log(text);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn trees(text in "[()0-9 ,+-]{0,40}|\\PC{0,20}") {
        readers::tree(&text);
    }

    #[test]
    fn curves(text in "(arctan|pearl|uniform)?:?[0-9./e+-]{0,12}|\\PC{0,20}") {
        readers::curve(&text);
    }

    #[test]
    fn containers(text in "\\PC{0,40}", of in "\\PC{0,9}", content in "\\PC{0,60}", at: u16, bit: u8) {
        readers::container((&text, &of, &content, at, bit));
    }
}
