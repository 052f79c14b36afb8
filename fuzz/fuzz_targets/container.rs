//! The container of what is stored: only what was sealed is opened, and a changed bit is noticed.
#![no_main]

use prodmax_fuzz::readers;

libfuzzer_sys::fuzz_target!(|input: (&str, &str, &str, u16, u8)| readers::container(input));
