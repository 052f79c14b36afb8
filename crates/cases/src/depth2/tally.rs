//! Counting concrete critical trees by interval, so that enumerated error masses can be compared with the
//! formulas.

use num_bigint::BigInt;
use thiserror::Error;

use super::formulas::Formulas;
use super::interval::Interval;
use crate::balance::Masses;
use crate::zero::copies;

/// A tree whose leaves the draw value does not divide as the order (4) requires: it cannot be critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the leaves {m:?} of M and {p:?} of P do not obey P2 <= M2 <= M1 <= P1 around the draw value 0")]
pub struct OutsideOrder {
    /// The values of the leaves of M.
    pub m: [i64; 2],
    /// The values of the leaves of P.
    pub p: [i64; 2],
}

/// How much of a critical tree falls in each of I1 to I5, in sixteenths, if the draw value is 0.
///
/// A tree without leaves of value 0 falls in one interval; one with such leaves is split by the convention of
/// [`crate::zero`]. In a critical tree with strict preferences P2 < M2 and M1 < P1, so at most M1 and M2 are
/// both 0 and every copy obeys the order (4) up to their names.
///
/// ```
/// use prodmax_cases::depth2::interval_shares;
/// assert_eq!(interval_shares([2, 3], [5, -1]), Ok([0, 0, 0, 16, 0]));
/// assert_eq!(interval_shares([0, 3], [5, -1]), Ok([0, 0, 8, 8, 0]));
/// assert_eq!(interval_shares([0, 0], [5, -1]), Ok([0, 4, 8, 4, 0]));
/// ```
pub fn interval_shares(m: [i64; 2], p: [i64; 2]) -> Result<[u32; 5], OutsideOrder> {
    let mut shares = [0; 5];
    for (above, weight) in copies(&[m[0], m[1], p[0], p[1]]) {
        let negatives = |leaves: u8| (!above & leaves).count_ones() as usize;
        let interval = Interval::from_negatives(negatives(0b0011), negatives(0b1100));
        shares[interval.ok_or(OutsideOrder { m, p })? as usize] += weight;
    }
    Ok(shares)
}

/// The numbers N(I1) to N(I5) of critical trees, in sixteenths of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    sixteenths: [BigInt; 5],
}

impl Tally {
    /// The weight of one tree: 2^4, so that four leaves on the draw value can be split evenly.
    pub const UNIT: u32 = 16;

    /// Counts a critical tree, `multiplicity` times.
    pub fn add(&mut self, m: [i64; 2], p: [i64; 2], multiplicity: &BigInt) -> Result<(), OutsideOrder> {
        for (sum, share) in self.sixteenths.iter_mut().zip(interval_shares(m, p)?) {
            *sum += multiplicity * share;
        }
        Ok(())
    }

    /// The numbers of trees in I1 to I5, times [`Self::UNIT`].
    pub fn sixteenths(&self) -> &[BigInt; 5] {
        &self.sixteenths
    }

    /// The error masses of all trees counted, times [`Self::UNIT`].
    pub fn scaled_masses(&self, formulas: &Formulas) -> Masses {
        formulas.weighted(&self.sixteenths)
    }
}

#[cfg(test)]
mod tests {
    use prodmax_number::Polynomial;

    use super::*;

    /// Every tree with leaf values in -6..=6 in which Minimax strictly prefers M and Product, by the win
    /// probabilities (value + 7) / 14, strictly prefers P.
    fn critical_trees() -> impl Iterator<Item = ([i64; 2], [i64; 2])> {
        (0..13i64.pow(4)).filter_map(|code| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| code / 13i64.pow(k) % 13 - 6);
            let product = |x: i64, y: i64| (x + 7) * (y + 7);
            (a.min(b) > c.min(d) && product(c, d) > product(a, b)).then_some(([a, b], [c, d]))
        })
    }

    /// Twice the probability that a leaf is won.
    fn twice_win(value: i64) -> Polynomial {
        match value.signum() {
            1 => Polynomial::new([2, -2]),
            -1 => Polynomial::new([0, 2]),
            _ => Polynomial::constant(1),
        }
    }

    #[test]
    fn weighted_formulas_equal_the_masses_of_the_trees() {
        let mut tally = Tally::default();
        let mut direct = Masses::default();
        let (mut trees, mut two_zeros) = (0u32, 0);
        for (m, p) in critical_trees() {
            tally.add(m, p, &1.into()).unwrap();
            let won = |[x, y]: [i64; 2]| &twice_win(x) * &twice_win(y);
            let lost = |node| &Polynomial::constant(4) - &won(node);
            direct.minimax_errs += &(&lost(m) * &won(p));
            direct.product_errs += &(&won(m) * &lost(p));
            trees += 1;
            two_zeros += u32::from(m == [0, 0]);
        }
        assert!(trees > 500 && two_zeros > 5, "{trees} trees, {two_zeros} of them with M1 = M2 = 0");
        assert_eq!(tally.sixteenths().iter().sum::<BigInt>(), BigInt::from(Tally::UNIT * trees));
        assert_eq!(tally.scaled_masses(&Formulas::derive()), direct);
    }

    #[test]
    fn only_the_order_4_can_be_critical() {
        // Exhaustive over a grid: wherever the rules differ, P's leaves enclose M's.
        let mut trees = 0;
        for (m, p) in critical_trees() {
            assert!(p[0].min(p[1]) < m[0].min(m[1]) && m[0].max(m[1]) < p[0].max(p[1]), "{m:?} {p:?}");
            trees += 1;
        }
        assert!(trees > 500, "{trees}");
    }

    #[test]
    fn multiplicities_multiply() {
        let mut tally = Tally::default();
        tally.add([-1, -2], [3, -5], &BigInt::from(1u64 << 40)).unwrap();
        assert_eq!(tally.sixteenths()[1], BigInt::from(1u64 << 44));
    }

    #[test]
    fn a_tree_outside_the_order_is_refused() {
        let error = interval_shares([-1, 4], [2, 3]).unwrap_err();
        assert_eq!(error, OutsideOrder { m: [-1, 4], p: [2, 3] });
        assert!(error.to_string().contains("[-1, 4]"), "{error}");
        assert!(interval_shares([0, 4], [2, 3]).is_err());
    }
}
