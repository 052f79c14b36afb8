//! Drawing a stored tree: heuristic values and true values.
//!
//! Tree number t of a seed uses stream t of a ChaCha8 generator and one 64-bit number per node in a fixed order, so
//! that a tree depends only on the seed, its number and the model.
//!
//! Top-down assignment is drawn in one pass. Redrawing both children until they agree with their parent is the same
//! as drawing them once from the conditional distribution. Let m be the mean over the increments of the probability
//! that a child is won for the mover. A node that is lost for the mover has two lost children. In a node that is won
//! for the mover, the pair (won, won) : (won, lost) : (lost, won) has the odds m² : m(1 - m) : (1 - m)m. So the first
//! child is won with the odds m : (1 - m)m; if it is, the second is free; if not, the second is won. Given its
//! outcome, an increment is weighted by the probability of that outcome at the child's value. An increment of 0 is
//! always possible and gives a child the parent's own value, so whatever true value a node was given, children that
//! agree with it have a positive probability.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_enumerate::Mover;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::alias::AliasTables;
use crate::scale::Scale;
use crate::spec::Assignment;
use crate::tree::{StoredTree, array_len, family};

/// What is known about a child before it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It is lost for the mover.
    Lost,
    /// It is won for the mover.
    Won,
    /// Nothing.
    Free,
    /// It is the first child of a node that is won for the mover.
    First,
}

impl Condition {
    const ALL: [Self; 4] = [Self::Lost, Self::Won, Self::Free, Self::First];
}

/// Draws the trees of one model.
#[derive(Clone, Debug)]
pub struct Generator {
    assignment: Assignment,
    depth: usize,
    root: u16,
    root_win: f64,
    places: usize,
    tables: AliasTables,
    seed: u64,
}

impl Generator {
    /// The generator for a scale whose places are won with the probabilities `truth`.
    pub fn new(scale: &Scale, truth: &[f64], assignment: Assignment, depth: usize, seed: u64) -> Self {
        let mut tables = AliasTables::new(2 * (scale.increment() + 1));
        for mover in [Mover::Max, Mover::Min] {
            for condition in Condition::ALL {
                for place in 0..scale.places() {
                    tables.push(&outcomes(scale, truth, mover, condition, place));
                }
            }
        }
        let (root, places) = (scale.root() as u16, scale.places());
        Self { assignment, depth, root, root_win: truth[scale.root()], places, tables, seed }
    }

    /// The random numbers of a tree.
    pub fn stream(seed: u64, tree: u64) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(tree);
        random
    }

    /// Draws tree number `number` into `tree`.
    pub fn draw(&self, number: u64, tree: &mut StoredTree) {
        self.draw_until(number, tree, &AtomicBool::new(false));
    }

    /// The same, abandoned when `interrupt` becomes true.
    pub fn draw_until(&self, number: u64, tree: &mut StoredTree, interrupt: &AtomicBool) {
        assert_eq!(tree.depth(), self.depth);
        let mut random = Self::stream(self.seed, number);
        // The top 53 bits as a number in [0, 1).
        let uniform = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        tree.places[1] = self.root;
        tree.truth[1] = u8::from(uniform < self.root_win);
        for level in 0..self.depth {
            if interrupt.load(Ordering::Relaxed) {
                return;
            }
            match (self.assignment, Mover::at(level)) {
                (Assignment::TopDown, Mover::Max) => self.agreeing_children(tree, level, 1, &mut random),
                (Assignment::TopDown, Mover::Min) => self.agreeing_children(tree, level, 0, &mut random),
                (Assignment::BottomUp, mover) => self.free_children(tree, level, mover, &mut random),
            }
        }
        if self.assignment == Assignment::BottomUp {
            back_up_truth(&mut tree.truth, self.depth);
        }
    }

    /// The number of the first table of a mover and a condition; the place of the parent is added to it.
    fn table(&self, mover: Mover, condition: Condition) -> usize {
        let movers = if mover == Mover::Max { 0 } else { Condition::ALL.len() };
        (movers + condition as usize) * self.places
    }

    /// Children whose true values agree with their parents'. `won` is the truth that is won for the mover.
    fn agreeing_children(&self, tree: &mut StoredTree, level: usize, won: u8, random: &mut ChaCha8Rng) {
        let mover = Mover::at(level);
        let table = |condition| self.table(mover, condition);
        // Indexed by "won for the mover" of the parent, and of the first child.
        let first_table = [table(Condition::Lost), table(Condition::First)];
        let second_table = [[table(Condition::Lost); 2], [table(Condition::Won), table(Condition::Free)]];
        let nodes = 1usize << level;
        let (upper, lower) = tree.places.split_at_mut(2 * nodes);
        let (first, second) = lower[..2 * nodes].split_at_mut(nodes);
        let (upper_truth, lower_truth) = tree.truth.split_at_mut(2 * nodes);
        let (first_truth, second_truth) = lower_truth[..2 * nodes].split_at_mut(nodes);
        let parents = upper[nodes..].iter().zip(&upper_truth[nodes..]);
        let firsts = first.iter_mut().zip(first_truth);
        let seconds = second.iter_mut().zip(second_truth);
        for ((parent, a), b) in parents.zip(firsts).zip(seconds) {
            let (place, parent_won) = (usize::from(*parent.0), usize::from(*parent.1 == won));
            let drawn = self.tables.draw(first_table[parent_won] + place, random.next_u64());
            (*a.0, *a.1) = unpack(drawn);
            let first_won = usize::from(*a.1 == won);
            let drawn = self.tables.draw(second_table[parent_won][first_won] + place, random.next_u64());
            (*b.0, *b.1) = unpack(drawn);
        }
    }

    /// Children by increments alone; the true values drawn with them matter only at the leaves.
    fn free_children(&self, tree: &mut StoredTree, level: usize, mover: Mover, random: &mut ChaCha8Rng) {
        let table = self.table(mover, Condition::Free);
        let nodes = 1usize << level;
        let (upper, lower) = tree.places.split_at_mut(2 * nodes);
        let (first, second) = lower[..2 * nodes].split_at_mut(nodes);
        let (first_truth, second_truth) = tree.truth[2 * nodes..4 * nodes].split_at_mut(nodes);
        let firsts = first.iter_mut().zip(first_truth);
        let seconds = second.iter_mut().zip(second_truth);
        for ((parent, a), b) in upper[nodes..].iter().zip(firsts).zip(seconds) {
            for child in [a, b] {
                let drawn = self.tables.draw(table + usize::from(*parent), random.next_u64());
                (*child.0, *child.1) = unpack(drawn);
            }
        }
    }
}

/// True values of all nodes from those of the leaves: a MAX node is won iff a child is, a MIN node iff both are.
fn back_up_truth(truth: &mut [u8], depth: usize) {
    assert_eq!(truth.len(), array_len(depth));
    for level in (0..depth).rev() {
        let (nodes, first, second) = family(truth, level);
        let children = first.iter().zip(second);
        match Mover::at(level) {
            Mover::Max => nodes.iter_mut().zip(children).for_each(|(node, (a, b))| *node = a | b),
            Mover::Min => nodes.iter_mut().zip(children).for_each(|(node, (a, b))| *node = a & b),
        }
    }
}

/// A child in one number: its place and its true value.
fn pack(place: usize, truth: bool) -> u16 {
    (place as u16) << 1 | u16::from(truth)
}

fn unpack(child: u16) -> (u16, u8) {
    (child >> 1, (child & 1) as u8)
}

/// The possible children of a node at `place`, each with its weight.
fn outcomes(
    scale: &Scale,
    truth: &[f64],
    mover: Mover,
    condition: Condition,
    place: usize,
) -> Vec<(u16, f64)> {
    let children = || (0..=scale.increment()).map(|increment| scale.child(place, mover, increment));
    let won_for_mover = |child: usize| match mover {
        Mover::Max => truth[child],
        Mover::Min => 1.0 - truth[child],
    };
    let mean = children().map(won_for_mover).sum::<f64>() / (scale.increment() + 1) as f64;
    let (if_won, if_lost) = match condition {
        Condition::Lost => (0.0, 1.0),
        Condition::Won => (1.0, 0.0),
        Condition::Free => (1.0, 1.0),
        Condition::First => (1.0, mean),
    };
    let outcome = |child: usize| {
        let won = won_for_mover(child);
        let win_of_max = mover == Mover::Max;
        [(pack(child, win_of_max), if_won * won), (pack(child, !win_of_max), if_lost * (1.0 - won))]
    };
    children().flat_map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use prodmax_mass::CurveTable;

    use super::*;
    use crate::spec::SimulationSpec;

    /// The distribution of a pair of children by the definition: all pairs of increments and true values, without
    /// those that do not agree with the parent.
    fn by_definition(
        scale: &Scale,
        truth: &[f64],
        mover: Mover,
        place: usize,
        won: bool,
    ) -> Vec<(u16, u16, f64)> {
        let mut pairs = Vec::new();
        let one = |increment| {
            let child = scale.child(place, mover, increment);
            [(child, true, truth[child]), (child, false, 1.0 - truth[child])]
        };
        let all: Vec<_> = (0..=scale.increment()).flat_map(one).collect();
        for a in &all {
            for b in &all {
                let good = mover == Mover::Max;
                if (a.1 == good || b.1 == good) == won {
                    pairs.push((pack(a.0, a.1), pack(b.0, b.1), a.2 * b.2));
                }
            }
        }
        let total: f64 = pairs.iter().map(|pair| pair.2).sum();
        pairs.iter_mut().for_each(|pair| pair.2 /= total);
        pairs
    }

    #[test]
    fn the_tables_hold_the_conditional_distribution_of_pairs() {
        let text = r#"(id: "x", title: "", source: "", tree_depth: 5, root: 3, increment: 3, h_max: 7,
            truth: "arctan:4", assignment: "top-down", estimate: "pearl:1", depths: [1], trees: 1)"#;
        let spec: SimulationSpec = prodmax_jobs::ron_file::parse(text, "x").unwrap();
        let scale = Scale::new(&spec).unwrap();
        let truth = scale.probabilities(&CurveTable::new(spec.truth.clone(), 7));
        let generator = Generator::new(&scale, &truth, spec.assignment, 5, 0);
        let tables = &generator.tables;
        let mut compared = 0;
        for mover in [Mover::Max, Mover::Min] {
            // Eq. (2) is 0 and 1 at the ends, where one of the true values is impossible.
            for place in 1..scale.places() - 1 {
                for won in [false, true] {
                    let expected = by_definition(&scale, &truth, mover, place, won);
                    // Near the end several increments lead to the same child.
                    let sum =
                        |a, b| expected.iter().filter(|p| p.0 == a && p.1 == b).map(|p| p.2).sum::<f64>();
                    for &(a, b, _) in &expected {
                        let first = if won { Condition::First } else { Condition::Lost };
                        let first_won = (a & 1 == 1) == (mover == Mover::Max);
                        let second = match (won, first_won) {
                            (false, _) => Condition::Lost,
                            (true, true) => Condition::Free,
                            (true, false) => Condition::Won,
                        };
                        let [p, q] = [(first, a), (second, b)].map(|(condition, child)| {
                            tables.probability(generator.table(mover, condition) + place, child)
                        });
                        assert!((p * q - sum(a, b)).abs() < 1e-12, "{mover:?} {place} {won} {a} {b}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
