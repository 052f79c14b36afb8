//! How well one rule decides: the probability that the move it chooses is won.
//!
//! In a tree whose moves lead to classes i and j, a rule that ranks i above j chooses i; equal ranks are a toss-up.
//! Summed over all ordered trees along a ranking, a class c is chosen against everything below it, and against its
//! own group in half of the trees. So with μ the multiplicities, t the probabilities that classes are won, and per
//! group G = Σ μ, T = Σ μ t,
//!
//! won = Σ over groups of T (2 · Σ G of the groups below + G) / (Σ μ)²,
//!
//! in one pass. With b moves, the best of them are in a group with weight G and with the weight B below it in (B +
//! G)^b - B^b trees; each of the best, one of which is chosen at random, is any class of the group in proportion to
//! its weight. So
//!
//! won = Σ over groups of (T / G) ((B + G)^b - B^b) / (Σ μ)^b,
//!
//! where the quotient by G is the sum of (B + G)^m B^(b-1-m) over m < b: nothing is subtracted. A random choice wins
//! Σ μ t / Σ μ; the ideal rule, which ranks by t itself, wins as much as any rule can.

use num_bigint::BigUint;
use prodmax_jobs::stop;
use prodmax_number::possible::{ImpossibleFigure, Kind};
use prodmax_rules::Rule;

use crate::arithmetic::{Factor, Field};
use crate::forest::Forest;
use crate::ranking::Ranking;

/// What a rule wins, and what share this is of what can be won beyond chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality<N> {
    /// Mean over all ordered trees of the probability that the chosen move is won.
    pub won: N,
    /// (won - random) / (ideal - random); `None` if it was not asked for, or if the ideal rule does no better than chance.
    pub efficiency: Option<N>,
}

impl<N> Quality<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Quality<T> {
        Quality { won: to(self.won), efficiency: self.efficiency.map(&to) }
    }
}

/// The scale of [`Quality`]: what the ideal rule and a random choice win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances<N> {
    /// What the ideal rule wins.
    pub ideal: N,
    /// What a random choice wins.
    pub random: N,
}

impl<N> Chances<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Chances<T> {
        Chances { ideal: to(self.ideal), random: to(self.random) }
    }
}

/// The probability that the move chosen by a ranking is won.
pub fn won<F: Field>(field: &F, forest: &Forest, ranking: &Ranking, truth: &[F::Number]) -> F::Number {
    let mu = forest.classes().multiplicities();
    let branching = forest.branching();
    match branching {
        1 => return random(field, forest, truth),
        2 => {}
        _ => return won_with_more_moves(field, forest, ranking, truth),
    }
    let mut sum = field.zero();
    let mut below = 0u128;
    for group in ranking.groups().iter() {
        stop::check();
        let here: u128 = group.iter().map(|&class| mu[class as usize]).sum();
        for &class in group {
            // At most 2 Σ μ times μ: at most twice the number of trees.
            let weighed = field.scale(mu[class as usize], &truth[class as usize]);
            field.add(&mut sum, &field.scale(2 * below + here, &weighed));
        }
        below += here;
    }
    quotient(field, &field.total(&sum), &forest.trees())
}

/// The same with more than two moves.
fn won_with_more_moves<F: Field>(
    field: &F,
    forest: &Forest,
    ranking: &Ranking,
    truth: &[F::Number],
) -> F::Number {
    let mu = forest.classes().multiplicities();
    let branching = forest.branching();
    let mut sum = field.zero();
    let mut below = 0u128;
    for group in ranking.groups().iter() {
        stop::check();
        let mut here = field.zero();
        for &class in group {
            field.add(&mut here, &field.scale(mu[class as usize], &truth[class as usize]));
        }
        let here = field.total(&here);
        let until = below + group.iter().map(|&class| mu[class as usize]).sum::<u128>();
        for m in 0..branching {
            let factor = F::Factor::power(until, m).product(&F::Factor::power(below, branching - 1 - m));
            field.add(&mut sum, &field.times(&factor, &here));
        }
        below = until;
    }
    quotient(field, &field.total(&sum), &forest.trees())
}

/// The probability that a random move is won.
fn random<F: Field>(field: &F, forest: &Forest, truth: &[F::Number]) -> F::Number {
    let mut sum = field.zero();
    for (&mu, truth) in forest.classes().multiplicities().iter().zip(truth) {
        field.add(&mut sum, &field.scale(mu, truth));
    }
    quotient(field, &field.total(&sum), &forest.total().into())
}

impl<N: Clone> Chances<N> {
    /// The scale, from the ranking of the ideal rule; an error if it is impossible.
    pub fn of<F: Field<Number = N>>(
        field: &F,
        forest: &Forest,
        ideal: &Ranking,
        truth: &[N],
    ) -> Result<Self, ImpossibleFigure> {
        Self::new(field, won(field, forest, ideal, truth), random(field, forest, truth))
    }

    /// The scale from what the ideal rule and a random choice win; an error if it is impossible.
    pub(crate) fn new<F: Field<Number = N>>(
        field: &F,
        ideal: N,
        random: N,
    ) -> Result<Self, ImpossibleFigure> {
        let ideal =
            field.possible(Kind::Probability, ideal).map_err(|why| why.of("what the ideal rule wins"))?;
        let random =
            field.possible(Kind::Probability, random).map_err(|why| why.of("what a random choice wins"))?;
        Ok(Self { ideal, random })
    }

    /// The part of what can be won beyond chance that a rule wins.
    fn efficiency<F: Field<Number = N>>(&self, field: &F, won: &N) -> Option<N> {
        let gain = field.sub(won, &self.random);
        field.div(&gain, &field.sub(&self.ideal, &self.random))
    }
}

/// The quality of rules that win so much; an error if that is impossible, as no rule wins more than the ideal one.
pub(crate) fn qualities<F: Field>(
    field: &F,
    rules: &[Rule],
    won: Vec<F::Number>,
    chances: Option<&Chances<F::Number>>,
) -> Result<Vec<Quality<F::Number>>, ImpossibleFigure> {
    let quality = |(rule, won): (&Rule, F::Number)| {
        let won =
            field.possible(Kind::Probability, won).map_err(|why| why.of(format!("what {rule} wins")))?;
        let Some(chances) = chances else { return Ok(Quality { won, efficiency: None }) };
        let won = field
            .at_most(&chances.ideal, won)
            .map_err(|why| why.of("what the ideal rule wins beyond another rule"))?;
        let efficiency = chances.efficiency(field, &won);
        Ok(Quality { won, efficiency })
    };
    rules.iter().zip(won).map(quality).collect()
}

/// A sum over trees divided by their number, which is not 0.
fn quotient<F: Field>(field: &F, sum: &F::Number, trees: &BigUint) -> F::Number {
    field.div(sum, &field.whole(trees)).unwrap_or_else(|| sum.clone())
}
