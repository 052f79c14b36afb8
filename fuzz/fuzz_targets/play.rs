//! The reader of matches: any bytes give one or a message that begins with the file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use prodmax_games::play::MatchSpec;
use prodmax_spec::ron_file;

fuzz_target!(|bytes: &[u8]| {
    match ron_file::parse_bytes::<MatchSpec>(bytes, Path::new("play.ron")) {
        Ok(spec) => drop(spec.same_games(&spec.clone())),
        Err(error) => assert!(error.to_string().starts_with("play.ron:"), "{error}"),
    }
});
