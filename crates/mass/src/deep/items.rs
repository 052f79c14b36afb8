//! Level 2 as the last level sees it: classes that no comparison tells apart are one item.
//!
//! For a class that is a child of a depth-1 node, only four things matter: its value by the rule that the sweep goes
//! along, its minimax value, and how often it occurs and how often it is won, per value of the depth-1 node. The last
//! two are vectors R and T·R, and what a pair of classes contributes, R_b · R_c trees and T_b R_b · T_c R_c won ones,
//! is linear in each class. So classes with (provably) equal values by both rules are added up to one *item*. For
//! smooth curves, items are classes; for a uniform estimate, whose product values are all ties, a handful of items is
//! left; and for any curve, no tie of values can be larger than the number of items times the number of minimax
//! values.

use prodmax_enumerate::{ClassTable, EnumerateError, HeuristicValue};
use prodmax_number::CompensatedSum;
use prodmax_rules::CurveTable;
use prodmax_rules::Mover;
use prodmax_rules::numbers::Doubles;
use prodmax_rules::product::Product;

use super::DeepError;
use super::joint::Joint;
use super::memory::Memory;
use super::weight::Weight;
use crate::ranking::{Comparisons, RuleOrder};
use prodmax_rules::Contestant;

/// How many second items are paired with a first one at a time.
pub(super) const TILE: usize = 8;

/// The items in ascending order of the coordinates of their values.
#[derive(Debug)]
pub(super) struct Items<W> {
    /// The coordinate of the value.
    pub(super) value: Vec<f64>,
    /// A class with the item's value, whose coordinate is `value`.
    pub(super) class: Vec<u32>,
    /// The rank of the minimax value.
    pub(super) rank: Vec<u16>,
    /// The number of different minimax values.
    pub(super) ranks: usize,
    /// The number of different values of a depth-1 node.
    pub(super) node_values: usize,
    /// The first and the last depth-1 node value (from 0) at which the item occurs.
    window: Vec<[u32; 2]>,
    /// The length of a column of the vectors: the number of items, padded to a whole tile.
    stride: usize,
    /// R: one column per node value, column after column.
    count: Vec<W>,
    /// T·R, likewise.
    won: Vec<f64>,
}

/// The classes of one item.
struct Member {
    value: f64,
    minimax: HeuristicValue,
    representative: u32,
    classes: Vec<u32>,
}

/// The number of combinations of a root move and the subtree below it: the number of trees is its square.
pub(super) fn total(table: &ClassTable) -> Result<u128, DeepError> {
    let top = table.top();
    let [low, high] = table.model().position_range(1);
    let mut sums = vec![0u128; high.abs_diff(low) as usize + 1];
    let one = || EnumerateError::Multiplicity { level: 1 };
    for class in 0..top.len() {
        let (start, ways) = top.reach(class);
        for (sum, ways) in sums[start.abs_diff(low) as usize..].iter_mut().zip(ways) {
            *sum = sum.checked_add(*ways).ok_or_else(one)?;
        }
    }
    let mut squares = sums.iter().map(|sum| sum.checked_mul(*sum));
    let total = squares.try_fold(0u128, |sum, square| sum.checked_add(square?)).ok_or_else(one)?;
    total.checked_mul(total).ok_or(EnumerateError::Multiplicity { level: 0 })?;
    Ok(total)
}

/// The bytes that the vectors of this number of items take.
pub(super) fn bytes<W>(node_values: usize, items: usize) -> u64 {
    let entry = (size_of::<W>() + size_of::<f64>()) as u64;
    entry.saturating_mul(node_values as u64).saturating_mul((items + TILE) as u64)
}

impl<W: Weight> Items<W> {
    /// Merges the classes of level 2. The weight type fits the table's total; it is an error if the vectors do not
    /// fit into the memory.
    pub(super) fn new(
        table: &ClassTable,
        order: &RuleOrder<'_>,
        joint: impl Joint,
        truth: &CurveTable,
        memory: Memory,
        comparisons: &mut Comparisons,
    ) -> Result<Self, DeepError> {
        let minimax = minimax(table);
        let mut values = minimax.clone();
        values.sort_unstable();
        values.dedup();
        let members = members(order, joint, &minimax, comparisons);
        let [low, high] = table.model().position_range(1);
        let node_values = high.abs_diff(low) as usize + 1;
        memory.check(bytes::<W>(node_values, members.len()))?;
        let stride = members.len() + TILE;
        let mut items = Self {
            value: members.iter().map(|member| member.value).collect(),
            class: members.iter().map(|member| member.representative).collect(),
            // A line has at most 20,001 values.
            rank: members.iter().map(|m| values.partition_point(|&value| value < m.minimax) as u16).collect(),
            ranks: values.len(),
            node_values,
            window: Vec::with_capacity(members.len()),
            stride,
            count: vec![W::default(); stride * node_values],
            won: vec![0.0; stride * node_values],
        };
        let truth = Contestant::through(Product.into(), truth).prepare(Doubles, table.model().depth());
        let truth = table.back_up(|h| truth.leaf(h), |place, children| truth.node(place, children));
        for (item, member) in members.iter().enumerate() {
            items.add_vectors(item, member, table, &truth, low);
        }
        Ok(items)
    }

    fn add_vectors(&mut self, item: usize, member: &Member, table: &ClassTable, truth: &[f64], low: i32) {
        let mut counts = vec![0u128; self.node_values];
        let mut won = vec![CompensatedSum::default(); self.node_values];
        let mut window = [u32::MAX, 0];
        for &class in &member.classes {
            let (start, ways) = table.top().reach(class as usize);
            let start = start.abs_diff(low);
            window = [window[0].min(start), window[1].max(start + ways.len() as u32 - 1)];
            let truth = truth[class as usize];
            let start = start as usize;
            for ((count, won), &ways) in counts[start..].iter_mut().zip(&mut won[start..]).zip(ways) {
                *count += ways;
                won.add(truth * ways as f64);
            }
        }
        for (value, (count, won)) in counts.into_iter().zip(won).enumerate() {
            self.count[value * self.stride + item] = W::from_exact(count);
            self.won[value * self.stride + item] = won.value();
        }
        self.window.push(window);
    }

    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.value.len()
    }

    /// The numbers of trees and of won trees (R · R and TR · TR, twice each for the two orders of the children) for
    /// the pairs of item `first` with the items from `second` on.
    #[inline(always)]
    pub(super) fn tile(&self, first: usize, second: usize) -> ([W; TILE], [f64; TILE]) {
        let (mut counts, mut wins) = ([W::default(); TILE], [0.0; TILE]);
        let [low, high] = self.window[first];
        for value in low as usize..=high as usize {
            let column = value * self.stride;
            let count = self.count[column + first];
            let (count, won) = (count + count, 2.0 * self.won[column + first]);
            let second = column + second;
            let (other_counts, other_wins) =
                (&self.count[second..second + TILE], &self.won[second..second + TILE]);
            for lane in 0..TILE {
                counts[lane] += count * other_counts[lane];
                wins[lane] += won * other_wins[lane];
            }
        }
        (counts, wins)
    }
}

/// The minimax values of the classes of level 2.
fn minimax(table: &ClassTable) -> Vec<HeuristicValue> {
    table.back_up(
        |h| h,
        |place, children| match place.mover {
            Mover::Max => *children[0].max(children[1]),
            Mover::Min => *children[0].min(children[1]),
        },
    )
}

/// The classes of level 2, grouped by equal value and minimax value, in ascending order of the coordinates.
fn members(
    order: &RuleOrder<'_>,
    joint: impl Joint,
    minimax: &[HeuristicValue],
    comparisons: &mut Comparisons,
) -> Vec<Member> {
    let of = |class: &u32| minimax[*class as usize];
    let mut members = Vec::new();
    for group in order.sort_top(comparisons).iter() {
        let mut group = group.to_vec();
        group.sort_unstable_by_key(|class| (of(class), *class));
        let representative = group[0];
        for classes in group.chunk_by(|a, b| of(a) == of(b)) {
            members.push(Member {
                value: joint.coordinate(order.top()[representative as usize]),
                minimax: of(&classes[0]),
                representative,
                classes: classes.to_vec(),
            });
        }
    }
    members.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.classes[0].cmp(&b.classes[0])));
    members
}
