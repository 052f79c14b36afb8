//! Alpha-beta: minimax values without visiting every node.

use super::{MoveValue, Ply, SearchError, Stop};
use crate::position::{Move, Position, Side};

/// The moves with the greatest minimax value, in order: exactly those that a full-width search finds. Other moves are
/// only known to be worse. With `all`, every move with the greatest value is found; otherwise only the first, which
/// takes fewer nodes.
pub fn best_moves<P: Position>(
    position: &P,
    depth: usize,
    ply: Ply,
    all: bool,
) -> Result<(Vec<Move>, f64), SearchError> {
    best_moves_until(position, depth, ply, all, Stop::default())
}

/// The same, abandoned when `stop` says so.
pub fn best_moves_until<P: Position>(
    position: &P,
    depth: usize,
    ply: Ply,
    all: bool,
    stop: Stop<'_>,
) -> Result<(Vec<Move>, f64), SearchError> {
    if position.outcome().is_some() {
        return Err(SearchError::Over);
    }
    if !(1..=super::MOST_DEPTH).contains(&depth) {
        return Err(SearchError::Depth(depth));
    }
    let walk = Walk { ply, max: position.side(), stop };
    let mut best: Vec<Move> = Vec::new();
    let mut greatest = f64::NEG_INFINITY;
    for chosen in position.moves() {
        let child = position.play(chosen);
        let height = ply.height_below(position, &child, depth);
        // A move as good as the best can be told from a worse one only if alpha lies below its value.
        let alpha = if all { greatest.next_down() } else { greatest };
        let value = walk.bounded_value(&child, height, alpha, f64::INFINITY);
        if value > greatest {
            (greatest, best) = (value, vec![chosen]);
        } else if all && value == greatest {
            best.push(chosen);
        }
    }
    if stop.now() { Err(SearchError::Interrupted) } else { Ok((best, greatest)) }
}

/// The exact minimax values of all moves.
pub fn move_values<P: Position>(position: &P, depth: usize, ply: Ply) -> Result<Vec<MoveValue>, SearchError> {
    if position.outcome().is_some() {
        return Err(SearchError::Over);
    }
    if !(1..=super::MOST_DEPTH).contains(&depth) {
        return Err(SearchError::Depth(depth));
    }
    let walk = Walk { ply, max: position.side(), stop: Stop::default() };
    let value = |chosen| {
        let child = position.play(chosen);
        let height = ply.height_below(position, &child, depth);
        let value = walk.bounded_value(&child, height, f64::NEG_INFINITY, f64::INFINITY);
        MoveValue { chosen, value }
    };
    Ok(position.moves().map(value).collect())
}

/// What one search carries from node to node.
#[derive(Clone, Copy)]
struct Walk<'a> {
    ply: Ply,
    max: Side,
    stop: Stop<'a>,
}

impl Walk<'_> {
    /// The minimax value if it lies between alpha and beta; otherwise a bound on the same side of both.
    fn bounded_value<P: Position>(self, position: &P, height: usize, mut alpha: f64, mut beta: f64) -> f64 {
        if height == 0 || position.outcome().is_some() {
            return position.static_value(self.max);
        }
        if height >= Stop::HEIGHT && self.stop.now() {
            return 0.0;
        }
        let maximizing = position.side() == self.max;
        let mut best = if maximizing { f64::NEG_INFINITY } else { f64::INFINITY };
        for chosen in position.moves() {
            let child = position.play(chosen);
            let below = self.ply.height_below(position, &child, height);
            let value = self.bounded_value(&child, below, alpha, beta);
            if maximizing {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
