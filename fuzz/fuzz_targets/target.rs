//! The reader of what readings are compared with: a golden file gives a target or a sentence.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_golden::GoldenFile;
use prodmax_readings::Target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = GoldenFile::parse(Path::new("golden.ron"), bytes) else { return };
    match Target::of(&[file]) {
        Ok(target) => assert!(!target.cells.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
