//! How well each rule decides: the probability that the move it chooses is won.
//!
//! - *A random move* and *Minimax* need no product values, only the probabilities of {m >= k} with and without the truth:
//!   the same recursion with one number in place of a row (`marginal`), in enclosures.
//! - *Product*: with one law rounded down and one up, a move is certain to be chosen if its product value, rounded down, is greater than
//!   those of all others, rounded up. The trees in which it is won, and those in which it is lost, bound what Product wins from both sides.
//! - *The ideal rule* is Product on the true curve, and what it wins is its value: the mean of the greatest of b
//!   values, which rounding down makes smaller and rounding up greater.

use super::figures::Interval;
use super::grid::Grid;
use super::ranked::Ranked;
use super::row::{Law, Row};

const U: f64 = f64::EPSILON / 2.0;

/// If no more than this can be won beyond chance, doubles do not tell whether it is anything.
const LEAST_GAIN: f64 = 1e-13;

/// What two rules win and what share this is of what can be won beyond chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawQuality<N> {
    /// The probability that the move chosen by the first and by the second rule is won.
    pub won: [N; 2],
    /// (won - random) / (ideal - random) for both; `None` if the ideal rule may do no better than chance.
    pub efficiency: [Option<N>; 2],
    /// What the ideal rule wins.
    pub ideal: N,
    /// What a random choice wins.
    pub random: N,
}

impl LawQuality<f64> {
    /// The quality that follows from what is won.
    pub(super) fn of(won: [f64; 2], ideal: f64, random: f64) -> Self {
        let efficiency =
            won.map(|won| (ideal - random > LEAST_GAIN).then(|| (won - random) / (ideal - random)));
        Self { won, efficiency, ideal, random }
    }
}

impl LawQuality<Interval> {
    /// The same with intervals. No rule wins more than the ideal one.
    pub(super) fn of_intervals(won: [Interval; 2], ideal: Interval, random: Interval) -> Self {
        let efficiency = won.map(|[low, high]| {
            let [least, most] = [ideal[0] - random[1], ideal[1] - random[0]];
            if least <= LEAST_GAIN {
                return None;
            }
            let [low, high] = [low - random[1], high - random[0]];
            let down = low / if low > 0.0 { most } else { least };
            let up = high / if high > 0.0 { least } else { most };
            // Four roundings of numbers that are not tiny.
            let margin = 8.0 * U / least;
            Some([down - margin, (up + margin).min(1.0)])
        });
        Self { won, efficiency, ideal, random }
    }
}

/// (B + G)^b - B^b divided by G: the weight of each of the best moves if G has the greatest value and B are below.
fn ways(below: f64, until: f64, branching: usize) -> f64 {
    if branching == 2 {
        return below + until;
    }
    // Horner's scheme for Σ until^m below^(b-1-m).
    let (mut sum, mut power) = (0.0, 1.0);
    for _ in 0..branching {
        sum = sum * below + power;
        power *= until;
    }
    sum
}

/// What is won by the moves with the greatest value, where equal indices are a toss-up.
pub(super) fn chosen(total: &Law, branching: usize) -> f64 {
    let row = &total.row;
    let (mut won, mut below) = (0.0, 0.0);
    // The greatest index is the least value.
    for (mass, truth) in row.mass.iter().zip(&row.truth).rev() {
        won += truth * ways(below, below + mass, branching);
        below += mass;
    }
    won
}

/// What is certain to be won and to be lost by the moves with the greatest value, as an interval.
pub(super) fn certainly_chosen(down: &Law, up: &Law, branching: usize) -> Interval {
    let (mut won, mut lost, mut below) = (0.0, 0.0, 0.0);
    let exponent = branching as i32 - 1;
    let row = &down.row;
    let mut others = end(&up.row);
    for (place, (mass, truth)) in row.mass.iter().zip(&row.truth).enumerate().rev() {
        let index = row.offset + place;
        // Strictly less: greater indices only.
        while others > index + 1 && others > up.row.offset {
            others -= 1;
            below += up.row.mass[others - up.row.offset];
        }
        let ways = branching as f64 * below.powi(exponent);
        won += truth * ways;
        lost += (mass - truth) * ways;
    }
    let length = (row.mass.len() + up.row.mass.len()) as f64;
    let own = branching as f64 * (down.error[0] + down.error[1]);
    let other = branching as f64 * (f64::from(exponent) * up.error[0]).exp_m1();
    let roundings = (branching as f64 + 4.0) * (length + 16.0) * U;
    let error = 1.02 * (own + other + own * other + roundings);
    [(won - error).max(0.0), (1.0 - (lost - error)).min(1.0)]
}

fn end(row: &Row) -> usize {
    row.offset + row.mass.len()
}

/// The mean of the greatest of several values.
fn greatest(total: &Law, branching: usize, value: impl Fn(usize) -> f64) -> [f64; 2] {
    let row = &total.row;
    let (mut mean, mut below) = (0.0, 0.0);
    for (place, mass) in row.mass.iter().enumerate().rev() {
        mean += value(row.offset + place) * mass * ways(below, below + mass, branching);
        below += mass;
    }
    // The mean is an integral of 1 - F^b, where F is a distribution function.
    let shift = 1.01 * (branching as f64 * total.error[0]).exp_m1();
    let roundings = (branching as f64 + 4.0) * (row.mass.len() + 16) as f64 * U;
    [mean, shift + 2.0 * roundings]
}

/// What the ideal rule wins, from its laws rounded down and up.
pub(super) fn ideal(down: &Law, up: &Law, grid: &Grid, branching: usize) -> Interval {
    // Rounded down, an index at the cap means p = 0.
    let [low, low_error] =
        greatest(down, branching, |index| if index == grid.cap() { 0.0 } else { grid.value(index) });
    let [high, high_error] = greatest(up, branching, |index| grid.value(index));
    [(low - low_error).max(0.0), (high + high_error).min(1.0)]
}

/// What a rule wins if all moves are listed: values that doubles do not tell apart may be in any order.
pub(super) fn listed(ranked: &Ranked, branching: usize) -> Interval {
    let (mut ends, mut below, mut count) = ([0.0; 2], 0.0, 0);
    for rank in ranked.ranks.iter().rev() {
        let mass: f64 = rank.iter().map(|atom| atom.mass).sum();
        let weight = mass * ways(below, below + mass, branching);
        let truths = rank.iter().map(|atom| atom.truth[0]);
        ends[0] += weight * truths.clone().fold(f64::INFINITY, f64::min);
        ends[1] += weight * truths.fold(0.0, f64::max);
        below += mass;
        count += rank.len();
    }
    let b = branching as f64;
    let roundings = (b + 4.0) * (count + 16) as f64 * U;
    let error = 1.02 * (2.0 * (b * ranked.mass_error).exp_m1() + ranked.value_error + roundings);
    [(ends[0] - error).max(0.0), (ends[1] + error).min(1.0)]
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn ways_are_differences_of_powers() {
        for (below, until, branching) in [(0.25, 0.75, 2), (0.1, 0.4, 5), (0.0, 1.0, 3), (0.5, 0.625, 1)] {
            let expected = (f64::powi(until, branching) - f64::powi(below, branching)) / (until - below);
            assert_relative_eq!(ways(below, until, branching as usize), expected, epsilon = 1e-14);
        }
    }

    /// Won 0.6 to 0.7 and 0.1 to 0.2, random 0.5, ideal 0.8 to 0.9.
    #[test]
    fn efficiencies_are_bounded_from_both_sides() {
        let quality = LawQuality::of_intervals([[0.6, 0.7], [0.1, 0.2]], [0.8, 0.9], [0.5, 0.5]);
        let [Some(good), Some(bad)] = quality.efficiency else { panic!("no efficiency") };
        assert_relative_eq!(good[0], 0.1 / 0.4, epsilon = 1e-12);
        assert_relative_eq!(good[1], 0.2 / 0.3, epsilon = 1e-12);
        assert_relative_eq!(bad[0], -0.4 / 0.3, epsilon = 1e-12);
        assert_relative_eq!(bad[1], -0.3 / 0.4, epsilon = 1e-12);
        assert_eq!(LawQuality::of_intervals([[0.5; 2]; 2], [0.5, 0.6], [0.5; 2]).efficiency, [None; 2]);
    }
}
