//! The exact order of the depth-1 classes by product value.
//!
//! Comparing two nearly equal products in doubles is a guess. Here a comparison is *proved*: by doubles with
//! an error bound where they are far enough apart, else by enclosures of growing precision, and equality by
//! the identity of polynomials (`identity.rs`). All number types share this order, so the set of critical
//! trees never depends on rounding.

use std::cmp::Ordering;
use std::sync::OnceLock;

use prodmax_enumerate::trees::canonicalize;
use prodmax_enumerate::{ClassTable, DepthOne, HeuristicValue, Mover, Nodes};
use prodmax_number::Enclosure;

use crate::arithmetic::{Arithmetic, Certified, Float};
use crate::curve::CurveTable;
use crate::identity::Identity;
use crate::rule::{BackupRule, Product};
use crate::sweep::Groups;

/// Binary places of the enclosures that are tried one after the other.
const STAGES: [u32; 3] = [160, 320, 640];

/// How the comparisons of neighbours in the order were settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// Neighbours compared: one less than there are classes.
    pub total: u64,
    /// Those that doubles could not settle.
    pub escalated: u64,
    /// Those that nothing could settle. A result with any is refused.
    pub unresolved: u64,
}

impl Comparisons {
    /// The sum of both.
    pub fn merge(&mut self, other: &Self) {
        self.total += other.total;
        self.escalated += other.escalated;
        self.unresolved += other.unresolved;
    }
}

/// What has a product value in a [`ProductOrder`].
pub trait Valued: Copy {
    /// The value, from those of the top level's classes and the value of a MIN node. At depth 1, where `leaf` is
    /// set, a depth-1 class is a class of the top level itself.
    fn value<V>(self, leaf: bool, top: impl Fn(u32) -> V, min: impl Fn(&V, &V) -> V) -> V;
}

/// A class of the table's top level.
impl Valued for u32 {
    fn value<V>(self, _: bool, top: impl Fn(u32) -> V, _: impl Fn(&V, &V) -> V) -> V {
        top(self)
    }
}

/// A depth-1 class, named by its pair of classes of the level below (or, at depth 1, twice by its leaf).
impl Valued for [u32; 2] {
    fn value<V>(self, leaf: bool, top: impl Fn(u32) -> V, min: impl Fn(&V, &V) -> V) -> V {
        let [b, c] = self;
        if leaf { top(b) } else { min(&top(b), &top(c)) }
    }
}

/// Product values of classes in whatever precision a comparison takes. The precise values are computed when a
/// comparison needs them and not kept: few do.
pub struct ProductOrder<'a> {
    table: &'a ClassTable,
    curve: &'a CurveTable,
    doubles: Vec<f64>,
    error: f64,
    stages: [u32; STAGES.len()],
    /// Of the leaf classes, for each stage.
    enclosures: [OnceLock<Vec<Enclosure>>; STAGES.len()],
    /// Of the leaf classes.
    identities: OnceLock<Vec<Identity>>,
}

impl<'a> ProductOrder<'a> {
    /// Prepares the values of the table's top level.
    pub fn new(table: &'a ClassTable, curve: &'a CurveTable) -> Self {
        Self {
            table,
            curve,
            doubles: Product(&Float(curve)).top_values(table),
            error: error_bound(table.model().depth() - 1),
            stages: STAGES,
            enclosures: Default::default(),
            identities: OnceLock::new(),
        }
    }

    /// An order in which neither doubles nor enclosures, which have a single binary place, settle anything.
    #[cfg(test)]
    pub(crate) fn blunt(self) -> Self {
        Self { error: 1.0, stages: [1; STAGES.len()], ..self }
    }

    /// The double of every class of the top level.
    pub fn top_doubles(&self) -> &[f64] {
        &self.doubles
    }

    /// How far the double of a depth-1 class (or of a class of the top level) can be from its exact value.
    pub fn error(&self) -> f64 {
        self.error
    }

    fn is_leaf(&self) -> bool {
        self.table.model().depth() == 1
    }

    /// The double of a class.
    pub fn double(&self, class: impl Valued) -> f64 {
        class.value(self.is_leaf(), |top| self.doubles[top as usize], |b, c| b * c)
    }

    fn enclosure(&self, stage: usize, class: impl Valued) -> Enclosure {
        let arithmetic = Certified { curve: self.curve, bits: self.stages[stage] };
        let leaf = |&h| arithmetic.leaf(h);
        let leaves =
            self.enclosures[stage].get_or_init(|| self.table.leaf_values().iter().map(leaf).collect());
        let node = |mover, b: &Enclosure, c: &Enclosure| arithmetic.node(mover, b, c);
        let top = |class| self.table.back_up_class(class, leaves, &node);
        class.value(self.is_leaf(), top, Enclosure::mul)
    }

    fn identity(&self, class: impl Valued) -> Identity {
        let leaf = |&h| Identity::leaf(self.curve, h);
        let leaves = self.identities.get_or_init(|| self.table.leaf_values().iter().map(leaf).collect());
        let top = |class| self.table.back_up_class(class, leaves, &Identity::node);
        class.value(self.is_leaf(), top, |b, c| Identity::node(Mover::Min, b, c))
    }

    /// Sorts classes by product value into groups of equal value, ascending. `Comparisons::total` counts the
    /// neighbours within these classes.
    pub fn sort<N: Valued>(&self, classes: &[N], comparisons: &mut Comparisons) -> Groups {
        let doubles: Vec<f64> = classes.iter().map(|&class| self.double(class)).collect();
        let mut order: Vec<u32> = (0..classes.len() as u32).collect();
        order.sort_by(|&a, &b| doubles[a as usize].total_cmp(&doubles[b as usize]).then(a.cmp(&b)));
        comparisons.total += (classes.len() as u64).saturating_sub(1);
        let mut groups = Groups::default();
        let too_close = |&a: &u32, &b: &u32| doubles[b as usize] - doubles[a as usize] <= 2.0 * self.error;
        for cluster in order.chunk_by(too_close) {
            if cluster.len() == 1 {
                groups.push(cluster);
            } else {
                comparisons.escalated += cluster.len() as u64 - 1;
                self.refine(cluster.to_vec(), classes, 0, &mut groups, &mut comparisons.unresolved);
            }
        }
        groups
    }

    /// Splits a cluster that the stage before could not settle.
    fn refine<N: Valued>(
        &self,
        cluster: Vec<u32>,
        classes: &[N],
        stage: usize,
        groups: &mut Groups,
        unresolved: &mut u64,
    ) {
        if stage == STAGES.len() {
            *unresolved += cluster.len() as u64 - 1;
            groups.push(&cluster);
            return;
        }
        let mut values: Vec<(Enclosure, u32)> = cluster
            .into_iter()
            .map(|class| (self.enclosure(stage, classes[class as usize]), class))
            .collect();
        values.sort_by(|a, b| a.0.low_end().cmp(b.0.low_end()).then(a.1.cmp(&b.1)));
        for overlapping in split(values) {
            if overlapping.len() == 1 {
                groups.push(&overlapping);
                continue;
            }
            // Equal values overlap at every precision: take them together first, compare what is left.
            let equal = self.group_identical(overlapping, classes);
            if let Some(ordered) = order_by_constants(&equal) {
                ordered.iter().for_each(|group| groups.push(group));
                continue;
            }
            let representatives: Vec<u32> = equal.iter().map(|(_, members)| members[0]).collect();
            let mut ordered = Groups::default();
            self.refine(representatives, classes, stage + 1, &mut ordered, unresolved);
            for group in ordered.iter() {
                let members = group.iter().flat_map(|representative| {
                    equal.iter().filter(|(_, m)| m[0] == *representative).flat_map(|(_, m)| m.iter().copied())
                });
                groups.push(&members.collect::<Vec<_>>());
            }
        }
    }

    /// The classes grouped by identical polynomial, in a fixed order.
    fn group_identical<N: Valued>(&self, cluster: Vec<u32>, classes: &[N]) -> Vec<(Identity, Vec<u32>)> {
        let mut named: Vec<(Identity, u32)> =
            cluster.into_iter().map(|class| (self.identity(classes[class as usize]), class)).collect();
        named.sort();
        let mut groups: Vec<(Identity, Vec<u32>)> = Vec::new();
        for (identity, class) in named {
            match groups.last_mut() {
                Some((last, members)) if *last == identity => members.push(class),
                _ => groups.push((identity, vec![class])),
            }
        }
        groups
    }
}

/// Subtrees with more leaves have polynomials with too many terms, unless the curve is rational.
const MOST_LEAVES_OF_IDENTITY: usize = 16;

/// The proved order of two subtrees by product value, given their leaves from left to right and the level of their
/// roots. `None` if nothing could settle it, which no tree is known to need.
pub(crate) fn compare_subtrees(
    curve: &CurveTable,
    subtrees: [&[HeuristicValue]; 2],
    level: usize,
) -> Option<Ordering> {
    let [a, b] = subtrees.map(|leaves| {
        let mut leaves = leaves.to_vec();
        canonicalize(&mut leaves);
        leaves
    });
    if a == b {
        return Some(Ordering::Equal);
    }
    let by_enclosures = |&bits: &u32| {
        let arithmetic = Certified { curve, bits };
        let rule = Product(&arithmetic);
        rule.compare(&rule.of_tree(&a, level), &rule.of_tree(&b, level))
    };
    let small = a.len() <= MOST_LEAVES_OF_IDENTITY || curve.curve().is_rational();
    let by_identity = || Identity::of_tree(curve, &a, level).compare(&Identity::of_tree(curve, &b, level));
    STAGES.iter().find_map(by_enclosures).or_else(|| small.then(by_identity).flatten())
}

/// A bound on the error of a double that was backed up through `height` levels. A leaf is within 2^-53; a node
/// has the errors of both children (all factors are at most 1) and at most four roundings of 2^-54, here
/// counted as 2^-51.
pub(crate) fn error_bound(height: usize) -> f64 {
    let (leaf, node) = (f64::EPSILON / 2.0, f64::EPSILON * 2.0);
    (0..height).fold(leaf, |child, _| 2.0 * child + node)
}

/// Splits a list sorted by lower end wherever everything before is below everything after.
fn split(values: Vec<(Enclosure, u32)>) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut reach: Option<Enclosure> = None;
    for (value, class) in values {
        match (parts.last_mut(), &reach) {
            (Some(part), Some(highest)) if !highest.is_below(&value) => part.push(class),
            _ => parts.push(vec![class]),
        }
        reach = match reach {
            Some(highest) if highest.high_end() >= value.high_end() => Some(highest),
            _ => Some(value),
        };
    }
    parts
}

/// The groups in ascending order, if their polynomials differ by constants only.
fn order_by_constants(groups: &[(Identity, Vec<u32>)]) -> Option<Vec<&[u32]>> {
    if groups.windows(2).any(|pair| pair[0].0.compare(&pair[1].0).is_none()) {
        return None;
    }
    let mut ordered: Vec<&(Identity, Vec<u32>)> = groups.iter().collect();
    ordered.sort_by(|a, b| a.0.compare(&b.0).unwrap_or(Ordering::Equal));
    Some(ordered.into_iter().map(|(_, members)| members.as_slice()).collect())
}

/// The depth-1 classes as pairs of classes of the level below; a leaf is named twice.
pub(crate) fn pairs(classes: &DepthOne) -> Vec<[u32; 2]> {
    match classes.nodes() {
        Nodes::Pairs(pairs) => pairs.clone(),
        Nodes::Leaves(leaves) => (0..leaves.len() as u32).map(|leaf| [leaf, leaf]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, Zero};

    use super::*;
    use crate::curve::Curve;

    #[test]
    fn comparisons_are_added() {
        let mut sum = Comparisons { total: 10, escalated: 3, unresolved: 1 };
        sum.merge(&Comparisons { total: 5, escalated: 2, unresolved: 7 });
        assert_eq!(sum, Comparisons { total: 15, escalated: 5, unresolved: 8 });
    }

    #[test]
    fn the_doubles_are_those_of_the_top_level() {
        let table = ClassTable::build(&Model::new(1, &[1, 1], Zero::Skip, 42).unwrap()).unwrap();
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let order = ProductOrder::new(&table, &curve);
        let leaves: Vec<f64> = table.leaf_values().iter().map(|&h| curve.double(h)).collect();
        assert_eq!(order.top_doubles(), leaves);
        assert_eq!(order.double([0, 1]), leaves[0] * leaves[1]);
        let bounds = [0, 1, 2].map(|height| error_bound(height) / f64::EPSILON);
        assert_eq!(bounds, [0.5, 3.0, 8.0]);
        assert_eq!(order.error(), error_bound(1));
    }

    #[test]
    fn at_depth_one_a_class_is_a_leaf() {
        let table = ClassTable::build(&Model::new(1, &[3], Zero::Skip, 42).unwrap()).unwrap();
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let order = ProductOrder::new(&table, &curve);
        assert_eq!(order.double([2, 2]), curve.double(table.leaf_values()[2]));
    }

    fn groups(groups: &Groups) -> Vec<Vec<u32>> {
        groups.iter().map(<[u32]>::to_vec).collect()
    }

    /// Doubles settle nearly everything in real models; here they settle nothing, and coarse enclosures little.
    #[test]
    fn every_way_to_settle_comparisons_gives_the_same_order() {
        for (increments, zero, curve) in [
            (&[3, 3][..], Zero::Skip, "arctan:1"),
            (&[2, 1, 2], Zero::Allow, "pearl:4"),
            (&[2, 2, 1], Zero::Allow, "uniform:1/3"),
        ] {
            let table = ClassTable::build(&Model::new(-1, increments, zero, 42).unwrap()).unwrap();
            let curve = CurveTable::new(curve.parse::<Curve>().unwrap(), 42);
            let classes = pairs(&table.depth_one().unwrap());
            let sort = |error: Option<f64>, stages: [u32; 3]| {
                let mut order = ProductOrder::new(&table, &curve);
                order.error = error.unwrap_or(order.error);
                order.stages = stages;
                let mut comparisons = Comparisons { total: 2, escalated: 3, unresolved: 4 };
                let sorted = order.sort(&classes, &mut comparisons);
                (groups(&sorted), comparisons)
            };
            let others = classes.len() as u64 - 1;
            let (usual, comparisons) = sort(None, STAGES);
            assert!(usual.len() > 10 && comparisons.escalated < 3 + others);
            assert_eq!((comparisons.total, comparisons.unresolved), (2 + others, 4));
            for stages in [STAGES, [1, 160, 320], [1, 6, 200]] {
                let (escalated, comparisons) = sort(Some(1.0), stages);
                assert_eq!(escalated, usual, "{stages:?}");
                assert_eq!(
                    comparisons,
                    Comparisons { total: 2 + others, escalated: 3 + others, unresolved: 4 }
                );
            }
            let (_, comparisons) = sort(Some(1.0), [1, 2, 3]);
            let is_rational = curve.curve().is_rational();
            assert_eq!(comparisons.unresolved > 4, !is_rational, "constants settle what three bits cannot");
        }
    }

    #[test]
    fn what_cannot_be_settled_is_counted() {
        let table = ClassTable::build(&Model::new(1, &[3], Zero::Skip, 42).unwrap()).unwrap();
        let curve = CurveTable::new(Curve::arctan(1), 42);
        let order = ProductOrder::new(&table, &curve).blunt();
        let mut comparisons = Comparisons::default();
        let sorted = order.sort(&pairs(&table.depth_one().unwrap()), &mut comparisons);
        // +1 to +4 all lie between 1/2 and 1.
        assert_eq!(groups(&sorted), [[0, 1, 2, 3]]);
        assert_eq!(comparisons, Comparisons { total: 3, escalated: 3, unresolved: 3 });
    }
}
