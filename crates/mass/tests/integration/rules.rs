//! Every rule against every other, compared with the slow twin that visits all ordered trees.

use approx::assert_relative_eq;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::arithmetic::{Arithmetic as _, Certified as Enclosures, Exact, Float};
use prodmax_mass::{Certified, Curve, Curves, Doubles, Exact as Fractions, Measure, Measurement, NumberKind};
use prodmax_number::fraction::to_f64;
use prodmax_number::{Certain, Enclosure, Fraction};
use prodmax_rules::Rule;
use proptest::prelude::*;

use crate::twin::{Twin, Visited, visit};

const RULES: [&str; 13] = [
    "minimax",
    "product",
    "average:1/2",
    "average:1/7",
    "mean:1",
    "mean:2",
    "mean:5",
    "baum:4/5:4/5",
    "baum:1/2:1/2",
    "baum:1:1",
    "baum:3/4:1/2",
    "hints:9/10",
    "ideal",
];

fn small_model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=9, 1),
        prop::collection::vec(0i64..=3, 2),
        Just(vec![1, 1, 1]),
        Just(vec![0, 0, 3]),
        Just(vec![2, 0, 1]),
        Just(vec![0, 2, 1]),
        Just(vec![1, 1, 0, 0]),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    let h_max = prop_oneof![Just(42i64), Just(12), Just(9)];
    let binary = (increments, zero, -6i64..=6, h_max)
        .prop_filter_map("a root of 0 under skip", |(a, zero, root, h_max)| {
            Model::new(root, &a, zero, h_max).ok()
        });
    prop_oneof![1 => binary, 1 => more_moves()]
}

/// Increments with three moves, and with four.
const THREE: [&[i64]; 6] = [&[1, 1], &[2, 1], &[3, 0], &[0, 2], &[1, 1, 0], &[2, 1, 0]];
const FOUR: [&[i64]; 4] = [&[0, 1], &[2, 0], &[4, 0], &[1, 0]];

/// Models with one, three, four and more moves everywhere.
fn more_moves() -> impl Strategy<Value = Model> {
    let shape = prop_oneof![
        1 => (Just(1), prop::collection::vec(0i64..=3, 1..4)),
        1 => (3i64..=5, prop::collection::vec(0i64..=5, 1)),
        5 => (Just(3), prop::sample::select(&THREE[..]).prop_map(<[i64]>::to_vec)),
        3 => (Just(4), prop::sample::select(&FOUR[..]).prop_map(<[i64]>::to_vec)),
        1 => Just((5, vec![2, 0])),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    (shape, zero, -4i64..=4, prop_oneof![Just(42i64), Just(9)]).prop_filter_map(
        "a root of 0 under skip",
        |((branching, a), zero, root, h_max)| {
            Model::new(root, &a, zero, h_max).ok()?.with_branching(branching).ok()
        },
    )
}

fn two_rules() -> impl Strategy<Value = [&'static str; 2]> {
    (prop::sample::select(&RULES[..]), prop::sample::select(&RULES[..])).prop_map(|(a, b)| [a, b])
}

fn curve() -> impl Strategy<Value = Curve> {
    prop_oneof![
        Just("arctan:1"),
        Just("arctan:4"),
        Just("pearl:2"),
        Just("uniform:1/20"),
        Just("uniform:1/3")
    ]
    .prop_map(|text| text.parse().unwrap())
}

fn measured<K: NumberKind>(curves: &Curves, model: &Model, rules: [&str; 2]) -> Measurement<K::Number> {
    let rules = rules.map(|rule| rule.parse::<Rule>().unwrap());
    Measure::new(model, curves).number::<K>().rules(rules).quality(true).run().unwrap()
}

fn doubles(curves: &Curves, model: &Model, rules: [&str; 2]) -> Measurement<f64> {
    measured::<Doubles>(curves, model, rules).map(|number| number.value)
}

fn enclosure(number: Certain) -> Enclosure {
    match number {
        Certain::Enclosed(enclosure) => enclosure,
        Certain::Between(ends) => panic!("{ends:?}"),
    }
}

/// What the twin finds with leaves in one kind of number.
fn visited<T: crate::twin::Exactish>(
    model: &Model,
    rules: [&str; 2],
    estimate: &dyn Fn(prodmax_enumerate::HeuristicValue) -> T,
    truth: &dyn Fn(prodmax_enumerate::HeuristicValue) -> T,
) -> Visited<T> {
    let leaf = |rule: &str| if rule == "ideal" { truth } else { estimate };
    let [first, second] =
        rules.map(|rule| Twin { rule, leaf: leaf(rule), depth: model.depth(), branching: model.branching() });
    visit(model, &first, &second, truth)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn doubles_and_enclosures_agree_with_visiting_every_tree(
        model in small_model(), rules in two_rules(), truth in curve(), estimate in curve()
    ) {
        let curves = Curves::new(truth, estimate, model.line().h_max());
        let expected = visited(&model, rules, &|h| curves.estimate.double(h), &|h| curves.truth.double(h));
        let measured = doubles(&curves, &model, rules);
        let pair = &measured.matches[0];
        prop_assert_eq!(pair.counts().unwrap(), &expected.counts, "{:?}", rules);
        prop_assert_eq!(pair.counts().unwrap().trees(), model.trees());
        let trees = model.trees().to_f64().unwrap();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-11 * b.abs().max(1e-3);
        prop_assert!(near(pair.errors()[0], expected.errors[0]));
        prop_assert!(near(pair.errors()[1], expected.errors[1]));
        let chances = measured.chances.unwrap();
        let ideal = chances.ideal;
        for (quality, won) in measured.quality.iter().zip(expected.won) {
            prop_assert!(near(quality.won, won / trees), "{rules:?}: {} {}", quality.won, won / trees);
            // Nothing wins more than the ideal rule.
            prop_assert!(quality.won <= ideal + 1e-12);
        }
        prop_assert!(near(chances.random, expected.random / trees));

        let certified = self::measured::<Certified>(&curves, &model, rules).map(enclosure);
        prop_assert_eq!(certified.matches[0].counts(), pair.counts());
        let inside = |enclosure: &Enclosure, double: f64| {
            prop_assert!(near(to_f64(&enclosure.middle()), double));
            prop_assert!(to_f64(&enclosure.width()) < 1e-30);
            Ok(())
        };
        inside(&certified.matches[0].errors()[0], expected.errors[0])?;
        inside(&certified.matches[0].errors()[1], expected.errors[1])?;
        inside(&certified.quality[0].won, expected.won[0] / trees)?;
    }

    #[test]
    fn exchanging_the_rules_exchanges_their_errors_to_the_last_bit(
        model in small_model(), [a, b] in two_rules(), estimate in curve()
    ) {
        let curves = Curves::new(Curve::arctan(4), estimate, model.line().h_max());
        let [one, other] = [[a, b], [b, a]].map(|rules| {
            doubles(&curves, &model, rules).matches[0].errors().map(f64::to_bits)
        });
        prop_assert_eq!(one, [other[1], other[0]]);
    }
}

proptest! {
    // Fractions make the twin slow.
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// In fractions everything is exact, including the identity between contests and qualities: where the rules
    /// choose differently, the first one wins Pr(M won) - Pr(P won) more, which equals the excess of the second
    /// rule's errors; the rest of the difference comes from tied trees.
    #[test]
    fn fractions_agree_with_visiting_every_tree_exactly(
        model in small_model(), rules in two_rules(),
        [truth, estimate] in prop::sample::select(&[["1/20", "1/7"], ["1/3", "1/20"], ["0", "1/5"], ["1/2", "1/9"]][..])
    ) {
        let curve = |p: &str| format!("uniform:{p}").parse::<Curve>().unwrap();
        let exact = |p: &str| Exact { error: prodmax_number::fraction::parse(p).unwrap() };
        let curves = Curves::new(curve(truth), curve(estimate), model.line().h_max());
        let (truth, estimate) = (exact(truth), exact(estimate));
        let expected = visited(&model, rules, &|h| estimate.leaf(h), &|h| truth.leaf(h));
        let measured = measured::<Fractions>(&curves, &model, rules);
        let pair = &measured.matches[0];
        prop_assert_eq!(pair.counts().unwrap(), &expected.counts);
        prop_assert_eq!(pair.errors(), &expected.errors);
        let trees = Fraction::from_integer(num_bigint::BigInt::from(model.trees()));
        for (quality, won) in measured.quality.iter().zip(&expected.won) {
            prop_assert_eq!(&quality.won * &trees, won.clone());
        }
        prop_assert_eq!(measured.chances.as_ref().map(|chances| &chances.random * &trees), Some(expected.random));
        let by_contest = &pair.errors()[1] - &pair.errors()[0];
        let lead = &measured.quality[0].won - &measured.quality[1].won;
        prop_assert_eq!(lead * &trees, by_contest + &expected.tied);
        let hundred = Fraction::from_integer(100.into());
        prop_assert_eq!(pair.ties_points.as_ref().map(|ties| ties * &trees), Some(expected.tied * hundred));
    }
}

fn skip(root: i64, increments: &[i64]) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
}

fn khs_curves() -> Curves {
    Curves::new(Curve::arctan(4), Curve::arctan(1), 42)
}

/// Figures of an independent high-precision program.
#[test]
fn known_figures_of_other_rules() {
    for (root, increments, rules, critical, difference, efficiencies) in [
        (
            1,
            &[8, 8][..],
            ["minimax", "mean:4"],
            19784,
            -8.311_923_162_122_94,
            [0.960_888_035_663_668, 0.998_852_315_021_604],
        ),
        (
            1,
            &[8, 8],
            ["minimax", "hints:9/10"],
            11608,
            -11.259_039_261_507_9,
            [0.960_888_035_663_668, 0.995_242_670_866_934],
        ),
        (
            -1,
            &[3, 3, 3],
            ["product", "average:1/2"],
            13_383_576,
            2.658_728_200_301_15,
            [0.999_377_840_758_326, 0.987_181_302_828_884],
        ),
        (
            -1,
            &[3, 3, 3],
            ["minimax", "baum:4/5:4/5"],
            8_105_176,
            -7.670_066_954_210_25,
            [0.911_584_706_244_122, 0.995_849_239_036_422],
        ),
    ] {
        let (model, curves) = (skip(root, increments), khs_curves());
        let measured = doubles(&curves, &model, rules);
        let pair = &measured.matches[0];
        assert_eq!(pair.counts().unwrap().critical, BigUint::from(critical as u32), "{rules:?}");
        assert_relative_eq!(pair.figures.difference_percent.unwrap(), difference, max_relative = 1e-13);
        for (quality, expected) in measured.quality.iter().zip(efficiencies) {
            assert_relative_eq!(quality.efficiency.unwrap(), expected, max_relative = 3e-14);
        }
    }
}

/// Useless hints give minimax, perfect ones product propagation: over all trees, not only where doubles can tell.
#[test]
fn the_ends_of_baums_path_are_never_critical() {
    for model in [skip(1, &[8, 8]), skip(-1, &[3, 3, 3]), skip(-2, &[8, 8, 8])] {
        for rules in [
            ["minimax", "baum:1/2:1/2"],
            ["product", "baum:1:1"],
            ["minimax", "average:1"],
            ["product", "average:0"],
        ] {
            let measured = doubles(&khs_curves(), &model, rules);
            assert_eq!(measured.matches[0].counts().unwrap().critical, BigUint::ZERO, "{rules:?}");
            assert_relative_eq!(measured.quality[0].won, measured.quality[1].won, max_relative = 1e-14);
        }
    }
}

/// The plateaus of a rule are proved equal: 42 % of the classes of 8,8,8 share their value with another class.
#[test]
fn plateaus_are_ties() {
    let model = skip(-1, &[8, 8, 8]);
    let curves = khs_curves();
    let contestant = prodmax_mass::Contestant::new("hints:19/20".parse().unwrap(), &curves);
    let forest = prodmax_mass::Forest::of(&model).unwrap();
    let ranking = forest.rank(&contestant).unwrap();
    let in_ties: usize = ranking.groups().iter().filter(|group| group.len() > 1).map(<[u32]>::len).sum();
    let share = in_ties as f64 / forest.classes().len() as f64;
    assert!((0.41..0.43).contains(&share), "{share}");
    assert_eq!(ranking.comparisons().unresolved, 0);
}

/// The ideal rule ranks classes by their truth, in doubles as in enclosures.
#[test]
fn truth_is_the_ideal_rule() {
    let (model, curves) = (skip(-1, &[2, 1, 2]), khs_curves());
    let forest = prodmax_mass::Forest::of(&model).unwrap();
    let ideal = forest.rank(&prodmax_mass::Contestant::new("ideal".parse().unwrap(), &curves)).unwrap();
    let truth = forest.truth(&Float(&curves.truth));
    let certified = forest.truth(&Enclosures { curve: &curves.truth, bits: 100 });
    let mut last = f64::NEG_INFINITY;
    for group in ideal.groups().iter() {
        let values: Vec<f64> = group.iter().map(|&class| truth[class as usize]).collect();
        assert!(values.iter().all(|value| (value - values[0]).abs() < 1e-15 && *value > last));
        last = values[0];
        assert!((to_f64(&certified[group[0] as usize].middle()) - last).abs() < 1e-15);
    }
}
