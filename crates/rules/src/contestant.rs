//! A contestant: a rule and the curve through which it sees the leaves.

use prodmax_number::{Enclosure, Fraction};

use crate::curve::{CurveTable, Curves};
use crate::line::HeuristicValue;
use crate::numbers::{Bounded, BoundedDouble, Doubles, Enclosures, Numbers};
use crate::place::Place;
use crate::registry::{Prepared, Rule};
use crate::rule::{Backup, Leaves};

/// Numbers in which a curve has values.
pub trait CurveNumbers: Numbers {
    /// The curve's value at h.
    fn at(self, curve: &CurveTable, h: HeuristicValue) -> Self::Number;
}

impl CurveNumbers for Doubles {
    fn at(self, curve: &CurveTable, h: HeuristicValue) -> f64 {
        curve.double(h)
    }
}

impl CurveNumbers for Bounded {
    fn at(self, curve: &CurveTable, h: HeuristicValue) -> BoundedDouble {
        let value = curve.double(h);
        // The nearest double to the middle of an enclosure that is a few units of 2^-96 wide.
        BoundedDouble { value, error: value * f64::EPSILON / 2.0 + CurveTable::DOUBLE_ERROR }
    }
}

impl CurveNumbers for Enclosures {
    fn at(self, curve: &CurveTable, h: HeuristicValue) -> Enclosure {
        curve.enclose(h, self.bits)
    }
}

/// A rule with the curve through which it sees the leaves.
#[derive(Clone, Debug)]
pub struct Contestant<'a> {
    rule: Rule,
    /// `None` for a rule that uses heuristic values directly.
    curve: Option<&'a CurveTable>,
}

impl<'a> Contestant<'a> {
    /// A rule that sees the leaves through the estimate or, if the rule asks for it, through the truth.
    pub fn new(rule: Rule, curves: &'a Curves) -> Self {
        let curve = match rule.leaves() {
            Leaves::Heuristic => None,
            Leaves::Estimate => Some(&curves.estimate),
            Leaves::Truth => Some(&curves.truth),
        };
        Self { rule, curve }
    }

    /// A rule that sees the leaves through this curve, unless it uses heuristic values directly.
    pub fn through(rule: Rule, curve: &'a CurveTable) -> Self {
        let curve = (rule.leaves() != Leaves::Heuristic).then_some(curve);
        Self { rule, curve }
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The curve; `None` for a rule that uses heuristic values directly.
    pub fn curve(&self) -> Option<&'a CurveTable> {
        self.curve
    }

    /// The rule in numbers of one kind, for trees of the given depth.
    pub fn prepare<N: CurveNumbers>(&self, numbers: N, depth: usize) -> PreparedContestant<'a, N> {
        PreparedContestant { rule: self.rule.prepare(numbers, depth), numbers, curve: self.curve, depth }
    }
}

/// A contestant in numbers of one kind, for trees of one depth.
#[derive(Clone, Debug)]
pub struct PreparedContestant<'a, N: Numbers> {
    rule: Prepared<N>,
    numbers: N,
    curve: Option<&'a CurveTable>,
    depth: usize,
}

impl<N: CurveNumbers> PreparedContestant<'_, N> {
    /// The value of a leaf.
    pub fn leaf(&self, h: HeuristicValue) -> N::Number {
        let seen = match self.curve {
            Some(curve) => self.numbers.at(curve, h),
            None => self.numbers.constant(&Fraction::from_integer(h.get().into())),
        };
        self.rule.leaf(seen)
    }

    /// The value of a node.
    pub fn node(&self, place: Place, children: &[&N::Number]) -> N::Number {
        self.rule.node(place, children)
    }

    /// The value of a concrete subtree, given its leaves from left to right and the level of its root.
    /// Every node has `branching` moves.
    pub fn subtree(&self, leaves: &[HeuristicValue], level: usize, branching: usize) -> N::Number {
        self.subtree_with(leaves, level, branching, &|h| self.leaf(h))
    }

    /// The same with other values of the leaves.
    pub fn subtree_with(
        &self,
        leaves: &[HeuristicValue],
        level: usize,
        branching: usize,
        leaf: &impl Fn(HeuristicValue) -> N::Number,
    ) -> N::Number {
        // With one move everywhere only the level tells whether this is a leaf.
        if let [h] = leaves
            && (branching > 1 || level >= self.depth)
        {
            return leaf(*h);
        }
        let child = |leaves: &[_]| self.subtree_with(leaves, level + 1, branching, leaf);
        let children: Vec<N::Number> = leaves.chunks_exact(leaves.len() / branching).map(child).collect();
        self.node(Place::in_tree(level, self.depth), &children.iter().collect::<Vec<_>>())
    }

    /// A value as it is shown to readers.
    pub fn shown(&self, value: f64) -> f64 {
        self.rule.shown(value)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::curve::Curve;
    use crate::line::{Line, ZeroMode};

    fn curve() -> CurveTable {
        CurveTable::new("uniform:1/4".parse::<Curve>().unwrap(), 42)
    }

    /// Half a unit in the last place of 3/4, and what the double may differ from the curve.
    #[test]
    fn a_bounded_leaf_is_as_uncertain_as_its_rounding() {
        let h = Line::new(42, ZeroMode::Skip).unwrap().value(5).unwrap();
        let leaf = Bounded.at(&curve(), h);
        assert_eq!(leaf.value, 0.75);
        let half_a_unit = 0.75 / (1u64 << 53) as f64;
        assert_relative_eq!(
            leaf.error,
            half_a_unit + CurveTable::DOUBLE_ERROR,
            epsilon = 0.0,
            max_relative = 1e-15
        );
        assert!(leaf.error > half_a_unit);
    }

    #[test]
    fn a_single_move_everywhere_leads_to_the_leaf() {
        let h = Line::new(42, ZeroMode::Skip).unwrap().value(-5).unwrap();
        let curve = curve();
        for (rule, expected) in [("product", 0.25), ("minimax", -5.0)] {
            let contestant = Contestant::through(rule.parse().unwrap(), &curve);
            let player = contestant.prepare(Doubles, 4);
            assert_eq!([1, 4].map(|level| player.subtree(&[h], level, 1)), [expected; 2]);
        }
    }

    /// A mean of squares is shown as the mean.
    #[test]
    fn values_are_shown_as_probabilities() {
        let curve = curve();
        let player = Contestant::through("mean:2".parse().unwrap(), &curve).prepare(Doubles, 2);
        assert_relative_eq!(player.shown(0.25), 0.5, max_relative = 1e-15);
    }
}
