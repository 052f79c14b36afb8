//! How long the study takes (`cargo bench -p prodmax-pathology`): Table 1 by integration, 40 moves at depth 10, and
//! the paper's sample. Every answer is checked.

#![allow(clippy::print_stdout, reason = "a bench prints its times")]
#![allow(clippy::unwrap_used, reason = "a bench that fails may panic")]

use std::time::Instant;

use prodmax_pathology::{Quantity, RealModel, Row, Sampling, integrate, sample};

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.2} s", start.elapsed().as_secs_f64());
    result
}

/// Asserts that the move error at depth 10 is `expected` and that every figure is known to 1e-5.
fn check(rows: &[Row], expected: f64) {
    let ours = rows[10].get(Quantity::MoveError).unwrap();
    assert!((ours.value - expected).abs() < 1e-5, "{ours:?} is not {expected}");
    let worst = rows.iter().flat_map(|row| row.figures).flatten().map(|figure| figure.error());
    assert!(worst.fold(0.0, f64::max) <= 1e-5);
}

fn main() {
    let model = |b: u32| RealModel { b, ..RealModel::default() };
    let (two, five) = timed("Table 1, b = 2 and 5, integrated to 1e-5", || {
        (integrate(&model(2), 1e-5).unwrap().rows, integrate(&model(5), 1e-5).unwrap().rows)
    });
    check(&two, 0.03210);
    check(&five, 0.06839);
    let forty = timed("b = 40, depth 10, integrated to 1e-5", || integrate(&model(40), 1e-5).unwrap().rows);
    check(&forty, 0.098_196);
    let sampled = timed("10,000 trees of b = 2, depth 10, 10 repetitions, all d", || {
        sample(&model(2), Sampling::default(), Some(0.233_765_24)).unwrap()
    });
    for (sampled, exact) in sampled.iter().zip(&two) {
        for quantity in Quantity::ALL {
            let (Some(sampled), Some(exact)) = (sampled.get(quantity), exact.get(quantity)) else { continue };
            let off = (sampled.value - exact.value).abs() / sampled.error();
            assert!(off <= 4.0, "{quantity:?} {sampled:?} {exact:?}");
        }
    }
}
