//! Depth 4 at growing width, time and memory: `cargo bench -p prodmax-mass --bench deep -- [greatest a] [root]`.
#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use num_bigint::BigUint;
use prodmax_enumerate::{Model, Plan, Zero};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::deep::{self, Options};
use prodmax_mass::{Curve, CurveTable, Figures};

fn main() {
    let numbers: Vec<i64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let widest = numbers.first().copied().unwrap_or(8);
    let root = numbers.get(1).copied().unwrap_or(1);
    let (truth, estimate) = (CurveTable::new(Curve::arctan(4), 42), CurveTable::new(Curve::arctan(1), 42));
    println!(" a  depth-1 classes  blocks  escalated  seconds  ns/pair  peak MiB  difference %");
    for a in 2..=widest {
        let Ok(model) = Model::new(root, &[a; 4], Zero::Skip, 42) else { continue };
        let options = Options {
            memory_bytes: 1 << 30,
            block_pairs: None,
            checkpoint: None,
            interrupt: &AtomicBool::new(false),
            progress: &|_, _| {},
        };
        let start = Instant::now();
        let result = match deep::mass(&model, &truth, &estimate, &options) {
            Ok(result) => result,
            Err(error) => {
                println!("a = {a}: {error}");
                std::process::exit(1);
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let counts = result.counts;
        assert_eq!(BigUint::from(counts.critical + counts.agreeing + counts.tied), model.trees());
        assert_eq!(&BigUint::from(result.pairs), Plan::of(&model).depth_one_classes());
        let figures = Figures::of(&Float(&truth), &result.mass, counts.critical);
        println!(
            "{a:2} {:16} {:7} {:10} {seconds:8.3} {:8.1} {:9.0}  {:.9}",
            result.pairs,
            result.blocks,
            result.comparisons.escalated,
            seconds / result.pairs as f64 * 1e9,
            peak_mebibytes(),
            figures.difference_percent.unwrap_or(f64::NAN),
        );
    }
}

/// The greatest resident memory so far, where the system tells.
fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes / 1024.0)
}
