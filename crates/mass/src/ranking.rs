//! The exact order of classes by the values of a rule.
//!
//! Comparing two nearly equal values in doubles is a guess. Here a comparison is *proved*: by doubles with an
//! error bound where they are far enough apart, else by enclosures of growing precision, and equality by the
//! identity of rational functions (`functions.rs`). All kinds of numbers share this order, so the set of critical
//! trees never depends on rounding.
//!
//! Rules with plateaus make many equal values. They are proved where they arise: classes of a level whose children
//! have equal values are equal, so only one class of each kind is valued precisely.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use prodmax_enumerate::trees::canonicalize;
use prodmax_enumerate::{ClassTable, DepthOne, HeuristicValue, Nodes, Place};
use prodmax_number::Enclosure;
use prodmax_rules::numbers::{Bounded, BoundedDouble, Enclosures};
use prodmax_rules::{Leaves, Numbers};

use crate::contestant::{Contestant, CurveNumbers, Player};
use crate::functions::{Function, Functions, Unknowns};
use crate::sweep::Groups;

/// Binary places of the enclosures that are tried one after the other, beside those that a rule needs for its powers.
const STAGES: [u32; 3] = [160, 320, 640];

/// Binary places of the enclosures that functions carry along.
const FUNCTION_BITS: u32 = 320;

/// How the comparisons of neighbours in an order were settled.
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

/// The depth-1 classes of a model in the order of one rule.
#[derive(Clone, Debug)]
pub struct Ranking {
    ranks: Vec<u32>,
    groups: Groups,
    comparisons: Comparisons,
}

impl Ranking {
    /// Ranks the depth-1 classes of a table. What nothing can compare is counted in [`Ranking::comparisons`].
    pub(crate) fn of(table: &ClassTable, classes: &DepthOne, contestant: &Contestant<'_>) -> Self {
        let mut comparisons = Comparisons::default();
        let groups = RuleOrder::new(table, contestant).sort(&names(classes.nodes()), &mut comparisons);
        let mut ranks = vec![0; classes.len()];
        for (rank, group) in groups.iter().enumerate() {
            group.iter().for_each(|&class| ranks[class as usize] = rank as u32);
        }
        Self { ranks, groups, comparisons }
    }

    /// The rank of each class, from 0; equal values have equal ranks.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The classes in groups of equal value, ascending.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// How the order was proved.
    pub fn comparisons(&self) -> Comparisons {
        self.comparisons
    }
}

/// The values of classes under a rule in whatever precision a comparison takes. The precise values are computed
/// when a comparison needs them and not kept: few do.
///
/// A class of level l is named by the pair of its children, classes of level l + 1; a leaf is named twice.
pub(crate) struct RuleOrder<'a> {
    table: &'a ClassTable,
    contestant: &'a Contestant<'a>,
    bounded: Player<'a, Bounded>,
    top: Vec<BoundedDouble>,
    stages: [u32; STAGES.len()],
    /// Of the leaf classes, for each stage.
    enclosures: [OnceLock<Vec<Enclosure>>; STAGES.len()],
    /// Of the leaf classes, for each kind of unknowns.
    functions: [OnceLock<Vec<Function>>; Unknowns::ALL.len()],
    /// For each stored level from the leaves upwards and each of its classes, a class that is proved to have the
    /// same value; the same one for all that are equal.
    equals: OnceLock<Vec<Vec<u32>>>,
    /// Whether doubles are of no use, for tests.
    blunt: bool,
}

/// Classes of one level to be sorted.
struct Task<'a> {
    level: usize,
    names: &'a [[u32; 2]],
    /// Equal classes of the level below.
    below: Option<&'a [u32]>,
}

impl<'a> RuleOrder<'a> {
    /// Prepares the values of the table's top level.
    pub(crate) fn new(table: &'a ClassTable, contestant: &'a Contestant<'a>) -> Self {
        let bounded = contestant.prepare(Bounded, table.model().depth());
        let top = table.back_up(|h| bounded.leaf(h), |place, children| bounded.node(place, children));
        let more = contestant.rule().extra_bits();
        Self {
            table,
            contestant,
            bounded,
            top,
            stages: STAGES.map(|bits| bits + more),
            enclosures: Default::default(),
            functions: Default::default(),
            equals: OnceLock::new(),
            blunt: false,
        }
    }

    /// An order in which doubles settle nothing, and enclosures have these binary places.
    #[cfg(test)]
    pub(crate) fn blunt(self, stages: [u32; STAGES.len()]) -> Self {
        Self { stages, blunt: true, ..self }
    }

    /// The values of the classes of the top level, with their error bounds.
    pub(crate) fn top(&self) -> &[BoundedDouble] {
        &self.top
    }

    fn depth(&self) -> usize {
        self.table.model().depth()
    }

    /// The double of a depth-1 class.
    pub(crate) fn depth_one(&self, [b, c]: [u32; 2]) -> BoundedDouble {
        let child = |class: u32| &self.top[class as usize];
        match self.depth() {
            1 => *child(b),
            depth => self.bounded.node(Place::in_tree(1, depth), &[child(b), child(c)]),
        }
    }

    /// Sorts depth-1 classes by value into groups of equal value, ascending, each in ascending order of the
    /// classes. `Comparisons::total` counts the neighbours within these classes.
    pub(crate) fn sort(&self, names: &[[u32; 2]], comparisons: &mut Comparisons) -> Groups {
        let values = names.iter().map(|&name| self.depth_one(name));
        self.sort_values(values, comparisons, |cluster, groups, unresolved| {
            let below = if self.depth() == 1 { None } else { self.equals().last().map(Vec::as_slice) };
            self.settle(&Task { level: 1, names, below }, cluster, groups, unresolved);
        })
    }

    /// Sorts all classes of the table's top level like [`RuleOrder::sort`].
    pub(crate) fn sort_top(&self, comparisons: &mut Comparisons) -> Groups {
        let level = self.table.top_level();
        let names = names(self.table.top().nodes());
        self.sort_values(self.top.iter().copied(), comparisons, |cluster, groups, unresolved| {
            let equals = self.equals();
            let below = equals.len().checked_sub(2).map(|below| equals[below].as_slice());
            self.settle(&Task { level, names: &names, below }, cluster, groups, unresolved);
        })
    }

    /// Sorts values as far as doubles can tell, and lets `settle` do the rest, cluster by cluster. Heuristic values
    /// are whole numbers: there is nothing to prove about their order.
    fn sort_values(
        &self,
        values: impl Iterator<Item = BoundedDouble>,
        comparisons: &mut Comparisons,
        settle: impl Fn(&[u32], &mut Groups, &mut u64),
    ) -> Groups {
        if self.contestant.rule().leaves() == Leaves::Heuristic && !self.blunt {
            return sort_whole_numbers(values);
        }
        let ends: Vec<[f64; 2]> = values.map(|value| [value.low(), value.high()]).collect();
        let mut order: Vec<(i64, u32)> = ends.iter().map(|&[low, _]| order_key(low)).zip(0..).collect();
        order.sort_unstable();
        comparisons.total += (order.len() as u64).saturating_sub(1);
        let mut groups = Groups::default();
        let mut rest = order.as_slice();
        while let Some(&(_, first)) = rest.first() {
            // Sorted by lower end, a cluster ends where everything before is below everything after.
            let [_, mut reach] = ends[first as usize];
            let mut end = 1;
            while let Some(&(_, next)) = rest.get(end) {
                let [low, high] = ends[next as usize];
                if low > reach && !self.blunt {
                    break;
                }
                reach = reach.max(high);
                end += 1;
            }
            let (cluster, after) = rest.split_at(end);
            if end == 1 {
                groups.push(&[first]);
            } else {
                comparisons.escalated += cluster.len() as u64 - 1;
                let classes: Vec<u32> = cluster.iter().map(|(_, class)| *class).collect();
                settle(&classes, &mut groups, &mut comparisons.unresolved);
            }
            rest = after;
        }
        groups
    }

    /// Settles the order of classes that doubles cannot tell apart. Of classes whose children have equal values only
    /// one is looked at.
    fn settle(&self, task: &Task<'_>, cluster: &[u32], groups: &mut Groups, unresolved: &mut u64) {
        let mut kinds: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for &class in cluster {
            let mut name = task.names[class as usize];
            if let Some(below) = task.below {
                name = name.map(|child| below[child as usize]);
                name.sort_unstable();
            }
            kinds.entry(name).or_default().push(class);
        }
        let kinds: Vec<([u32; 2], Vec<u32>)> = kinds.into_iter().collect();
        let mut ordered = Groups::default();
        self.refine(task.level, (0..kinds.len() as u32).collect(), &kinds, 0, &mut ordered, unresolved);
        for group in ordered.iter() {
            let mut members: Vec<u32> =
                group.iter().flat_map(|&kind| kinds[kind as usize].1.iter().copied()).collect();
            members.sort_unstable();
            groups.push(&members);
        }
    }

    /// Splits a cluster of kinds that the stage before could not settle.
    fn refine(
        &self,
        level: usize,
        cluster: Vec<u32>,
        kinds: &[([u32; 2], Vec<u32>)],
        stage: usize,
        groups: &mut Groups,
        unresolved: &mut u64,
    ) {
        if stage == STAGES.len() || cluster.len() == 1 {
            *unresolved += cluster.len() as u64 - 1;
            groups.push(&cluster);
            return;
        }
        let name = |kind: u32| kinds[kind as usize].0;
        let player = self.contestant.prepare(Enclosures { bits: self.stages[stage] }, self.depth());
        let leaves = self.enclosures[stage].get_or_init(|| self.leaves(&player));
        let mut values: Vec<(Enclosure, u32)> =
            cluster.into_iter().map(|kind| (self.value(level, name(kind), &player, leaves), kind)).collect();
        values.sort_by(|a, b| a.0.low_end().cmp(b.0.low_end()).then(a.1.cmp(&b.1)));
        for overlapping in split(values) {
            if overlapping.len() == 1 {
                groups.push(&overlapping);
                continue;
            }
            // Equal values overlap at every precision: take them together first, compare what is left.
            let equal = self.group_identical(level, overlapping, kinds);
            if let Some(ordered) = order_by_constants(&equal) {
                ordered.iter().for_each(|group| groups.push(group));
                continue;
            }
            let representatives: Vec<u32> = equal.iter().map(|(_, members)| members[0]).collect();
            let mut ordered = Groups::default();
            self.refine(level, representatives, kinds, stage + 1, &mut ordered, unresolved);
            for group in ordered.iter() {
                let members = group.iter().flat_map(|representative| {
                    equal.iter().filter(|(_, m)| m[0] == *representative).flat_map(|(_, m)| m.iter().copied())
                });
                groups.extend(members);
            }
        }
    }

    /// The kinds grouped by identical function, in the order of their first members.
    fn group_identical(
        &self,
        level: usize,
        cluster: Vec<u32>,
        kinds: &[([u32; 2], Vec<u32>)],
    ) -> Vec<(Function, Vec<u32>)> {
        let bits = FUNCTION_BITS + self.contestant.rule().extra_bits();
        let mut parts: Vec<Vec<u32>> = cluster.into_iter().map(|kind| vec![kind]).collect();
        let mut groups: Vec<(Function, Vec<u32>)> = Vec::new();
        for (unknowns, leaves) in Unknowns::ALL.into_iter().zip(&self.functions) {
            let numbers = Functions { bits, unknowns };
            let player = self.contestant.prepare(numbers, self.depth());
            let leaf = |&h: &HeuristicValue| numbers.leaf(self.contestant, self.depth(), h);
            let leaves = leaves.get_or_init(|| self.table.leaf_values().iter().map(leaf).collect());
            groups = Vec::new();
            for part in parts {
                let function = self.value(level, kinds[part[0] as usize].0, &player, leaves);
                let same = |(other, _): &&mut (Function, Vec<u32>)| other.is_same(&function);
                match groups.iter_mut().find(same) {
                    Some((_, members)) => members.extend(part),
                    None => groups.push((function, part)),
                }
            }
            if groups.len() == 1 {
                break;
            }
            parts = groups.iter().map(|(_, members)| members.clone()).collect();
        }
        groups
    }

    fn leaves<N: CurveNumbers>(&self, player: &Player<'_, N>) -> Vec<N::Number> {
        self.table.leaf_values().iter().map(|&h| player.leaf(h)).collect()
    }

    /// The value of a class of a level by its name, from those of the leaf classes.
    fn value<N: CurveNumbers>(
        &self,
        level: usize,
        [b, c]: [u32; 2],
        player: &Player<'_, N>,
        leaves: &[N::Number],
    ) -> N::Number {
        if level == self.depth() {
            return leaves[b as usize].clone();
        }
        let node = |place, children: &[&N::Number]| player.node(place, children);
        let [b, c] = [b, c].map(|child| self.table.back_up_class(level + 1, child, leaves, &node));
        player.node(Place::in_tree(level, self.depth()), &[&b, &c])
    }

    /// Equal classes of every stored level, from the leaves upwards: sorted like the depth-1 classes, each level with
    /// what is known of the one below. A level with an unresolved comparison has no equal classes.
    fn equals(&self) -> &[Vec<u32>] {
        self.equals.get_or_init(|| {
            let mut equals: Vec<Vec<u32>> = Vec::new();
            let mut values: Vec<BoundedDouble> = Vec::new();
            for (number, level) in self.table.bottom_up() {
                let place = Place::in_tree(number, self.depth());
                values = match level.nodes() {
                    Nodes::Leaves(leaves) => leaves.iter().map(|&h| self.bounded.leaf(h)).collect(),
                    Nodes::Pairs(pairs) => {
                        let value = |child: u32| &values[child as usize];
                        pairs.iter().map(|&[b, c]| self.bounded.node(place, &[value(b), value(c)])).collect()
                    }
                };
                let names = names(level.nodes());
                let mut comparisons = Comparisons::default();
                let task = Task { level: number, names: &names, below: equals.last().map(Vec::as_slice) };
                let groups = self.sort_values(
                    values.iter().copied(),
                    &mut comparisons,
                    |cluster, groups, unresolved| {
                        self.settle(&task, cluster, groups, unresolved);
                    },
                );
                let mut same: Vec<u32> = (0..level.len() as u32).collect();
                if comparisons.unresolved == 0 {
                    for group in groups.iter() {
                        group.iter().for_each(|&class| same[class as usize] = group[0]);
                    }
                }
                equals.push(same);
            }
            equals
        })
    }
}

/// An integer with the order of doubles.
fn order_key(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    // Negative doubles have the reverse order of their magnitudes.
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Groups of equal whole numbers, ascending: there are few different ones, so they are counted.
fn sort_whole_numbers(values: impl Iterator<Item = BoundedDouble>) -> Groups {
    let values: Vec<i32> = values.map(|value| value.value as i32).collect();
    let (Some(&least), Some(&greatest)) = (values.iter().min(), values.iter().max()) else {
        return Groups::default();
    };
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); greatest.abs_diff(least) as usize + 1];
    for (class, value) in (0..).zip(&values) {
        members[value.abs_diff(least) as usize].push(class);
    }
    let mut groups = Groups::default();
    members.iter().filter(|group| !group.is_empty()).for_each(|group| groups.push(group));
    groups
}

/// The proved order of two subtrees under a rule, given their leaves from left to right and the level of their
/// roots. `None` if nothing could settle it, which no tree is known to need.
pub(crate) fn compare_subtrees(
    contestant: &Contestant<'_>,
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
    let depth = level + a.len().ilog2() as usize;
    let more = contestant.rule().extra_bits();
    let by_enclosures = |&bits: &u32| {
        let numbers = Enclosures { bits: bits + more };
        let player = contestant.prepare(numbers, depth);
        numbers.compare(&player.subtree(&a, level), &player.subtree(&b, level))
    };
    let by_functions = |&unknowns: &Unknowns| {
        let numbers = Functions { bits: FUNCTION_BITS + more, unknowns };
        let player = contestant.prepare(numbers, depth);
        let leaf = |h| numbers.leaf(contestant, depth, h);
        player.subtree_with(&a, level, &leaf).compare(&player.subtree_with(&b, level, &leaf))
    };
    STAGES.iter().find_map(by_enclosures).or_else(|| Unknowns::ALL.iter().find_map(by_functions))
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

/// The groups in ascending order, if their functions differ by constants only.
fn order_by_constants(groups: &[(Function, Vec<u32>)]) -> Option<Vec<&[u32]>> {
    if groups.windows(2).any(|pair| pair[0].0.compare(&pair[1].0).is_none()) {
        return None;
    }
    let mut ordered: Vec<&(Function, Vec<u32>)> = groups.iter().collect();
    ordered.sort_by(|a, b| a.0.compare(&b.0).unwrap_or(Ordering::Equal));
    Some(ordered.into_iter().map(|(_, members)| members.as_slice()).collect())
}

/// The classes of a level by their children; a leaf is named twice.
pub(crate) fn names(nodes: &Nodes) -> Cow<'_, [[u32; 2]]> {
    match nodes {
        Nodes::Pairs(pairs) => Cow::Borrowed(pairs),
        Nodes::Leaves(leaves) => (0..leaves.len() as u32).map(|leaf| [leaf, leaf]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, Zero};
    use prodmax_rules::Rule;

    use super::*;
    use crate::curve::{Curve, CurveTable};

    const RULES: [&str; 7] =
        ["minimax", "product", "average:1/3", "mean:1", "mean:3", "baum:4/5:4/5", "hints:19/20"];

    fn table(root: i64, increments: &[i64], zero: Zero) -> ClassTable {
        ClassTable::build(&Model::new(root, increments, zero, 42).unwrap()).unwrap()
    }

    fn curve(text: &str) -> CurveTable {
        CurveTable::new(text.parse::<Curve>().unwrap(), 42)
    }

    fn lists(groups: &Groups) -> Vec<Vec<u32>> {
        groups.iter().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn comparisons_are_added() {
        let mut sum = Comparisons { total: 10, escalated: 3, unresolved: 1 };
        sum.merge(&Comparisons { total: 5, escalated: 2, unresolved: 7 });
        assert_eq!(sum, Comparisons { total: 15, escalated: 5, unresolved: 8 });
    }

    #[test]
    fn the_doubles_are_those_of_the_top_level() {
        let (table, curve) = (table(1, &[1, 1], Zero::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        let leaves: Vec<f64> = table.leaf_values().iter().map(|&h| curve.double(h)).collect();
        assert_eq!(order.top().iter().map(|value| value.value).collect::<Vec<_>>(), leaves);
        assert_eq!(order.depth_one([0, 1]).value, leaves[0] * leaves[1]);
        assert!(order.depth_one([0, 1]).error < 1e-15);
    }

    #[test]
    fn at_depth_one_a_class_is_a_leaf() {
        let (table, curve) = (table(1, &[3], Zero::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        assert_eq!(order.depth_one([2, 2]).value, curve.double(table.leaf_values()[2]));
    }

    /// Doubles settle nearly everything in real models; here they settle nothing, and coarse enclosures little.
    #[test]
    fn every_way_to_settle_comparisons_gives_the_same_order() {
        for (increments, zero, estimate) in [
            (&[3, 3][..], Zero::Skip, "arctan:1"),
            (&[2, 1, 2], Zero::Allow, "pearl:4"),
            (&[2, 2, 1], Zero::Allow, "uniform:1/3"),
        ] {
            let (table, curve) = (table(-1, increments, zero), curve(estimate));
            let classes = table.depth_one().unwrap();
            let names = names(classes.nodes());
            for rule in RULES {
                let contestant = Contestant::through(rule.parse::<Rule>().unwrap(), &curve);
                let usual = lists(Ranking::of(&table, &classes, &contestant).groups());
                assert_eq!(usual.iter().map(Vec::len).sum::<usize>(), classes.len());
                for stages in [STAGES, [1, 160, 320], [1, 6, 200]] {
                    let order = RuleOrder::new(&table, &contestant).blunt(stages);
                    let mut comparisons = Comparisons { total: 2, escalated: 3, unresolved: 4 };
                    let sorted = order.sort(&names, &mut comparisons);
                    assert_eq!(lists(&sorted), usual, "{rule} {estimate} {stages:?}");
                    let others = classes.len() as u64 - 1;
                    let all = Comparisons { total: 2 + others, escalated: 3 + others, unresolved: 4 };
                    assert_eq!(comparisons, all, "{rule} {estimate} {stages:?}");
                }
                let order = RuleOrder::new(&table, &contestant).blunt([1, 2, 3]);
                let mut comparisons = Comparisons::default();
                order.sort(&names, &mut comparisons);
                let constant = curve.curve().is_rational() || rule == "minimax";
                assert_eq!(
                    comparisons.unresolved == 0,
                    constant,
                    "constants settle what three bits cannot: {rule}"
                );
            }
        }
    }

    #[test]
    fn what_cannot_be_settled_is_counted() {
        let (table, curve) = (table(1, &[3], Zero::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product).blunt([1; 3]);
        let mut comparisons = Comparisons::default();
        let sorted = order.sort(&names(table.depth_one().unwrap().nodes()), &mut comparisons);
        // +1 to +4 all lie between 1/2 and 1.
        assert_eq!(lists(&sorted), [[0, 1, 2, 3]]);
        assert_eq!(comparisons, Comparisons { total: 3, escalated: 3, unresolved: 3 });
    }

    /// Where doubles are far from each value, equal classes of the levels below are found first.
    #[test]
    fn equal_classes_are_found_level_by_level() {
        let (table, curve) = (table(-1, &[2, 2, 2], Zero::Skip), curve("uniform:1/3"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        let different = |level: &Vec<u32>| {
            let mut classes = level.clone();
            classes.sort_unstable();
            classes.dedup();
            classes.len()
        };
        // Leaves are won or lost; of two of them none, one or both are won.
        assert_eq!(order.equals().iter().map(different).collect::<Vec<_>>(), [2, 3]);
    }
}
