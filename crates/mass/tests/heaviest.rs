//! The heaviest critical trees, compared with sorting all of them.

#![allow(clippy::unwrap_used, reason = "a test")]

use approx::assert_relative_eq;
use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::arithmetic::Float;
use prodmax_mass::heaviest::Heavy;
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
