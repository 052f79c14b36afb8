//! From the laws of the root's moves to the critical trees.
//!
//! Both moves are independent, each with the law of the root's moves. A tree is critical if for one of them, P, the
//! minimax value is some m and the other's, M's, is greater, and P has the greater product value; so with T_k the law
//! within {m >= k}, half of the critical trees are Σ over m of the pairs of T_m - T_(m+1) (for P) and T_(m+1) (for M)
//! in which M has the smaller product value, that is, the greater index.

use super::row::Row;
use super::tails::Tails;

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

/// The share of a pair that counts when M and P have the same index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Equal {
    /// In general.
    pub(super) anywhere: f64,
    /// At the cap.
    pub(super) at_cap: f64,
}

/// The sums over pairs of M from one kind of laws and P from another, and a bound on their error.
pub(super) fn critical(m: &Tails, p: &Tails, cap: usize, equal: Equal) -> (Shares<f64>, f64) {
    let (mut sums, mut bound) = (Shares::default(), 0.0);
    for k in 0..p.laws.len() - 2 {
        let [at_least, more] = [&p.laws[k], &p.laws[k + 1]];
        let chosen = &m.laws[k + 1];
        if chosen.is_nothing() || (at_least.is(more) && at_least.error == more.error) {
            continue;
        }
        let pairs = Pairs { m: &chosen.row, p: [&at_least.row, &more.row] };
        let (sum, [m_mass, p_mass]) = pairs.sum(cap, equal);
        sums.critical += 2.0 * sum.critical;
        sums.first_error += 2.0 * sum.first_error;
        sums.second_error += 2.0 * sum.second_error;
        // The lost mass is the mass without the won mass: it has both errors.
        let error = |errors: [f64; 2]| errors[0] + errors[1];
        let (m_error, p_error) = (error(chosen.error), error(at_least.error) + error(more.error));
        let roundings = (6 * cap + 16) as f64 * U;
        bound += 2.0
            * 1.01
            * (m_error * p_mass + p_error * m_mass + m_error * p_error + roundings * m_mass * p_mass);
    }
    (sums, 1.01 * bound)
}

struct Pairs<'a> {
    m: &'a Row,
    /// P's law is the difference between these.
    p: [&'a Row; 2],
}

fn at(row: &Row, index: usize) -> (f64, f64) {
    match index.checked_sub(row.offset) {
        Some(place) if place < row.mass.len() => (row.mass[place], row.truth[place]),
        _ => (0.0, 0.0),
    }
}

impl Pairs<'_> {
    /// The sums for one m, and the masses of M and P.
    fn sum(&self, cap: usize, equal: Equal) -> (Shares<f64>, [f64; 2]) {
        let [p, minus] = self.p;
        let ends = |row: &Row| row.offset + row.mass.len();
        let mut sums = Shares::default();
        // M's mass at greater indices, and how much of it is won.
        let (mut above, mut above_won) = (0.0, 0.0);
        let mut p_sum = 0.0;
        let low = p.offset;
        for index in (low..ends(self.m).max(ends(p))).rev() {
            let (m, m_won) = at(self.m, index);
            let ((a, a_won), (b, b_won)) = (at(p, index), at(minus, index));
            let p_mass = (a - b).max(0.0);
            let p_won = (a_won - b_won).clamp(0.0, p_mass);
            let part = if index == cap { equal.at_cap } else { equal.anywhere };
            let (chosen, chosen_won) = (above + part * m, above_won + part * m_won);
            sums.critical += p_mass * chosen;
            sums.first_error += p_won * (chosen - chosen_won);
            sums.second_error += (p_mass - p_won) * chosen_won;
            above += m;
            above_won += m_won;
            p_sum += p_mass;
        }
        // M's mass below P's least index belongs to no sum.
        let m_sum: f64 = self.m.mass.iter().sum();
        (sums, [m_sum, p_sum])
    }
}
