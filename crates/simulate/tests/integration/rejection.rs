//! The slow twin of top-down assignment: redraws both children until they agree with their parent.

use prodmax_enumerate::Mover;
use prodmax_mass::CurveTable;
use prodmax_simulate::generate::Generator;
use prodmax_simulate::scale::Scale;
use prodmax_simulate::tree::{StoredTree, array_len, child_elements};
use prodmax_simulate::{Assignment, SimulationSpec};
use rand_core::Rng;

const DEPTH: usize = 5;
const TREES: u64 = 20_000;

fn spec() -> SimulationSpec {
    let text = r#"(id: "x", title: "", source: "", tree_depth: 5, root: 3, increment: 4, h_max: 9,
        truth: "pearl:4", assignment: "top-down", estimate: "pearl:1", depths: [1], trees: 1, seed: 11)"#;
    prodmax_jobs::ron_file::parse(text, "x").unwrap()
}

fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

fn rejection(scale: &Scale, truth: &[f64], random: &mut impl Rng, tree: &mut StoredTree) {
    tree.places[1] = scale.root() as u16;
    tree.truth[1] = u8::from(uniform(random) < truth[scale.root()]);
    for element in 1..array_len(DEPTH - 1) {
        let mover = Mover::at(element.ilog2() as usize);
        let won = u8::from(mover == Mover::Max);
        loop {
            for child in child_elements(element) {
                let increment = (uniform(random) * (scale.increment() + 1) as f64) as usize;
                let place = scale.child(tree.places[element].into(), mover, increment);
                tree.places[child] = place as u16;
                tree.truth[child] = u8::from(uniform(random) < truth[place]);
            }
            let some_won = child_elements(element).iter().any(|&child| tree.truth[child] == won);
            if some_won == (tree.truth[element] == won) {
                break;
            }
        }
    }
}

/// Counts of (place, truth) per level, and of each pair of siblings' (place, truth) under the root.
fn tally(draw: impl Fn(u64, &mut StoredTree), places: usize) -> (Vec<u64>, Vec<u64>) {
    let mut tree = StoredTree::new(DEPTH);
    let mut nodes = vec![0; (DEPTH + 1) * places * 2];
    let mut siblings = vec![0; (places * 2) * (places * 2)];
    for number in 0..TREES {
        draw(number, &mut tree);
        let kind = |element: usize| usize::from(tree.places[element]) * 2 + usize::from(tree.truth[element]);
        // One random path per tree keeps the counts independent.
        let mut element = 1;
        for level in 0..=DEPTH {
            nodes[level * places * 2 + kind(element)] += 1;
            if level < DEPTH {
                element = child_elements(element)[(number >> level & 1) as usize];
            }
        }
        siblings[kind(2) * places * 2 + kind(3)] += 1;
    }
    (nodes, siblings)
}

/// The two-sample chi-square statistic in standard deviations from its mean, over kinds that are frequent enough.
fn distance(a: &[u64], b: &[u64]) -> f64 {
    let frequent = a.iter().zip(b).filter(|(a, b)| *a + *b >= 20);
    let (mut chi_square, mut cells) = (0.0f64, 0.0f64);
    for (&a, &b) in frequent {
        chi_square += (a as f64 - b as f64).powi(2) / (a + b) as f64;
        cells += 1.0;
    }
    assert!(cells > 20.0, "only {cells} frequent kinds");
    (chi_square - cells) / (2.0 * cells).sqrt()
}

#[test]
fn one_pass_draws_what_rejection_draws() {
    let spec = spec();
    let scale = Scale::new(&spec).unwrap();
    let truth = scale.probabilities(&CurveTable::new(spec.truth.clone(), 9));
    let generator = Generator::new(&scale, &truth, Assignment::TopDown, DEPTH, spec.seed);
    let one_pass = tally(|number, tree| generator.draw(number, tree), scale.places());
    let redrawn = tally(
        |number, tree| rejection(&scale, &truth, &mut Generator::stream(12, number), tree),
        scale.places(),
    );
    let distances = [distance(&one_pass.0, &redrawn.0), distance(&one_pass.1, &redrawn.1)];
    assert!(distances.iter().all(|distance| distance.abs() < 4.0), "{distances:?}");
    // The test can tell the difference: without the condition the distance is enormous.
    let free = Generator::new(&scale, &truth, Assignment::BottomUp, DEPTH, spec.seed);
    let free = tally(|number, tree| free.draw(number, tree), scale.places());
    assert!(distance(&free.0, &redrawn.0) > 10.0);
}
