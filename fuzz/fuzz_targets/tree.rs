//! Trees: a text that is one has b^depth leaves.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|text: &str| readers::tree(text));
