//! Trees per second of one thread and the memory of one workspace: `cargo bench -p prodmax-simulate --bench trees`.
//! The answers are asserted, the times are not: a slow machine is not an error, a wrong number is.
//!
//! Times depend on the machine, instruction counts hardly do. To count the instructions for ten trees:
//!
//!     cargo bench -p prodmax-simulate --bench trees --no-run      # prints the path of the program
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null PROGRAM --count 10
//!
//! and once more with `--count 0` to see what the tables alone take.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that prints")]

use std::time::Instant;

use prodmax_simulate::generate::Generator;
use prodmax_simulate::{DepthCounts, Simulation, SimulationSpec};

const B: &str = prodmax_data::text("specs/simulate/b.ron");
const T0: &str = prodmax_data::text("specs/simulate/t0.ron");

fn spec(text: &str) -> SimulationSpec {
    prodmax_jobs::ron_file::parse(text, "spec").unwrap()
}

/// The counts of tree 0 at d = 2: pairs, decisive nodes, errors of the three players, wins in both contests.
fn fingerprint(counts: &DepthCounts) -> [u64; 9] {
    let (e, a) = (counts.estimated, counts.actual);
    [
        counts.pairs,
        counts.decisive,
        counts.estimated_errors[0],
        counts.estimated_errors[1],
        counts.actual_errors[1],
        e.first_wins,
        e.second_wins,
        a.first_wins,
        a.second_wins,
    ]
}

fn bench(name: &str, text: &str, expected: [u64; 9]) {
    let experiment = Simulation::new(&spec(text)).unwrap();
    let mut workspace = experiment.workspace();
    let first = experiment.tree(0, &mut workspace);
    assert_eq!(fingerprint(&first.depths[1]), expected, "{name}");
    let mut best = f64::INFINITY;
    for number in 0..60 {
        let start = Instant::now();
        let counts = experiment.tree(number, &mut workspace);
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(counts.depths.len(), 8);
    }
    println!(
        "{name:3} {:6.2} ms per tree, {:4.0} trees per second, {:.1} MB per thread",
        1e3 * best,
        1.0 / best,
        workspace.bytes() as f64 / 1e6
    );
}

/// The time spent on drawing.
fn bench_draw() {
    let spec = spec(B);
    let scale = prodmax_simulate::scale::Scale::new(&spec).unwrap();
    let truth = scale.probabilities(&prodmax_mass::CurveTable::new(spec.truth.clone(), 42));
    let generator = Generator::new(&scale, &truth, spec.assignment, 18, spec.seed);
    let mut tree = prodmax_simulate::tree::StoredTree::new(18);
    let mut best = f64::INFINITY;
    for _ in 0..40 {
        let start = Instant::now();
        generator.draw(0, &mut tree);
        best = best.min(start.elapsed().as_secs_f64());
    }
    assert_eq!(tree.places.iter().skip(1).map(|&place| u64::from(place)).sum::<u64>(), SUM_OF_PLACES);
    println!("    {:6.2} ms of it for drawing", 1e3 * best);
}

const SUM_OF_PLACES: u64 = 17832979;

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--count").skip(1);
    if let Some(count) = arguments.next().and_then(|count| count.parse::<u64>().ok()) {
        let experiment = Simulation::new(&spec(B)).unwrap();
        let mut workspace = experiment.workspace();
        let pairs: u64 =
            (0..count).map(|number| experiment.tree(number, &mut workspace).depths[0].pairs).sum();
        assert_eq!(pairs, count * ((1 << 18) - 1));
        return;
    }
    bench("B", B, [131_071, 17_857, 5_370, 5_240, 5_150, 1_294, 1_483, 1_252, 1_677]);
    bench_draw();

    bench("T0", T0, [131071, 27071, 5454, 5351, 5326, 2022, 1930, 1940, 1870]);
}
