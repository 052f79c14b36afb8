//! From the laws of the root's moves to the critical trees.
//!
//! The moves are independent, each with the law of the root's moves. A tree with b moves is critical if one of them,
//! M, has the only greatest minimax value k and another one, P, the only greatest product value p. So let T_k be the law
//! within {m >= k}: M belongs to T_k - T_(k+1), P and all others to T_0 - T_k, and M and the others have product values
//! below p, that is, greater indices. For one k,
//!
//! b (b - 1) Σ over p of (mass of M below p) (mass of P at p) (mass of another move below p)^(b-2)
//!
//! are critical, in one pass over the grid. With the mass that is won or lost instead, it is the errors.

use super::U;
use super::row::{Law, Row};

/// Sums over the critical trees as shares of all trees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares<N> {
    /// The critical trees.
    pub critical: N,
    /// Σ Pr(M lost) Pr(P won): Minimax errs.
    pub first_error: N,
    /// Σ Pr(M won) Pr(P lost): Product errs.
    pub second_error: N,
}

impl<N> Shares<N> {
    /// Converts all three.
    pub fn map<T>(self, convert: impl Fn(N) -> T) -> Shares<T> {
        let Self { critical, first_error, second_error } = self;
        Shares {
            critical: convert(critical),
            first_error: convert(first_error),
            second_error: convert(second_error),
        }
    }

    /// Both, entry by entry.
    pub fn zip<T>(self, other: Shares<T>) -> Shares<(N, T)> {
        Shares {
            critical: (self.critical, other.critical),
            first_error: (self.first_error, other.first_error),
            second_error: (self.second_error, other.second_error),
        }
    }
}

/// The share of a move that counts as below P when both have the same index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Equal {
    /// In general.
    pub(super) anywhere: f64,
    /// At the cap.
    pub(super) at_cap: f64,
}

impl Equal {
    /// Equal indices never count.
    pub(super) const NEVER: Self = Self { anywhere: 0.0, at_cap: 0.0 };
    /// Equal indices always count.
    pub(super) const ALWAYS: Self = Self { anywhere: 1.0, at_cap: 1.0 };
    /// Half of the trees with equal indices count.
    pub(super) const HALF: Self = Self { anywhere: 0.5, at_cap: 0.5 };
    /// Rounded up, an index at the cap is p = 0, which is less than the power at the cap. Otherwise equal powers are not less.
    pub(super) const BEYOND: Self = Self { anywhere: 0.0, at_cap: 1.0 };
}

/// The laws of the root's moves around one minimax value k.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    /// Of all trees.
    pub(super) all: &'a Law,
    /// Within {m >= k}.
    pub(super) at_least: &'a Law,
    /// Within {m >= k + 1}.
    pub(super) more: &'a Law,
}

/// A sum over critical trees, and how far it can be from the exact one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) shares: Shares<f64>,
    pub(super) error: f64,
}

impl Sum {
    /// The sum over all k.
    pub(super) fn total<'a>(sums: impl Iterator<Item = &'a Self>) -> Self {
        let mut total = Self::default();
        let mut count = 0;
        for Self { shares, error } in sums {
            total.shares.critical += shares.critical;
            total.shares.first_error += shares.first_error;
            total.shares.second_error += shares.second_error;
            total.error += error;
            count += 1;
        }
        // Each addition rounds, and no sum is greater than the first.
        total.error = 1.01 * (total.error + f64::from(count) * U * total.shares.critical);
        total
    }
}

/// The sum over the critical trees in which M has one minimax value. M and the moves that are neither M nor P have
/// one kind of laws, P another.
pub(super) fn critical(m: Around<'_>, p: Around<'_>, branching: usize, cap: usize, equal: Equal) -> Sum {
    let no_m = m.at_least.shares_row(m.more) && m.at_least.error == m.more.error;
    let no_p = p.all.shares_row(p.at_least) && p.all.error == p.at_least.error;
    if branching < 2 || m.at_least.is_empty() || no_m || no_p {
        return Sum::default();
    }
    let [m_law, others, p_law] = [[m.at_least, m.more], [m.all, m.at_least], [p.all, p.at_least]]
        .map(|[all, without]| Rest { all: &all.row, without: &without.row });
    let exponent = (branching - 2) as i32;
    let ordered = (branching * (branching - 1)) as f64;
    let mut shares = Shares::<f64>::default();
    // The masses below P, and how much of M's is won.
    let (mut below, mut below_won, mut below_others) = (0.0, 0.0, 0.0);
    let mut p_sum = 0.0;
    let ends = [&m_law, &p_law, &others].map(Rest::end);
    for index in (p_law.all.offset..ends.into_iter().max().unwrap_or(0)).rev() {
        let (m_mass, m_won) = m_law.at(index);
        let (p_mass, p_won) = p_law.at(index);
        let (other, _) = if exponent > 0 { others.at(index) } else { (0.0, 0.0) };
        let part = if index == cap { equal.at_cap } else { equal.anywhere };
        let ways = if exponent > 0 { (below_others + part * other).powi(exponent) } else { 1.0 };
        let (chosen, chosen_won) = (ways * (below + part * m_mass), ways * (below_won + part * m_won));
        shares.critical += p_mass * chosen;
        shares.first_error += p_won * (chosen - chosen_won);
        shares.second_error += (p_mass - p_won) * chosen_won;
        below += m_mass;
        below_won += m_won;
        below_others += other;
        p_sum += p_mass;
    }
    // M's mass below P's least index belongs to no sum.
    let m_sum: f64 = m_law.sum();
    // The lost mass is the mass without the won mass: it has both errors.
    let error = |laws: [&Law; 2]| laws.iter().map(|law| law.error[0] + law.error[1]).sum::<f64>();
    let (m_error, p_error) = (error([m.at_least, m.more]), error([p.all, p.at_least]));
    // The mass x of another move is at most 1, so (x + e)^n - x^n is at most exp(n e) - 1.
    let others_error = 1.01 * (f64::from(exponent) * error([m.all, m.at_least])).exp_m1();
    let roundings = ((6 + exponent as usize) * cap + 16 + 2 * exponent as usize) as f64 * U;
    let both = m_sum * p_sum;
    let error = m_error * p_sum + p_error * m_sum + m_error * p_error + (others_error + roundings) * both;
    Sum { shares: shares.map(|share| ordered * share), error: 1.01 * ordered * error * (1.0 + others_error) }
}

/// A law without a part of it.
struct Rest<'a> {
    all: &'a Row,
    without: &'a Row,
}

impl Rest<'_> {
    /// The mass at an index and how much of it is won.
    fn at(&self, index: usize) -> (f64, f64) {
        let ((a, a_won), (b, b_won)) = (at(self.all, index), at(self.without, index));
        let mass = (a - b).max(0.0);
        (mass, (a_won - b_won).clamp(0.0, mass))
    }

    fn end(&self) -> usize {
        self.all.offset + self.all.mass.len()
    }

    fn sum(&self) -> f64 {
        (self.all.offset..self.end()).map(|index| self.at(index).0).sum()
    }
}

fn at(row: &Row, index: usize) -> (f64, f64) {
    match index.checked_sub(row.offset) {
        Some(place) if place < row.mass.len() => (row.mass[place], row.truth[place]),
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::row::Building;
    use crate::row::tests::{law, row};

    /// Half the distance from 1 to the next double.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

    /// A kind of move of the root.
    struct Move {
        minimax: usize,
        /// Its index as M or as another move, and as P.
        indices: [usize; 2],
        mass: f64,
        /// The probability that it is won.
        won: f64,
    }

    /// Five kinds with indices from 3 to 7 and minimax values from 0 to 2; together they are not all moves. Some
    /// share an index.
    const MOVES: [Move; 5] = [
        Move { minimax: 0, indices: [4, 3], mass: 0.15, won: 0.7 },
        Move { minimax: 1, indices: [6, 6], mass: 0.3, won: 0.4 },
        Move { minimax: 2, indices: [7, 6], mass: 0.2, won: 0.1 },
        Move { minimax: 0, indices: [7, 7], mass: 0.05, won: 0.35 },
        Move { minimax: 1, indices: [5, 4], mass: 0.25, won: 0.9 },
    ];

    const CAP: usize = 7;

    /// The laws within {m >= k} for k = 0 to 3, with the indices of one kind.
    fn laws(kind: usize) -> Vec<Law> {
        let within = |k: usize| {
            let moves = MOVES.iter().filter(|chosen| chosen.minimax >= k);
            let mut law = Building::over(3, CAP);
            for Move { indices, mass, won, .. } in moves {
                law.put(indices[kind], *mass, mass * won);
            }
            law.finish()
        };
        (0..=3).map(within).collect()
    }

    /// Sums over all choices of `branching` moves and of M and P among them. Each move with P's index counts by the
    /// share given for it.
    fn enumerated(branching: usize, [anywhere, at_cap]: [f64; 2]) -> Shares<f64> {
        let mut shares = Shares::default();
        for code in 0..MOVES.len().pow(branching as u32) {
            let moves: Vec<&Move> = (0..branching)
                .map(|place| &MOVES[code / MOVES.len().pow(place as u32) % MOVES.len()])
                .collect();
            let mass: f64 = moves.iter().map(|chosen| chosen.mass).product();
            for (m, p) in (0..branching).flat_map(|m| (0..branching).map(move |p| (m, p))) {
                let (best, last) = (moves[m].minimax, moves[p].indices[1]);
                let greatest = (0..branching).all(|other| other == m || moves[other].minimax < best);
                if m == p || !greatest {
                    continue;
                }
                let part = |other: usize| match moves[other].indices[0] {
                    index if index > last => 1.0,
                    index if index < last => 0.0,
                    CAP => at_cap,
                    _ => anywhere,
                };
                let share = mass * (0..branching).filter(|&other| other != p).map(part).product::<f64>();
                shares.critical += share;
                shares.first_error += share * (1.0 - moves[m].won) * moves[p].won;
                shares.second_error += share * moves[m].won * (1.0 - moves[p].won);
            }
        }
        shares
    }

    #[test]
    fn shares_are_those_of_all_trees_one_by_one() {
        let (m, p) = (laws(0), laws(1));
        let odd = Equal { anywhere: 0.3, at_cap: 0.8 };
        for (equal, parts) in [
            (Equal::NEVER, [0.0, 0.0]),
            (Equal::ALWAYS, [1.0, 1.0]),
            (Equal::HALF, [0.5, 0.5]),
            (Equal::BEYOND, [0.0, 1.0]),
            (odd, [0.3, 0.8]),
        ] {
            for branching in 2..=4 {
                let around = |laws: &'_ [Law], k: usize| [0, k, k + 1].map(|k| laws[k].clone());
                let sums: Vec<Sum> = (0..3)
                    .map(|k| {
                        let [m, p] = [around(&m, k), around(&p, k)];
                        let [m, p] = [&m, &p].map(|[all, at_least, more]| Around { all, at_least, more });
                        critical(m, p, branching, CAP, equal)
                    })
                    .collect();
                let found = Sum::total(sums.iter()).shares;
                let expected = enumerated(branching, parts);
                assert!(expected.critical > 0.01);
                for (found, expected) in [
                    (found.critical, expected.critical),
                    (found.first_error, expected.first_error),
                    (found.second_error, expected.second_error),
                ] {
                    assert_abs_diff_eq!(found, expected, epsilon = 1e-13);
                }
            }
        }
    }

    /// The laws of the following tests. M has 0.1 at index 2 and 0.2 less 0.05 at 3, which is P's least index and the
    /// first from which M counts. P has 0.3, 0.25 less 0.05 and 0.35 less 0.15 at 3, 4 and 5; another move has 0.2
    /// less 0.1, 0.4 less 0.2 and 0.3 at 2, 3 and 4.
    struct Laws {
        m: [Law; 3],
        p: [Law; 3],
    }

    impl Laws {
        /// With the errors of M's laws and of P's, first those of all trees.
        fn with([all, at_least, more]: [[f64; 2]; 3], [p_all, p_at_least]: [[f64; 2]; 2]) -> Self {
            Self {
                m: [
                    law(2, &[0.2, 0.4, 0.3], &[0.1, 0.3, 0.2], all),
                    law(2, &[0.1, 0.2], &[0.08, 0.11], at_least),
                    law(3, &[0.05], &[0.02], more),
                ],
                p: [
                    law(3, &[0.3, 0.25, 0.35], &[0.2, 0.15, 0.25], p_all),
                    law(4, &[0.05, 0.15], &[0.03, 0.06], p_at_least),
                    Law::empty(),
                ],
            }
        }

        fn sum(&self, branching: usize, cap: usize) -> Sum {
            let [m, p] = [&self.m, &self.p].map(|[all, at_least, more]| Around { all, at_least, more });
            critical(m, p, branching, cap, Equal::ALWAYS)
        }
    }

    /// Equal indices count, so only P = 3 (0.3, of which 0.2 are won) has moves below: M 0.15 of which 0.11 - 0.02 =
    /// 0.09 are won, another move 0.2 + 0.3 = 0.5. There are b (b - 1) ways to choose M and P.
    #[test]
    fn shares_agree_with_a_count_by_hand() {
        for (branching, ways) in [(2, 2.0), (3, 6.0 * 0.5), (4, 12.0 * 0.25), (5, 20.0 * 0.125)] {
            let Shares { critical, first_error, second_error } =
                Laws::with([[0.0; 2]; 3], [[0.0; 2]; 2]).sum(branching, 9).shares;
            assert_relative_eq!(critical, ways * 0.3 * 0.15, max_relative = 1e-14);
            assert_relative_eq!(first_error, ways * 0.2 * 0.06, max_relative = 1e-14);
            assert_relative_eq!(second_error, ways * 0.1 * 0.09, max_relative = 1e-14);
        }
    }

    /// Without errors of the laws, there are 6 + n roundings at each of 9 indices and 16 + 2 n more for n = b - 2
    /// other moves, relative to all of M's mass, 0.25, times all of P's, 0.7.
    #[test]
    fn sums_of_exact_laws_are_off_by_roundings() {
        for (branching, ways, roundings) in [
            (2, 2.0, 6.0 * 9.0 + 16.0),
            (3, 6.0, 7.0 * 9.0 + 18.0),
            (4, 12.0, 8.0 * 9.0 + 20.0),
            (5, 20.0, 9.0 * 9.0 + 22.0),
        ] {
            let sum = Laws::with([[0.0; 2]; 3], [[0.0; 2]; 2]).sum(branching, 9);
            assert_relative_eq!(
                sum.error,
                1.01 * ways * roundings * UNIT * 0.175,
                epsilon = 0.0,
                max_relative = 1e-12
            );
        }
    }

    /// The errors of mass and truth together: of M 0.013 + 0.007 = 0.02, of P 0.036 + 0.008 = 0.044, of another move
    /// 0.024 + 0.013 = 0.037. The product of M's mass 0.25 and P's 0.7 is off by 0.02 · 0.7 + 0.044 · 0.25 + 0.02 ·
    /// 0.044.
    #[test]
    fn errors_of_sums_follow_from_those_of_the_laws() {
        let laws =
            Laws::with([[0.02, 0.004], [0.01, 0.003], [0.005, 0.002]], [[0.03, 0.006], [0.007, 0.001]]);
        let of_both = 0.014 + 0.011 + 0.00088;
        for (branching, ways, others) in
            [(2, 2.0, 0.0f64), (3, 6.0, 0.037), (4, 12.0, 2.0 * 0.037), (5, 20.0, 3.0 * 0.037)]
        {
            // The moves that are neither are at most exp(n e) - 1 off, relative to everything.
            let off = 1.01 * (others.exp() - 1.0);
            let expected = 1.01 * ways * (of_both + off * 0.175) * (1.0 + off);
            // Some 100 roundings are some 10^-14 of it.
            assert_relative_eq!(laws.sum(branching, 9).error, expected, max_relative = 1e-12);
        }
    }

    #[test]
    fn without_two_moves_or_m_or_p_there_is_no_sum() {
        let laws = || Laws::with([[0.01; 2]; 3], [[0.01; 2]; 2]);
        assert_eq!(laws().sum(1, 9), Sum::default());
        assert!(laws().sum(2, 9).shares.critical > 0.0);
        // No tree has minimax value k: {m >= k} is {m >= k + 1}.
        let mut same = laws();
        same.m[2] = same.m[1].clone();
        assert_eq!(same.sum(2, 9), Sum::default());
        // All have m >= k, so that nothing is left for P.
        let mut same = laws();
        same.p[1] = same.p[0].clone();
        assert_eq!(same.sum(2, 9), Sum::default());
        let mut none = laws();
        none.m[1] = Law::empty();
        assert_eq!(none.sum(2, 9), Sum::default());
    }

    /// If the masses are the same, but the errors are not, it is not certain that there is nothing.
    #[test]
    fn laws_with_different_errors_are_not_the_same() {
        let laws = || Laws::with([[0.01; 2]; 3], [[0.01; 2]; 2]);
        let mut m = laws();
        m.m[2] = Law { error: [0.002, 0.003], ..m.m[1].clone() };
        // M has no mass, but an error of 0.02 + 0.005 for P's mass of 0.7 and its error of 0.04.
        let sum = m.sum(2, 9);
        assert_eq!(sum.shares, Shares::default());
        assert_relative_eq!(sum.error, 2.02 * (0.025 * 0.7 + 0.025 * 0.04), max_relative = 1e-12);
        let mut p = laws();
        p.p[1] = Law { error: [0.002, 0.003], ..p.p[0].clone() };
        // P has no mass, but an error of 0.02 + 0.005 for M's mass of 0.25 and its error of 0.04.
        let sum = p.sum(2, 9);
        assert_eq!(sum.shares, Shares::default());
        assert_relative_eq!(sum.error, 2.02 * (0.025 * 0.25 + 0.025 * 0.04), max_relative = 1e-12);
    }

    /// Three additions of at most 0.7 are rounded.
    #[test]
    fn a_total_has_all_errors_and_those_of_adding() {
        let sum = |critical, first_error, second_error, error| Sum {
            shares: Shares { critical, first_error, second_error },
            error,
        };
        let sums = [
            sum(0.125, 0.0625, 0.03125, 2e-16),
            sum(0.5, 0.25, 0.125, 3e-16),
            sum(0.0625, 0.015_625, 0.5, 7e-16),
        ];
        let Sum { shares, error } = Sum::total(sums.iter());
        assert_eq!(shares, sum(0.6875, 0.328_125, 0.656_25, 0.0).shares);
        assert_relative_eq!(
            error,
            1.01 * (12e-16 + 3.0 * UNIT * 0.6875),
            epsilon = 0.0,
            max_relative = 1e-12
        );
        assert_eq!(Sum::total([].iter()), Sum::default());
    }

    #[test]
    fn shares_keep_their_places() {
        let shares = Shares { critical: 3, first_error: 5, second_error: 7 };
        assert_eq!(shares.map(|n| 2 * n), Shares { critical: 6, first_error: 10, second_error: 14 });
        let other = Shares { critical: 'a', first_error: 'b', second_error: 'c' };
        assert_eq!(
            shares.zip(other),
            Shares { critical: (3, 'a'), first_error: (5, 'b'), second_error: (7, 'c') }
        );
    }

    /// Neither mass nor truth is below 0, and the truth is not above the mass.
    #[test]
    fn what_is_left_of_a_law_is_possible() {
        let all = row(4, &[0.5, 0.3, 0.5, 0.5], &[0.35, 0.2, 0.4, 0.1]);
        let without = row(4, &[0.2, 0.4, 0.2, 0.2], &[0.15, 0.1, 0.05, 0.15]);
        let rest = Rest { all: &all, without: &without };
        for (index, (mass, won)) in [
            (3, (0.0, 0.0)),
            (4, (0.3, 0.2)),
            (5, (0.0, 0.0)),
            (6, (0.3, 0.3)),
            (7, (0.3, 0.0)),
            (8, (0.0, 0.0)),
        ] {
            assert_abs_diff_eq!(rest.at(index).0, mass, epsilon = 1e-15);
            assert_abs_diff_eq!(rest.at(index).1, won, epsilon = 1e-15);
        }
        assert_eq!(rest.end(), 8);
        assert_abs_diff_eq!(rest.sum(), 0.9, epsilon = 1e-15);
    }

    #[test]
    fn a_row_has_no_mass_outside_its_indices() {
        let row = row(4, &[0.5, 0.3], &[0.35, 0.2]);
        assert_eq!(
            [3, 4, 5, 6].map(|index| at(&row, index)),
            [(0.0, 0.0), (0.5, 0.35), (0.3, 0.2), (0.0, 0.0)]
        );
    }
}
