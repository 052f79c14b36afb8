//! The heaviest critical trees, compared with sorting all of them.

use approx::assert_relative_eq;
use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::heaviest::{Draw, Heavy};
use prodmax_mass::{Contest, Contestant, Curves, Forest};

/// Every critical pair of classes, heaviest first.
fn all(contest: &Contest<'_>, truth: &[f64]) -> Vec<Heavy> {
    let mut all = Vec::new();
    let visit = |m: usize, p: usize, trees: u128| {
        let first_error = trees as f64 * ((1.0 - truth[m]) * truth[p]);
        let second_error = trees as f64 * (truth[m] * (1.0 - truth[p]));
        all.push(Heavy { m, p, trees, first_error, second_error });
    };
    contest.for_each_pair(visit).unwrap();
    all.sort_by(|a, b| b.weight().total_cmp(&a.weight()).then_with(|| (a.m, a.p).cmp(&(b.m, b.p))));
    all
}

#[test]
fn the_heaviest_trees_are_those_that_sorting_all_of_them_finds() {
    for (root, increments, zero, rules) in [
        (-1, &[3, 3][..], ZeroMode::Skip, ["minimax", "product"]),
        (1, &[8, 8], ZeroMode::Skip, ["minimax", "product"]),
        (-4, &[4, 4], ZeroMode::Allow, ["product", "mean:4"]),
        (2, &[2, 2, 2], ZeroMode::Skip, ["minimax", "baum:9/10:9/10"]),
        (-1, &[3, 3, 3], ZeroMode::Skip, ["minimax", "product"]),
        // With two leaves, no rules disagree.
        (1, &[5], ZeroMode::Skip, ["minimax", "product"]),
    ] {
        let model = Model::new(root, increments, zero, 42).unwrap();
        let curves = Curves::new("arctan:4".parse().unwrap(), "arctan:1".parse().unwrap(), 42);
        let forest = Forest::of(&model).unwrap();
        let [first, second] =
            rules.map(|rule| forest.rank(&Contestant::new(rule.parse().unwrap(), &curves)).unwrap());
        let contest = Contest::new(&forest, &first, &second);
        let truth = forest.truth(&Float(&curves.truth));
        let all = all(&contest, &truth);
        for count in [0, 1, 7, 100, all.len() + 1] {
            let found = contest.heaviest(&truth, count);
            assert_eq!(found, all[..count.min(all.len())], "{root} {increments:?} {rules:?}, {count}");
        }
        // All of them together are the error masses of the model.
        let mass = contest.mass(&Float(&curves.truth), &truth);
        assert_relative_eq!(
            all.iter().map(|heavy| heavy.first_error).sum::<f64>(),
            mass.first_error,
            max_relative = 1e-9
        );
        assert_relative_eq!(
            all.iter().map(|heavy| heavy.second_error).sum::<f64>(),
            mass.second_error,
            max_relative = 1e-9
        );
    }
}

/// Of 40,000 trees, each is drawn as often as its weight says, within five standard deviations. Rare ones are counted
/// together.
#[test]
fn trees_are_drawn_by_weight() {
    let model = Model::new(-1, &[4, 4], ZeroMode::Skip, 42).unwrap();
    let curves = Curves::new("arctan:4".parse().unwrap(), "arctan:1".parse().unwrap(), 42);
    let forest = Forest::of(&model).unwrap();
    let [first, second] = ["minimax", "product"]
        .map(|rule| forest.rank(&Contestant::new(rule.parse().unwrap(), &curves)).unwrap());
    let contest = Contest::new(&forest, &first, &second);
    let truth = forest.truth(&Float(&curves.truth));
    let all = all(&contest, &truth);
    let draw = Draw::new(contest, &truth);
    // splitmix64.
    let mut state = 0u64;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let count = 40_000;
    let mut drawn = vec![0.0; all.len()];
    for _ in 0..count {
        let heavy = std::iter::repeat_with(|| draw.attempt(&mut random)).flatten().next().unwrap();
        drawn[all.iter().position(|other| *other == heavy).unwrap()] += 1.0;
    }
    let total: f64 = all.iter().map(Heavy::weight).sum();
    // Parts and numbers.
    let mut found: Vec<(f64, f64)> =
        all.iter().zip(drawn).map(|(heavy, drawn)| (heavy.weight() / total, drawn)).collect();
    let (rare, often): (Vec<_>, Vec<_>) = found.drain(..).partition(|(part, _)| *part < 0.001);
    assert!(often.len() > 10);
    let together = rare.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    for (part, drawn) in often.into_iter().chain([together]) {
        let expected = f64::from(count) * part;
        let deviation = (expected * (1.0 - part)).sqrt();
        assert!((drawn - expected).abs() <= 5.0 * deviation, "{drawn}, {expected} ± {deviation}");
    }
}
