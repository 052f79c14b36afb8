//! The values of classes under a rule, and their order as far as doubles can tell it.
//!
//! Rules with plateaus produce many equal values. They are proved where they arise: classes of a level whose children
//! have equal values are equal, so only one class of each kind is valued precisely.

use std::sync::OnceLock;

use prodmax_enumerate::{ClassTable, Nodes, Place};
use prodmax_jobs::stop;
use prodmax_number::Enclosure;
use prodmax_rules::Leaves;
use prodmax_rules::numbers::{Bounded, BoundedDouble};
use smallvec::SmallVec;

use super::settle::Task;
use super::sorting::{order_key, sort_whole_numbers};
use super::{Comparisons, STAGES};
use crate::functions::{Function, Unknowns};
use crate::sweep::Groups;
use prodmax_rules::{Contestant, PreparedContestant};

/// The values of classes under a rule, in whatever precision a comparison needs. Precise values are computed when a
/// comparison needs them and not kept, because few are needed.
///
/// A class of level l is named by its children, which are classes of level l + 1; a leaf by itself.
pub(crate) struct RuleOrder<'a> {
    pub(super) table: &'a ClassTable,
    pub(super) contestant: &'a Contestant<'a>,
    bounded: PreparedContestant<'a, Bounded>,
    top: Vec<BoundedDouble>,
    pub(super) stages: [u32; STAGES.len()],
    /// The enclosures of the leaf classes, for each stage.
    pub(super) enclosures: [OnceLock<Vec<Enclosure>>; STAGES.len()],
    /// The functions of the leaf classes, for each kind of unknowns.
    pub(super) functions: [OnceLock<Vec<Function>>; Unknowns::ALL.len()],
    /// For each stored level from the leaves upwards and each of its classes, a class that is proved to have the same
    /// value; the same one for all equal classes.
    equals: OnceLock<Vec<Vec<u32>>>,
    /// Whether to ignore doubles, for tests.
    blunt: bool,
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

    pub(super) fn depth(&self) -> usize {
        self.table.model().depth()
    }

    /// The double of a depth-1 class.
    #[inline]
    pub(crate) fn depth_one(&self, name: &[u32]) -> BoundedDouble {
        match self.depth() {
            1 => self.top[name[0] as usize],
            depth => self.node(Place::in_tree(1, depth), name, &self.top),
        }
    }

    /// The double of a node from those of the level below.
    #[inline]
    fn node(&self, place: Place, children: &[u32], below: &[BoundedDouble]) -> BoundedDouble {
        let child = |class: &u32| &below[*class as usize];
        match children {
            [b, c] => self.bounded.node(place, &[child(b), child(c)]),
            _ => self.bounded.node(place, &children.iter().map(child).collect::<SmallVec<[_; 8]>>()),
        }
    }

    /// Sorts depth-1 classes by value into groups of equal value, ascending, each in ascending order of the
    /// classes. `Comparisons::total` counts the neighbours within these classes.
    pub(crate) fn sort(&self, names: Names<'_>, comparisons: &mut Comparisons) -> Groups {
        let values = names.iter().map(|name| {
            stop::check();
            self.depth_one(name)
        });
        self.sort_values(values, comparisons, |cluster, groups, unresolved| {
            let below = if self.depth() == 1 { None } else { self.equals().last().map(Vec::as_slice) };
            self.settle(&Task { level: 1, names, below }, cluster, groups, unresolved);
        })
    }

    /// Sorts all classes of the table's top level like [`RuleOrder::sort`].
    pub(crate) fn sort_top(&self, comparisons: &mut Comparisons) -> Groups {
        let level = self.table.top_level();
        let (width, flat) = self.table.top().nodes().names();
        let names = Names { width, flat: &flat };
        self.sort_values(self.top.iter().copied(), comparisons, |cluster, groups, unresolved| {
            let equals = self.equals();
            let below = equals.len().checked_sub(2).map(|below| equals[below].as_slice());
            self.settle(&Task { level, names, below }, cluster, groups, unresolved);
        })
    }

    /// Sorts values as far as doubles can tell, and lets `settle` do the rest, cluster by cluster. Heuristic values
    /// are whole numbers, so there is nothing to prove about their order.
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
            stop::check();
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

    /// Equal classes of every stored level, from the leaves upwards: sorted like the depth-1 classes, each level
    /// using what is known about the one below. A level with an unresolved comparison has no equal classes.
    fn equals(&self) -> &[Vec<u32>] {
        self.equals.get_or_init(|| {
            let mut equals: Vec<Vec<u32>> = Vec::new();
            let mut values: Vec<BoundedDouble> = Vec::new();
            for (number, level) in self.table.bottom_up() {
                let place = Place::in_tree(number, self.depth());
                values = match level.nodes() {
                    Nodes::Leaves(leaves) => leaves.iter().map(|&h| self.bounded.leaf(h)).collect(),
                    Nodes::Inner(children) => {
                        children.iter().map(|children| self.node(place, children, &values)).collect()
                    }
                };
                let (width, flat) = level.nodes().names();
                let names = Names { width, flat: &flat };
                let mut comparisons = Comparisons::default();
                let task = Task { level: number, names, below: equals.last().map(Vec::as_slice) };
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

/// The classes of a level by their children, the same number for each, end to end; a leaf by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    pub(crate) width: usize,
    pub(crate) flat: &'a [u32],
}

impl<'a> Names<'a> {
    /// The name of a class.
    pub(super) fn get(&self, class: u32) -> &'a [u32] {
        &self.flat[class as usize * self.width..][..self.width]
    }

    fn iter(&self) -> impl Iterator<Item = &'a [u32]> {
        self.flat.chunks_exact(self.width)
    }
}

#[cfg(test)]
mod tests {
    use prodmax_enumerate::{Model, ZeroMode};
    use prodmax_rules::Rule;
    use prodmax_rules::{Curve, CurveTable};

    use super::super::Ranking;
    use super::*;

    const RULES: [&str; 7] =
        ["minimax", "product", "average:1/3", "mean:1", "mean:3", "baum:4/5:4/5", "hints:19/20"];

    fn table(root: i64, increments: &[i64], zero: ZeroMode) -> ClassTable {
        ClassTable::build(&Model::new(root, increments, zero, 42).unwrap()).unwrap()
    }

    fn curve(text: &str) -> CurveTable {
        CurveTable::new(text.parse::<Curve>().unwrap(), 42)
    }

    fn lists(groups: &Groups) -> Vec<Vec<u32>> {
        groups.iter().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn the_doubles_are_those_of_the_top_level() {
        let (table, curve) = (table(1, &[1, 1], ZeroMode::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        let leaves: Vec<f64> = table.leaf_values().iter().map(|&h| curve.double(h)).collect();
        assert_eq!(order.top().iter().map(|value| value.value).collect::<Vec<_>>(), leaves);
        assert_eq!(order.depth_one(&[0, 1]).value, leaves[0] * leaves[1]);
        assert!(order.depth_one(&[0, 1]).error < 1e-15);
    }

    #[test]
    fn at_depth_one_a_class_is_a_leaf() {
        let (table, curve) = (table(1, &[3], ZeroMode::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        assert_eq!(order.depth_one(&[2]).value, curve.double(table.leaf_values()[2]));
    }

    /// Doubles settle nearly everything in real models; here they settle nothing, and coarse enclosures very little.
    #[test]
    fn every_way_to_settle_comparisons_gives_the_same_order() {
        for (increments, branching, zero, estimate) in [
            (&[3, 3][..], 2, ZeroMode::Skip, "arctan:1"),
            (&[2, 1, 2], 2, ZeroMode::Allow, "pearl:4"),
            (&[2, 2, 1], 2, ZeroMode::Allow, "uniform:1/3"),
            (&[2, 1], 3, ZeroMode::Skip, "arctan:1"),
            (&[1, 1], 4, ZeroMode::Allow, "uniform:1/3"),
        ] {
            let (table, curve) = (table(-1, increments, zero), curve(estimate));
            let table = ClassTable::build(&table.model().clone().with_branching(branching).unwrap()).unwrap();
            let classes = table.depth_one().unwrap();
            let (width, flat) = classes.nodes().names();
            let names = Names { width, flat: &flat };
            for rule in RULES {
                let contestant = Contestant::through(rule.parse::<Rule>().unwrap(), &curve);
                let usual = lists(Ranking::of(&table, &classes, &contestant).groups());
                assert_eq!(usual.iter().map(Vec::len).sum::<usize>(), classes.len());
                for stages in [STAGES, [1, 160, 320], [1, 6, 200]] {
                    let order = RuleOrder::new(&table, &contestant).blunt(stages);
                    let mut comparisons = Comparisons { total: 2, escalated: 3, unresolved: 4 };
                    let sorted = order.sort(names, &mut comparisons);
                    assert_eq!(lists(&sorted), usual, "{rule} {estimate} {stages:?}");
                    let others = classes.len() as u64 - 1;
                    let all = Comparisons { total: 2 + others, escalated: 3 + others, unresolved: 4 };
                    assert_eq!(comparisons, all, "{rule} {estimate} {stages:?}");
                }
                let order = RuleOrder::new(&table, &contestant).blunt([1, 2, 3]);
                let mut comparisons = Comparisons::default();
                order.sort(names, &mut comparisons);
                let constant = matches!(curve.curve(), Curve::Uniform(_)) || rule == "minimax";
                assert_eq!(
                    comparisons.unresolved == 0,
                    constant,
                    "constants settle what three bits cannot: {rule}"
                );
            }
        }
    }

    #[test]
    fn unsettled_comparisons_are_counted() {
        let (table, curve) = (table(1, &[3], ZeroMode::Skip), curve("arctan:1"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product).blunt([1; 3]);
        let mut comparisons = Comparisons::default();
        let sorted = order.sort(Names { width: 1, flat: &[0, 1, 2, 3] }, &mut comparisons);
        // +1 to +4 all lie between 1/2 and 1.
        assert_eq!(lists(&sorted), [[0, 1, 2, 3]]);
        assert_eq!(comparisons, Comparisons { total: 3, escalated: 3, unresolved: 3 });
    }

    /// If doubles settle nothing, equal classes of the levels below are found first.
    #[test]
    fn equal_classes_are_found_level_by_level() {
        let (table, curve) = (table(-1, &[2, 2, 2], ZeroMode::Skip), curve("uniform:1/3"));
        let product = Contestant::through("product".parse().unwrap(), &curve);
        let order = RuleOrder::new(&table, &product);
        let different = |level: &Vec<u32>| {
            let mut classes = level.clone();
            classes.sort_unstable();
            classes.dedup();
            classes.len()
        };
        // Leaves are won or lost; of two leaves none, one or both are won.
        assert_eq!(order.equals().iter().map(different).collect::<Vec<_>>(), [2, 3]);
    }
}
