//! Numbers of moves other than two: known figures, and models with three and four moves in which every tree is
//! visited.

use approx::assert_relative_eq;
use num_bigint::BigUint;
use prodmax_enumerate::{HeuristicValue, Model, ZeroMode};
use prodmax_mass::arithmetic::{Exact, Symbolic};
use prodmax_mass::{
    Certified, Contestant, Counts, Critical, Crossover, Curve, Curves, Doubles, Engine, Exact as Fractions,
    Forest, Measure, MeasureError, Measurement, NumberKind, Pairs, deep, is_deep,
};
use prodmax_number::Figure;
use prodmax_number::fraction::parse;
use prodmax_number::fraction::to_f64;

use crate::twin::{Twin, visit};

fn model(root: i64, increments: &[i64], branching: i64) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap()
}

fn stated() -> Curves {
    Curves::new(Curve::arctan(4), Curve::arctan(1), 42)
}

fn measured<K: NumberKind>(curves: &Curves, model: &Model, rules: [&str; 2]) -> Measurement<Figure> {
    let rules = rules.map(|rule| rule.parse().unwrap());
    Measure::new(model, curves).number::<K>().rules(rules).quality(true).run().unwrap().map(Into::into)
}

fn counts(measured: &Measurement<Figure>) -> &Counts {
    measured.matches[0].counts().unwrap()
}

fn difference(measured: &Measurement<Figure>) -> &Figure {
    measured.matches[0].figures.difference_percent.as_ref().unwrap()
}

fn width(figure: &Figure) -> f64 {
    let [low, high] = figure.ends().unwrap();
    to_f64(&(high - low))
}

const KHS: [&str; 2] = ["minimax", "product"];

/// Root +1, increments up to 2 and three moves: compared with an independent high-precision program, and with the
/// twin.
#[test]
fn three_moves_at_depth_two() {
    let (model, curves) = (model(1, &[2, 2], 3), stated());
    assert_eq!(model.trees(), BigUint::from(531_441u32));
    let doubles = measured::<Doubles>(&curves, &model, KHS);
    assert_eq!(doubles.classes, Some(22));
    assert_eq!(counts(&doubles).critical, BigUint::from(5_508u32));
    assert_eq!(counts(&doubles).trees(), model.trees());
    let errors = doubles.matches[0].errors().each_ref().map(Figure::double);
    assert_relative_eq!(errors[0], 717.665027035410, max_relative = 1e-14);
    assert_relative_eq!(errors[1], 661.508337642807, max_relative = 1e-14);
    assert_relative_eq!(difference(&doubles).double(), -4.07176435035818, max_relative = 1e-13);
    let certified = measured::<Certified>(&curves, &model, KHS);
    assert_relative_eq!(difference(&certified).double(), -4.07176435035818, max_relative = 1e-14);
    assert!(width(difference(&certified)) < 1e-30);
    let leaf = |h: HeuristicValue| curves.estimate.double(h);
    let [minimax, product] =
        ["minimax", "product"].map(|rule| Twin { rule, leaf: &leaf, depth: 2, branching: 3 });
    let visited = visit(&model, &minimax, &product, &|h| curves.truth.double(h));
    assert_eq!(&visited.counts, counts(&doubles));
    assert_relative_eq!(visited.errors[0], errors[0], max_relative = 1e-12);
    assert_relative_eq!(visited.errors[1], errors[1], max_relative = 1e-12);
}

/// Four moves with two increments each everywhere: a million trees; the twin looks at the four branches of each.
#[test]
fn four_moves_at_depth_two() {
    let (model, curves) = (model(-1, &[1, 1], 4), stated());
    let rules = ["mean:2", "hints:9/10"];
    let leaf = |h: HeuristicValue| curves.estimate.double(h);
    let [first, second] = rules.map(|rule| Twin { rule, leaf: &leaf, depth: 2, branching: 4 });
    let visited = visit(&model, &first, &second, &|h| curves.truth.double(h));
    let measured = measured::<Doubles>(&curves, &model, rules);
    assert_eq!(&visited.counts, counts(&measured));
    let trees = 2f64.powi(20);
    for (quality, won) in measured.quality.iter().zip(visited.won) {
        // The twin adds up a million doubles one by one: 2^20 roundings of 2^-53 at worst.
        assert_relative_eq!(quality.won.double(), won / trees, max_relative = 1.2e-10);
    }
}

/// One move everywhere: there is nothing to choose.
#[test]
fn a_single_move_leaves_no_choice() {
    let model = model(1, &[3, 2, 1], 1);
    let measured = measured::<Doubles>(&stated(), &model, KHS);
    let counts = counts(&measured);
    let [none, all] = [BigUint::ZERO, BigUint::from(24u32)];
    assert_eq!([&counts.critical, &counts.agreeing, &counts.tied], [&none, &all, &none]);
    let figures = &measured.matches[0].figures;
    assert_eq!(
        (&figures.share_first, &figures.difference_percent, &figures.per_case_percent),
        (&None, &None, &None)
    );
    let random = measured.chances.unwrap().random;
    assert!(measured.quality.iter().all(|rule| rule.efficiency.is_none() && rule.won == random));
}

/// 9^30 and 9^72 trees: counts of any size, which add up.
#[test]
fn all_trees_are_counted_beyond_128_bits() {
    for (branching, classes) in [(5, 5_247), (8, 64_350)] {
        let model = model(1, &[8, 8], branching);
        let measured = measured::<Doubles>(&stated(), &model, KHS);
        assert_eq!(measured.classes, Some(classes));
        assert_eq!(counts(&measured).trees(), model.trees());
        assert!(counts(&measured).critical > BigUint::ZERO);
    }
}

/// The percentages are the same in all kinds of numbers, and a uniform error rate gives fractions.
#[test]
fn every_kind_of_number_gives_the_same_figures() {
    let model = model(-1, &[3, 2], 4);
    let curves = Curves::new("uniform:1/20".parse().unwrap(), Curve::arctan(1), 42);
    let rules = ["average:1/2", "product"];
    let f = measured::<Doubles>(&curves, &model, rules);
    let c = measured::<Certified>(&curves, &model, rules);
    let e = measured::<Fractions>(&curves, &model, rules);
    let Figure::Fraction(exact) = difference(&e) else { panic!("no fraction") };
    let [low, high] = difference(&c).ends().unwrap();
    assert!(low <= *exact && *exact <= high);
    assert_relative_eq!(difference(&f).double(), to_f64(exact), max_relative = 1e-12);
    let [f, c, e] = [f, c, e].map(|measured| measured.quality[1].efficiency.as_ref().unwrap().double());
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
    let [all, few] = [Pairs::All, Pairs::WithMinimax].map(|pairs| {
        let rules = ["product", "minimax", "mean:1"].map(|rule| rule.parse().unwrap()).to_vec();
        let measure = Measure::new(&model, &curves).contest(rules).pairs(pairs).number::<Fractions>();
        measure.run().unwrap().map(Figure::from).matches
    });
    assert_eq!(all.iter().map(|game| game.rules).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(few, [all[0].clone(), all[2].clone()]);
    let pair = measured::<Fractions>(&curves, &model, ["minimax", "mean:1"]);
    assert_eq!(few[1].sums, pair.matches[0].sums);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let model = model(1, &[8, 8], 5);
    let rules = ["minimax", "product", "hints:19/20"].map(|rule| rule.parse().unwrap()).to_vec();
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Measure::new(&model, &stated()).contest(rules.clone()).run().unwrap())
    });
    assert_eq!(one, three);
}

#[test]
fn models_that_cannot_be_measured_are_refused_with_a_sentence() {
    let curves = stated();
    let message = |error: MeasureError| error.to_string();
    let large = model(1, &[8, 8], 15);
    assert!(is_deep(&large));
    let sweeping = |measure: Measure<'_>| measure.engine(Engine::sweeping(&large)).plan().unwrap_err();
    assert_eq!(
        message(sweeping(Measure::new(&large, &curves))),
        "the model has 3048474 depth-1 classes, more than the 2097152 that are held in memory, and only models with two moves \
         everywhere are swept block by block, not with 15; use smaller increments, fewer levels or fewer moves"
    );
    let rules = ["minimax", "product", "mean:2"].map(|rule| rule.parse().unwrap());
    assert!(message(sweeping(Measure::new(&large, &curves).contest(rules.to_vec()))).contains("3048474"));
    assert!(deep::check_size(&large).is_err());
    assert!(deep::check_size(&model(1, &[2, 2], 3)).is_ok());
    let many = model(1, &[2, 2], 26);
    assert_eq!(
        message(Measure::new(&many, &curves).engine(Engine::Classes).plan().unwrap_err()),
        "the model has about 10^334 trees, more than doubles can hold, in which masses are summed; use certified numbers, \
         or exact ones with a uniform truth"
    );
    assert!(width(difference(&measured::<Certified>(&curves, &many, KHS))) < 1e-30);
    let three = model(1, &[2, 2], 3);
    let product = Contestant::new("product".parse().unwrap(), &curves);
    let interrupt = std::sync::atomic::AtomicBool::new(false);
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
        let measured = measured::<Doubles>(&curves, &model, rules);
        let counts = counts(&measured);
        assert_eq!((counts.critical.clone(), counts.trees()), (BigUint::ZERO, BigUint::from(65_536u32)));
        counts.agreeing.clone()
    };
    assert_eq!(agreeing(["baum:1:1", "product"]), BigUint::from(37_812u32));
    assert_eq!(agreeing(["minimax", "product"]), BigUint::from(13_500u32));
}
