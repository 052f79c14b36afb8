//! How long laws of values take, measured in one run: `cargo bench -p prodmax-law --bench law`. Every answer is
//! asserted, no time is.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that prints")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_law as law;
use prodmax_rules::{Curve, Curves};

fn main() {
    let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    let interrupt = AtomicBool::new(false);
    for (increments, exact, bits) in [(&[8; 4][..], -11.456_924, 13), (&[8; 8], -18.7875, 12)] {
        let model = Model::new(1, increments, ZeroMode::Skip, 42).unwrap();
        let options = |bits: u32| law::Options::new(1 << bits, &interrupt, &|_, _| {});
        let start = Instant::now();
        let bounds = law::bounds(&model, &curves, &options(bits)).unwrap();
        let [low, high] = bounds.figures.difference_percent.unwrap();
        assert!(low < exact && exact < high && bounds.width() < 3.0);
        println!(
            "depth {}, bounds: {:.3} points wide, {:.1?}",
            increments.len(),
            high - low,
            start.elapsed()
        );
        let start = Instant::now();
        let estimate = law::estimate(&model, &curves, &options(bits - 2)).unwrap();
        let difference = estimate.figures.difference_percent.unwrap();
        assert!((difference.value - exact).abs() < 5e-4);
        println!("depth {}, estimate: {:.6}, {:.1?}", increments.len(), difference.value, start.elapsed());
    }
    effect_of_listing(&curves, &interrupt);
}

/// The widths of the same grid if more and more of the lowest levels are listed instead of rounded.
fn effect_of_listing(curves: &Curves, interrupt: &AtomicBool) {
    for increments in [&[8; 4][..], &[8; 8]] {
        let model = Model::new(1, increments, ZeroMode::Skip, 42).unwrap();
        for listed in [0, 1 << 12, law::Options::LISTED] {
            let defaults = law::Options::new(1 << 11, interrupt, &|_, _| {});
            let start = Instant::now();
            let bounds = law::bounds(&model, curves, &law::Options { listed, ..defaults }).unwrap();
            assert!(bounds.figures.difference_percent.is_some_and(|[low, high]| low < high));
            println!(
                "depth {}, at most {listed} subtrees listed: {:.3} points wide, {:.1?}",
                increments.len(),
                bounds.width(),
                start.elapsed()
            );
        }
    }
}
