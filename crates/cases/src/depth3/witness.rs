//! Witnesses: win probabilities of the leaves, in a given order, for which Product prefers P.

use std::fmt;

use num_bigint::BigInt;
use prodmax_number::Fraction;

use super::leaf::Leaf;
use super::order_type::OrderType;

/// Win probabilities with a common denominator for which Product strictly prefers P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Witness {
    numerators: [u32; 8],
    denominator: u32,
}

impl Witness {
    /// The greatest denominator that [`Self::search`] tries; the types that have a witness need up to 63.
    const MAX_DENOMINATOR: u32 = 100;

    /// Looks for a witness that consists of two runs of consecutive numerators with a gap between them and has the
    /// smallest possible denominator. It turns out that a low and a high group of leaves are enough for Product's
    /// preference.
    ///
    /// The search is deterministic: by denominator, then by the length of the lower run, its first numerator
    /// and the gap.
    pub fn search(order: &OrderType) -> Option<Self> {
        let runs = (9..=Self::MAX_DENOMINATOR).flat_map(|denominator| {
            (1..8).flat_map(move |lower_run| {
                // The greatest numerator, first + 7 + gap, is less than the denominator.
                (1..=denominator - 8).flat_map(move |first| {
                    (0..=denominator - 8 - first).map(move |gap| (denominator, lower_run, first, gap))
                })
            })
        });
        let witnesses = runs.map(|(denominator, lower_run, first, gap)| {
            let numerators = Leaf::ALL.map(|leaf| {
                let rank = order.rank(leaf) as u32;
                first + rank + if rank < lower_run { 0 } else { gap }
            });
            Self { numerators, denominator }
        });
        witnesses.into_iter().find(Self::product_prefers_p)
    }

    /// Whether this is a witness for the order type: probabilities strictly between 0 and 1, strictly in the
    /// order, and Product strictly prefers P. Exact.
    pub fn holds(&self, order: &OrderType) -> bool {
        let ascending = order.ascending().map(|leaf| self.numerators[leaf as usize]);
        ascending[0] > 0
            && ascending.is_sorted_by(|a, b| a < b)
            && ascending[7] < self.denominator
            && self.product_prefers_p()
    }

    /// The win probability of a leaf.
    pub fn probability(&self, leaf: Leaf) -> Fraction {
        Fraction::new(self.numerators[leaf as usize].into(), self.denominator.into())
    }

    /// The values that product propagation backs up for M and for P.
    pub fn product_values(&self) -> (Fraction, Fraction) {
        let whole = BigInt::from(self.denominator).pow(4);
        let (m, p) = self.scaled_values();
        (Fraction::new(m.into(), whole.clone()), Fraction::new(p.into(), whole))
    }

    fn product_prefers_p(&self) -> bool {
        let (m, p) = self.scaled_values();
        p > m
    }

    /// The product values of M and P times the fourth power of the denominator.
    fn scaled_values(&self) -> (u64, u64) {
        let whole = u64::from(self.denominator);
        let [m11, m12, m21, m22, p11, p12, p21, p22] = self.numerators.map(u64::from);
        // A MAX node is lost iff both leaves are.
        let max = |a: u64, b: u64| whole * whole - (whole - a) * (whole - b);
        (max(m11, m12) * max(m21, m22), max(p11, p12) * max(p21, p22))
    }
}

impl fmt::Display for Witness {
    /// `M11 = 7/9, M12 = 1/9, …`, not reduced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms =
            Leaf::ALL.map(|leaf| format!("{leaf} = {}/{}", self.numerators[leaf as usize], self.denominator));
        f.write_str(&terms.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use num_traits::One;

    use super::*;

    #[test]
    fn a_wrong_witness_does_not_hold() {
        let order = OrderType::all().find(|order| Witness::search(order).is_some()).unwrap();
        let witness = Witness::search(&order).unwrap();
        assert!(witness.holds(&order));
        let other = OrderType::all().find(|other| *other != order).unwrap();
        assert!(!witness.holds(&other));
        // A numerator of 0 or of the denominator is no longer between 0 and 1; equal ones are not in order.
        let [lowest, second, .., greatest] = order.ascending();
        let with = |leaf: Leaf, numerator| {
            let mut changed = witness;
            changed.numerators[leaf as usize] = numerator;
            changed
        };
        assert!(!with(lowest, 0).holds(&order));
        assert!(!with(greatest, witness.denominator).holds(&order));
        assert!(!with(second, witness.numerators[lowest as usize]).holds(&order));
    }

    #[test]
    fn equal_values_give_no_preference() {
        let even = Witness { numerators: [1, 2, 3, 4, 1, 2, 3, 4], denominator: 9 };
        assert!(!even.product_prefers_p());
        assert!(Witness { numerators: [1, 2, 3, 4, 1, 2, 3, 5], ..even }.product_prefers_p());
    }

    #[test]
    fn values_are_those_of_product_propagation_in_fractions() {
        let order = OrderType::all().find(|order| Witness::search(order).is_some()).unwrap();
        let witness = Witness::search(&order).unwrap();
        let lost = |leaf| Fraction::one() - witness.probability(leaf);
        let max = |a, b| Fraction::one() - lost(a) * lost(b);
        let m = max(Leaf::M11, Leaf::M12) * max(Leaf::M21, Leaf::M22);
        let p = max(Leaf::P11, Leaf::P12) * max(Leaf::P21, Leaf::P22);
        assert!(p > m);
        assert_eq!(witness.product_values(), (m, p));
    }
}
