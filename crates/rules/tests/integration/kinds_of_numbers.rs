//! Every rule in every kind of number: enclosures and bounded doubles contain the exact value, doubles are close to
//! it.

use num_traits::{One, Zero};
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_rules::numbers::{Bounded, Doubles, Enclosures, Fractions, Numbers};
use prodmax_rules::{Backup, Mover, Place, Rule, SearchBackup, SearchVisitor};
use proptest::prelude::*;

const RULES: [&str; 12] = [
    "minimax",
    "product",
    "average:1/2",
    "average:0",
    "average:1",
    "mean:1",
    "mean:3",
    "mean:20",
    "baum:4/5:4/5",
    "baum:1/2:1/2",
    "baum:1:1",
    "hints:9/10",
];

fn fraction(numerator: u64, denominator: u64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// A tree of two levels: lists of leaves.
fn tree() -> impl Strategy<Value = Vec<Vec<Fraction>>> {
    let leaf =
        prop_oneof![(0u64..=8).prop_map(|n| fraction(n, 8)), (0u64..=1000).prop_map(|n| fraction(n, 1000)),];
    prop::collection::vec(prop::collection::vec(leaf, 1..=4), 1..=4)
}

fn back_up<N: Numbers>(rule: &Rule, numbers: N, mover: Mover, tree: &[Vec<Fraction>]) -> N::Number {
    let prepared = rule.prepare(numbers, 3);
    let inner: Vec<N::Number> = tree
        .iter()
        .map(|leaves| {
            let leaves: Vec<_> = leaves.iter().map(|x| prepared.leaf(numbers.constant(x))).collect();
            prepared.node(Place { mover: mover.opponent(), height: 1 }, &leaves)
        })
        .collect();
    prepared.node(Place { mover, height: 2 }, &inner)
}

proptest! {
    #[test]
    fn every_kind_contains_the_exact_value(tree in tree(), rule in prop::sample::select(&RULES[..]), max in any::<bool>()) {
        let rule: Rule = rule.parse().unwrap();
        let mover = if max { Mover::Max } else { Mover::Min };
        let exact = back_up(&rule, Fractions, mover, &tree);
        prop_assert!(Fraction::zero() <= exact && exact <= Fraction::one());
        for bits in [40, 160] {
            prop_assert!(back_up(&rule, Enclosures { bits }, mover, &tree).contains(&exact), "{rule} in {bits} bits");
        }
        let bounded = back_up(&rule, Bounded, mover, &tree);
        let distance = (Fraction::from_float(bounded.value).unwrap() - &exact).reduced();
        let error = Fraction::from_float(bounded.error).unwrap();
        prop_assert!(distance <= error && -distance <= error, "{rule}: {bounded:?}");
        prop_assert!(bounded.error < 1e-13 || rule.to_string().starts_with("mean"), "{rule}: {bounded:?}");
        let double = back_up(&rule, Doubles, mover, &tree);
        prop_assert!((double - to_f64(&exact)).abs() < 1e-13, "{rule}");
    }

    /// Children below the bound can have any value below it: the node keeps its value to the last bit.
    #[test]
    fn negligible_children_do_not_count(
        children in prop::collection::vec(prop_oneof![0.0..=1.0, 0.0..1e-12, (0u32..=8).prop_map(|n| f64::from(n) / 8.0)], 1..=9),
        others in prop::collection::vec(0.0..1.0, 9), rule in prop::sample::select(&RULES[..]), max in any::<bool>()
    ) {
        let mover = if max { Mover::Max } else { Mover::Min };
        rule.parse::<Rule>().unwrap().prepare_for_search(3).visit(Negligible { mover, children, others })?;
    }

    /// By rules with negligible children, more children never make a node worth less to its mover: some of them refute a
    /// move that all of them refute. Rounding errors do not.
    #[test]
    fn more_children_are_never_worse(
        children in prop::collection::vec(prop_oneof![0.0..=1.0, (0u32..=8).prop_map(|n| f64::from(n) / 8.0)], 1..=9),
        rule in prop::sample::select(&RULES[..]), max in any::<bool>()
    ) {
        let mover = if max { Mover::Max } else { Mover::Min };
        rule.parse::<Rule>().unwrap().prepare_for_search(3).visit(MoreChildren { mover, children })?;
    }

    /// Raising a leaf never lowers a value.
    #[test]
    fn every_rule_is_monotone(
        tree in tree(), rule in prop::sample::select(&RULES[..]), place in any::<prop::sample::Index>(), max in any::<bool>()
    ) {
        let rule: Rule = rule.parse().unwrap();
        let mover = if max { Mover::Max } else { Mover::Min };
        let mut raised = tree.clone();
        let node = place.index(tree.len());
        let leaf = place.index(tree[node].len());
        raised[node][leaf] = (&raised[node][leaf] + Fraction::one()) / Fraction::from_integer(2.into());
        let (before, after) = (back_up(&rule, Fractions, mover, &tree), back_up(&rule, Fractions, mover, &raised));
        prop_assert!(before <= after);
        let inside = |x: &Fraction| Fraction::zero() < *x && *x < Fraction::one();
        if rule.is_strict() && tree.iter().flatten().all(inside) {
            prop_assert!(before < after, "{rule} is strict");
        }
    }
}

struct Negligible {
    mover: Mover,
    children: Vec<f64>,
    others: Vec<f64>,
}

impl SearchVisitor for Negligible {
    type Output = Result<(), TestCaseError>;

    fn visit<R: SearchBackup>(self, rule: &R) -> Self::Output {
        let place = Place { mover: self.mover, height: 2 };
        let seen = |x: f64| if self.mover == Mover::Max { x } else { rule.opposite(x) };
        let children: Vec<f64> = self.children.iter().map(|&x| rule.leaf(x)).collect();
        let best = children.iter().map(|&x| seen(x)).fold(0.0, f64::max);
        let Some(bound) = rule.negligible(place, best) else { return Ok(()) };
        let replaced =
            |(&x, other): (&f64, &f64)| if seen(x) < bound { seen(other * bound * 0.999) } else { x };
        let replaced: Vec<f64> = children.iter().zip(&self.others).map(replaced).collect();
        prop_assert_eq!(rule.node(place, &children).to_bits(), rule.node(place, &replaced).to_bits());
        Ok(())
    }
}

struct MoreChildren {
    mover: Mover,
    children: Vec<f64>,
}

impl SearchVisitor for MoreChildren {
    type Output = Result<(), TestCaseError>;

    fn visit<R: SearchBackup>(self, rule: &R) -> Self::Output {
        let Self { mover, children } = self;
        let place = Place { mover, height: 2 };
        // Odds have no absolute bound on their rounding errors; their file tests them.
        if rule.negligible(place, 0.5).is_none() || rule.is_associative() {
            return Ok(());
        }
        let seen = |x: f64| if mover == Mover::Max { x } else { rule.opposite(x) };
        let all = seen(rule.node(place, &children));
        let mut at_least = 0.0;
        for count in 1..=children.len() {
            let child = children[count - 1];
            prop_assert_eq!(rule.leaf_seen(mover, child), seen(child));
            at_least = rule.at_least(at_least, seen(child));
            let some = seen(rule.node(place, &children[..count]));
            prop_assert!(at_least <= some + 4.0 * f64::EPSILON && some <= all + 4.0 * f64::EPSILON);
            // The opponent sees `1 - all`, so nothing up to that is refuted.
            for worth in [at_least, some] {
                prop_assert!(!rule.refutes(worth, rule.opposite(all)), "{worth} {all}");
                prop_assert!(rule.refutes(worth, rule.opposite(worth) + 1e-9));
            }
        }
        Ok(())
    }
}

/// Hints of 4/5 multiply odds by 4 or divide them by 4, so a sixteenth of the best child's odds is where children stop counting.
#[test]
fn children_are_negligible_where_no_hint_can_make_up_for_their_odds() {
    let negligible = |rule: &str, best| {
        let rule = rule.parse::<Rule>().unwrap().prepare_for_search(3);
        rule.rule().negligible(Place { mover: Mover::Min, height: 3 }, best)
    };
    for (rule, best, expected) in [
        ("minimax", 0.3, 0.3),
        ("baum:4/5:4/5", 0.5, 1.0 / 17.0),
        ("baum:4/5:4/5", 0.8, 0.2),
        ("baum:4/5:4/5", 1.0, 1.0),
        ("baum:1:1", 0.9, 0.0),
        ("baum:1/2:1/2", 0.6, 0.6),
        // Hints of 1 - 0.4/2 at the root.
        ("hints:2/5", 0.5, 1.0 / 17.0),
    ] {
        let found = negligible(rule, best).unwrap();
        assert!(found <= expected && expected - found < 2e-9, "{rule}: {found}");
    }
    for rule in ["average:1/2", "mean:3", "baum:1:0"] {
        assert_eq!(negligible(rule, 0.5), None, "{rule}");
    }
}

#[test]
fn a_single_child_gives_the_node_its_value() {
    let x = fraction(3, 7);
    for name in RULES {
        let rule: Rule = name.parse().unwrap();
        let prepared = rule.prepare(Fractions, 2);
        for mover in [Mover::Max, Mover::Min] {
            assert_eq!(prepared.node(Place { mover, height: 1 }, std::slice::from_ref(&x)), x, "{name}");
        }
    }
}
