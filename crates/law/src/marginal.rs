//! What Minimax and a random choice win: the recursion of `tails` without product values, so that each law is one
//! number and nothing is rounded to a grid.

use num_bigint::BigInt;
use prodmax_enumerate::{Model, Mover};
use prodmax_number::Enclosure;
use prodmax_number::fraction::to_f64;
use prodmax_rules::CurveTable;
use rayon::prelude::*;

use super::atoms::children;
use super::figures::Interval;

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use prodmax_enumerate::ZeroMode;
    use prodmax_number::Fraction;
    use prodmax_rules::Curve;

    use super::*;

    fn model(root: i64, increments: &[i64], branching: i64) -> Model {
        Model::new(root, increments, ZeroMode::Skip, 10).unwrap().with_branching(branching).unwrap()
    }

    fn fraction(numerator: i32, denominator: i32) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    fn exactly(numerator: i32, denominator: i32) -> Enclosure {
        Enclosure::of(&fraction(numerator, denominator), BITS)
    }

    /// The leaves -1, +1 and +2 are won with 0.05, 0.95 and 0.95. Minimax takes -1 only if all moves are -1: one of 9
    /// trees with two moves, one of 27 with three. A single move is a random one.
    #[test]
    fn leaves_below_the_root_are_counted_by_hand() {
        let truth = CurveTable::new("uniform:1/20".parse().unwrap(), 10);
        let random = (0.05 + 0.95 + 0.95) / 3.0;
        for (branching, minimax) in
            [(1, random), (2, (8.0 * 0.95 + 0.05) / 9.0), (3, (26.0 * 0.95 + 0.05) / 27.0)]
        {
            let found = won(&model(-1, &[2], branching), &truth);
            for ([low, high], expected) in found.into_iter().zip([minimax, random]) {
                assert_relative_eq!(low, expected, max_relative = 1e-15);
                assert_relative_eq!(high, expected, max_relative = 1e-15);
                assert!(low < high);
            }
        }
    }

    /// A MIN node at +1 or +2 with the leaves -1 and +1, or +1 and +2; a is won at -1, b at +1, c at +2. The minimax
    /// values -1, +1 and +2 have the probabilities 3/8, 1/8 + 3/8 and 1/8, and of these a² + 2ab, b² + b² + 2bc and c²
    /// eighths are won. Minimax takes the greatest of two: it is +2 in 15 of 64 trees, +1 in 40 and -1 in 9.
    #[test]
    fn min_nodes_are_counted_by_hand() {
        let truth = CurveTable::new(Curve::arctan(4), 10);
        let [a, b, c] = [-1.0, 1.0, 2.0].map(|h: f64| 0.5 + (0.4 * h).atan() / (2.0 * 4f64.atan()));
        let [low, middle, high] = [a * a + 2.0 * a * b, 2.0 * b * b + 2.0 * b * c, c * c];
        let random = (low + middle + high) / 8.0;
        let minimax = 15.0 / 64.0 * high + 40.0 / 64.0 * middle / 4.0 + 9.0 / 64.0 * low / 3.0;
        let found = won(&model(1, &[1, 1], 2), &truth);
        for ([low, high], expected) in found.into_iter().zip([minimax, random]) {
            assert_abs_diff_eq!(low, expected, epsilon = 1e-15);
            assert_abs_diff_eq!(high, expected, epsilon = 1e-15);
        }
    }

    /// Minimax value, win probability and probability of every subtree of a node, one by one.
    fn trees(model: &Model, truth: &CurveTable, level: usize, position: i32) -> Vec<(i32, f64, f64)> {
        if level == model.depth() {
            return vec![(position, truth.double(model.value_at(position)), 1.0)];
        }
        let own = children(model, level, position);
        let share = 1.0 / own.clone().count() as f64;
        let moves: Vec<(i32, f64, f64)> = own
            .flat_map(|child| trees(model, truth, level + 1, child))
            .map(|(minimax, won, chance)| (minimax, won, share * chance))
            .collect();
        if level == 0 {
            return moves;
        }
        (1..model.branching()).fold(moves.clone(), |nodes, _| {
            let join = |(m, w, c): (i32, f64, f64), (n, v, d): (i32, f64, f64)| {
                if level % 2 == 1 { (m.min(n), w * v, c * d) } else { (m.max(n), w + v - w * v, c * d) }
            };
            nodes.iter().flat_map(|&node| moves.iter().map(move |&next| join(node, next))).collect()
        })
    }

    #[test]
    fn what_is_won_is_that_of_a_list_of_all_trees() {
        let truth = CurveTable::new(Curve::arctan(4), 10);
        let models = [
            (&[2, 3][..], 2),
            (&[1, 2], 3),
            (&[1, 2, 1], 2),
            (&[1, 1, 1], 3),
            (&[2, 1, 3], 1),
            (&[1, 1, 1, 1], 2),
        ];
        for (increments, branching) in models {
            let model = model(-1, increments, branching);
            // Moves of the root with the same minimax value are alike: their probability and how much of it is won.
            let mut moves: BTreeMap<i32, [f64; 2]> = BTreeMap::new();
            for (minimax, won, chance) in trees(&model, &truth, 0, model.line().position(model.root())) {
                let [all, part] = moves.entry(minimax).or_default();
                *all += chance;
                *part += chance * won;
            }
            let random: f64 = moves.values().map(|[_, won]| won).sum();
            // The greatest of several has this value if all are at most as great but not all less.
            let (mut minimax, mut below) = (0.0, 0f64);
            for [all, won] in moves.values() {
                let until = below + all;
                minimax += (until.powi(branching as i32) - below.powi(branching as i32)) * won / all;
                below = until;
            }
            for ([low, high], expected) in won(&model, &truth).into_iter().zip([minimax, random]) {
                assert_abs_diff_eq!(low, expected, epsilon = 1e-14);
                assert_abs_diff_eq!(high, expected, epsilon = 1e-14);
                assert!(low < high && high - low < 1e-15, "{increments:?}");
            }
        }
    }

    #[test]
    fn powers_and_means_are_exact_where_enclosures_are() {
        assert_eq!(power(&exactly(3, 4), 1), exactly(3, 4));
        assert_eq!(power(&exactly(3, 4), 2), exactly(9, 16));
        assert_eq!(power(&exactly(3, 4), 5), exactly(243, 1024));
        let chance = |all: i32, won: i32| Chance { all: exactly(all, 64), won: exactly(won, 64) };
        let Chance { all, won } = mean(&[chance(40, 24), chance(16, 4), chance(8, 4), chance(32, 0)]);
        assert_eq!((all, won), (exactly(24, 64), exactly(8, 64)));
        let Chance { all, won } = raised(&chance(48, 16), 3);
        assert_eq!((all, won), (exactly(27, 64), exactly(1, 64)));
    }

    /// One double further on either side, but never beyond 0 and 1.
    #[test]
    fn ends_are_rounded_outwards() {
        assert_eq!(outwards(&exactly(1, 4)), [0.25f64.next_down(), 0.25f64.next_up()]);
        assert_eq!(outwards(&exactly(0, 1)), [0.0, 0f64.next_up()]);
        assert_eq!(outwards(&exactly(1, 1)), [1f64.next_down(), 1.0]);
    }
}
