//! The reader of single readings: any bytes give one or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_readings::ReadingFile;
use prodmax_spec::ron_file;

fuzz_target!(|bytes: &[u8]| {
    match ron_file::parse_bytes::<ReadingFile>(bytes, Path::new("reading.ron")) {
        Ok(file) => drop(file.choices.check().map_err(|error| error.to_string())),
        Err(error) => assert!(error.to_string().starts_with("reading.ron:"), "{error}"),
    }
});
