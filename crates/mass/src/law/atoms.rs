//! The lowest levels, exactly: every different subtree of height two (or less) with its minimax value, its product
//! value and the probability that it is won.

use std::collections::BTreeMap;

use prodmax_enumerate::{Model, Mover};

use crate::measure::Curves;

/// More subtrees of one node than this are not listed.
const MOST_ATOMS: usize = 1 << 20;

/// How far doubles of height at most two are from what they mean: a leaf is within ε/2 and a node within twice as much
/// and 2 ε more, so 8 ε, and as much again to be safe.
pub(super) const VALUE_ERROR: f64 = 16.0 * f64::EPSILON;

/// A bound on the relative error of the masses of atoms: some ten roundings.
pub(super) const MASS_ERROR: f64 = 64.0 * f64::EPSILON;

/// All subtrees with the same leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// The position of the minimax value on the line.
    pub(super) minimax: i32,
    /// The product value and its complement.
    pub(super) product: [f64; 2],
    /// The probability of such a subtree, and that it is one and won, or one and lost.
    pub(super) mass: f64,
    pub(super) won: f64,
    pub(super) lost: f64,
}

/// The value of a subtree, and of one of its leaves to begin with.
#[derive(Clone, Copy, Debug)]
struct Value {
    minimax: i32,
    product: [f64; 2],
    truth: [f64; 2],
}

impl Value {
    fn join(&self, other: &Self, mover: Mover) -> Self {
        // The first entry is what is multiplied at a MIN node, the second one at a MAX node.
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
        }
    }
}

/// The positions that a node of `level` at `position` can move to, from the least.
pub(super) fn children(model: &Model, level: usize, position: i32) -> std::ops::RangeInclusive<i32> {
    let increment = model.increment(level + 1);
    match Mover::at(level) {
        Mover::Max => position..=position + increment,
        Mover::Min => position - increment..=position,
    }
}

/// The atoms of all nodes of one level.
#[derive(Debug)]
pub(super) struct Atoms {
    /// Where they stand.
    pub(super) level: usize,
    /// The position of the first node.
    low: i32,
    /// By node.
    nodes: Vec<Vec<Atom>>,
}

impl Atoms {
    /// Of the highest level for which they are not too many, up to height two.
    pub(super) fn of(model: &Model, curves: &Curves) -> Self {
        let height = (0..=2.min(model.depth() - 1)).rev().find(|&height| most_atoms(model, height) <= MOST_ATOMS);
        let level = model.depth() - height.unwrap_or(0);
        let [low, high] = model.position_range(level);
        let leaf = |position: i32| {
            let h = model.value_at(position);
            let both = |x: f64| [x, 1.0 - x];
            Value {
                minimax: position,
                product: both(curves.estimate.double(h)),
                truth: both(curves.truth.double(h)),
            }
        };
        let nodes = (low..=high).map(|position| atoms(model, &leaf, level, position)).collect();
        Self { level, low, nodes }
    }

    /// Those of one node.
    pub(super) fn at(&self, position: i32) -> &[Atom] {
        &self.nodes[(position - self.low) as usize]
    }
}

fn pairs(n: usize) -> usize {
    n.saturating_mul(n.saturating_add(1)) / 2
}

fn most_atoms(model: &Model, height: usize) -> usize {
    let branches = |level: usize| model.increment(level).unsigned_abs() as usize + 1;
    let depth = model.depth();
    match height {
        0 => 1,
        1 => pairs(branches(depth)),
        _ => pairs(branches(depth - 1).saturating_mul(pairs(branches(depth)))),
    }
}

fn atoms(model: &Model, leaf: &dyn Fn(i32) -> Value, level: usize, position: i32) -> Vec<Atom> {
    // Subtrees of height one by their leaves, so that the same ones are one wherever they hang.
    let values: Vec<(Value, f64)> = match model.depth() - level {
        0 => vec![(leaf(position), 1.0)],
        1 => height_one(model, level, [position].into_iter())
            .into_iter()
            .map(|([a, b], mass)| (leaf(a).join(&leaf(b), Mover::at(level)), mass))
            .collect(),
        _ => {
            let below = height_one(model, level + 1, children(model, level, position));
            let share = 1.0 / (f64::from(model.increment(level + 1)) + 1.0);
            let below: Vec<_> = below
                .into_iter()
                .map(|([a, b], mass)| (leaf(a).join(&leaf(b), Mover::at(level + 1)), mass * share))
                .collect();
            let pair = |i: usize, j: usize| {
                let ((a, x), (b, y)) = (&below[i], &below[j]);
                (a.join(b, Mover::at(level)), x * y * if i == j { 1.0 } else { 2.0 })
            };
            (0..below.len()).flat_map(|i| (i..below.len()).map(move |j| (i, j))).map(|(i, j)| pair(i, j)).collect()
        }
    };
    let atom = |(Value { minimax, product, truth }, mass): (Value, f64)| Atom {
        minimax,
        product,
        mass,
        won: mass * truth[0],
        lost: mass * truth[1],
    };
    values.into_iter().map(atom).collect()
}

/// Unordered pairs of leaves below nodes of `level`, and the sum of their probabilities over these nodes.
fn height_one(model: &Model, level: usize, nodes: impl Iterator<Item = i32>) -> BTreeMap<[i32; 2], f64> {
    let share = 1.0 / (f64::from(model.increment(level + 1)) + 1.0);
    let mut found = BTreeMap::new();
    for node in nodes {
        for a in children(model, level, node) {
            for b in a..=*children(model, level, node).end() {
                *found.entry([a, b]).or_insert(0.0) += share * share * if a == b { 1.0 } else { 2.0 };
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use prodmax_enumerate::Zero;

    use super::*;
    use crate::curve::Curve;

    fn atoms(increments: &[i64]) -> Atoms {
        let model = Model::new(1, increments, Zero::Skip, 42).unwrap();
        Atoms::of(&model, &Curves::new(Curve::arctan(4), Curve::arctan(1), 42))
    }

    #[test]
    fn masses_of_a_node_add_up_to_one() {
        for (increments, level) in [(&[2, 3, 1][..], 1), (&[8, 8, 8, 8], 2), (&[4, 2], 1), (&[3], 1), (&[1, 20, 30], 2)] {
            let atoms = atoms(increments);
            assert_eq!(atoms.level, level, "{increments:?}");
            for node in &atoms.nodes {
                assert_relative_eq!(node.iter().map(|atom| atom.mass).sum::<f64>(), 1.0, epsilon = 1e-13);
                assert_relative_eq!(node.iter().map(|atom| atom.won + atom.lost).sum::<f64>(), 1.0, epsilon = 1e-13);
            }
        }
    }

    /// A MIN node at +1 with increments 0 and 1 (no zero): leaves +1 and -1, four ordered pairs.
    #[test]
    fn a_small_node_is_what_is_counted_by_hand() {
        let atoms = atoms(&[0, 1]);
        let found: Vec<_> = atoms.at(0).iter().map(|atom| (atom.minimax, atom.mass)).collect();
        assert_eq!(found, [(-1, 0.25), (-1, 0.5), (0, 0.25)]);
        let w = 0.5 + (1f64 / 42.0).atan() / (2.0 * 1f64.atan());
        assert_relative_eq!(atoms.at(0)[1].product[0], w * (1.0 - w), epsilon = 1e-15);
    }
}
