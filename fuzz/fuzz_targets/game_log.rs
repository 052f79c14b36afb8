//! Game logs: what is read is written as the same games.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|text: &str| readers::game_log(text));
