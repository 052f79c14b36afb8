//! How well each rule decides: the probability that the move it chooses is won.
//!
//! - *A random move* and *Minimax* need no product values, only the probabilities of {m >= k} with and without the truth:
//!   the same recursion with one number in place of a row (`marginal`), in enclosures.
//! - *Product*: with one law rounded down and one up, a move is certain to be chosen if its product value, rounded down, is greater than
//!   those of all others, rounded up. The trees in which it is won, and those in which it is lost, bound what Product wins from both sides.
//! - *The ideal rule* is Product on the true curve, and what it wins is its value: the mean of the greatest of b
//!   values, which rounding down makes smaller and rounding up greater.

use super::U;
use super::figures::Interval;
use super::grid::Grid;
use super::ranked::Ranked;
use super::row::{Law, Row};

/// A gain over chance up to this size cannot be distinguished from 0 in doubles.
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

impl<N> LawQuality<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> LawQuality<T> {
        LawQuality {
            won: self.won.map(&to),
            efficiency: self.efficiency.map(|efficiency| efficiency.map(&to)),
            ideal: to(self.ideal),
            random: to(self.random),
        }
    }
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
    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use prodmax_enumerate::{Model, ZeroMode};
    use prodmax_rules::Curve;

    use super::*;
    use crate::atoms::{Atom, Atoms};
    use crate::row::tests::law;
    use prodmax_rules::Curves;

    /// Half the distance from 1 to the next double.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

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

    /// Of 0.4 that can be won beyond chance, 0.1 are won and 0.05 lost.
    #[test]
    fn efficiency_is_the_share_of_what_can_be_won() {
        let quality = LawQuality::of([0.6, 0.45], 0.9, 0.5);
        assert_eq!((quality.won, quality.ideal, quality.random), ([0.6, 0.45], 0.9, 0.5));
        let [Some(good), Some(bad)] = quality.efficiency else { panic!("no efficiency") };
        assert_relative_eq!(good, 0.25, max_relative = 1e-14);
        assert_relative_eq!(bad, -0.125, max_relative = 1e-14);
        for ideal in [0.5, 0.5 + 1e-14, 0.4] {
            assert_eq!(LawQuality::of([0.6, 0.45], ideal, 0.5).efficiency, [None; 2]);
        }
    }

    /// From 0.8 - 0.5 = 0.3 to 0.9 - 0.4 = 0.5 can be won beyond chance; won are from 0.05 to 0.18 and from -0.2 to
    /// -0.05. A gain is the smallest share of the most, a loss of the least.
    #[test]
    fn chance_has_two_ends_as_well() {
        let quality = LawQuality::of_intervals([[0.55, 0.58], [0.3, 0.35]], [0.8, 0.9], [0.4, 0.5]);
        let [Some(good), Some(bad)] = quality.efficiency else { panic!("no efficiency") };
        for (found, expected) in [(good, [0.1, 0.6]), (bad, [-2.0 / 3.0, -0.1])] {
            assert_relative_eq!(found[0], expected[0], max_relative = 1e-12);
            assert_relative_eq!(found[1], expected[1], max_relative = 1e-12);
        }
        assert_eq!((quality.won[0], quality.ideal, quality.random), ([0.55, 0.58], [0.8, 0.9], [0.4, 0.5]));
        // The ends of 0.5 + 0.1 and 0.6 may meet.
        assert_eq!(LawQuality::of_intervals([[0.55; 2]; 2], [0.6, 0.9], [0.5, 0.6]).efficiency, [None; 2]);
    }

    /// 0.125 of 0.25, all numbers exact: eight roundings relative to 0.25 are 32, or 16 times the distance from 1 to
    /// the next double. No rule is better than the ideal one.
    #[test]
    fn efficiencies_have_a_margin_for_roundings() {
        let quality = LawQuality::of_intervals([[0.625; 2], [0.75; 2]], [0.75; 2], [0.5; 2]);
        let margin = 32.0 * UNIT;
        assert_eq!(quality.efficiency, [Some([0.5 - margin, 0.5 + margin]), Some([1.0 - margin, 1.0])]);
    }

    /// From the least value on, moves with 0.2, then 0.3 and then 0.5, of which 0.15, 0.1 and 0.4 are won.
    #[test]
    fn the_greatest_value_is_chosen() {
        let total = law(7, &[0.5, 0.3, 0.2], &[0.4, 0.1, 0.15], [0.0; 2]);
        // With two moves, a move is chosen with those below it twice and with its equals once.
        let two = 0.15 * 0.2 + 0.1 * (0.2 + 0.5) + 0.4 * (0.5 + 1.0);
        assert_relative_eq!(chosen(&total, 2), two, max_relative = 1e-14);
        // (0.2³ - 0) / 0.2 = 0.04, (0.5³ - 0.2³) / 0.3 = 0.39 and (1 - 0.5³) / 0.5 = 1.75.
        let three = 0.15 * 0.04 + 0.1 * 0.39 + 0.4 * 1.75;
        assert_relative_eq!(chosen(&total, 3), three, max_relative = 1e-14);
    }

    /// Moves at 2, 3, 4 and 5, rounded down, and others at 4, 5 and 6, rounded up; what lies before is left out. The
    /// mass below is 0.125 for 5, 0.375 for 4, and 0.4375 for 3 and 2. All numbers are exact.
    fn rounded(down: [f64; 2], up: [f64; 2]) -> [Law; 2] {
        let truth = [0.375, 0.125, 0.0625, 0.03125];
        [law(2, &[0.5, 0.25, 0.125, 0.125], &truth, down), law(4, &[0.0625, 0.25, 0.125], &[0.0; 3], up)]
    }

    /// What is won and lost of such moves: of 2 and 3 together 0.5 are won and 0.25 lost, of 4 0.0625 and 0.0625, of
    /// 5 0.03125 and 0.09375.
    fn certain(ways: [f64; 3]) -> [f64; 2] {
        let [first, second, third] = ways;
        [0.5 * first + 0.0625 * second + 0.03125 * third, 0.25 * first + 0.0625 * second + 0.09375 * third]
    }

    /// b + 4 roundings for each of 4 + 3 numbers and 16 more, and 2 % to be safe.
    #[test]
    fn a_move_is_certain_to_be_chosen_if_all_others_are_below() {
        let squares = [0.4375 * 0.4375, 0.375 * 0.375, 0.125 * 0.125];
        for (branching, ways, roundings) in [
            (2, [0.4375, 0.375, 0.125].map(|below| 2.0 * below), 6.0 * 23.0),
            (3, squares.map(|below| 3.0 * below), 7.0 * 23.0),
        ] {
            let [down, up] = rounded([0.0; 2], [0.0; 2]);
            let ([low, high], [won, lost]) = (certainly_chosen(&down, &up, branching), certain(ways));
            assert_abs_diff_eq!(won - low, 1.02 * roundings * UNIT, epsilon = 2.0 * UNIT);
            assert_abs_diff_eq!(high - (1.0 - lost), 1.02 * roundings * UNIT, epsilon = 2.0 * UNIT);
        }
    }

    /// b (0.01 + 0.003) for the move itself, b (exp(0.004 (b - 1)) - 1) for the others, and the product of both.
    #[test]
    fn certain_choices_have_the_errors_of_both_laws() {
        let [down, up] = rounded([0.01, 0.003], [0.004, 0.7]);
        let won_and_lost = certain([0.4375 * 0.4375, 0.375 * 0.375, 0.125 * 0.125].map(|below| 3.0 * below));
        let (own, others) = (0.039, 3.0 * (0.008f64.exp() - 1.0));
        let error = 1.02 * (own + others + own * others);
        let [low, high] = certainly_chosen(&down, &up, 3);
        assert_relative_eq!(low, won_and_lost[0] - error, max_relative = 1e-12);
        assert_relative_eq!(high, 1.0 - won_and_lost[1] + error, max_relative = 1e-12);
        let [down, up] = rounded([0.5, 0.5], [0.0; 2]);
        assert_eq!(certainly_chosen(&down, &up, 3), [0.0, 1.0], "nothing is known");
    }

    #[test]
    fn the_end_of_a_row_is_behind_its_last_index() {
        assert_eq!(end(&law(7, &[0.5, 0.3, 0.2], &[0.0; 3], [0.0; 2]).row), 10);
    }

    /// 0.25 of the moves have the value 0.2, 0.25 have 0.5 and 0.5 have 0.9.
    #[test]
    fn the_mean_of_the_greatest_value_agrees_with_a_count_by_hand() {
        let value = |index: usize| [0.9, 0.5, 0.2][index - 3];
        let with = |error: f64, branching| {
            greatest(&law(3, &[0.5, 0.25, 0.25], &[0.0; 3], [error, 0.6]), branching, value)
        };
        // The probability that the greatest of b is at most each of them is 0.25^b, 0.5^b and 1.
        for (branching, mean, roundings) in [
            (2, 0.2 * 0.0625 + 0.5 * 0.1875 + 0.9 * 0.75, 6.0 * 19.0),
            (3, 0.2 / 64.0 + 0.5 * 7.0 / 64.0 + 0.9 * 0.875, 7.0 * 19.0),
        ] {
            let [found, error] = with(0.0, branching);
            assert_relative_eq!(found, mean, max_relative = 1e-14);
            // b + 4 roundings for each of 3 numbers and 16 more, twice.
            assert_relative_eq!(error, 2.0 * roundings * UNIT, epsilon = 0.0, max_relative = 1e-12);
        }
        // An error of the distribution function moves its b-th power by at most exp(b e) - 1.
        assert_relative_eq!(with(0.01, 2)[1], 1.01 * (0.02f64.exp() - 1.0), max_relative = 1e-11);
        assert_relative_eq!(with(0.01, 3)[1], 1.01 * (0.03f64.exp() - 1.0), max_relative = 1e-11);
    }

    /// A quarter of the moves at the index before the cap, 111, and the rest at the cap: rounded down, it is p = 0.
    #[test]
    fn the_cap_is_nothing_if_rounded_down_and_its_power_if_rounded_up() {
        let grid = Grid::new(16).unwrap();
        assert_eq!(grid.cap(), 111);
        let law = |error: f64| law(110, &[0.25, 0.75], &[0.0; 2], [error, 0.0]);
        let q = |exponent: i32| (15f64 / 16.0).powi(exponent);
        // The greatest of two values is that at the cap with 0.75² = 0.5625, otherwise the other one.
        let [low, high] = ideal(&law(0.0), &law(0.0), &grid, 2);
        let error = 2.0 * 6.0 * 18.0 * UNIT;
        assert_relative_eq!(low, 0.4375 * q(110) - error, max_relative = 1e-12);
        assert_relative_eq!(high, 0.4375 * q(110) + 0.5625 * q(111) + error, max_relative = 1e-12);
        assert_eq!(ideal(&law(0.5), &law(1.0), &grid, 2), [0.0, 1.0], "nothing is known");
    }

    /// Two moves that share the first rank, with 0.25 and 0.125 and won by 0.875 and 0.5, and one below, with 0.5 and
    /// won by 0.25.
    fn ranked(mass_error: f64, value_error: f64) -> Ranked {
        let model = Model::new(1, &[2, 3], ZeroMode::Skip, 42).unwrap();
        let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
        let mut ranked = Ranked::of(&model, &Atoms::of(&model, &curves, 1 << 10)).unwrap();
        let atom =
            |mass: f64, won: f64| Atom { minimax: 0, product: [0.5; 2], truth: [won, 1.0 - won], mass };
        ranked.ranks = vec![vec![atom(0.25, 0.875), atom(0.125, 0.5)], vec![atom(0.5, 0.25)]];
        (ranked.mass_error, ranked.value_error) = (mass_error, value_error);
        ranked
    }

    /// Below the first rank is 0.5, up to it 0.875: its share is 0.875^b - 0.5^b and that of the other one 0.5^b. The
    /// first rank wins from 0.5 to 0.875.
    fn ends(branching: i32) -> Interval {
        let last = 0.5f64.powi(branching);
        let first = 0.875f64.powi(branching) - last;
        [0.5, 0.875].map(|won| won * first + 0.25 * last)
    }

    /// b + 4 roundings for each of 3 moves and 16 more, and 2 % to be safe.
    #[test]
    fn moves_that_share_a_rank_may_be_in_any_order() {
        for (branching, roundings) in [(2, 6.0 * 19.0), (3, 7.0 * 19.0)] {
            let [low, high] = listed(&ranked(0.0, 0.0), branching);
            let [least, most] = ends(branching as i32);
            assert_abs_diff_eq!(least - low, 1.02 * roundings * UNIT, epsilon = 2.0 * UNIT);
            assert_abs_diff_eq!(high - most, 1.02 * roundings * UNIT, epsilon = 2.0 * UNIT);
        }
    }

    /// exp(0.01 b) - 1 twice for the masses, and 0.003 for the truth.
    #[test]
    fn listed_moves_have_errors_of_masses_and_of_values() {
        for (branching, exponent) in [(2, 0.02f64), (3, 0.03)] {
            let [low, high] = listed(&ranked(0.01, 0.003), branching);
            let [least, most] = ends(branching as i32);
            let error = 1.02 * (2.0 * (exponent.exp() - 1.0) + 0.003);
            assert_relative_eq!(low, least - error, max_relative = 1e-12);
            assert_relative_eq!(high, most + error, max_relative = 1e-12);
        }
        assert_eq!(listed(&ranked(0.5, 0.0), 2), [0.0, 1.0], "nothing is known");
    }
}
