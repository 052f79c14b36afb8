//! Three outcomes (Baum section 2): wins, draws and losses, each with its probability, propagated together.
//!
//! Before choosing, the mover gets a hint about every move, which depends only on the outcome of that move. A hint revises
//! the probabilities of the move by Bayes' rule; the mover takes the move with the greatest revised utility, that of a win
//! being 1, of a draw u and of a loss 0, and of equal ones the first. Moves are independent, so
//!
//! V_W = Σ_i Σ_h Pr(h_i = h) w_i(h) Π_{j<i} Pr(U_j < U_i(h)) Π_{j>i} Pr(U_j <= U_i(h)),
//!
//! where w_i(h) is the revised probability of a win and U_i(h) = w_i(h) + u d_i(h) the revised utility; V_D likewise. With
//! two outcomes and two hints it is (2.6), and (3.3) with one utility per revised estimate.

use num_traits::{One, Zero};
use prodmax_number::Fraction;

/// The probabilities of a win and of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chances {
    /// V_W.
    pub win: Fraction,
    /// V_D.
    pub draw: Fraction,
}

impl Chances {
    /// What the mover expects if a draw is worth `draw`.
    pub fn utility(&self, draw: &Fraction) -> Fraction {
        &self.win + draw * &self.draw
    }

    fn loss(&self) -> Fraction {
        Fraction::one() - &self.win - &self.draw
    }
}

/// How often each hint is given after a win, a draw and a loss; each column adds up to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints(pub Vec<[Fraction; 3]>);

/// What a hint makes of a move.
struct RevisedMove {
    probability: Fraction,
    chances: Chances,
    utility: Fraction,
}

fn revised(of_move: &Chances, hints: &Hints, draw: &Fraction) -> Vec<RevisedMove> {
    let one = |given: &[Fraction; 3]| {
        let [win, tie, loss] = given;
        let joint = [win * &of_move.win, tie * &of_move.draw, loss * of_move.loss()];
        let probability = joint.iter().fold(Fraction::zero(), |sum, part| sum + part);
        let [win, tie, _] = joint.map(|part| {
            // A hint that is never given revises nothing.
            if probability.is_zero() { part } else { part / &probability }
        });
        let chances = Chances { win, draw: tie };
        RevisedMove { utility: chances.utility(draw), probability, chances }
    };
    hints.0.iter().map(one).collect()
}

/// (V_W, V_D) of a node with these moves.
///
/// ```
/// use prodmax_schruefer::outcomes::{Chances, Hints, value};
/// let f = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
/// let (none, sure) = (f(0, 1), f(1, 1));
/// // Hints that tell the outcome; two moves, each won or drawn or lost with probability 1/3.
/// let told = Hints(vec![
///     [sure.clone(), none.clone(), none.clone()],
///     [none.clone(), sure.clone(), none.clone()],
///     [none.clone(), none.clone(), sure.clone()],
/// ]);
/// let moves = vec![Chances { win: f(1, 3), draw: f(1, 3) }; 2];
/// let value = value(&moves, &told, &f(1, 2));
/// // Won unless neither move is, drawn if neither is won and not both are lost.
/// assert_eq!((value.win, value.draw), (f(5, 9), f(3, 9)));
/// ```
pub fn value(moves: &[Chances], hints: &Hints, draw: &Fraction) -> Chances {
    let moves: Vec<Vec<RevisedMove>> = moves.iter().map(|chances| revised(chances, hints, draw)).collect();
    let mut sum = Chances { win: Fraction::zero(), draw: Fraction::zero() };
    for (i, mine) in moves.iter().enumerate() {
        for hint in mine {
            let not_better = |(j, others): (usize, &Vec<RevisedMove>)| -> Fraction {
                let behind = others.iter().filter(|other| {
                    if j < i { other.utility < hint.utility } else { other.utility <= hint.utility }
                });
                behind.fold(Fraction::zero(), |sum, other| sum + &other.probability)
            };
            let others = moves.iter().enumerate().filter(|(j, _)| *j != i);
            let chosen = others.map(not_better).fold(hint.probability.clone(), |product, p| product * p);
            sum.win += &chosen * &hint.chances.win;
            sum.draw += &chosen * &hint.chances.draw;
        }
    }
    sum
}

/// The same over all outcomes and all vectors of hints: the mover sees the hints only.
pub fn enumerated(moves: &[Chances], hints: &Hints, draw: &Fraction) -> Chances {
    let (count, kinds) = (moves.len() as u32, hints.0.len());
    let mut sum = Chances { win: Fraction::zero(), draw: Fraction::zero() };
    for vector in 0..kinds.pow(count) {
        let hint = |i: usize| &hints.0[vector / kinds.pow(i as u32) % kinds];
        // Pr(these hints, outcome of each move), summed over the outcomes of the others.
        let mut joint = vec![[Fraction::zero(), Fraction::zero(), Fraction::zero()]; moves.len()];
        for outcomes in 0..3usize.pow(count) {
            let outcome = |i: usize| outcomes / 3usize.pow(i as u32) % 3;
            let probability = moves.iter().enumerate().fold(Fraction::one(), |product, (i, chances)| {
                let of = [chances.win.clone(), chances.draw.clone(), chances.loss()];
                product * &of[outcome(i)] * &hint(i)[outcome(i)]
            });
            for (i, sums) in joint.iter_mut().enumerate() {
                sums[outcome(i)] += &probability;
            }
        }
        // All sums of a row are Pr(these hints), so joint utilities compare like revised ones.
        let utility = |[win, tie, _]: &[Fraction; 3]| win + draw * tie;
        let mut best = 0;
        for i in 1..moves.len() {
            if utility(&joint[i]) > utility(&joint[best]) {
                best = i;
            }
        }
        if let Some([win, tie, _]) = joint.get(best) {
            sum.win += win;
            sum.draw += tie;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use prodmax_rules::formula_2_6::{Hint, value_with_hints};
    use prodmax_rules::numbers::Fractions;
    use proptest::prelude::*;

    use super::*;

    fn f(numerator: i64, denominator: i64) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    fn thirds() -> impl Strategy<Value = [Fraction; 3]> {
        (0i64..=4, 0i64..=4, 0i64..=4).prop_filter("some outcome", |(a, b, c)| a + b + c > 0).prop_map(
            |(a, b, c)| {
                let sum = a + b + c;
                [f(a, sum), f(b, sum), f(c, sum)]
            },
        )
    }

    proptest! {
        #[test]
        fn it_is_the_mean_over_all_vectors_of_hints(
            moves in prop::collection::vec(thirds(), 1..4),
            // One distribution over three hints for each outcome.
            (given_win, given_draw, given_loss) in (thirds(), thirds(), thirds()),
            tenths in 0i64..=10,
        ) {
            let moves: Vec<Chances> =
                moves.into_iter().map(|[win, draw, _]| Chances { win, draw }).collect();
            let hints = Hints(
                (0..3).map(|h| [given_win[h].clone(), given_draw[h].clone(), given_loss[h].clone()]).collect(),
            );
            let draw = f(tenths, 10);
            prop_assert_eq!(value(&moves, &hints, &draw), enumerated(&moves, &hints, &draw));
        }

        /// Without draws and with the hints of section 2 it is formula (2.6).
        #[test]
        fn without_draws_it_is_formula_2_6(
            won in prop::collection::vec(0i64..=8, 1..5), pw in 4i64..=8, pl in 4i64..=8,
        ) {
            let moves: Vec<Chances> =
                won.iter().map(|&won| Chances { win: f(won, 8), draw: f(0, 1) }).collect();
            let (pw, pl) = (f(pw, 8), f(pl, 8));
            let one = Fraction::one();
            let hints = Hints(vec![
                [pw.clone(), f(1, 2), &one - &pl],
                [&one - &pw, f(1, 2), pl.clone()],
            ]);
            let hinted: Vec<_> =
                won.iter().map(|&won| (f(won, 8), Hint::new(Fractions, &pw, &pl))).collect();
            let ours = value(&moves, &hints, &f(1, 2));
            prop_assert_eq!(ours.win, value_with_hints(Fractions, &hinted));
            prop_assert_eq!(ours.draw, f(0, 1));
        }
    }
}
