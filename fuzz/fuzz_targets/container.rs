//! The container of what is stored: only what was sealed is opened, and damage is noticed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_store::{open, seal};

fuzz_target!(|input: (&str, &str, &str, u16, u8)| {
    let (text, of, content, at, bit) = input;
    if let Ok(found) = open(text, "result", 1, of) {
        assert_eq!(seal("result", 1, of, found), text);
    }
    let sealed = seal("result", 1, of, content);
    assert_eq!(open(&sealed, "result", 1, of), Ok(content));
    let mut bytes = sealed.clone().into_bytes();
    let at = usize::from(at) % bytes.len();
    bytes[at] ^= 1 << (bit % 8);
    if let Ok(damaged) = String::from_utf8(bytes) {
        assert!(open(&damaged, "result", 1, of).is_err(), "{damaged}");
    }
});
