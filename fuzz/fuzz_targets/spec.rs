//! The reader of specs: any bytes give an experiment or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_enumerate::ron_file;
use prodmax_report::spec::Spec;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = ron_file::parse_bytes::<Spec>(bytes, Path::new("spec.ron")) {
        assert!(error.to_string().starts_with("spec.ron:"), "{error}");
    }
});
