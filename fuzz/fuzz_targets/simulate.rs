//! The reader of simulations: any bytes give one, which is checked, or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_simulate::SimulationSpec;
use prodmax_spec::ron_file;

fuzz_target!(|bytes: &[u8]| {
    match ron_file::parse_bytes::<SimulationSpec>(bytes, Path::new("simulate.ron")) {
        // What is wrong with a simulation is a sentence.
        Ok(spec) => drop(spec.check().map_err(|error| error.to_string())),
        Err(error) => assert!(error.to_string().starts_with("simulate.ron:"), "{error}"),
    }
});
