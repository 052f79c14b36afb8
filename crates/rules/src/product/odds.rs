//! Product propagation on odds.
//!
//! The product of many probabilities soon comes close to 0, its complement close to 1, and a double close to 1 does not
//! tell how close: below some 10^-16 moves that differ by orders of magnitude would look alike. Six plies of Kalah get
//! there, with whole turns in most positions. Odds o = x/(1 - x) are precise at both ends. With them a MAX node is
//!
//! 1 + o = Π (1 + o_i),
//!
//! and a MIN node the same with the odds of the opponent, 1/o. Both are added up child by child without subtracting
//! anything, so every value has a relative error of some roundings only.

use std::borrow::Borrow;

use super::ProductIn;
use crate::numbers::Doubles;
use crate::place::{Mover, Place};
use crate::rule::{Backup, SearchBackup};

/// Product propagation in which every value is the odds of a win, from 0 to infinity.
///
/// ```
/// use prodmax_rules::{Backup, BackupRule, Mover, Place};
/// use prodmax_rules::product::{Product, ProductOfOdds};
/// use prodmax_rules::numbers::Doubles;
/// let rule = ProductOfOdds::from(Product.prepare(Doubles, 2));
/// let all_won = rule.node(Place { mover: Mover::Min, height: 1 }, &[rule.leaf(1e-9), rule.leaf(1e-8)]);
/// // One minus this would be 1 in doubles, and one minus that 0.
/// let any_won = rule.node(Place { mover: Mover::Max, height: 2 }, &[all_won, all_won]);
/// assert!((rule.shown(any_won) / 2e-17 - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ProductOfOdds;

impl From<ProductIn<Doubles>> for ProductOfOdds {
    fn from(_: ProductIn<Doubles>) -> Self {
        Self
    }
}

/// The relative difference up to which odds count as equal: the same factors in another order differ by a few
/// roundings. It must not be much more, because values of different moves really are as close as 10^-11 now and then.
const SAME: f64 = 1e-13;

/// The odds that at least one of two things happens.
#[inline]
fn either(a: f64, b: f64) -> f64 {
    // What is impossible adds nothing, not even to infinite odds.
    if b == 0.0 { a } else { a + b * (1.0 + a) }
}

impl Backup<Doubles> for ProductOfOdds {
    #[inline]
    fn leaf(&self, seen: f64) -> f64 {
        seen / (1.0 - seen)
    }

    #[inline]
    fn node<C: Borrow<f64>>(&self, place: Place, children: &[C]) -> f64 {
        match place.mover {
            Mover::Max => children.iter().fold(0.0, |odds, child| either(odds, *child.borrow())),
            Mover::Min => 1.0 / children.iter().fold(0.0, |odds, child| either(odds, 1.0 / child.borrow())),
        }
    }

    fn shown(&self, value: f64) -> f64 {
        if value < 1.0 { value / (1.0 + value) } else { 1.0 / (1.0 + 1.0 / value) }
    }
}

impl SearchBackup for ProductOfOdds {
    /// What is lost in the rounding errors of either(a, b): b (1 + a) is less than the last binary place of a, and 1 + b
    /// is 1, even if dozens of such children are added up.
    #[inline]
    fn negligible(&self, _: Place, so_far: f64) -> Option<f64> {
        const LOST: f64 = 1.0 / (1u64 << 63) as f64;
        Some(LOST * so_far.min(1.0))
    }

    #[inline]
    fn at_least(&self, so_far: f64, child: f64) -> f64 {
        either(so_far, child)
    }

    #[inline]
    fn is_associative(&self) -> bool {
        true
    }

    #[inline]
    fn refutes(&self, so_far: f64, negligible: f64) -> bool {
        // Far more than the rounding errors of both.
        const MARGIN: f64 = 1.0 - 1e-9;
        so_far * (negligible * MARGIN) > 1.0
    }

    #[inline]
    fn leaf_seen(&self, mover: Mover, probability: f64) -> f64 {
        match mover {
            Mover::Max => probability / (1.0 - probability),
            Mover::Min => (1.0 - probability) / probability,
        }
    }

    #[inline]
    fn opposite(&self, value: f64) -> f64 {
        1.0 / value
    }

    #[inline]
    fn same(&self, a: f64, b: f64) -> bool {
        a == b || (a - b).abs() <= SAME * a.min(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: Place = Place { mover: Mover::Max, height: 1 };
    const MIN: Place = Place { mover: Mover::Min, height: 1 };

    #[test]
    fn certain_outcomes_are_backed_up_as_by_minimaxing() {
        let rule = ProductOfOdds;
        let [lost, even, won] = [0.0, 0.5, 1.0].map(|x| rule.leaf(x));
        assert_eq!([lost, even, won], [0.0, 1.0, f64::INFINITY]);
        for (place, children, expected) in [
            (MAX, [won, lost], won),
            (MAX, [lost, won], won),
            (MAX, [lost, lost], lost),
            (MIN, [won, lost], lost),
            (MIN, [lost, won], lost),
            (MIN, [won, won], won),
            // 3 to 1, and 1 to 3.
            (MAX, [even, even], 3.0),
            (MIN, [even, even], 1.0 / 3.0),
            (MAX, [even, lost], even),
            (MIN, [even, won], even),
        ] {
            assert_eq!(rule.node(place, &children), expected, "{place:?} {children:?}");
        }
        assert_eq!([lost, even, won].map(|odds| rule.shown(odds)), [0.0, 0.5, 1.0]);
        assert_eq!([lost, even, won].map(|odds| rule.opposite(odds)), [won, even, lost]);
        assert_eq!((rule.shown(3.0), rule.shown(1.0 / 3.0)), (0.75, 0.25));
        for x in [0.0, 0.25, 1.0] {
            assert_eq!(rule.leaf_seen(Mover::Max, x), rule.leaf(x));
            assert_eq!(rule.leaf_seen(Mover::Min, x), rule.leaf(1.0 - x));
        }
    }

    /// Sixty children just below the bound change nothing, wherever they stand, and one a thousand times as good does.
    #[test]
    fn negligible_children_are_lost_in_rounding_errors() {
        let rule = ProductOfOdds;
        for odds in [1e-200, 0.3, 1.0, 7.0, 1e30] {
            let bound = rule.negligible(MAX, odds).unwrap();
            let worse = [bound * 0.999; 60];
            let (before, after) = ([&worse[..], &[odds]].concat(), [&[odds], &worse[..]].concat());
            for children in [before, after] {
                assert_eq!(rule.node(MAX, &children).to_bits(), odds.to_bits(), "{odds}");
            }
        }
        assert_ne!(rule.node(MAX, &[1.0, 1e3 * rule.negligible(MAX, 1.0).unwrap()]), 1.0);
        assert_eq!(rule.negligible(MAX, 0.0), Some(0.0));
        assert_eq!(rule.at_least(1.0, 1.0), 3.0);
    }

    #[test]
    fn moves_are_as_good_as_each_other_up_to_roundings() {
        let rule = ProductOfOdds;
        let (first, again) = (0.1 + 0.2, 0.3);
        assert!(first != again && rule.same(first, again) && rule.same(again, first));
        assert!(rule.same(f64::INFINITY, f64::INFINITY) && rule.same(0.0, 0.0));
        for (a, b) in [(f64::INFINITY, 1e300), (0.0, 1e-300), (1.0, 1.0 + 1e-12)] {
            assert!(!rule.same(a, b) && !rule.same(b, a), "{a} {b}");
        }
        // The opponent of a mover with odds of 4 has 1/4.
        assert!(rule.refutes(4.0, 0.2501) && !rule.refutes(4.0, 0.25) && !rule.refutes(4.0, 0.2499));
        assert!(!rule.refutes(f64::INFINITY, 0.0) && rule.refutes(f64::INFINITY, 1e-300));
    }
}
