//! The two-value model of LGB section 2: eqs (1)-(3), in fractions and in enclosures.
//!
//! Nodes are lost or won for the side to move. A share k_i of the nodes at ply i is lost; a loss is mistaken for a
//! win with probability p_i, a win for a loss with probability q_i. Plies are counted upwards from the lowest.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use prodmax_number::possible::{Impossible, ImpossibleFigure, Kind};
use prodmax_number::{Enclosure, Fraction};
use thiserror::Error;

/// Losses and errors at one ply, in any kind of number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyErrors<N> {
    /// k_i, the probability of a loss.
    pub losses: N,
    /// p_i, the probability that a loss is evaluated as a win.
    pub false_wins: N,
    /// q_i, the probability that a win is evaluated as a loss.
    pub false_losses: N,
}

/// Why the formulas do not apply.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TwoValuesError {
    /// The branching factor is out of range.
    #[error("the branching factor is {0}; it must lie between 1 and 1000")]
    Branching(u32),
    /// Not a probability.
    #[error("{0} is not a probability; it must lie between 0 and 1")]
    Probability(Fraction),
    /// With k_i = 0 every node one ply above is lost, and q of a win that never happens is not defined.
    #[error("at ply {0} no node is won, so the probability of a false loss is not defined")]
    NoWins(usize),
    /// A probability that does not pass the gate.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// The enclosures became too wide to divide by.
    #[error("at ply {0} the enclosures are too wide; use more bits")]
    TooWide(usize),
}

fn check(b: u32, probabilities: &[&Fraction]) -> Result<(), TwoValuesError> {
    if !(1..=1000).contains(&b) {
        return Err(TwoValuesError::Branching(b));
    }
    let is_probability = |value: &Fraction| (Fraction::zero()..=Fraction::one()).contains(value);
    match probabilities.iter().find(|value| !is_probability(value)) {
        Some(value) => Err(TwoValuesError::Probability((*value).clone())),
        None => Ok(()),
    }
}

impl PlyErrors<Fraction> {
    /// The probability that the node is evaluated wrongly: p k + q (1 - k).
    pub fn error(&self) -> Fraction {
        &self.false_wins * &self.losses + &self.false_losses * (Fraction::one() - &self.losses)
    }
}

impl PlyErrors<Enclosure> {
    /// The probability that the node is evaluated wrongly: p k + q (1 - k).
    pub fn error(&self) -> Enclosure {
        let sum = self.false_wins.mul(&self.losses).add(&self.false_losses.mul(&self.losses.complement()));
        // A mean of p and q: what rounding outwards added beyond 1 is not part of it.
        sum.min(&Enclosure::integer(1, sum.bits()))
    }
}

impl<N> PlyErrors<N> {
    /// All three, each of which passes the gate.
    fn checked(
        self,
        ply: usize,
        check: impl Fn(N) -> Result<N, Impossible>,
    ) -> Result<Self, ImpossibleFigure> {
        let named = |what: &'static str| {
            move |reason: Impossible| reason.of(format!("the probability of {what} at ply {ply}"))
        };
        Ok(Self {
            losses: check(self.losses).map_err(named("a loss"))?,
            false_wins: check(self.false_wins).map_err(named("a false win"))?,
            false_losses: check(self.false_losses).map_err(named("a false loss"))?,
        })
    }
}

/// Plies 0 to `plies` from rational values at ply 0, exactly.
pub fn errors(
    b: u32,
    lowest: PlyErrors<Fraction>,
    plies: usize,
) -> Result<Vec<PlyErrors<Fraction>>, TwoValuesError> {
    check(b, &[&lowest.losses, &lowest.false_wins, &lowest.false_losses])?;
    let (one, exponent) = (Fraction::one(), b as i32);
    let mut all = vec![lowest];
    for ply in 1..=plies {
        let PlyErrors { losses: k, false_wins: p, false_losses: q } = &all[ply - 1];
        let losses = (&one - k).pow(exponent); // (1)
        let false_wins = &one - (&one - q).pow(exponent); // (2)
        let right_wins = (&one - k) * (&one - q);
        let seen_as_wins = k * p + &right_wins;
        let wins = &one - &losses;
        if wins.is_zero() {
            return Err(TwoValuesError::NoWins(ply));
        }
        let false_losses = (seen_as_wins.pow(exponent) - right_wins.pow(exponent)) / wins; // (3)
        let errors = PlyErrors { losses, false_wins, false_losses };
        all.push(errors.checked(ply, |x| Kind::Probability.check_fraction(&x).map(|()| x))?);
    }
    Ok(all)
}

fn power(base: &Enclosure, exponent: u32) -> Enclosure {
    (1..exponent).fold(base.clone(), |product, _| product.mul(base))
}

/// The same in enclosures: ply 0 has the losses `losses[0]`, ply 1 `losses[1]`, and so on.
pub fn enclosed_errors(
    b: u32,
    losses: &[Enclosure],
    false_wins: &Fraction,
    false_losses: &Fraction,
) -> Result<Vec<PlyErrors<Enclosure>>, TwoValuesError> {
    check(b, &[false_wins, false_losses])?;
    let mut all: Vec<PlyErrors<Enclosure>> = Vec::new();
    for (ply, losses) in losses.iter().enumerate() {
        let bits = losses.bits();
        let Some(PlyErrors { losses: k, false_wins: p, false_losses: q }) = all.last() else {
            let [false_wins, false_losses] = [false_wins, false_losses].map(|x| Enclosure::of(x, bits));
            let errors = PlyErrors { losses: losses.clone(), false_wins, false_losses };
            all.push(errors.checked(ply, |x| Kind::Probability.check_enclosure(&x))?);
            continue;
        };
        let right_wins = k.complement().mul(&q.complement());
        let seen_as_wins = k.mul(p).add(&right_wins);
        let difference = power(&seen_as_wins, b).sub(&power(&right_wins, b));
        let false_losses = difference.div(&losses.complement()).ok_or(TwoValuesError::TooWide(ply))?;
        let false_wins = power(&q.complement(), b).complement();
        let errors = PlyErrors { losses: losses.clone(), false_wins, false_losses };
        all.push(errors.checked(ply, |x| Kind::Probability.check_enclosure(&x))?);
    }
    Ok(all)
}

/// k_0, …, k_d such that k_d is `top`: eq. (1) backwards, k_i = 1 - k_{i+1}^(1/b), which is irrational.
pub fn losses_below(
    b: u32,
    top: &Fraction,
    plies: usize,
    bits: u32,
) -> Result<Vec<Enclosure>, TwoValuesError> {
    check(b, &[top])?;
    let mut losses = vec![Enclosure::of(top, bits)];
    for ply in 0..plies {
        losses.push(root(&losses[ply], b).complement());
    }
    losses.reverse();
    Ok(losses)
}

/// The b-th root of a non-negative number.
fn root(value: &Enclosure, b: u32) -> Enclosure {
    let bits = value.bits();
    let of = |end: &BigInt| (end.max(&BigInt::zero()) << (bits * (b - 1))).nth_root(b);
    let exact = |end: BigInt| Fraction::new(end, BigInt::one() << bits);
    let high = exact(of(value.high_end()) + 1);
    Enclosure::of(&exact(of(value.low_end())), bits).hull(&Enclosure::of(&high, bits))
}

/// The share of losses that is the same at every ply: the solution of k = (1 - k)^b, by bisection in exact numbers.
pub fn fixed_point(b: u32, bits: u32) -> Result<Enclosure, TwoValuesError> {
    check(b, &[])?;
    let one = BigInt::one() << bits;
    let (mut low, mut high) = (BigInt::zero(), one.clone());
    while &high - &low > BigInt::one() {
        let middle: BigInt = (&low + &high) >> 1;
        // middle < (1 - middle)^b, in units of 2^-bits.
        if &middle << (bits * (b - 1)) < (&one - &middle).pow(b) { low = middle } else { high = middle }
    }
    let end = |value: BigInt| Enclosure::of(&Fraction::new(value, one.clone()), bits);
    Ok(end(low).hull(&end(high)))
}

#[cfg(test)]
mod tests {
    use prodmax_number::fraction::{decimal, parse};

    use super::super::small_trees::enumerated;
    use super::*;

    fn fraction(text: &str) -> Fraction {
        parse(text).unwrap()
    }

    fn lowest() -> PlyErrors<Fraction> {
        PlyErrors { losses: fraction("2/5"), false_wins: fraction("1/10"), false_losses: fraction("1/7") }
    }

    #[test]
    fn the_equations_agree_with_all_small_trees() {
        for (b, plies) in [(2, 1), (2, 2), (3, 1), (4, 1), (5, 1)] {
            let formula = errors(b, lowest(), plies).unwrap();
            assert_eq!(formula.last(), Some(&enumerated(b, plies, &lowest())), "b = {b}, {plies} plies");
        }
    }

    #[test]
    fn enclosures_contain_the_fractions() {
        let exact = errors(3, lowest(), 3).unwrap();
        let losses: Vec<_> = exact.iter().map(|ply| Enclosure::of(&ply.losses, 200)).collect();
        let enclosed = enclosed_errors(3, &losses, &lowest().false_wins, &lowest().false_losses).unwrap();
        for (exact, enclosed) in exact.iter().zip(&enclosed) {
            assert!(enclosed.error().contains(&exact.error()));
            assert!(enclosed.false_wins.contains(&exact.false_wins));
            assert!(enclosed.false_losses.contains(&exact.false_losses));
            assert!(enclosed.error().width() < fraction("1/1000000000000000000000000000000"));
        }
    }

    #[test]
    fn an_even_game_at_the_root() {
        // b = 2, p_0 = q_0 = 0.1, k_d = 1/2: values from an independent computation.
        let tenth = fraction("1/10");
        for (d, expected) in
            [(0, "0.100"), (1, "0.133"), (5, "0.234"), (10, "0.375"), (15, "0.486"), (20, "0.500")]
        {
            let losses = losses_below(2, &fraction("1/2"), d, 256).unwrap();
            let root = enclosed_errors(2, &losses, &tenth, &tenth).unwrap().pop().unwrap();
            let error = root.error();
            assert!(root.losses.contains(&fraction("1/2")));
            assert_eq!(decimal(&error.low(), 3), expected, "d = {d}");
            assert_eq!(decimal(&error.high(), 3), expected, "d = {d}");
        }
    }

    #[test]
    fn the_fixed_point_of_two_moves_is_the_golden_section() {
        // k = (1 - k)²: k = (3 - √5)/2.
        let five = Enclosure::integer(5, 128).sqrt();
        let golden = Enclosure::integer(3, 128).sub(&five).halve(1);
        let found = fixed_point(2, 100).unwrap();
        assert!(found.contains(&golden.middle()));
        assert!(found.width() <= Fraction::new(BigInt::one(), BigInt::one() << 99));
        // Going backwards leaves it unchanged.
        let below = losses_below(2, &found.middle(), 3, 100).unwrap();
        assert_eq!(decimal(&below[0].middle(), 15), decimal(&found.middle(), 15));
    }

    #[test]
    fn undefined_errors_are_explained_in_a_sentence() {
        let message = |b, lowest| errors(b, lowest, 2).unwrap_err().to_string();
        assert_eq!(message(0, lowest()), "the branching factor is 0; it must lie between 1 and 1000");
        assert_eq!(
            message(2, PlyErrors { losses: fraction("3/2"), ..lowest() }),
            "3/2 is not a probability; it must lie between 0 and 1"
        );
        assert_eq!(
            message(2, PlyErrors { losses: Fraction::zero(), ..lowest() }),
            "at ply 1 no node is won, so the probability of a false loss is not defined"
        );
    }
}
