//! Simulations, which are checked: what is wrong with one is a sentence.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::simulate(bytes));
