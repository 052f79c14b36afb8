//! The lowest levels, exactly: every different subtree with its minimax value, its product value and the probability
//! that it is won, up to the highest level where they can be listed.

use std::collections::BTreeMap;

use prodmax_enumerate::{Model, Mover};

use super::U;
use prodmax_rules::Curves;

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
    /// The atoms of each node, in ascending order of their minimax values.
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

    /// The atoms of one node, in ascending order of their minimax values.
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
            node.sort_by_key(|atom| atom.minimax);
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
    use prodmax_rules::Curve;

    use super::*;

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

    /// Half the distance from 1 to the next double.
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

    fn atom(minimax: i32, product: [f64; 2], truth: [f64; 2], mass: f64) -> Atom {
        Atom { minimax, product, truth, mass }
    }

    /// Kinds of atoms that differ in everything; no entry is the complement of the other.
    fn kinds() -> [Atom; 3] {
        [
            atom(4, [0.6, 0.5], [0.3, 0.8], 0.5),
            atom(-2, [0.7, 0.1], [0.9, 0.2], 0.3),
            atom(7, [0.4, 0.9], [0.25, 0.7], 0.2),
        ]
    }

    fn assert_atom(found: &Atom, expected: &Atom) {
        assert_eq!(found.minimax, expected.minimax);
        let numbers = |atom: &Atom| [atom.product, atom.truth, [atom.mass; 2]];
        for (found, expected) in numbers(found).iter().flatten().zip(numbers(expected).iter().flatten()) {
            assert_relative_eq!(*found, *expected, max_relative = 1e-14);
        }
    }

    /// At a MIN node the probabilities of winning are multiplied, at a MAX node those of losing.
    #[test]
    fn two_moves_are_joined_as_their_mover_chooses() {
        let [one, other, _] = kinds();
        assert_atom(&one.join(&other, Mover::Min), &atom(-2, [0.42, 0.58], [0.27, 0.73], 0.15));
        assert_atom(&one.join(&other, Mover::Max), &atom(4, [0.95, 0.05], [0.84, 0.16], 0.15));
    }

    #[test]
    fn atoms_have_the_same_key_if_only_their_masses_differ() {
        let one = kinds()[0];
        assert_eq!(one.key(), Atom { mass: 0.125, ..one }.key());
        let others = [
            Atom { minimax: 3, ..one },
            Atom { product: [0.61, 0.5], ..one },
            Atom { product: [0.6, 0.51], ..one },
            Atom { truth: [0.31, 0.8], ..one },
            Atom { truth: [0.3, 0.81], ..one },
        ];
        for other in others {
            assert_ne!(one.key(), other.key(), "{other:?}");
        }
    }

    /// A MAX node of level 0 moves up by at most the first increment, a MIN node of level 1 down by at most the
    /// second.
    #[test]
    fn children_are_where_the_mover_can_go() {
        let model = Model::new(6, &[2, 3, 4], ZeroMode::Skip, 42).unwrap();
        assert_eq!(
            [children(&model, 0, 5), children(&model, 1, 5), children(&model, 2, 5)],
            [5..=7, 2..=5, 5..=9]
        );
    }

    /// The root is at position 5 and moves to 5 or 6; those move down by 0, 1 or 2, to the positions from 3 to 6.
    /// Their atoms are the same except for the last position.
    fn given(branching: i64) -> (Model, Atoms) {
        let model = Model::new(6, &[1, 2], ZeroMode::Skip, 42).unwrap().with_branching(branching).unwrap();
        let [one, other, _] = kinds().map(|kind| Atom { mass: 1.0, ..kind });
        let nodes = vec![vec![one], vec![one], vec![one], vec![other]];
        (model, Atoms { level: 2, low: 3, nodes, value_error: 3e-16, mass_error: 7e-16 })
    }

    #[test]
    fn nodes_are_found_by_their_positions() {
        let (_, atoms) = given(2);
        assert_eq!([3, 5, 6].map(|position| atoms.place(position)), [0, 2, 3]);
        assert_eq!([3, 5, 6].map(|position| atoms.at(position)[0].minimax), [4, 4, -2]);
        assert_eq!(atoms.nodes().map(|node| node[0].minimax).collect::<Vec<_>>(), [4, 4, 4, -2]);
    }

    /// From 5 all three children are of one kind; from 6 it is two of three.
    #[test]
    fn equal_moves_are_merged() {
        let (model, atoms) = given(2);
        let moves = |position| {
            let (moves, most) = atoms.moves(&model, position);
            (moves.iter().map(|atom| (atom.minimax, (24.0 * atom.mass).round())).collect::<Vec<_>>(), most)
        };
        assert_eq!(moves(5), (vec![(4, 24.0)], 3));
        assert_eq!(moves(6), (vec![(-2, 8.0), (4, 16.0)], 2));
    }

    /// With kinds A at 5 and A, B at 6: AA; AA, AB, BB with two moves.
    #[test]
    fn the_level_above_has_all_groups_of_moves() {
        let (model, atoms) = given(2);
        let above = atoms.above(&model, 4).unwrap();
        assert_eq!((above.level, above.low, above.nodes.len()), (1, 5, 2));
        let found =
            |position| above.at(position).iter().map(|atom| (atom.minimax, (36.0 * atom.mass).round()));
        assert_eq!(found(5).collect::<Vec<_>>(), [(4, 36.0)]);
        assert_eq!(found(6).collect::<Vec<_>>(), [(-2, 4.0), (-2, 16.0), (4, 16.0)]);
    }

    /// One group at the first node, and b + 1 at the other.
    #[test]
    fn there_is_room_for_all_groups_or_for_none() {
        for (branching, groups) in [(1, 3), (2, 4), (3, 5), (4, 6)] {
            let (model, atoms) = given(branching);
            assert!(atoms.above(&model, groups).is_some());
            assert!(atoms.above(&model, groups - 1).is_none());
        }
    }

    /// The errors of the children, 3 and 7 units of 10^-16, and four roundings for each move after the first (or for
    /// the only one).
    #[test]
    fn errors_of_values_grow_with_each_level() {
        for (branching, expected) in [
            (1, 3e-16 + 4.0 * UNIT),
            (2, 6e-16 + 4.0 * UNIT),
            (3, 9e-16 + 8.0 * UNIT),
            (4, 12e-16 + 12.0 * UNIT),
        ] {
            let (model, atoms) = given(branching);
            let found = atoms.above(&model, 100).unwrap().value_error;
            assert_relative_eq!(found, expected, epsilon = 0.0, max_relative = 1e-12);
        }
    }

    /// Each child has its error, two roundings of the share and three of the sum, as up to three are merged; each
    /// move after the first three more.
    #[test]
    fn errors_of_masses_grow_with_each_level() {
        for (branching, expected) in [
            (1, 7e-16 + 5.0 * UNIT),
            (2, 14e-16 + 10.0 * UNIT + 3.0 * UNIT),
            (3, 21e-16 + 15.0 * UNIT + 6.0 * UNIT),
            (4, 28e-16 + 20.0 * UNIT + 9.0 * UNIT),
        ] {
            let (model, atoms) = given(branching);
            let found = atoms.above(&model, 100).unwrap().mass_error;
            assert_relative_eq!(found, 1.01 * expected, epsilon = 0.0, max_relative = 1e-12);
        }
    }

    /// A double is off by half a unit, a complement by another half.
    #[test]
    fn leaves_are_listed_if_there_is_no_room_for_more() {
        let model = Model::new(6, &[1, 2], ZeroMode::Skip, 42).unwrap();
        let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
        // Three different children of each of two nodes: six pairs of each.
        assert_eq!(Atoms::of(&model, &curves, 12).level, 1);
        let leaves = Atoms::of(&model, &curves, 11);
        assert_eq!((leaves.level, leaves.low, leaves.nodes.len()), (2, 3, 4));
        assert_eq!((leaves.value_error, leaves.mass_error), (2.0 * UNIT, UNIT));
        let curve = |c: f64, h: f64| 0.5 + (c * h / 42.0).atan() / (2.0 * c.atan());
        for (position, h) in [(3, 4.0), (4, 5.0), (5, 6.0), (6, 7.0)] {
            let [leaf] = leaves.at(position) else { panic!("one leaf") };
            let both = |x: f64| [x, 1.0 - x];
            assert_atom(leaf, &atom(position, both(curve(1.0, h)), both(curve(4.0, h)), 1.0));
        }
    }

    /// The binomial coefficients of kinds + count - 1 over count.
    #[test]
    fn multisets_are_counted_by_binomial_coefficients() {
        let counted = [(4, 3, 20), (3, 2, 6), (5, 4, 70), (1, 6, 1), (9, 1, 9), (7, 0, 1), (0, 2, 0)];
        for (kinds, count, expected) in counted {
            assert_eq!(multisets(kinds, count), Some(expected), "{kinds} {count}");
        }
        assert_eq!(multisets(usize::MAX / 2, 2), None);
        assert_eq!(multisets(usize::MAX / 2, 1), Some(usize::MAX / 2));
    }

    /// Ten groups of three of the kinds A, B and C with 0.5, 0.3 and 0.2: once if all are equal, in three orders if
    /// two are, in six if none are.
    #[test]
    fn groups_of_three_have_the_masses_of_all_their_orders() {
        let [a, b, c] = kinds();
        let mut nodes = Vec::new();
        combine(&[a, b, c], Mover::Min, 3, &mut nodes);
        let expected = [
            ([a, a, a], 0.125),
            ([a, a, b], 3.0 * 0.075),
            ([a, a, c], 3.0 * 0.05),
            ([a, b, b], 3.0 * 0.045),
            ([a, b, c], 6.0 * 0.03),
            ([a, c, c], 3.0 * 0.02),
            ([b, b, b], 0.027),
            ([b, b, c], 3.0 * 0.018),
            ([b, c, c], 3.0 * 0.012),
            ([c, c, c], 0.008),
        ];
        assert_eq!(nodes.len(), expected.len());
        for (node, (moves, mass)) in nodes.iter().zip(expected) {
            let least = moves.map(|atom| atom.minimax).into_iter().min().unwrap();
            let product: f64 = moves.iter().map(|atom| atom.product[0]).product();
            let truth: f64 = moves.iter().map(|atom| atom.truth[0]).product();
            assert_atom(node, &atom(least, [product, 1.0 - product], [truth, 1.0 - truth], mass));
        }
    }
}
