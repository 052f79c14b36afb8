//! Matches.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::play(bytes));
