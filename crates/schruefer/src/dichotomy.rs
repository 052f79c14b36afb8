//! Schruefer's dichotomy: with one losing move below a Win a deep search does not get rid of errors, with several it gets
//! rid of small ones. Both are certain in a rectangle of errors (e+, e-) that follows from (3.4).
//!
//! **n > 1.** (3.4) says e+' <= (e-)^n and e-' = 1 - (1 - e+)^b, so two plies take e+ to at most f(e+) = (1 - (1 - e+)^b)^n.
//! f increases, and f(x) < x below the least positive root x of f(x) = x, because f(x)/x tends to 0 with x. So an e+
//! below the root falls to 0 over every second ply, and so does e- between them. One ply higher e+ is at most (e-)^n, which
//! must be below the root, too: e- below x^(1/n) = 1 - (1 - x)^b.
//!
//! **n = 1.** e+'' = e-' (1 - e+')^(b-1) with e-' = 1 - (1 - e+)^b and e+' <= e-. While both errors are at most c, two plies
//! multiply e+ by at least (1 - (1 - c)^b)/c · (1 - c)^(b-1), which falls with c and is 1 at the root c. Below it e+ grows by
//! more than a constant factor every two plies, so errors that are not 0 cannot stay there, much less vanish.

use num_traits::{One, Zero};
use prodmax_number::roots::{Root, roots_between};
use prodmax_number::{Fraction, Polynomial};

use crate::errors::Schruefer;

/// Binary places of the ends of a rectangle.
const BITS: u32 = 64;

/// What becomes of errors in a rectangle when the search gets deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Both tend to 0.
    Vanish,
    /// Unless both are 0, they leave the rectangle.
    Grow,
}

/// All errors of the leaves with e+ and e- below two bounds, of which the same is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basin {
    /// What becomes of the errors.
    pub fate: Fate,
    /// The bound of e+, an interval that contains it: below its lower end the fate is certain.
    pub plus: [Fraction; 2],
    /// The bound of e-, likewise.
    pub minus: [Fraction; 2],
}

impl Schruefer {
    /// The rectangle; `None` if nothing is certain, because there is no choice (b = 1).
    pub fn basin(&self) -> Option<Basin> {
        let (b, n) = (self.branching, self.losses);
        // x stands for e+ or c; (1 - x)^b is the probability that b Wins are all evaluated rightly.
        let right = |moves: u32| Polynomial::one_minus_p().pow(moves);
        let wrong = &Polynomial::constant(1) - &right(b);
        let fate = if n == 1 { Fate::Grow } else { Fate::Vanish };
        let two_plies = match fate {
            Fate::Grow => &wrong * &right(b - 1),
            Fate::Vanish => wrong.pow(n),
        };
        let rise = &two_plies - &Polynomial::p();
        let Root { low, high } =
            roots_between(&rise, &Fraction::zero(), &Fraction::one(), BITS).into_iter().next()?;
        // Below the least root the sign is the same everywhere.
        let expected = if fate == Fate::Grow { 1 } else { -1 };
        if rise.sign_at(&(&low * Fraction::new(1.into(), 2.into()))) != expected {
            return None;
        }
        let plus = [low, high];
        let minus = match fate {
            Fate::Grow => plus.clone(),
            Fate::Vanish => plus.each_ref().map(|x| wrong.evaluate(x)),
        };
        Some(Basin { fate, plus, minus })
    }
}

#[cfg(test)]
mod tests {
    use prodmax_number::fraction::to_f64;

    use super::*;

    /// (3.4) in doubles.
    fn above([plus, minus]: [f64; 2], b: u32, n: u32) -> [f64; 2] {
        let right = 1.0 - plus;
        [minus.powi(n as i32) * right.powi((b - n) as i32), 1.0 - right.powi(b as i32)]
    }

    fn bounds(b: u32, n: u32) -> (Fate, [f64; 2]) {
        let basin = Schruefer { branching: b, losses: n }.basin().unwrap();
        let narrow = |[low, high]: &[Fraction; 2]| to_f64(&(high - low)) < 1e-15;
        assert!(narrow(&basin.plus) && narrow(&basin.minus));
        (basin.fate, [to_f64(&basin.plus[0]), to_f64(&basin.minus[0])])
    }

    /// b = n = 2: x (2 - x)^2 = 1 has the root (3 - √5)/2, and 1 - (1 - x)^2 = (√5 - 1)/2. b = 2, n = 1: (1 + u) u = 1 for
    /// u = 1 - c, so c is the same.
    #[test]
    fn two_moves_by_hand() {
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        let (fate, [plus, minus]) = bounds(2, 2);
        assert!(
            fate == Fate::Vanish && (plus - (1.0 - golden)).abs() < 1e-15 && (minus - golden).abs() < 1e-15
        );
        let (fate, [plus, minus]) = bounds(2, 1);
        assert!(fate == Fate::Grow && (plus - (1.0 - golden)).abs() < 1e-15 && plus == minus);
        assert_eq!(Schruefer { branching: 1, losses: 1 }.basin(), None);
    }

    /// Ply by ply: errors in the rectangle vanish, or e+ grows over every two plies that begin in it.
    #[test]
    fn errors_in_the_rectangle_have_its_fate() {
        for b in 2..=6 {
            for n in 1..=b {
                let (fate, [plus, minus]) = bounds(b, n);
                for (i, j) in
                    (0..10).flat_map(|i| (0..10).map(move |j| (i, j))).filter(|pair| *pair != (0, 0))
                {
                    let mut errors = [plus * f64::from(i) / 9.1, minus * f64::from(j) / 9.1];
                    let mut left = false;
                    for _ in 0..400 {
                        let higher = above(above(errors, b, n), b, n);
                        let inside = errors[0] < plus && errors[1] < minus;
                        left |= !inside;
                        if fate == Fate::Grow && inside && errors[0] > 0.0 {
                            assert!(higher[0] > errors[0], "b {b} n {n} {errors:?}");
                        }
                        errors = higher;
                    }
                    match fate {
                        Fate::Vanish => assert!(errors[0] + errors[1] < 1e-12, "b {b} n {n} {errors:?}"),
                        Fate::Grow => assert!(left, "b {b} n {n}"),
                    }
                }
            }
        }
    }

    /// With n = b the bounds of (3.4) are equalities, so that the rectangle is the whole basin.
    #[test]
    fn beyond_the_rectangle_errors_do_not_vanish_if_all_moves_lose() {
        for b in 2..=6 {
            let (_, [plus, minus]) = bounds(b, b);
            for mut errors in [[plus * 1.001, 0.0], [0.0, minus * 1.001]] {
                for _ in 0..400 {
                    errors = above(errors, b, b);
                }
                assert!(errors[0] + errors[1] > 0.9, "b {b} {errors:?}");
            }
        }
    }
}
