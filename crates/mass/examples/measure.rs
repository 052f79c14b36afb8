//! How long the engine takes for what `Model.mass()` of the Python package computes: the least of several times, in
//! milliseconds.
//!
//!     cargo run --release -p prodmax-mass --example measure -1 3,3,3 100

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;
use std::time::Instant;

use prodmax_enumerate::{Line, Model, ZeroMode};
use prodmax_mass::{Curve, Curves, Measure};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, increments, calls] = arguments.as_slice() else {
        return Err("give a root, increments and a number of calls, e.g. -1 3,3,3 100".into());
    };
    let increments = increments.split(',').map(str::parse).collect::<Result<Vec<i64>, _>>()?;
    let model = Model::new(root.parse()?, &increments, ZeroMode::Skip, Line::DEFAULT_H_MAX)?;
    let mut least = f64::INFINITY;
    for _ in 0..calls.parse::<u32>()? {
        let begun = Instant::now();
        let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), model.line().h_max());
        let measured = Measure::new(&model, &curves).quality(true).run()?;
        least = least.min(begun.elapsed().as_secs_f64());
        let counts = measured.matches[0].counts().ok_or("the classes count trees")?;
        assert_eq!(counts.trees(), model.trees());
    }
    println!("{}", 1000.0 * least);
    Ok(())
}
