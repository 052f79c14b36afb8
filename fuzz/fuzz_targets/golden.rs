//! The reader of golden files: any bytes give a file or a message that begins with its name.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_golden::GoldenFile;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = GoldenFile::parse(Path::new("golden.ron"), bytes) {
        assert!(error.to_string().starts_with("golden.ron:"), "{error}");
    }
});
