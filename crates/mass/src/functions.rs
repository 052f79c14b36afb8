//! Values as rational functions of unknowns: the proof that two of them are equal.
//!
//! Enclosures prove that two values differ, never that they are the same. But w(h) = (1 + y_|h|) / 2 for h > 0 and
//! (1 - y_|h|) / 2 for h < 0 with one unknown y per |h|, so whatever a rule computes from leaves by adding,
//! multiplying and dividing is a rational function of these unknowns. Two classes with the same function have the same value,
//! whatever the curve's numbers are. If the curve is rational, there are no unknowns and the constants decide.
//!
//! It is quicker to treat the value of every leaf, as the rule backs it up, as an unknown of its own. That proves
//! nearly everything that can be proved; the rest is tried with one unknown per |h|, which also takes into account
//! that w(h) and w(-h) belong together. What is still open may be equal by an identity between arctans, like
//! arctan(1/2) + arctan(1/3) = π/4: then y_|h| is written over independent angles, which are the unknowns
//! (`angles.rs`).
//!
//! Where a rule compares (the greater child, a hint that is worth following), an enclosure of the same value decides
//! which way it goes. If it cannot decide and the functions are not the same either, the result is not known as a
//! function.

use std::cmp::Ordering;

use num_traits::One;
use prodmax_enumerate::HeuristicValue;
use prodmax_number::{Enclosure, Fraction, RationalFunction};
use prodmax_rules::CurveTable;
use prodmax_rules::numbers::Enclosures;
use prodmax_rules::numbers::Numbers;

use prodmax_rules::{Contestant, CurveNumbers};

/// Products with more terms than this are not multiplied out: it would take too long.
const MAX_PRODUCTS: usize = 1 << 16;

/// What the unknowns stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknowns {
    /// The values of leaves, as a rule backs them up.
    Leaves,
    /// y_|h| of a curve.
    Magnitudes,
    /// The arguments of Gaussian primes, of which y_|h| is a linear function.
    Arguments,
}

impl Unknowns {
    /// In the order in which they are tried.
    pub(crate) const ALL: [Self; 3] = [Self::Leaves, Self::Magnitudes, Self::Arguments];
}

/// Rational functions, with enclosures of `bits` binary places for comparisons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functions {
    pub(crate) bits: u32,
    pub(crate) unknowns: Unknowns,
}

/// A value as a function, and an enclosure of it.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// `None` if a comparison on the way was undecided or the function has too many terms.
    function: Option<RationalFunction>,
    enclosure: Enclosure,
}

impl Function {
    /// Whether the two are the same function.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let apart = self.enclosure.is_below(&other.enclosure) || other.enclosure.is_below(&self.enclosure);
        !apart && self.compare(other) == Some(Ordering::Equal)
    }

    /// The order of the two values, as far as it follows from the functions alone.
    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        let (a, b) = (self.function.as_ref()?, other.function.as_ref()?);
        (a.terms() * b.terms() <= MAX_PRODUCTS).then(|| a.compare(b)).flatten()
    }
}

impl Functions {
    fn enclosures(self) -> Enclosures {
        Enclosures { bits: self.bits }
    }

    fn apply(
        a: &Function,
        b: &Function,
        function: impl Fn(&RationalFunction, &RationalFunction) -> Option<RationalFunction>,
        enclosure: impl Fn(&Enclosure, &Enclosure) -> Enclosure,
    ) -> Function {
        let both = a.function.as_ref().zip(b.function.as_ref());
        let small = both.filter(|(a, b)| a.terms() * b.terms() <= MAX_PRODUCTS);
        Function {
            function: small.and_then(|(a, b)| function(a, b)),
            enclosure: enclosure(&a.enclosure, &b.enclosure),
        }
    }

    fn pick(self, a: &Function, b: &Function, wanted: Ordering, enclosure: Enclosure) -> Function {
        let function = match self.compare(a, b) {
            Some(order) if order == wanted => a.function.clone(),
            Some(_) => b.function.clone(),
            None => None,
        };
        Function { function, enclosure }
    }
}

impl Numbers for Functions {
    type Number = Function;

    fn constant(self, value: &Fraction) -> Function {
        Function {
            function: Some(RationalFunction::constant(value)),
            enclosure: self.enclosures().constant(value),
        }
    }
    fn add(self, a: &Function, b: &Function) -> Function {
        Self::apply(a, b, |a, b| Some(a.add(b)), Enclosure::add)
    }
    fn sub(self, a: &Function, b: &Function) -> Function {
        Self::apply(a, b, |a, b| Some(a.sub(b)), Enclosure::sub)
    }
    fn mul(self, a: &Function, b: &Function) -> Function {
        Self::apply(a, b, |a, b| Some(a.mul(b)), Enclosure::mul)
    }
    fn parallel(self, a: &Function, b: &Function) -> Function {
        Self::apply(a, b, RationalFunction::parallel, Enclosure::parallel)
    }
    fn greatest(self, a: &Function, b: &Function) -> Function {
        self.pick(a, b, Ordering::Greater, a.enclosure.max(&b.enclosure))
    }
    fn least(self, a: &Function, b: &Function) -> Function {
        self.pick(a, b, Ordering::Less, a.enclosure.min(&b.enclosure))
    }
    fn compare(self, a: &Function, b: &Function) -> Option<Ordering> {
        self.enclosures().compare(&a.enclosure, &b.enclosure).or_else(|| a.compare(b))
    }
    fn either(self, a: Function, b: Function) -> Function {
        // If both ways lead to the same function, there is no doubt.
        let same = a.compare(&b) == Some(Ordering::Equal);
        Function { function: if same { a.function } else { None }, enclosure: a.enclosure.hull(&b.enclosure) }
    }
}

impl Functions {
    /// A leaf of value h: its backed-up value, or what the curve gives it, as a function.
    pub(crate) fn leaf(self, contestant: &Contestant<'_>, depth: usize, h: HeuristicValue) -> Function {
        let mut leaf = contestant.prepare(self, depth).leaf(h);
        let is_constant = leaf.function.as_ref().is_some_and(|function| function.as_constant().is_some());
        if self.unknowns == Unknowns::Leaves && !is_constant {
            // A line has at most 20,001 values.
            let place = h.get() - i32::from(i16::MIN);
            leaf.function = Some(RationalFunction::unknown(place as u16));
        }
        leaf
    }
}

impl CurveNumbers for Functions {
    fn at(self, curve: &CurveTable, h: HeuristicValue) -> Function {
        let function = curve.exact(h).map_or_else(
            || {
                let one = RationalFunction::constant(&Fraction::one());
                let half = RationalFunction::constant(&Fraction::new(1.into(), 2.into()));
                let twice = match self.unknowns {
                    Unknowns::Arguments => one.add(&curve.over_angles(h)?),
                    Unknowns::Leaves | Unknowns::Magnitudes => {
                        let unknown = RationalFunction::unknown(h.get().unsigned_abs() as u16);
                        if h.get() > 0 { one.add(&unknown) } else { one.sub(&unknown) }
                    }
                };
                Some(twice.mul(&half))
            },
            |exact| Some(RationalFunction::constant(&exact)),
        );
        Function { function, enclosure: curve.enclose(h, self.bits) }
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Line, ZeroMode};
    use prodmax_rules::Curve;
    use prodmax_rules::Rule;

    use super::*;

    fn value(rule: &str, curve: &str, leaves: &[i64], level: usize) -> Function {
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        let table = CurveTable::new(curve.parse::<Curve>().unwrap(), 42);
        let leaves: Vec<_> = leaves.iter().map(|&h| line.value(h).unwrap()).collect();
        let contestant = Contestant::through(rule.parse::<Rule>().unwrap(), &table);
        let functions = Functions { bits: 200, unknowns: Unknowns::Magnitudes };
        contestant.prepare(functions, 3).subtree(&leaves, level, 2)
    }

    fn compare(rule: &str, curve: &str, a: &[i64], b: &[i64], level: usize) -> Option<Ordering> {
        value(rule, curve, a, level).compare(&value(rule, curve, b, level))
    }

    #[test]
    fn different_ways_to_the_same_function_are_equal() {
        let equal = Some(Ordering::Equal);
        // (1 + y)(1 - y) = 1 - y^2, whichever factor comes first; products of products are products.
        assert_eq!(compare("product", "arctan:1", &[3, -3], &[-3, 3], 1), equal);
        assert_eq!(
            compare("product", "arctan:1", &[3, -7], &[-7, 2], 1),
            None,
            "unknowns cannot be compared"
        );
        // The plain means of 5 and -5 and of 3 and -3 are both 1/2.
        assert_eq!(compare("mean:1", "arctan:1", &[5, -5], &[3, -3], 2), equal);
        assert_eq!(compare("mean:2", "arctan:1", &[5, -5], &[3, -3], 2), None);
        assert_eq!(compare("mean:1", "arctan:1", &[5, -5, 3, -3], &[2, -2, 4, -4], 1), equal);
        // Poor hints leave the greatest child: a plateau.
        assert_eq!(compare("baum:3/5:1/2", "arctan:1", &[5, -5], &[5, -9], 2), equal);
        assert_eq!(compare("average:1", "pearl:2", &[5, -5], &[-9, 5], 2), equal);
    }

    /// In fractions computed by hand, as constants of a rational curve.
    #[test]
    fn constants_are_exact_values() {
        let value = |rule: &str, leaves: &[i64], level| {
            let function = value(rule, "uniform:1/3", leaves, level).function.unwrap();
            function.as_constant().unwrap().to_string()
        };
        assert_eq!(value("product", &[5], 1), "2/3");
        assert_eq!(value("product", &[5, -1], 1), "2/9");
        assert_eq!(value("product", &[5, 0], 2), "5/6", "1 - 1/3 · 1/2");
        assert_eq!(value("product", &[5, 0, -1, -2], 1), "25/54", "5/6 · (1 - 2/3 · 2/3)");
        assert_eq!(value("average:1/2", &[5, -1], 1), "5/18", "half of 1/3 and 2/9");
        assert_eq!(value("mean:2", &[5, -1], 2), "5/18", "half of 4/9 and 1/9");
        assert_eq!(value("mean:2", &[5, -1], 1), "8/45", "2 / (9/4 + 9)");
    }

    /// With two binary places, enclosures of different values overlap, and only the functions tell them apart.
    #[test]
    fn only_the_same_functions_are_the_same() {
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        let table = CurveTable::new("arctan:1".parse::<Curve>().unwrap(), 42);
        let functions = Functions { bits: 2, unknowns: Unknowns::Magnitudes };
        let leaf = |h| functions.at(&table, line.value(h).unwrap());
        assert!(leaf(3).is_same(&leaf(3)) && !leaf(3).is_same(&leaf(4)));
        assert!(functions.either(leaf(3), leaf(3)).is_same(&leaf(3)));
        assert!(functions.either(leaf(3), leaf(4)).function.is_none());
    }

    #[test]
    fn rational_values_are_ordered() {
        let order = |a, b| compare("product", "uniform:1/3", &[a], &[b], 1);
        assert_eq!((order(-3, 0), order(3, 0)), (Some(Ordering::Less), Some(Ordering::Greater)));
        assert_eq!(order(3, 9), Some(Ordering::Equal));
    }

    #[test]
    fn a_function_with_too_many_terms_is_not_known() {
        let many: Vec<i64> = (1..=32).collect();
        assert!(value("mean:20", "arctan:1", &many, 1).function.is_none());
        assert!(value("mean:20", "uniform:1/3", &many, 1).function.is_some(), "constants have one term");
    }
}
