//! What a deeper search will say about a move when the result of a shallower one is known.
//!
//! The shallow search, with errors e_l, says 1 (won) or 0 (lost); if the odds that a move is won are ρ before any
//! search, they are ρ (1 - e_l+)/e_l- after a 1 and ρ e_l+/(1 - e_l-) after a 0. A hint with P_W and P_L multiplies
//! them by P_W/(1 - P_L) or by (1 - P_W)/P_L. Baum requires the result to be the odds after the deep search alone, ρ
//! (1 - e_d+)/e_d- or ρ e_d+/(1 - e_d-): two linear equations for P_W and P_L, from which ρ cancels. The solution is
//!
//! (3.5) P_W(1) = (1 - e_d+) (1 - e_l+ - e_d- + e_l+ e_d- - e_l- e_d+) / ((1 - e_l+) (1 - e_d+ - e_d-))
//! (3.6) P_L(1) = (1 - e_d-) (e_l- - e_d- + e_l+ e_d- - e_l- e_d+) / (e_l- (1 - e_d+ - e_d-))
//! (3.7) P_W(0) = (1 - e_d+) (e_l+ - e_d+ + e_l- e_d+ - e_l+ e_d-) / (e_l+ (1 - e_d+ - e_d-))
//! (3.8) P_L(0) = (1 - e_d-) (1 - e_l- - e_d+ + e_l- e_d+ - e_l+ e_d-) / ((1 - e_l-) (1 - e_d+ - e_d-))
//!
//! which agrees with what is legible of the printed formulas. (3.9) neglects errors compared with 1: P_W(1) = 1,
//! P_L(1) = 1 - e_d-/e_l-, P_W(0) = 1 - e_d+/e_l+, P_L(0) = 1.

use num_traits::{One, Signed, Zero};
use prodmax_number::Fraction;

use crate::errors::EvaluationErrors;

/// P_W and P_L of a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reliability {
    /// P_W: the hint says "won" of a won move.
    pub won: Fraction,
    /// P_L: the hint says "lost" of a lost move.
    pub lost: Fraction,
}

impl Reliability {
    /// Whether both are probabilities and a "won" does not count against a move.
    pub fn is_possible(&self) -> bool {
        let one = Fraction::one();
        let within = |p: &Fraction| !p.is_negative() && *p <= one;
        within(&self.won) && within(&self.lost) && &self.won + &self.lost >= one
    }
}

/// The hints of a deep search, by what the shallow one said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeepHints {
    /// After a 1: (3.5), (3.6).
    pub after_won: Reliability,
    /// After a 0: (3.7), (3.8).
    pub after_lost: Reliability,
}

impl DeepHints {
    /// (3.5) to (3.8); `None` if they divide by 0: the shallow search is never wrong, or the deep one carries no
    /// information.
    pub fn of(shallow: &EvaluationErrors, deep: &EvaluationErrors) -> Option<Self> {
        let one = Fraction::one();
        let (lp, lm, dp, dm) = (&shallow.plus, &shallow.minus, &deep.plus, &deep.minus);
        let common = &one - dp - dm;
        let after_won = Reliability {
            won: quotient((&one - dp) * (&one - lp - dm + lp * dm - lm * dp), (&one - lp) * &common)?,
            lost: quotient((&one - dm) * (lm - dm + lp * dm - lm * dp), lm * &common)?,
        };
        let after_lost = Reliability {
            won: quotient((&one - dp) * (lp - dp + lm * dp - lp * dm), lp * &common)?,
            lost: quotient((&one - dm) * (&one - lm - dp + lm * dp - lp * dm), (&one - lm) * &common)?,
        };
        Some(Self { after_won, after_lost })
    }

    /// (3.9).
    pub fn approximate(shallow: &EvaluationErrors, deep: &EvaluationErrors) -> Option<Self> {
        let one = Fraction::one();
        let less =
            |deep: &Fraction, shallow: &Fraction| Some(&one - quotient(deep.clone(), shallow.clone())?);
        Some(Self {
            after_won: Reliability { won: one.clone(), lost: less(&deep.minus, &shallow.minus)? },
            after_lost: Reliability { won: less(&deep.plus, &shallow.plus)?, lost: one.clone() },
        })
    }

    /// The hint after what the shallow search said.
    pub fn after(&self, said_won: bool) -> &Reliability {
        if said_won { &self.after_won } else { &self.after_lost }
    }

    /// Whether both are possible: the deep search must be better in both ways.
    pub fn are_possible(&self) -> bool {
        self.after_won.is_possible() && self.after_lost.is_possible()
    }
}

fn quotient(a: Fraction, b: Fraction) -> Option<Fraction> {
    (!b.is_zero()).then(|| a / b)
}

/// Pr(a move is won | what a search with these errors says), if the probability was `prior` before. `None` if the
/// search never says so.
pub fn posterior(prior: &Fraction, errors: &EvaluationErrors, said_won: bool) -> Option<Fraction> {
    let won = prior * errors.says(said_won, true);
    let lost = (Fraction::one() - prior) * errors.says(said_won, false);
    quotient(won.clone(), won + lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(p: i32, q: i32) -> Fraction {
        Fraction::new(p.into(), q.into())
    }

    #[test]
    fn the_hints_solve_the_equations_they_are_derived_from() {
        let shallow = EvaluationErrors::new(f(1, 5), f(1, 4));
        let deep = EvaluationErrors::new(f(1, 20), f(1, 10));
        let hints = DeepHints::of(&shallow, &deep).unwrap();
        assert!(hints.are_possible());
        // For any prior, as it cancels.
        for prior in [f(1, 2), f(1, 3), f(9, 10)] {
            for said_shallow in [false, true] {
                let x = posterior(&prior, &shallow, said_shallow).unwrap();
                let hint = hints.after(said_shallow);
                // (2.4) and (2.5).
                let of_hint = EvaluationErrors::new(f(1, 1) - &hint.won, f(1, 1) - &hint.lost);
                for said_deep in [false, true] {
                    assert_eq!(posterior(&x, &of_hint, said_deep), posterior(&prior, &deep, said_deep));
                }
            }
        }
    }

    #[test]
    fn the_approximation_comes_close_when_errors_are_small() {
        let shallow = EvaluationErrors::new(f(1, 1000), f(1, 1000));
        let deep = EvaluationErrors::new(f(1, 10_000), f(1, 5000));
        let (exact, near) =
            (DeepHints::of(&shallow, &deep).unwrap(), DeepHints::approximate(&shallow, &deep).unwrap());
        for said in [false, true] {
            let (a, b) = (exact.after(said), near.after(said));
            for difference in [&a.won - &b.won, &a.lost - &b.lost] {
                assert!(difference.abs() < f(1, 800), "{difference}");
            }
        }
        assert_eq!(near.after_won.lost, f(4, 5));
    }

    #[test]
    fn perfect_and_useless_deep_searches() {
        let shallow = EvaluationErrors::new(f(1, 5), f(1, 4));
        let perfect = DeepHints::of(&shallow, &EvaluationErrors::new(f(0, 1), f(0, 1))).unwrap();
        for said in [false, true] {
            assert_eq!((&perfect.after(said).won, &perfect.after(said).lost), (&f(1, 1), &f(1, 1)));
        }
        assert_eq!(DeepHints::of(&shallow, &EvaluationErrors::new(f(1, 2), f(1, 2))), None);
        assert_eq!(DeepHints::of(&EvaluationErrors::new(f(0, 1), f(1, 4)), &shallow), None);
        // A deep search worse than the shallow one has no hints.
        assert!(!DeepHints::of(&shallow, &EvaluationErrors::new(f(1, 3), f(1, 3))).unwrap().are_possible());
    }
}
