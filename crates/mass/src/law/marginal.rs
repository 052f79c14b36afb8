//! What Minimax and a random choice win: the recursion of `tails` without product values, so that each law is one
//! number and nothing is rounded to a grid.

use num_bigint::BigInt;
use prodmax_enumerate::{Model, Mover};
use prodmax_number::Enclosure;
use prodmax_number::arctan::to_f64;
use rayon::prelude::*;

use super::atoms::children;
use super::figures::Interval;
use crate::curve::CurveTable;

/// Binary places.
const BITS: u32 = 128;

/// The probabilities of an event, and of the event that the subtree is won, too.
#[derive(Clone)]
struct Chance {
    all: Enclosure,
    won: Enclosure,
}

fn power(base: &Enclosure, exponent: usize) -> Enclosure {
    (1..exponent).fold(base.clone(), |power, _| power.mul(base))
}

/// What Minimax and a random choice win.
pub(super) fn won(model: &Model, truth: &CurveTable) -> [Interval; 2] {
    let [low, high] = model.position_range(model.depth());
    // Of all trees, by level: {m >= low} is certain.
    let all = levels(model, truth, None);
    let total = root(&all);
    let mut tails: Vec<Chance> =
        (low + 1..=high).into_par_iter().map(|k| root(&levels(model, truth, Some((k, &all))))).collect();
    tails.insert(0, total.clone());
    let zero = Enclosure::integer(0, BITS);
    tails.push(Chance { all: zero.clone(), won: zero.clone() });
    let branching = model.branching();
    let mut sum = zero;
    for pair in tails.windows(2) {
        let [here, more] = pair else { continue };
        let (below, until) = (here.all.complement(), more.all.complement());
        // Σ until^m below^(b-1-m), by Horner's scheme.
        let one = Enclosure::integer(1, BITS);
        let mut ways = Enclosure::integer(0, BITS);
        let mut powers = one;
        for _ in 0..branching {
            ways = ways.mul(&below).add(&powers);
            powers = powers.mul(&until);
        }
        sum.accumulate(&here.won.sub(&more.won).mul(&ways));
    }
    [outwards(&sum), outwards(&total.won)]
}

fn outwards(enclosure: &Enclosure) -> Interval {
    [to_f64(&enclosure.low()).next_down().max(0.0), to_f64(&enclosure.high()).next_up().min(1.0)]
}

/// The mean over the root's moves.
fn root(levels: &[Vec<Chance>]) -> Chance {
    mean(&levels[1])
}

fn mean(chances: &[Chance]) -> Chance {
    let mut sum = Chance { all: Enclosure::integer(0, BITS), won: Enclosure::integer(0, BITS) };
    for chance in chances {
        sum.all.accumulate(&chance.all);
        sum.won.accumulate(&chance.won);
    }
    let divided = |sum: &Enclosure| sum.div_integer(chances.len() as u32);
    Chance { all: divided(&sum.all), won: divided(&sum.won) }
}

/// The chances of {m >= k} of all nodes by level, or those of all trees.
fn levels(model: &Model, truth: &CurveTable, event: Option<(i32, &[Vec<Chance>])>) -> Vec<Vec<Chance>> {
    let depth = model.depth();
    let mut levels: Vec<Vec<Chance>> = vec![Vec::new(); depth + 1];
    let range = |level: usize| {
        let [first, last] = model.position_range(level);
        first..=last
    };
    levels[depth] = range(depth)
        .map(|position| {
            let inside = event.is_none_or(|(k, _)| position >= k);
            let all = Enclosure::integer(i32::from(inside), BITS);
            let won = truth.enclose(model.value_at(position), BITS).scale(&BigInt::from(i32::from(inside)));
            Chance { all, won }
        })
        .collect();
    for level in (1..depth).rev() {
        let first = *range(level + 1).start();
        let node = |(place, position): (usize, i32)| {
            let moves = children(model, level, position);
            let moves = (moves.start() - first) as usize..=(moves.end() - first) as usize;
            let within = mean(&levels[level + 1][moves.clone()]);
            match (Mover::at(level), event) {
                // All moves are inside, and won.
                (Mover::Min, _) => raised(&within, model.branching()),
                // Some are not lost.
                (Mover::Max, None) => {
                    let lost = power(&within.won.complement(), model.branching());
                    Chance { all: within.all, won: lost.complement() }
                }
                // All are outside, and lost; what is left is inside.
                (Mover::Max, Some((_, all))) => {
                    let total = mean(&all[level + 1][moves]);
                    let outside = within.all.complement();
                    let lost = outside.sub(&total.won.sub(&within.won));
                    let [outside, lost] = [outside, lost].map(|chance| power(&chance, model.branching()));
                    let won = all[level][place].won.sub(&outside.sub(&lost));
                    Chance { all: outside.complement(), won }
                }
            }
        };
        levels[level] = range(level).enumerate().map(node).collect();
    }
    levels
}

fn raised(chance: &Chance, exponent: usize) -> Chance {
    Chance { all: power(&chance.all, exponent), won: power(&chance.won, exponent) }
}
