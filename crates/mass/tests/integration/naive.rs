//! Minimax against Product: everything fast is compared with the slow twin, which visits every ordered tree.

use approx::assert_relative_eq;
use num_bigint::BigUint;
use num_traits::Zero as _;
use prodmax_enumerate::{HeuristicValue, Model, ZeroMode};
use prodmax_mass::arithmetic::{Arithmetic as _, Certified, Exact, Field, Float, Symbolic};
use prodmax_mass::{Counts, Critical, Curve, CurveTable, Mass, percentages};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_number::fraction::{decimal, parse};
use proptest::prelude::*;

use crate::twin::{Twin, visit};

/// Pr(node won) by the rules of the game, node by node: a MAX node is won iff a child is won, a MIN node iff all are.
fn won<T: Field>(truth: &T, leaves: &[HeuristicValue], level: usize) -> T::Number {
    if let [leaf] = leaves {
        return truth.leaf(*leaf);
    }
    let (left, right) = leaves.split_at(leaves.len() / 2);
    let [a, b] = [left, right].map(|side| won(truth, side, level + 1));
    if level % 2 == 1 {
        truth.mul(&a, &b)
    } else {
        let lost = truth.mul(&truth.complement(&a), &truth.complement(&b));
        truth.complement(&lost)
    }
}

fn small_model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=12, 1),
        prop::collection::vec(0i64..=4, 2),
        Just(vec![1, 1, 1]),
        Just(vec![0, 0, 3]),
        Just(vec![2, 0, 1]),
        Just(vec![0, 2, 1]),
        Just(vec![1, 3, 0]),
        Just(vec![0, 0, 0, 1]),
        Just(vec![1, 1, 0, 0]),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    let h_max = prop_oneof![Just(42i64), Just(20), Just(14)];
    (increments, zero, -6i64..=6, h_max)
        .prop_filter_map("a root of 0 under skip", |(a, zero, root, h_max)| {
            Model::new(root, &a, zero, h_max).ok()
        })
}

fn smooth_curve() -> impl Strategy<Value = Curve> {
    let constant = prop_oneof![Just("1"), Just("4"), Just("16"), Just("1/2"), Just("2.5")];
    (prop_oneof![Just("arctan"), Just("pearl")], constant)
        .prop_map(|(kind, c)| format!("{kind}:{c}").parse().unwrap())
}

fn uniform() -> impl Strategy<Value = Fraction> {
    prop_oneof![Just("0"), Just("1/20"), Just("1/3"), Just("1/2"), Just("0.048")]
        .prop_map(|p| parse(p).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn doubles_agree_with_the_naive_twin(model in small_model(), truth in smooth_curve(), estimate in smooth_curve()) {
        let h_max = model.line().h_max();
        let (truth, estimate) = (CurveTable::new(truth, h_max), CurveTable::new(estimate, h_max));
        let critical = Critical::of(&model, &estimate).unwrap();
        let arithmetic = Float(&truth);
        let mass = critical.mass(&arithmetic, &critical.truth(&arithmetic));
        let leaf = |h| estimate.double(h);
        let [minimax, product] =
            ["minimax", "product"].map(|rule| Twin { rule, leaf: &leaf, depth: model.depth(), branching: 2 });
        let visited = visit(&model, &minimax, &product, &|h| truth.double(h));
        prop_assert_eq!(critical.counts(), visited.counts);
        let [first_error, second_error] = visited.errors;
        assert_relative_eq!(mass.first_error, first_error, max_relative = 1e-11);
        assert_relative_eq!(mass.second_error, second_error, max_relative = 1e-11);
    }

}

proptest! {
    // Fractions make the twin slow.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn fractions_agree_with_the_naive_twin_exactly(
        model in small_model(), truth in uniform(), estimate in uniform()
    ) {
        let table = CurveTable::new(Curve::Uniform(estimate.clone()), model.line().h_max());
        let critical = Critical::of(&model, &table).unwrap();
        let arithmetic = Exact { error: truth };
        let mass = critical.mass(&arithmetic, &critical.truth(&arithmetic));
        let estimate = Exact { error: estimate };
        let leaf = |h| estimate.leaf(h);
        let [minimax, product] =
            ["minimax", "product"].map(|rule| Twin { rule, leaf: &leaf, depth: model.depth(), branching: 2 });
        let visited = visit(&model, &minimax, &product, &|h| arithmetic.leaf(h));
        prop_assert_eq!(critical.counts(), visited.counts);
        let [first_error, second_error] = visited.errors;
        prop_assert_eq!(mass, Mass { first_error, second_error });
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn polynomials_give_the_exact_mass_at_every_error_rate(model in small_model(), p in uniform()) {
        let table = CurveTable::new(Curve::arctan(1), model.line().h_max());
        let critical = Critical::of(&model, &table).unwrap();
        let exact = Exact { error: p.clone() };
        let at_p = critical.mass(&exact, &critical.truth(&exact));
        let all = critical.mass(&Symbolic, &critical.truth(&Symbolic));
        prop_assert_eq!(all.first_error.evaluate(&p), at_p.first_error);
        prop_assert_eq!(all.second_error.evaluate(&p), at_p.second_error);
    }

    #[test]
    fn certified_intervals_contain_the_doubles_and_higher_precision(model in small_model(), truth in smooth_curve()) {
        let h_max = model.line().h_max();
        let (truth, estimate) = (CurveTable::new(truth, h_max), CurveTable::new(Curve::arctan(1), h_max));
        let critical = Critical::of(&model, &estimate).unwrap();
        let [coarse, fine] = [96, 400].map(|bits| {
            let arithmetic = Certified { curve: &truth, bits };
            critical.mass(&arithmetic, &critical.truth(&arithmetic))
        });
        prop_assert!(coarse.first_error.contains(&fine.first_error.middle()));
        prop_assert!(coarse.second_error.contains(&fine.second_error.middle()));
        let arithmetic = Float(&truth);
        let doubles = critical.mass(&arithmetic, &critical.truth(&arithmetic));
        assert_relative_eq!(to_f64(&fine.first_error.middle()), doubles.first_error, max_relative = 1e-12);
    }

    /// Visiting the critical pairs one by one, with the leaves of each class, gives the same masses.
    #[test]
    fn critical_pairs_are_visited_with_their_number_of_trees(model in small_model(), truth in uniform()) {
        let table = CurveTable::new(Curve::arctan(1), model.line().h_max());
        let critical = Critical::of(&model, &table).unwrap();
        let exact = Exact { error: truth };
        let mut trees = 0;
        let (mut first_error, mut second_error) = (Fraction::zero(), Fraction::zero());
        let one = parse("1").unwrap();
        critical.for_each_pair(|m, p, ways| {
            let [minimax, product] = critical.rankings().map(|ranking| [m, p].map(|class| ranking.ranks()[class]));
            assert!(minimax[0] > minimax[1] && product[0] < product[1]);
            let [m, p] = [m, p].map(|class| won(&exact, &critical.leaves(class), 1));
            trees += ways;
            first_error += (&one - &m) * &p * num_bigint::BigInt::from(ways);
            second_error += &m * (&one - &p) * num_bigint::BigInt::from(ways);
        }).unwrap();
        prop_assert_eq!(BigUint::from(trees), critical.counts().critical);
        prop_assert_eq!(Mass { first_error, second_error }, critical.mass(&exact, &critical.truth(&exact)));
        prop_assert_eq!(critical.comparisons().total, critical.classes().len() as u64 - 1);
    }

    #[test]
    fn all_trees_are_critical_agreeing_or_tied(model in small_model(), estimate in smooth_curve()) {
        let table = CurveTable::new(estimate, model.line().h_max());
        prop_assert_eq!(Critical::of(&model, &table).unwrap().counts().trees(), model.trees());
    }
}

#[test]
fn depth_one_has_no_critical_case() {
    let model = Model::new(-3, &[8], ZeroMode::Skip, 42).unwrap();
    let table = CurveTable::new(Curve::arctan(1), 42);
    let critical = Critical::of(&model, &table).unwrap();
    assert_eq!(critical.counts(), Counts::from([0, 72, 9]));
    let exact = Exact { error: parse("1/20").unwrap() };
    let mass = critical.mass(&exact, &critical.truth(&exact));
    assert!(mass.first_error.is_zero() && mass.second_error.is_zero());
    let figures = percentages(&exact, &mass, &BigUint::ZERO).unwrap();
    assert_eq!(
        (figures.share_first, figures.difference_percent, figures.per_case_percent),
        (None, None, None)
    );
}

#[test]
fn known_figures() {
    let table = CurveTable::new(Curve::arctan(1), 42);
    let truth = CurveTable::new(Curve::arctan(4), 42);
    let model = Model::new(0, &[8, 8], ZeroMode::Allow, 42).unwrap();
    let critical = Critical::of(&model, &table).unwrap();
    assert_eq!(critical.counts().critical, BigUint::from(26136u32));
    let mass = critical.mass(&Float(&truth), &critical.truth(&Float(&truth)));
    let figures = percentages(&Float(&truth), &mass, &26136u32.into()).unwrap();
    assert_relative_eq!(figures.share_first.unwrap(), 0.53160108308477, epsilon = 5e-15);

    let model = Model::new(-1, &[3, 3, 3], ZeroMode::Skip, 42).unwrap();
    let critical = Critical::of(&model, &table).unwrap();
    assert_eq!(critical.counts().critical, BigUint::from(14901376u32));
    let mass = critical.mass(&Float(&truth), &critical.truth(&Float(&truth)));
    let figures = percentages(&Float(&truth), &mass, &14901376u32.into()).unwrap();
    assert_relative_eq!(mass.first_error, 3634254.01203894, epsilon = 5e-9);
    assert_relative_eq!(figures.difference_percent.unwrap(), -4.76020729303235, epsilon = 5e-14);

    // Certified, the same figures hold to all digits and far beyond.
    let certified = Certified { curve: &truth, bits: 160 };
    let mass = critical.mass(&certified, &critical.truth(&certified));
    let difference = percentages(&certified, &mass, &14901376u32.into()).unwrap().difference_percent.unwrap();
    assert_eq!(decimal(&difference.low(), 14), "-4.76020729303235");
    assert_eq!(decimal(&difference.high(), 14), "-4.76020729303235");
    assert_eq!(decimal(&mass.first_error.low(), 8), "3634254.01203894");
    assert!(to_f64(&difference.width()) < 1e-30);
    assert_eq!(critical.comparisons().unresolved, 0);
}
