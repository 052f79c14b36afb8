//! The reader of grids of readings: any bytes give some, whose readings can be counted, or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_readings::GridFile;
use prodmax_spec::ron_file;

fuzz_target!(|bytes: &[u8]| {
    match ron_file::parse_bytes::<GridFile>(bytes, Path::new("grid.ron")) {
        Ok(file) => file.grids.iter().for_each(|grid| drop(grid.reading(grid.len() - 1))),
        Err(error) => assert!(error.to_string().starts_with("grid.ron:"), "{error}"),
    }
});
