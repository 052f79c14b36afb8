//! (5.1), (5.2): moves whose outcomes are correlated. With probability g x_k all of the k best moves are won;
//! otherwise each of them is won with probability x'_i = (x_i - g x_k)/(1 - g x_k), independently.

use num_traits::{One, Signed, Zero};
use prodmax_number::Fraction;
use prodmax_rules::formula_2_6::{Hint, value_with_hints};
use prodmax_rules::numbers::Fractions;

use crate::hints::Reliability;

/// (5.1): the probabilities of the k best moves if they are not all won together; `None` unless 1 <= k <= the number
/// of moves and 0 <= g <= 1.
pub fn remaining(values: &[Fraction], g: &Fraction, k: usize) -> Option<Vec<Fraction>> {
    let one = Fraction::one();
    if !(1..=values.len()).contains(&k) || g.is_negative() || *g > one {
        return None;
    }
    let mut falling = values.to_vec();
    falling.sort_by(|a, b| b.cmp(a));
    falling.truncate(k);
    let together = g * &falling[k - 1];
    if together.is_one() {
        // All of them are certainly won together.
        return Some(vec![Fraction::zero(); k]);
    }
    Some(falling.iter().map(|x| (x - &together) / (&one - &together)).collect())
}

/// (5.2): V' = g x_k + (1 - g x_k) V(x'), with the same hint for every move.
///
/// ```
/// use prodmax_schruefer::{Reliability, correlation::value};
/// let f = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
/// let hint = Reliability { won: f(4, 5), lost: f(4, 5) };
/// // Perfectly correlated, two moves: minimax.
/// assert_eq!(value(&[f(1, 2), f(2, 3), f(1, 5)], &f(1, 1), 2, &hint), Some(f(2, 3)));
/// ```
pub fn value(values: &[Fraction], g: &Fraction, k: usize, hint: &Reliability) -> Option<Fraction> {
    let rest = remaining(values, g, k)?;
    let mut falling = values.to_vec();
    falling.sort_by(|a, b| b.cmp(a));
    let together = g * &falling[k - 1];
    let hinted: Vec<_> = rest.into_iter().map(|x| (x, Hint::new(Fractions, &hint.won, &hint.lost))).collect();
    let apart = Fraction::one() - &together;
    Some(together + apart * value_with_hints(Fractions, &hinted))
}

/// The same outcome by outcome: the mover sees a hint about each of the k moves and takes the one that is won most
/// probably if they are not all won together; if they are, any move wins.
pub fn enumerated(values: &[Fraction], g: &Fraction, k: usize, hint: &Reliability) -> Option<Fraction> {
    let rest = remaining(values, g, k)?;
    let mut falling = values.to_vec();
    falling.sort_by(|a, b| b.cmp(a));
    let (one, together) = (Fraction::one(), g * &falling[k - 1]);
    let either = |yes: bool, p: &Fraction| if yes { p.clone() } else { &one - p };
    let patterns = || (0u32..1 << k).map(|bits| move |place: usize| bits >> place & 1 == 1);
    let mut apart = Fraction::zero();
    for says in patterns() {
        // Pr(these hints and move i won) for each move i.
        let mut joint = vec![Fraction::zero(); k];
        for won in patterns() {
            let each = rest.iter().enumerate().map(|(place, x)| {
                let right = if won(place) { &hint.won } else { &hint.lost };
                either(won(place), x) * either(says(place) == won(place), right)
            });
            let all = each.fold(one.clone(), |product, p| product * p);
            for (_, sum) in joint.iter_mut().enumerate().filter(|(place, _)| won(*place)) {
                *sum += &all;
            }
        }
        apart += joint.into_iter().max().unwrap_or_else(Fraction::zero);
    }
    Some(&together + (&one - &together) * apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(p: i32, q: i32) -> Fraction {
        Fraction::new(p.into(), q.into())
    }

    #[test]
    fn each_move_keeps_its_probability() {
        let values = [f(1, 2), f(2, 3), f(1, 5), f(3, 5)];
        for g in [f(0, 1), f(1, 3), f(1, 1)] {
            let rest = remaining(&values, &g, 3).unwrap();
            let together = &g * f(1, 2);
            for (x, rest) in [f(2, 3), f(3, 5), f(1, 2)].iter().zip(rest) {
                assert_eq!(&together + (f(1, 1) - &together) * rest, *x);
            }
        }
    }

    #[test]
    fn with_perfect_hints_the_value_is_the_probability_that_any_move_wins() {
        let hint = Reliability { won: f(1, 1), lost: f(1, 1) };
        let (values, g) = ([f(1, 2), f(1, 3)], f(1, 4));
        // All outcomes: both together with probability 1/12, otherwise independently with 5/11 and 3/11.
        let any = f(1, 12) + f(11, 12) * (f(1, 1) - f(6, 11) * f(8, 11));
        assert_eq!(value(&values, &g, 2, &hint), Some(any));
        assert_eq!(value(&values, &f(0, 1), 2, &hint), Some(f(2, 3)));
    }

    #[test]
    fn the_formula_is_what_all_outcomes_give() {
        let values = [f(1, 2), f(2, 3), f(1, 5), f(3, 5)];
        for (won, lost) in [((1, 2), (1, 2)), ((4, 5), (4, 5)), ((9, 10), (3, 5)), ((1, 1), (1, 1))] {
            let hint = Reliability { won: f(won.0, won.1), lost: f(lost.0, lost.1) };
            for g in [f(0, 1), f(1, 3), f(1, 1)] {
                for k in 1..=4 {
                    assert_eq!(value(&values, &g, k, &hint), enumerated(&values, &g, k, &hint), "{g} {k}");
                }
            }
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let hint = Reliability { won: f(1, 1), lost: f(1, 1) };
        for (g, k) in [(f(1, 2), 0), (f(1, 2), 3), (f(3, 2), 1), (f(-1, 2), 1)] {
            assert_eq!(value(&[f(1, 2), f(1, 3)], &g, k, &hint), None);
        }
        assert_eq!(value(&[f(1, 1), f(1, 1)], &f(1, 1), 2, &hint), Some(f(1, 1)));
    }
}
