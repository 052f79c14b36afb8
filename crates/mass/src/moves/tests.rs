use prodmax_rules::{Curve, CurveTable};
use proptest::prelude::*;

use super::*;
use crate::arithmetic::{BigCounting, Float};

/// A class by its two ranks, its weight, and x and y.
type Class = (u32, u32, u128, u32, u32);

fn groups(classes: &[Class], values: u32) -> Groups {
    let mut groups = Groups::default();
    for value in 0..values {
        let group: Vec<u32> = (0..classes.len() as u32).filter(|&i| classes[i as usize].1 == value).collect();
        if !group.is_empty() {
            groups.push(&group);
        }
    }
    groups
}

/// By visiting all pairs, adding up W afresh for each.
fn visited(classes: &[Class], branching: u32) -> (BigUint, BigUint) {
    let weight = |r: u32, s: u32| -> BigUint {
        classes.iter().filter(|c| c.0 < r && c.1 < s).map(|c| BigUint::from(c.2)).sum()
    };
    let (mut critical, mut agreeing) = (BigUint::ZERO, BigUint::ZERO);
    for i in classes {
        agreeing += weight(i.0, i.1).pow(branching - 1) * i.2;
        for j in classes.iter().filter(|j| j.0 < i.0 && i.1 < j.1) {
            critical += weight(i.0, j.1).pow(branching - 2) * i.3 * j.4;
        }
    }
    (critical, agreeing)
}

proptest! {
    #[test]
    fn both_methods_agree_with_visiting_all_pairs(
        classes in prop::collection::vec((0u32..7, 0u32..9, 1u128..9, 0u32..9, 0u32..9), 0..40),
        branching in 2u32..7,
    ) {
        let ranks: Vec<u32> = classes.iter().map(|c| c.0).collect();
        let weights: Vec<u128> = classes.iter().map(|c| c.2).collect();
        let groups = groups(&classes, 9);
        let moves = MoveOrders { ranks: &ranks, count: 7, groups: &groups, weights: &weights, branching };
        let (critical, agreeing) = visited(&classes, branching);
        let [x, y]: [Vec<BigUint>; 2] = [classes.iter().map(|c| c.3.into()).collect(), classes.iter().map(|c| c.4.into()).collect()];
        for method in [SumMethod::Direct, SumMethod::Moments] {
            let [sum] = moves.sums(&BigCounting, method, [&x], [&y]);
            prop_assert_eq!(&sum, &critical, "{:?}", method);
        }
        prop_assert_eq!(moves.agreeing(), agreeing);
    }
}

/// More classes than fit into one part, so that sums of parts are combined.
#[test]
fn parts_do_not_change_the_sum() {
    // A generator of pseudo-random numbers.
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let count = 3 * MIN_PART;
    let classes: Vec<Class> = (0..count)
        .map(|_| (next(6) as u32, next(500) as u32, u128::from(next(5) + 1), next(9) as u32, next(9) as u32))
        .collect();
    let ranks: Vec<u32> = classes.iter().map(|c| c.0).collect();
    let weights: Vec<u128> = classes.iter().map(|c| c.2).collect();
    let groups = groups(&classes, 500);
    let moves = MoveOrders { ranks: &ranks, count: 6, groups: &groups, weights: &weights, branching: 5 };
    assert!(moves.parts().len() > 2);
    assert_eq!(moves.parts().concat().concat(), groups.iter().collect::<Vec<_>>().concat());
    let x: Vec<BigUint> = classes.iter().map(|c| c.3.into()).collect();
    let y: Vec<BigUint> = classes.iter().map(|c| c.4.into()).collect();
    let [by_parts] = moves.sums(&BigCounting, SumMethod::Direct, [&x], [&y]);
    let [by_moments] = moves.sums(&BigCounting, SumMethod::Moments, [&x], [&y]);
    assert_eq!(by_parts, by_moments);
    let table = CurveTable::new(Curve::arctan(1), 42);
    let doubles = |numbers: &[BigUint]| {
        numbers.iter().map(|n| n.iter_u64_digits().next().unwrap_or(0) as f64).collect::<Vec<f64>>()
    };
    let (x, y) = (doubles(&x), doubles(&y));
    let exact = by_parts.to_string().parse::<f64>().unwrap();
    for method in [SumMethod::Direct, SumMethod::Moments] {
        let [once, again] = moves.sums(&Float(&table), method, [&x, &x], [&y, &y]);
        approx::assert_relative_eq!(once, exact, max_relative = 1e-13);
        assert_eq!(once, again);
    }
}

#[test]
fn few_ranks_are_summed_directly() {
    let groups = Groups::default();
    let method = |count, branching| {
        MoveOrders { ranks: &[], count, groups: &groups, weights: &[], branching }.method()
    };
    assert_eq!([method(17, 3), method(17, 12), method(40, 8)], [SumMethod::Direct; 3]);
    assert_eq!([method(5000, 3), method(60_000, 8)], [SumMethod::Moments; 2]);
    // Just below and above: 2r <= 4 · 6 · 3 up to 36 ranks, 2r <= 4 · 7 · 6 up to 84, and 3r <= 4 · 8 · 15 up to 160.
    assert_eq!([method(36, 3), method(84, 4), method(160, 6)], [SumMethod::Direct; 3]);
    assert_eq!([method(37, 3), method(85, 4), method(161, 6)], [SumMethod::Moments; 3]);
    let moves = MoveOrders { ranks: &[], count: 5, groups: &groups, weights: &[], branching: 4 };
    assert_eq!(moves.moments(), 2 * 8 * 3);
}

#[test]
fn parts_have_about_the_same_number_of_classes() {
    let count = 2 * PARTS * MIN_PART;
    let mut groups = Groups::default();
    assert!(groups.is_empty());
    (0..count as u32).for_each(|class| groups.push(&[class]));
    assert!(!groups.is_empty());
    let (ranks, weights) = (vec![0; count], vec![1; count]);
    let moves = MoveOrders { ranks: &ranks, count: 1, groups: &groups, weights: &weights, branching: 3 };
    let sizes: Vec<usize> = moves.parts().iter().map(Vec::len).collect();
    assert_eq!(sizes, [2 * MIN_PART; PARTS]);
}

#[test]
fn binomials_follow_pascals_triangle() {
    let rows: Vec<Vec<String>> =
        binomials(4).iter().map(|row| row.iter().map(BigUint::to_string).collect()).collect();
    assert_eq!(rows[4], ["1", "4", "6", "4", "1"]);
    assert_eq!(rows[0], ["1"]);
}
