//! Product values as polynomials with integer coefficients: the proof that two of them are equal.
//!
//! Enclosures prove that two values differ, never that they are the same. But w(h) = (1 + y_|h|) / 2 for h > 0
//! and (1 - y_|h|) / 2 for h < 0 with one unknown y per |h|, so a product value times a power of the common
//! denominator is a polynomial in these unknowns. Two classes with the same polynomial have the same value,
//! whatever the curve's numbers are. Where the curve is rational there are no unknowns and the constants
//! decide.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};
use prodmax_enumerate::{HeuristicValue, Mover};

use crate::curve::CurveTable;

/// A product of unknowns: how often each |h| occurs, as a sorted list with repetitions.
type Monomial = Vec<u16>;

/// A product value times its scale. All classes of one level have the same scale.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    terms: BTreeMap<Monomial, BigInt>,
    scale: BigInt,
}

impl Identity {
    pub(crate) fn leaf(curve: &CurveTable, h: HeuristicValue) -> Self {
        let scale = curve.denominator();
        let mut terms = BTreeMap::new();
        if let Some(exact) = curve.exact(h) {
            let numerator = exact.numer() * (&scale / exact.denom());
            terms.insert(Monomial::new(), numerator);
        } else {
            terms.insert(Monomial::new(), BigInt::one());
            terms.insert(vec![h.get().unsigned_abs() as u16], h.get().signum().into());
        }
        Self { terms, scale }.without_zeros()
    }

    fn without_zeros(mut self) -> Self {
        self.terms.retain(|_, coefficient| !coefficient.is_zero());
        self
    }

    fn complement(&self) -> Self {
        let mut terms: BTreeMap<_, _> = self.terms.iter().map(|(m, c)| (m.clone(), -c)).collect();
        *terms.entry(Monomial::new()).or_default() += &self.scale;
        Self { terms, scale: self.scale.clone() }.without_zeros()
    }

    fn mul(&self, other: &Self) -> Self {
        let mut terms: BTreeMap<Monomial, BigInt> = BTreeMap::new();
        for (m, a) in &self.terms {
            for (n, b) in &other.terms {
                let mut monomial = [m.as_slice(), n.as_slice()].concat();
                monomial.sort_unstable();
                *terms.entry(monomial).or_default() += a * b;
            }
        }
        Self { terms, scale: &self.scale * &other.scale }.without_zeros()
    }

    pub(crate) fn node(mover: Mover, a: &Self, b: &Self) -> Self {
        match mover {
            Mover::Max => a.complement().mul(&b.complement()).complement(),
            Mover::Min => a.mul(b),
        }
    }

    /// The value of a subtree, given its leaves from left to right and the level of its root.
    pub(crate) fn of_tree(curve: &CurveTable, leaves: &[HeuristicValue], level: usize) -> Self {
        if let [leaf] = leaves {
            return Self::leaf(curve, *leaf);
        }
        let (left, right) = leaves.split_at(leaves.len() / 2);
        let [a, b] = [left, right].map(|side| Self::of_tree(curve, side, level + 1));
        Self::node(Mover::at(level), &a, &b)
    }

    /// The order of the two values as far as it follows from the polynomials alone: they are equal, or differ
    /// by a constant.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        let constant = Monomial::new();
        let unknowns = |identity: &Self| identity.terms.iter().filter(|(m, _)| **m != constant).count();
        let rest = self.terms.iter().filter(|(m, _)| **m != constant);
        let same_rest =
            unknowns(self) == unknowns(other) && rest.clone().all(|(m, c)| other.terms.get(m) == Some(c));
        let zero = BigInt::zero();
        let constant_of = |identity: &'_ Self| identity.terms.get(&constant).unwrap_or(&zero).clone();
        same_rest.then(|| constant_of(self).cmp(&constant_of(other)))
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Line, Zero as ZeroMode};

    use super::*;
    use crate::curve::Curve;

    fn leaf(curve: &str, h: i64) -> Identity {
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        let table = CurveTable::new(curve.parse::<Curve>().unwrap(), 42);
        Identity::leaf(&table, line.value(h).unwrap())
    }

    #[test]
    fn a_value_and_its_mirror_image_are_complements() {
        assert_eq!(leaf("arctan:1", 5).complement(), leaf("arctan:1", -5));
        assert_ne!(leaf("arctan:1", 5).complement(), leaf("arctan:1", -6));
        assert_eq!(leaf("arctan:1", 42).compare(&leaf("arctan:1", -42)), Some(Ordering::Greater));
    }

    #[test]
    fn different_ways_to_the_same_polynomial_are_equal() {
        let [a, b, c] = [3, -7, 1].map(|h| leaf("arctan:1", h));
        let one_way = Identity::node(Mover::Min, &a, &Identity::node(Mover::Min, &b, &c));
        let other_way = Identity::node(Mover::Min, &Identity::node(Mover::Min, &c, &a), &b);
        assert_eq!(one_way.compare(&other_way), Some(Ordering::Equal));
        assert_eq!(a.compare(&b), None, "what unknowns do is not known");
    }

    #[test]
    fn polynomials_are_multiplied_out() {
        // ((1 + y) / 2)^2 and (1 + y) (1 - y) / 4, with y for 3.
        let [up, down] = [3, -3].map(|h| leaf("arctan:1", h));
        let terms = |identity: &Identity| -> Vec<(Monomial, i32)> {
            let small = |c: &BigInt| i32::try_from(c).unwrap();
            identity.terms.iter().map(|(monomial, c)| (monomial.clone(), small(c))).collect()
        };
        let square = Identity::node(Mover::Min, &up, &up);
        assert_eq!(terms(&square), [(vec![], 1), (vec![3], 2), (vec![3, 3], 1)]);
        assert_eq!(terms(&up.mul(&down)), [(vec![], 1), (vec![3, 3], -1)]);
        assert_eq!(square.scale, BigInt::from(4));
        // 1 - (1 - up)^2 = (3 + 2 y - y^2) / 4.
        let either = Identity::node(Mover::Max, &up, &up);
        assert_eq!(terms(&either), [(vec![], 3), (vec![3], 2), (vec![3, 3], -1)]);
    }

    #[test]
    fn constants_over_scales_are_exact_values() {
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        let table = CurveTable::new("uniform:1/3".parse::<Curve>().unwrap(), 42);
        let value = |leaves: &[i64], level| {
            let leaves: Vec<_> = leaves.iter().map(|&h| line.value(h).unwrap()).collect();
            let identity = Identity::of_tree(&table, &leaves, level);
            assert!(identity.terms.len() <= 1, "there is no unknown");
            let constant = identity.terms.values().next().cloned().unwrap_or_default();
            prodmax_number::Fraction::new(constant, identity.scale).to_string()
        };
        assert_eq!(value(&[5], 1), "2/3");
        assert_eq!(value(&[5, -1], 1), "2/9");
        assert_eq!(value(&[5, 0], 2), "5/6", "1 - 1/3 · 1/2");
        assert_eq!(value(&[5, 0, -1, -2], 1), "25/54", "5/6 · (1 - 2/3 · 2/3)");
    }

    #[test]
    fn rational_values_are_ordered() {
        let values = [-3, 0, 3].map(|h| leaf("uniform:1/3", h));
        assert_eq!(values[0].compare(&values[1]), Some(Ordering::Less));
        assert_eq!(values[2].compare(&values[1]), Some(Ordering::Greater));
        assert_eq!(values[2].compare(&leaf("uniform:1/3", 9)), Some(Ordering::Equal));
    }
}
