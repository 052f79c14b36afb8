//! The reader of game logs: what is read is written as the same games.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prodmax_games::play::MatchResults;

fuzz_target!(|text: &str| {
    let Ok(results) = MatchResults::read(text) else { return };
    let Ok(written) = results.to_text() else { return };
    assert!(MatchResults::read(&written).is_ok_and(|again| again == results), "{written}");
});
