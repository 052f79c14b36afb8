//! The readers of curves and fractions: what is read survives being printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_mass::Curve;
use prodmax_number::fraction;

fuzz_target!(|text: &str| {
    if let Ok(curve) = text.parse::<Curve>() {
        let printed = curve.to_string();
        // A decimal of 200 characters can be longer as a fraction than may be read.
        assert!(printed.len() > 200 || printed.parse() == Ok(curve), "{printed}");
    }
    if let Ok(value) = fraction::parse(text) {
        let printed = value.to_string();
        assert!(printed.len() > 200 || fraction::parse(&printed) == Ok(value), "{printed}");
    }
});
