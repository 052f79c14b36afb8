//! Speed of move generation and full-width search: `cargo bench -p prodmax-games --bench search`. The answers are asserted,
//! the times are not: a slow machine is no error, a wrong number is.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that prints")]

use std::time::Instant;

use prodmax_games::Position;
use prodmax_games::kalah::Kalah;
use prodmax_games::perft::perft;
use prodmax_games::search::{FullWidth, Ply, best};

/// The least time of some runs, and what they return.
fn least<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64(), result)
    };
    let first = timed();
    (1..runs).fold(first, |best, _| {
        let next = timed();
        if next.0 < best.0 { next } else { best }
    })
}

fn bench_perft<P: Position>(name: &str, start: &P, depth: usize, expected: u64) {
    let (seconds, count) = least(3, || perft(start, depth).unwrap());
    assert_eq!(count, expected, "{name}");
    println!("perft {name} {depth}: {:6.1} million sequences per second", count as f64 / seconds / 1e6);
}

/// A position of the middle game: the middle one of the legal moves was made 30 times.
fn middle_game() -> Kalah {
    (0..30).fold(Kalah::start(6, 6).unwrap(), |position, _| {
        let moves: Vec<u8> = position.moves().collect();
        position.play(moves[moves.len() / 2])
    })
}

fn bench_search(name: &str, start: Kalah, rule: &str, depth: usize, expected_best: u8) {
    let rule = rule.parse().unwrap();
    let mut plain = FullWidth::new(&rule, depth, Ply::Move).unwrap();
    let mut merging = FullWidth::merging(&rule, depth, Ply::Move).unwrap();
    let (seconds, values) = least(5, || plain.move_values(&start).unwrap());
    let (merged_seconds, merged) = least(5, || merging.move_values(&start).unwrap());
    assert_eq!(values, merged);
    assert_eq!(best(&values).unwrap().chosen + 1, expected_best, "{rule}");
    let leaves = plain.leaves();
    assert!(merging.leaves() <= leaves);
    println!(
        "{name} {rule:12} depth {depth}: {leaves} leaves, {:6.1} million per second; merged {:4.1} % of them, {:6.1} million \
         unmerged leaves per second",
        leaves as f64 / seconds / 1e6,
        100.0 * merging.leaves() as f64 / leaves as f64,
        leaves as f64 / merged_seconds / 1e6,
    );
}

fn main() {
    bench_perft("kalah", &Kalah::start(6, 4).unwrap(), 9, PERFT_9);
    for (rule, at_6, at_7) in BEST {
        bench_search("start ", Kalah::start(6, 6).unwrap(), rule, 6, at_6);
        bench_search("start ", Kalah::start(6, 6).unwrap(), rule, 7, at_7);
    }
    bench_search("middle", middle_game(), "product", 6, 6);
    bench_search("middle", middle_game(), "product", 8, 6);
    bench_search("middle", middle_game(), "hints:9/10", 8, 6);
}

/// What this board gives; the slow one of `tests/kalah.rs` confirms smaller depths.
const PERFT_9: u64 = 2_763_490;

/// The hole that each rule chooses at the start with 6 stones, at depth 6 and 7.
const BEST: [(&str, u8, u8); 6] = [
    ("minimax", 1, 1),
    ("product", 1, 3),
    ("hints:9/10", 1, 3),
    ("average:1/2", 1, 1),
    ("mean:4", 1, 6),
    ("baum:4/5:4/5", 1, 3),
];
