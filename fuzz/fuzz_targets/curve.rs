//! Curves and fractions: what is read survives being printed.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|text: &str| readers::curve(text));
