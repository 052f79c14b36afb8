//! Numbers of moves other than two: known figures, and models with three and four moves in which every tree is
//! visited.

use approx::assert_relative_eq;
use num_bigint::BigUint;
use prodmax_enumerate::{HeuristicValue, Model, ZeroMode};
use prodmax_mass::arithmetic::{Exact, Symbolic};
use prodmax_mass::{
    Contestant, Critical, Crossover, Curve, Curves, Forest, Matches, MeasureError, Measured, Number,
    Numbered, Request, deep, is_deep,
};
use prodmax_number::fraction::parse;
use prodmax_number::fraction::to_f64;

use crate::twin::{Twin, visit};

fn model(root: i64, increments: &[i64], branching: i64) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap()
}

fn stated() -> Curves {
    Curves::new(Curve::arctan(4), Curve::arctan(1), 42)
}

fn request(rules: [&str; 2], number: Number) -> Request {
    Request { rules: rules.map(|rule| rule.parse().unwrap()), number, quality: true }
}

/// Root +1, increments up to 2 and three moves: compared with an independent high-precision program, and with the
/// twin.
#[test]
fn three_moves_at_depth_two() {
    let (model, curves) = (model(1, &[2, 2], 3), stated());
    assert_eq!(model.trees(), BigUint::from(531_441u32));
    let measurement = curves.measure(&model, Number::F64).unwrap();
    assert_eq!(measurement.classes, 22);
    assert_eq!(measurement.counts.critical, BigUint::from(5_508u32));
    assert_eq!(measurement.counts.trees(), model.trees());
    let Measured::F64(outcome) = measurement.measured else { panic!("no doubles") };
    assert_relative_eq!(outcome.mass.first_error, 717.665027035410, max_relative = 1e-14);
    assert_relative_eq!(outcome.mass.second_error, 661.508337642807, max_relative = 1e-14);
    assert_relative_eq!(outcome.figures.difference_percent.unwrap(), -4.07176435035818, max_relative = 1e-13);
    let Measured::Certified(certified) = curves.measure(&model, Number::Certified).unwrap().measured else {
        panic!("no enclosures")
    };
    let difference = certified.figures.difference_percent.unwrap();
    assert_relative_eq!(to_f64(&difference.middle()), -4.07176435035818, max_relative = 1e-14);
    assert!(to_f64(&difference.width()) < 1e-30);
    let leaf = |h: HeuristicValue| curves.estimate.double(h);
    let [minimax, product] =
        ["minimax", "product"].map(|rule| Twin { rule, leaf: &leaf, depth: 2, branching: 3 });
    let visited = visit(&model, &minimax, &product, &|h| curves.truth.double(h));
    assert_eq!(visited.counts, measurement.counts);
    assert_relative_eq!(visited.errors[0], outcome.mass.first_error, max_relative = 1e-12);
    assert_relative_eq!(visited.errors[1], outcome.mass.second_error, max_relative = 1e-12);
}

/// Four moves with two increments each everywhere: a million trees; the twin looks at the four branches of each.
#[test]
fn four_moves_at_depth_two() {
    let (model, curves) = (model(-1, &[1, 1], 4), stated());
    let rules = ["mean:2", "hints:9/10"];
    let leaf = |h: HeuristicValue| curves.estimate.double(h);
    let [first, second] = rules.map(|rule| Twin { rule, leaf: &leaf, depth: 2, branching: 4 });
    let visited = visit(&model, &first, &second, &|h| curves.truth.double(h));
    let measurement = curves.answer(&model, &request(rules, Number::F64)).unwrap();
    assert_eq!(visited.counts, measurement.counts);
    let Measured::F64(outcome) = measurement.measured else { panic!("no doubles") };
    let trees = 2f64.powi(20);
    for (quality, won) in outcome.quality.unwrap().rules.iter().zip(visited.won) {
        // The twin adds up a million doubles one by one: 2^20 roundings of 2^-53 at worst.
        assert_relative_eq!(quality.won, won / trees, max_relative = 1.2e-10);
    }
}

/// One move everywhere: there is nothing to choose.
#[test]
fn a_single_move_leaves_no_choice() {
    let model = model(1, &[3, 2, 1], 1);
    let Ok(measurement) = stated().answer(&model, &request(["minimax", "product"], Number::F64)) else {
        panic!("not measured")
    };
    let [none, all] = [BigUint::ZERO, BigUint::from(24u32)];
    assert_eq!((&measurement.counts.critical, &measurement.counts.agreeing), (&none, &all));
    assert_eq!(measurement.counts.tied, none);
    let Measured::F64(outcome) = measurement.measured else { panic!("no doubles") };
    let figures = outcome.figures;
    assert_eq!(
        (figures.share_first, figures.difference_percent, figures.per_case_percent),
        (None, None, None)
    );
    let quality = outcome.quality.unwrap();
    assert!(quality.rules.iter().all(|rule| rule.efficiency.is_none() && rule.won == quality.chances.random));
}

/// 9^30 and 9^72 trees: counts of any size, which add up.
#[test]
fn all_trees_are_counted_beyond_128_bits() {
    for (branching, classes) in [(5, 5_247), (8, 64_350)] {
        let model = model(1, &[8, 8], branching);
        let measurement = stated().measure(&model, Number::F64).unwrap();
        assert_eq!(measurement.classes, classes);
        assert_eq!(measurement.counts.trees(), model.trees());
        assert!(measurement.counts.critical > BigUint::ZERO);
    }
}

/// The percentages are the same in all kinds of numbers, and a uniform error rate gives fractions.
#[test]
fn every_kind_of_number_gives_the_same_figures() {
    let model = model(-1, &[3, 2], 4);
    let curves = Curves::new("uniform:1/20".parse().unwrap(), Curve::arctan(1), 42);
    let rules = ["average:1/2", "product"];
    let measured = |number| curves.answer(&model, &request(rules, number)).unwrap().measured;
    let (Measured::F64(f), Measured::Certified(c), Measured::Exact(e)) =
        (measured(Number::F64), measured(Number::Certified), measured(Number::Exact))
    else {
        panic!("other numbers")
    };
    let exact = e.figures.difference_percent.unwrap();
    assert!(c.figures.difference_percent.unwrap().contains(&exact));
    assert_relative_eq!(f.figures.difference_percent.unwrap(), to_f64(&exact), max_relative = 1e-12);
    let [f, c, e] = [
        f.quality.unwrap().rules[1].efficiency.unwrap(),
        to_f64(&c.quality.unwrap().rules[1].efficiency.clone().unwrap().middle()),
        to_f64(&e.quality.unwrap().rules[1].efficiency.clone().unwrap()),
    ];
    assert_relative_eq!(f, e, max_relative = 1e-11);
    assert_relative_eq!(c, e, max_relative = 1e-15);
}

/// The polynomials are the masses in fractions at every error rate; their degree is at most the number of leaves of
/// two branches.
#[test]
fn polynomials_of_three_moves() {
    let model = model(-2, &[2, 2], 3);
    let critical = Critical::of(&model, &stated().estimate).unwrap();
    let crossover = Crossover::of(&critical);
    assert_eq!(crossover.intervals, None, "formula (7) is only for two moves");
    assert_eq!(crossover.mass.first_error.numerator().degree(), Some(6));
    for p in ["0", "1/20", "1/3", "1/2", "6/7"] {
        let exact = Exact { error: parse(p).unwrap() };
        let mass = critical.mass(&exact, &critical.truth(&exact));
        assert_eq!(crossover.mass.first_error.evaluate(&exact.error), mass.first_error, "{p}");
        assert_eq!(crossover.mass.second_error.evaluate(&exact.error), mass.second_error, "{p}");
    }
    let truth = critical.truth(&Symbolic);
    assert!(truth.iter().all(|t| t.numerator().degree().unwrap_or(0) <= 3));
    // Every critical pair of classes, one by one.
    let mut trees = BigUint::ZERO;
    critical.for_each_pair(|_, _, ways| trees += ways).unwrap();
    assert_eq!(trees, critical.counts().critical);
}

#[test]
fn pairs_of_classes_stand_for_all_trees_with_five_moves() {
    let critical = Critical::of(&model(1, &[1, 2], 5), &stated().estimate).unwrap();
    let mut trees = BigUint::ZERO;
    critical.for_each_pair(|_, _, ways| trees += ways).unwrap();
    assert!(trees > BigUint::ZERO);
    assert_eq!(trees, critical.counts().critical);
}

/// In fractions, and only with Minimax: the same matches as among all.
#[test]
fn tournaments_in_fractions_agree_with_single_measurements() {
    let model = model(1, &[2, 2], 3);
    let curves = Curves::new("uniform:1/5".parse().unwrap(), Curve::arctan(1), 42);
    let rules = ["product", "minimax", "mean:1"].map(|rule| rule.parse().unwrap());
    let [all, few] = [Matches::All, Matches::WithMinimax].map(|matches| {
        let tournament = curves.tournament_of(&model, &rules, Number::Exact, matches).unwrap();
        let Numbered::Exact(standings) = tournament.standings else { panic!("no fractions") };
        standings.matches
    });
    assert_eq!(all.iter().map(|game| game.rules).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(few, [all[0].clone(), all[2].clone()]);
    let measurement = curves.answer(&model, &request(["minimax", "mean:1"], Number::Exact)).unwrap();
    let Measured::Exact(outcome) = measurement.measured else { panic!("no fractions") };
    assert_eq!((&few[1].counts, &few[1].mass), (&measurement.counts, &outcome.mass));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let model = model(1, &[8, 8], 5);
    let rules = ["minimax", "product", "hints:19/20"].map(|rule| rule.parse().unwrap());
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| stated().tournament(&model, &rules, Number::F64).unwrap())
    });
    assert_eq!(one, three);
}

#[test]
fn models_that_cannot_be_measured_are_refused_with_a_sentence() {
    let curves = stated();
    let message = |error: MeasureError| error.to_string();
    let large = model(1, &[8, 8], 15);
    assert!(is_deep(&large));
    let interrupt = std::sync::atomic::AtomicBool::new(false);
    let options = deep::Options::new(&interrupt, &|_, _| {});
    assert_eq!(
        message(curves.answer_any(&large, &Request::khs(Number::F64), &options).unwrap_err()),
        "the model has 3048474 depth-1 classes, more than the 2097152 that are held in memory, and only models with two moves \
         everywhere are swept block by block, not with 15; use smaller increments, fewer levels or fewer moves"
    );
    let rules = ["minimax", "product"].map(|rule| rule.parse().unwrap());
    assert!(curves.tournament_any(&large, &rules, Number::F64, &options).is_err());
    assert!(deep::check_size(&large).is_err());
    assert!(deep::check_size(&model(1, &[2, 2], 3)).is_ok());
    let many = model(1, &[2, 2], 26);
    assert_eq!(
        message(curves.measure(&many, Number::F64).unwrap_err()),
        "the model has about 10^334 trees, more than doubles can hold, in which masses are summed; use certified numbers, \
         or exact ones with a uniform truth"
    );
    let Measured::Certified(outcome) = curves.measure(&many, Number::Certified).unwrap().measured else {
        panic!("no enclosures")
    };
    assert!(to_f64(&outcome.figures.difference_percent.unwrap().width()) < 1e-30);
    let three = model(1, &[2, 2], 3);
    let product = Contestant::new("product".parse().unwrap(), &curves);
    let options = deep::Options::new(&interrupt, &|_, _| {});
    let refused = deep::mass(&three, &curves.truth, &product, &options).unwrap_err().to_string();
    assert!(refused.ends_with("and this one has 3; use the sweep in memory"), "{refused}");
}

/// Two rules with hundreds of thousands of values each are refused before they are summed over.
#[test]
fn two_rules_with_many_values_are_refused_above_a_certain_size() {
    let curves = stated();
    let forest = Forest::of(&model(1, &[8, 8], 11)).unwrap();
    let contestants = ["product", "mean:2"].map(|rule| Contestant::new(rule.parse().unwrap(), &curves));
    let message = Critical::between(forest, contestants.each_ref()).unwrap_err().to_string();
    assert!(message.starts_with("both rules have very many different values, "), "{message}");
    assert!(message.contains("with 11 moves everywhere"), "{message}");
}

/// Four children of a move are -9 or -10, everything below them is fixed: k of them are -10 in 1, 4, 6, 4, 1 ways. The
/// product values, some 10^-17, fall with k, so the best of four moves is unique in 4 (1·15³ + 4·11³ + 6·5³ + 4·1³) trees;
/// Minimax tells only k = 0 from the rest, and has a unique best in 4·15³.
#[test]
fn tiny_values_are_told_apart() {
    let model = Model::new(-9, &[0, 1, 0, 0], ZeroMode::Skip, 30).unwrap().with_branching(4).unwrap();
    let curves = Curves::new("uniform:1/20".parse().unwrap(), "pearl:16".parse().unwrap(), 30);
    let agreeing = |rules| {
        let counts = curves.answer(&model, &request(rules, Number::F64)).unwrap().counts;
        assert_eq!((counts.critical.clone(), counts.trees()), (BigUint::ZERO, BigUint::from(65_536u32)));
        counts.agreeing
    };
    assert_eq!(agreeing(["baum:1:1", "product"]), BigUint::from(37_812u32));
    assert_eq!(agreeing(["minimax", "product"]), BigUint::from(13_500u32));
}
