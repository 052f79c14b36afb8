//! The reader of models with real values: any bytes give one, which is checked, or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_pathology::RealModel;
use prodmax_spec::ron_file;

fuzz_target!(|bytes: &[u8]| {
    match ron_file::parse_bytes::<RealModel>(bytes, Path::new("pathology.ron")) {
        Ok(model) => drop(model.check().map_err(|error| error.to_string())),
        Err(error) => assert!(error.to_string().starts_with("pathology.ron:"), "{error}"),
    }
});
