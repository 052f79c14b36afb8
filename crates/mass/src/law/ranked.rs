//! Models for which all moves of the root can be listed: no grid, only the order of their product values.
//!
//! The place of a move is the rank of its product value, from the greatest down. Values that are too close for
//! doubles to tell which is greater share a rank.

use prodmax_enumerate::Model;

use super::atoms::{Atom, Atoms};
use super::row::{Building, Law};
use super::sums::{Around, Equal, Sum, critical};

/// The root's moves by rank of their product value.
pub(super) struct Ranked {
    /// The laws within {m >= k} for k from the least minimax value on; the last one is nothing.
    laws: Vec<Law>,
    /// The moves, by rank from the greatest value down.
    pub(super) ranks: Vec<Vec<Atom>>,
    branching: usize,
    /// A bound on the relative error of every mass.
    pub(super) mass_error: f64,
    /// How far a truth can be from the exact one.
    pub(super) value_error: f64,
}

impl Ranked {
    /// `None` if the moves are not listed.
    pub(super) fn of(model: &Model, atoms: &Atoms) -> Option<Self> {
        if atoms.level != 1 {
            return None;
        }
        let (mut moves, merged) = atoms.moves(model, model.line().position(model.root()));
        moves.sort_by(|a, b| b.product[0].total_cmp(&a.product[0]));
        let mut ranks: Vec<Vec<Atom>> = Vec::new();
        let mut before = f64::INFINITY;
        for atom in &moves {
            let value = atom.product[0];
            match ranks.last_mut() {
                Some(rank) if before - value <= 2.0 * atoms.value_error => rank.push(*atom),
                _ => ranks.push(vec![*atom]),
            }
            before = value;
        }
        let [low, high] = model.position_range(model.depth());
        let roundings = (moves.len() + merged + 8) as f64 * f64::EPSILON;
        let error = atoms.mass_error + roundings;
        let within = |k: i32| {
            let mut law = Building::over(0, ranks.len().saturating_sub(1));
            for (rank, atoms) in ranks.iter().enumerate() {
                for atom in atoms.iter().filter(|atom| atom.minimax >= k) {
                    law.put(rank, atom.mass, atom.mass * atom.truth[0]);
                }
            }
            law.error = [error, error + atoms.value_error];
            law.finish()
        };
        let mut laws: Vec<Law> = (low..=high).map(within).collect();
        laws.push(Law::nothing());
        let (branching, value_error) = (model.branching(), atoms.value_error);
        Some(Self { laws, ranks, branching, mass_error: error, value_error })
    }

    /// The sum over the critical trees if moves that share a rank count like this.
    pub(super) fn sum(&self, equal: Equal) -> Sum {
        let last = self.ranks.len().saturating_sub(1);
        let sums: Vec<Sum> = self
            .laws
            .windows(2)
            .map(|pair| {
                let around = Around { all: &self.laws[0], at_least: &pair[0], more: &pair[1] };
                critical(around, around, self.branching, last, equal)
            })
            .collect();
        Sum::total(sums.iter())
    }
}
