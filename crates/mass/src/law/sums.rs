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

use super::row::{Law, Row};

const U: f64 = f64::EPSILON / 2.0;

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
    let no_m = m.at_least.is(m.more) && m.at_least.error == m.more.error;
    let no_p = p.all.is(p.at_least) && p.all.error == p.at_least.error;
    if branching < 2 || m.at_least.is_nothing() || no_m || no_p {
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
