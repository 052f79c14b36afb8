//! Results of simulations: damage that the checksum lets pass must not panic.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::results(bytes));
