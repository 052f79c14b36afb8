//! Time and memory of the blockwise last level. Every answer that is timed is checked.
//!
//! `cargo bench -p prodmax-mass --bench deep` runs depth 4 with increments up to 2, 3, … 8 from the root +1: the time
//! should grow with the number of depth-1 classes. With arguments it runs other models, each written
//! `root:increments`: `cargo bench -p prodmax-mass --bench deep -- +1:2,2,2,2,2 -4:8,8,8,8`. A plain number n sets
//! the size of the blocks to 2^n pairs.
#![allow(clippy::print_stdout, reason = "a benchmark that prints")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use num_bigint::BigUint;
use prodmax_enumerate::{Model, Plan, ZeroMode};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::deep::{self, Options};
use prodmax_mass::{Contestant, Curve, CurveTable, percentages};
use prodmax_rules::product::Product;

fn main() -> Result<(), String> {
    // `cargo bench` adds options of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with("--")).collect();
    let block_pairs = arguments.iter().find_map(|text| text.parse::<u32>().ok()).map(|power| 1 << power);
    let mut models: Vec<String> = arguments.into_iter().filter(|text| text.contains(':')).collect();
    if models.is_empty() {
        models = (2..=8).map(|a| format!("+1:{a},{a},{a},{a}")).collect();
    }
    println!(
        "model, level-2 classes, depth-1 classes, blocks, escalated, seconds, processor seconds, ns per class, peak MiB | critical, \
         agreeing, tied, minimax error, product error, bound, minimax share, difference %"
    );
    models.iter().try_for_each(|text| run(text, block_pairs))
}

fn run(text: &str, block_pairs: Option<u64>) -> Result<(), String> {
    let model = parse(text).ok_or_else(|| format!("`{text}` is not a model; write e.g. -4:8,8,8,8"))?;
    let (truth, estimate) = (CurveTable::new(Curve::arctan(4), 42), CurveTable::new(Curve::arctan(1), 42));
    let interrupt = AtomicBool::new(false);
    let options = Options { block_pairs, ..Options::new(&interrupt, &|_, _| {}) };
    let (start, start_cpu) = (Instant::now(), processor_seconds());
    let result = deep::mass(&model, &truth, &Contestant::through(Product.into(), &estimate), &options)
        .map_err(|error| format!("{text}: {error}"))?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), processor_seconds() - start_cpu);
    let counts = result.counts;
    assert_eq!(counts.trees(), model.trees());
    if result.items == result.classes {
        assert_eq!(&BigUint::from(result.pairs), Plan::of(&model).depth_one_classes());
    }
    let figures =
        percentages(&Float(&truth), &result.mass, &counts.critical).map_err(|error| error.to_string())?;
    println!(
        "{text}, {}, {}, {}, {}, {seconds:.3}, {cpu:.2}, {:.1}, {:.0} | {}, {}, {}, {:e}, {:e}, {:.1e}, {:.12}, {:.10}",
        result.classes,
        result.pairs,
        result.blocks,
        result.comparisons.escalated,
        cpu / result.pairs as f64 * 1e9,
        peak_mebibytes(),
        counts.critical,
        counts.agreeing,
        counts.tied,
        result.mass.first_error,
        result.mass.second_error,
        result.bound,
        figures.share_first.unwrap_or(f64::NAN),
        figures.difference_percent.unwrap_or(f64::NAN),
    );
    Ok(())
}

fn parse(text: &str) -> Option<Model> {
    let (root, increments) = text.split_once(':')?;
    let increments: Option<Vec<i64>> = increments.split(',').map(|a| a.parse().ok()).collect();
    Model::new(root.parse().ok()?, &increments?, ZeroMode::Skip, 42).ok()
}

/// The processor time of all threads so far, if the system reports it: other programs do not count.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    // The 14th and 15th fields, in hundredths of a second.
    let ticks =
        fields.split_ascii_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The peak resident memory so far, if the system reports it.
fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes / 1024.0)
}
