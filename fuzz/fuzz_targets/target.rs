//! What readings are compared with: a golden file gives a target or a sentence.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::target(bytes));
