//! The slow check: compares readings A, B and T0 at 1000 trees with the figures that an earlier, independent program
//! measured with 1000 trees each, and with the published tables.
//!
//!     cargo run --release -p prodmax-simulate --example readings [TREES]
//!
//! Fails if a figure differs by more than 4 of our standard errors plus half of its last printed digit.

#![allow(clippy::print_stdout, reason = "an example that prints")]

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use prodmax_jobs::{Job, ron_file};
use prodmax_simulate::{Probabilities, Ratio, SimulationSpec, TableComparison, decision_errors, simulate};

type Line = [f64; 7];
/// For Table III and for Table IV.
type Lines = [Line; 2];

/// Shares of Tables III and IV, and critical % where known.
const MEASURED: [(&str, Lines, Option<Lines>); 3] = [
    ("a", [[46.9, 49.0, 49.3, 49.5, 50.4, 48.4, 49.6], [45.4, 44.8, 40.7, 40.2, 34.8, 34.8, 28.9]], None),
    (
        "b",
        [[47.4, 49.4, 49.3, 50.3, 51.0, 51.6, 52.8], [46.1, 45.5, 41.7, 41.1, 36.3, 36.8, 31.5]],
        Some([[2.22, 3.63, 3.29, 3.91, 3.32, 3.77, 3.19], [2.38, 3.15, 2.88, 3.29, 2.75, 3.11, 2.56]]),
    ),
    ("t0", [[49.8, 51.5, 55.3, 55.7, 60.4, 58.3, 64.0], [49.9, 44.7, 50.2, 42.9, 48.7, 41.2, 46.7]], None),
];

/// Prints a line of figures with standard errors next to the expected ones; returns whether all are close enough.
fn line(
    name: &str,
    ours: impl Iterator<Item = Option<Ratio>>,
    expected: Option<Line>,
    places: usize,
) -> bool {
    let mut good = true;
    let mut worst: f64 = 0.0;
    let mut text = format!("  {name:24}");
    for (index, ratio) in ours.enumerate() {
        let Some(ratio) = ratio else { continue };
        let (value, error) = (100.0 * ratio.value, 100.0 * ratio.standard_error);
        text += &format!(" {value:.*}±{error:.*}", places + 1, places + 1);
        if let Some(expected) = expected.map(|line| line[index]) {
            let rounding = 0.5 * 10f64.powi(-(places as i32));
            let beyond = ((value - expected).abs() - rounding).max(0.0) / error;
            worst = worst.max(beyond);
            good &= beyond <= 4.0;
        }
    }
    if expected.is_some() {
        text += &format!("  (farthest: {worst:.1} standard errors)");
    }
    println!("{text}");
    good
}

fn reading(name: &str, trees: u64, shares: Lines, critical: Option<Lines>) -> Result<bool, String> {
    let path = format!("{}/../../specs/simulate/{name}.ron", env!("CARGO_MANIFEST_DIR"));
    let spec: SimulationSpec = ron_file::read(Path::new(&path)).map_err(|error| error.to_string())?;
    let title = spec.title.clone();
    let start = Instant::now();
    let spec = SimulationSpec { trees, ..spec };
    let results = simulate(&spec, &Job::new(&AtomicBool::new(false))).map_err(|error| error.to_string())?;
    println!("{title}: {trees} trees in {:.1?}", start.elapsed());
    let mut good = true;
    for (index, probabilities) in Probabilities::ALL.into_iter().enumerate() {
        let published = probabilities.published().map_err(|error| error.to_string())?;
        let table = TableComparison::new(&results, probabilities, &published);
        let rows = || table.rows.iter().filter(|row| row.d >= 2);
        let name = |what: &str| format!("{} {what}", probabilities.table());
        let ours = rows().map(|row| row.share.map(|cell| cell.ours));
        good &= line(&name("shares"), ours, Some(shares[index]), 1);
        let ours = rows().map(|row| row.critical.map(|cell| cell.ours));
        good &= line(&name("critical %"), ours, critical.map(|lines| lines[index]), 2);
        let deviations = |cells: Vec<Option<f64>>| -> Vec<String> {
            cells.into_iter().flatten().map(|deviation| format!("{deviation:+.1}")).collect()
        };
        let shares = rows().map(|row| row.share?.deviation()).collect();
        println!("    published shares away by {} standard errors", deviations(shares).join(" "));
        let critical = rows().map(|row| row.critical?.deviation()).collect();
        println!("    published critical away by {} standard errors", deviations(critical).join(" "));
        if let Some(fit) = table.fit {
            println!(
                "    chi-square {:.1} on {} (p = {:.2e}); {} of {} triples of our trees are as far away",
                fit.chi_square, fit.cells, fit.significance, fit.triples_beyond, fit.triples
            );
        }
    }
    let errors = decision_errors(&results);
    line("Fig. 6 Minimax", errors.iter().map(|at| Some(at.estimated[0])), None, 2);
    line("Fig. 6 Product-est", errors.iter().map(|at| Some(at.estimated[1])), None, 2);
    line("Fig. 6 Product-actual", errors.iter().map(|at| Some(at.actual[1])), None, 2);
    Ok(good)
}

fn main() -> ExitCode {
    let trees = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let mut good = true;
    for (name, shares, critical) in MEASURED {
        match reading(name, trees, shares, critical) {
            Ok(near) => good &= near,
            Err(error) => {
                println!("{error}");
                good = false;
            }
        }
    }
    println!("{}", if good { "all within 4 standard errors" } else { "NOT all within 4 standard errors" });
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
