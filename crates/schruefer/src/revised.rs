//! (3.3): the value of a node whose mover will revise the estimates of all moves before choosing, if the revised
//! estimates are discrete. The probability that the greatest of them is q is the probability that none exceeds q,
//! minus the probability that all stay below q.

use num_traits::{One, Zero};
use prodmax_number::Fraction;
use prodmax_rules::formula_2_6::{Hint, value_with_hints};
use prodmax_rules::numbers::Fractions;

use crate::hints::Reliability;

/// Revised estimates of one move with their probabilities, which add up to 1.
pub type Revised = Vec<(Fraction, Fraction)>;

/// V = Σ q (Π_i Pr(q_i <= q) - Π_i Pr(q_i < q)).
///
/// ```
/// use prodmax_schruefer::revised::value;
/// let f = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
/// // Two moves, each of which will turn out won with probability 1/2: three times in four at least one is won.
/// let coin = vec![(f(0, 1), f(1, 2)), (f(1, 1), f(1, 2))];
/// assert_eq!(value(&[coin.clone(), coin]), f(3, 4));
/// ```
pub fn value(moves: &[Revised]) -> Fraction {
    let mut support: Vec<&Fraction> = moves.iter().flatten().map(|(q, _)| q).collect();
    support.sort();
    support.dedup();
    let product = |below: &dyn Fn(&Fraction) -> bool| {
        let each = |revised: &Revised| -> Fraction {
            revised.iter().filter(|(q, _)| below(q)).fold(Fraction::zero(), |sum, (_, p)| sum + p)
        };
        moves.iter().fold(Fraction::one(), |product, revised| product * each(revised))
    };
    let greatest_is = |q: &Fraction| product(&|other| other <= q) - product(&|other| other < q);
    support.into_iter().fold(Fraction::zero(), |sum, q| sum + q * greatest_is(q))
}

/// The two revised estimates (2.4) and (2.5) of a move with probability x, with the probabilities (2.2) and (2.3) of
/// the hint.
pub fn two_points(x: &Fraction, won: &Fraction, lost: &Fraction) -> Revised {
    let one = Fraction::one();
    let says_won = won * x + (&one - lost) * (&one - x);
    let says_lost = &one - &says_won;
    let revised =
        |part: Fraction, whole: &Fraction| if whole.is_zero() { Fraction::zero() } else { part / whole };
    vec![
        (revised(won * x, &says_won), says_won.clone()),
        (revised((&one - won) * x, &says_lost), says_lost.clone()),
    ]
}

/// The value by (3.3) and by (2.6) of a node whose moves win with these probabilities and get these hints. They are the same:
/// (2.6) adds up the same greatest estimates in the order of the moves.
pub fn both_formulas(moves: &[(Fraction, Reliability)]) -> [Fraction; 2] {
    let points: Vec<Revised> = moves.iter().map(|(x, hint)| two_points(x, &hint.won, &hint.lost)).collect();
    let hints: Vec<_> =
        moves.iter().map(|(x, hint)| (x.clone(), Hint::new(Fractions, &hint.won, &hint.lost))).collect();
    [value(&points), value_with_hints(Fractions, &hints)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The mean over all combinations of revised estimates.
    fn slow(moves: &[Revised]) -> Fraction {
        fn go(moves: &[Revised], greatest: &Fraction, probability: &Fraction) -> Fraction {
            match moves {
                [] => greatest * probability,
                [first, rest @ ..] => first
                    .iter()
                    .map(|(q, p)| go(rest, greatest.max(q), &(probability * p)))
                    .fold(Fraction::zero(), |sum, each| sum + each),
            }
        }
        go(moves, &Fraction::zero(), &Fraction::one())
    }

    fn tenths(n: u32) -> Fraction {
        Fraction::new(n.into(), 10.into())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_formula_is_the_mean_of_the_greatest(
            moves in proptest::collection::vec(proptest::collection::vec((0u32..=10, 1u32..5), 1..4), 1..4),
        ) {
            let moves: Vec<Revised> = moves
                .into_iter()
                .map(|revised| {
                    let all: u32 = revised.iter().map(|(_, weight)| weight).sum();
                    revised.into_iter().map(|(q, w)| (tenths(q), Fraction::new(w.into(), all.into()))).collect()
                })
                .collect();
            prop_assert_eq!(value(&moves), slow(&moves));
        }

        #[test]
        fn formula_2_6_is_the_case_of_two_points(
            moves in proptest::collection::vec((0u32..=10, 5u32..=10, 5u32..=10), 1..5),
        ) {
            let moves: Vec<(Fraction, Reliability)> = moves
                .iter()
                .map(|&(x, w, l)| (tenths(x), Reliability { won: tenths(w), lost: tenths(l) }))
                .collect();
            let [by_3_3, by_2_6] = both_formulas(&moves);
            prop_assert_eq!(by_3_3, by_2_6);
        }
    }
}
