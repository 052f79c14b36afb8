//! Formula (2.6) against its definition: the expectation, over all possible hints, of the greatest posterior.

use num_traits::{One, Zero};
use prodmax_number::Fraction;
use prodmax_rules::Mover;
use prodmax_rules::formula_2_6::{Hint, value, value_with_hints};
use prodmax_rules::numbers::Fractions;
use proptest::prelude::*;

/// A child: its probability, P_W and P_L.
type Child = (Fraction, Fraction, Fraction);

/// Σ over all 2^n hint vectors of max_i Pr(hints, child i is won).
fn by_hint_vectors(children: &[Child]) -> Fraction {
    let mut sum = Fraction::zero();
    for hints in 0u32..1 << children.len() {
        let said_won = |i: usize| hints >> i & 1 == 1;
        let won_with_hint = |i: usize| {
            let (x, won, _) = &children[i];
            x * if said_won(i) { won.clone() } else { Fraction::one() - won }
        };
        let hint = |i: usize| {
            let (x, _, lost) = &children[i];
            let if_lost = if said_won(i) { Fraction::one() - lost } else { lost.clone() };
            won_with_hint(i) + (Fraction::one() - x) * if_lost
        };
        let joint = |i: usize| {
            let others = (0..children.len()).filter(|j| *j != i).map(hint);
            others.fold(won_with_hint(i), |product, other| product * other)
        };
        sum += (0..children.len()).map(joint).max().unwrap();
    }
    sum
}

fn fraction(numerator: u32, denominator: u32) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// Only a few different values, including 0 and 1, so that probabilities and posteriors often tie.
fn probability() -> impl Strategy<Value = Fraction> {
    prop_oneof![
        (0u32..=4).prop_map(|n| fraction(n, 4)),
        (0u32..=6).prop_map(|n| fraction(n, 6)),
        (0u32..=97).prop_map(|n| fraction(n, 97)),
    ]
}

/// P_W and P_L with P_W + P_L >= 1.
fn hint() -> impl Strategy<Value = (Fraction, Fraction)> {
    let pair = (0u32..=8, 0u32..=8);
    pair.prop_map(|(a, b)| (fraction(a.max(8 - b), 8), fraction(b, 8)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_formula_is_the_expected_greatest_posterior(
        x in prop::collection::vec(probability(), 1..=6), (won, lost) in hint()
    ) {
        let children: Vec<Child> = x.iter().map(|x| (x.clone(), won.clone(), lost.clone())).collect();
        let hint = Hint::new(Fractions, &won, &lost);
        prop_assert_eq!(value(Fractions, Mover::Max, &x, &hint), by_hint_vectors(&children));
        // A MIN node is a MAX node seen from the other side.
        let mirrored: Vec<Child> =
            x.iter().map(|x| (Fraction::one() - x, won.clone(), lost.clone())).collect();
        let seen_by_min = Fraction::one() - by_hint_vectors(&mirrored);
        prop_assert_eq!(value(Fractions, Mover::Min, &x, &hint), seen_by_min);
    }

    #[test]
    fn hints_may_differ_from_child_to_child(
        children in prop::collection::vec((probability(), hint()), 1..=6)
    ) {
        let flat: Vec<Child> =
            children.iter().map(|(x, (won, lost))| (x.clone(), won.clone(), lost.clone())).collect();
        let hinted: Vec<_> = children
            .iter()
            .map(|(x, (won, lost))| (x.clone(), Hint::new(Fractions, won, lost)))
            .collect();
        prop_assert_eq!(value_with_hints(Fractions, &hinted), by_hint_vectors(&flat));
    }
}

/// At 2/3 and 1/3 with PW = PL = 2/3 a "won" for the second child is as good as a "lost" for the first: the formula
/// may stop or go on.
#[test]
fn posteriors_may_tie() {
    let (third, two_thirds) = (fraction(1, 3), fraction(2, 3));
    let hint = Hint::new(Fractions, &two_thirds, &two_thirds);
    let children = [two_thirds.clone(), third.clone()];
    // P(1,0) = (1/3 · 2/3) / (1/3 · 2/3 + 2/3 · 1/3) = 1/2 = P(2,1).
    let all: Vec<Child> =
        children.iter().map(|x| (x.clone(), two_thirds.clone(), two_thirds.clone())).collect();
    assert_eq!(value(Fractions, Mover::Max, &children, &hint), two_thirds);
    assert_eq!(by_hint_vectors(&all), two_thirds);
}
