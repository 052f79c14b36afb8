//! The reader of results of simulations: what has the right checksum is checked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_simulate::SimulationResults;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(results) = serde_json::from_slice::<SimulationResults>(bytes) {
        // Damage that the checksum lets pass must not panic.
        drop(results.check());
    }
});
