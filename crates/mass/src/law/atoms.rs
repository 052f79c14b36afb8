//! The lowest levels, exactly: every different subtree with its minimax value, its product value and the probability
//! that it is won, up to the highest level where they can be listed.

use std::collections::BTreeMap;

use prodmax_enumerate::{Model, Mover};

use crate::measure::Curves;

const U: f64 = f64::EPSILON / 2.0;

/// All subtrees of a node with the same values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// The position of the minimax value on the line.
    pub(super) minimax: i32,
    /// The product value and its complement.
    pub(super) product: [f64; 2],
    /// The probabilities that it is won and that it is lost.
    pub(super) truth: [f64; 2],
    /// The probability of such a subtree.
    pub(super) mass: f64,
}

impl Atom {
    fn join(&self, other: &Self, mover: Mover) -> Self {
        // The first entry is multiplied at a MIN node, the second at a MAX node.
        let times = |a: [f64; 2], b: [f64; 2]| match mover {
            Mover::Min => [a[0] * b[0], 1.0 - a[0] * b[0]],
            Mover::Max => [1.0 - a[1] * b[1], a[1] * b[1]],
        };
        Self {
            minimax: match mover {
                Mover::Min => self.minimax.min(other.minimax),
                Mover::Max => self.minimax.max(other.minimax),
            },
            product: times(self.product, other.product),
            truth: times(self.truth, other.truth),
            mass: self.mass * other.mass,
        }
    }

    /// Subtrees with the same leaves have the same key, because doubles are multiplied in the same order.
    fn key(&self) -> (i32, [u64; 4]) {
        let [p, q] = self.product.map(f64::to_bits);
        let [t, f] = self.truth.map(f64::to_bits);
        (self.minimax, [p, q, t, f])
    }
}

/// The positions that a node of `level` at `position` can move to, in ascending order.
pub(super) fn children(model: &Model, level: usize, position: i32) -> std::ops::RangeInclusive<i32> {
    let increment = model.increment(level + 1);
    let [first, last] = Mover::at(level).reached(position, increment);
    first..=last
}

/// The atoms of all nodes of one level.
#[derive(Debug)]
pub(super) struct Atoms {
    /// Their level.
    pub(super) level: usize,
    /// The position of the first node.
    low: i32,
    /// The atoms of each node.
    nodes: Vec<Vec<Atom>>,
    /// How far a product value, its complement and a truth can be from the exact values.
    pub(super) value_error: f64,
    /// A bound on the relative error of every mass.
    pub(super) mass_error: f64,
}

impl Atoms {
    /// The atoms of the highest level that has at most `most` of them; those of the leaves if every level has more.
    pub(super) fn of(model: &Model, curves: &Curves, most: usize) -> Self {
        let depth = model.depth();
        let [low, high] = model.position_range(depth);
        let leaf = |position: i32| {
            let h = model.value_at(position);
            let both = |x: f64| [x, 1.0 - x];
            let product = both(curves.estimate.double(h));
            vec![Atom { minimax: position, product, truth: both(curves.truth.double(h)), mass: 1.0 }]
        };
        let nodes = (low..=high).map(leaf).collect();
        let mut atoms = Self { level: depth, low, nodes, value_error: 2.0 * U, mass_error: U };
        while atoms.level > 1 {
            match atoms.above(model, most) {
                Some(above) => atoms = above,
                None => break,
            }
        }
        atoms
    }

    /// The atoms of one node.
    pub(super) fn at(&self, position: i32) -> &[Atom] {
        &self.nodes[(position - self.low) as usize]
    }

    /// The atoms of all nodes, from the least position.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &[Atom]> {
        self.nodes.iter().map(Vec::as_slice)
    }

    /// The place of a node in [`Self::nodes`].
    pub(super) fn place(&self, position: i32) -> usize {
        (position - self.low) as usize
    }

    /// The different moves of a node of the level above, with their probabilities.
    pub(super) fn moves(&self, model: &Model, position: i32) -> (Vec<Atom>, usize) {
        let level = self.level - 1;
        let share = 1.0 / (f64::from(model.increment(level + 1)) + 1.0);
        let mut found: BTreeMap<_, (Atom, usize)> = BTreeMap::new();
        for child in children(model, level, position) {
            for atom in self.at(child) {
                let (sum, count) = found.entry(atom.key()).or_insert((Atom { mass: 0.0, ..*atom }, 0));
                sum.mass += share * atom.mass;
                *count += 1;
            }
        }
        let most = found.values().map(|(_, count)| *count).max().unwrap_or(0);
        (found.into_values().map(|(atom, _)| atom).collect(), most)
    }

    /// The atoms of the level above, unless there are too many.
    fn above(&self, model: &Model, mut room: usize) -> Option<Self> {
        let level = self.level - 1;
        let [low, high] = model.position_range(level);
        let (mut nodes, mut most) = (Vec::new(), 0);
        let b = model.branching() as f64;
        for position in low..=high {
            let (moves, merged) = self.moves(model, position);
            let groups = multisets(moves.len(), model.branching())?;
            room = room.checked_sub(groups)?;
            most = most.max(merged);
            let mut node = Vec::with_capacity(groups);
            combine(&moves, Mover::at(level), model.branching(), &mut node);
            nodes.push(node);
        }
        Some(Self {
            level,
            low,
            nodes,
            // The errors of all children, as no factor exceeds 1, and two roundings for each but one; doubled to be safe.
            value_error: b * self.value_error + 4.0 * (b - 1.0).max(1.0) * U,
            // For each child: its own error, the share (two roundings) and their sum; and three for each product.
            mass_error: 1.01 * (b * (self.mass_error + (most as f64 + 2.0) * U) + 3.0 * (b - 1.0) * U),
        })
    }
}

/// The number of ways to choose `count` of `kinds` kinds, in any order and with repetition.
fn multisets(kinds: usize, count: usize) -> Option<usize> {
    let mut ways = 1usize;
    for chosen in 1..=count {
        // The product of consecutive numbers is divisible at each step.
        ways = ways.checked_mul(kinds + chosen - 1)? / chosen;
    }
    Some(ways)
}

/// The nodes with this number of moves: each multiset of them once, with the probability of all its orders.
fn combine(moves: &[Atom], mover: Mover, count: usize, nodes: &mut Vec<Atom>) {
    /// Adds moves from `first` on to those that were chosen; the last of them is repeated `repeats` times.
    struct Choice {
        first: usize,
        repeats: usize,
        chosen: usize,
        joined: Option<Atom>,
    }
    let mut open = vec![Choice { first: 0, repeats: 0, chosen: 0, joined: None }];
    while let Some(Choice { first, repeats, chosen, joined }) = open.pop() {
        if let (Some(node), true) = (joined, chosen == count) {
            nodes.push(node);
            continue;
        }
        for (index, next) in moves.iter().enumerate().skip(first).rev() {
            let repeats = if index == first { repeats + 1 } else { 1 };
            let both = joined.map_or(*next, |joined| joined.join(next, mover));
            // One more move can be in any of chosen + 1 places, and equal ones are not told apart.
            let mass = both.mass * ((chosen + 1) as f64 / repeats as f64);
            open.push(Choice {
                first: index,
                repeats,
                chosen: chosen + 1,
                joined: Some(Atom { mass, ..both }),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_enumerate::ZeroMode;

    use super::*;
    use crate::curve::Curve;

    fn atoms(increments: &[i64]) -> Atoms {
        let model = Model::new(1, increments, ZeroMode::Skip, 42).unwrap();
        Atoms::of(&model, &Curves::new(Curve::arctan(4), Curve::arctan(1), 42), 1 << 20)
    }

    #[test]
    fn masses_of_a_node_add_up_to_one() {
        let models = [
            (&[2, 3, 1][..], 1),
            (&[8, 8, 8, 8], 2),
            (&[4, 2], 1),
            (&[3], 1),
            (&[8, 30, 30], 2),
            (&[1; 5], 1),
        ];
        for (increments, level) in models {
            let atoms = atoms(increments);
            assert_eq!(atoms.level, level, "{increments:?}");
            for node in atoms.nodes() {
                assert_relative_eq!(node.iter().map(|atom| atom.mass).sum::<f64>(), 1.0, epsilon = 1e-13);
            }
        }
    }

    /// A MIN node at +1 with increments 0 and 1 (no zero): leaves +1 and -1, four ordered pairs.
    #[test]
    fn a_small_node_agrees_with_a_count_by_hand() {
        let atoms = atoms(&[0, 1]);
        let found: Vec<_> = atoms.at(0).iter().map(|atom| (atom.minimax, atom.mass)).collect();
        assert_eq!(found, [(-1, 0.25), (-1, 0.5), (0, 0.25)]);
        let w = 0.5 + (1f64 / 42.0).atan() / (2.0 * 1f64.atan());
        assert_relative_eq!(atoms.at(0)[1].product[0], w * (1.0 - w), epsilon = 1e-15);
    }
}
