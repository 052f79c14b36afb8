//! Models for which all moves of the root can be listed: no grid, only the order of their product values.
//!
//! The place of a move is the rank of its product value, from the greatest down. Values that are too close for
//! doubles to tell which is greater share a rank.

use prodmax_enumerate::Model;

use super::atoms::Atoms;
use super::row::{Building, Law};
use super::tails::Tails;

/// The laws of the root's moves by rank, and the last rank; `None` if the moves are not listed.
pub(super) fn tails(model: &Model, atoms: &Atoms) -> Option<(Tails, usize)> {
    if atoms.level != 1 {
        return None;
    }
    let (mut moves, merged) = atoms.moves(model, model.line().position(model.root()));
    moves.sort_by(|a, b| b.product[0].total_cmp(&a.product[0]));
    let mut ranks = Vec::with_capacity(moves.len());
    let mut rank = 0;
    for (index, atom) in moves.iter().enumerate() {
        if index > 0 && moves[index - 1].product[0] - atom.product[0] > 2.0 * atoms.value_error {
            rank += 1;
        }
        ranks.push(rank);
    }
    let [low, high] = model.position_range(model.depth());
    let roundings = (moves.len() + merged + 8) as f64 * f64::EPSILON;
    let error = atoms.mass_error + roundings;
    let within = |k: i32| {
        let mut law = Building::over(0, rank);
        for (atom, rank) in moves.iter().zip(&ranks).filter(|(atom, _)| atom.minimax >= k) {
            law.put(*rank, atom.mass, atom.mass * atom.truth[0]);
        }
        law.error = [error, error + atoms.value_error];
        law.finish()
    };
    let mut laws: Vec<Law> = (low..=high).map(within).collect();
    laws.push(Law::nothing());
    Some((Tails { laws }, rank))
}
