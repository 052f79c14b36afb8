//! The reader of specs: any bytes give an experiment or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_spec::ron_file;
use prodmax_spec::Experiment;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = ron_file::parse_bytes::<Experiment>(bytes, Path::new("spec.ron")) {
        assert!(error.to_string().starts_with("spec.ron:"), "{error}");
    }
});
