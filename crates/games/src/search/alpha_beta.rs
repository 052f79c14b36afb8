//! Alpha-beta: minimax values without visiting every node. Searches to a depth and with iterative deepening share this
//! walk.

use super::{MoveValue, Ply, SearchError, Stop};
use crate::calls::Calls;
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
    let mut walk = begun(position, depth, ply, stop)?;
    let mut best: Vec<Move> = Vec::new();
    let mut greatest = f64::NEG_INFINITY;
    for chosen in position.moves() {
        // A move as good as the best can be told from a worse one only if alpha lies below its value.
        let alpha = if all { greatest.next_down() } else { greatest };
        let value = walk.move_value(position, chosen, depth, alpha, f64::INFINITY);
        let value = value.ok_or(SearchError::Interrupted)?;
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
    let mut walk = begun(position, depth, ply, Stop::default())?;
    let value = |chosen| {
        let value = walk.move_value(position, chosen, depth, f64::NEG_INFINITY, f64::INFINITY);
        Ok(MoveValue { chosen, value: value.ok_or(SearchError::Interrupted)? })
    };
    position.moves().map(value).collect()
}

/// A search to a depth, if it is possible.
fn begun<'a, P: Position>(
    position: &P,
    depth: usize,
    ply: Ply,
    stop: Stop<'a>,
) -> Result<Walk<'a>, SearchError> {
    if position.outcome().is_some() {
        return Err(SearchError::Over);
    }
    if !(1..=super::MAX_DEPTH).contains(&depth) {
        return Err(SearchError::Depth(depth));
    }
    Ok(Walk::new(position, ply, Calls::unbounded(), stop))
}

/// What one search carries from node to node.
pub(super) struct Walk<'a> {
    ply: Ply,
    max: Side,
    stop: Stop<'a>,
    pub(super) calls: Calls,
    /// Whether a line was cut off before its game was over.
    pub(super) cut_off: bool,
    /// Children generated at each depth below the searched position, as far as a search by moves can be deep.
    pub(super) by_depth: [u64; super::MAX_DEPTH + 1],
}

impl<'a> Walk<'a> {
    /// MAX is the side to move in the position.
    pub(super) fn new<P: Position>(position: &P, ply: Ply, calls: Calls, stop: Stop<'a>) -> Self {
        let by_depth = [0; super::MAX_DEPTH + 1];
        Self { ply, max: position.side(), stop, calls, cut_off: false, by_depth }
    }

    /// The minimax value of a move in the searched position if it lies between alpha and beta; otherwise a bound on the
    /// same side of both. `None` if the search had to end before.
    pub(super) fn move_value<P: Position>(
        &mut self,
        position: &P,
        chosen: Move,
        height: usize,
        alpha: f64,
        beta: f64,
    ) -> Option<f64> {
        self.child_value(position, chosen, [0, height], alpha, beta)
    }

    /// The same for a move in a position at this depth below the searched one and of this height.
    fn child_value<P: Position>(
        &mut self,
        position: &P,
        chosen: Move,
        [depth, height]: [usize; 2],
        alpha: f64,
        beta: f64,
    ) -> Option<f64> {
        if !self.calls.allow(1) {
            return None;
        }
        let child = self.calls.child(position, chosen)?;
        let depth = depth + 1;
        if let Some(count) = self.by_depth.get_mut(depth) {
            *count += 1;
        }
        self.value(&child, [depth, self.ply.height_below(position, &child, height)], alpha, beta)
    }

    fn value<P: Position>(
        &mut self,
        position: &P,
        [depth, height]: [usize; 2],
        mut alpha: f64,
        mut beta: f64,
    ) -> Option<f64> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.worth(self.max));
        }
        if height == 0 {
            self.cut_off = true;
            return Some(position.evaluation(self.max));
        }
        if height >= Stop::HEIGHT && self.stop.now() {
            return None;
        }
        let maximizing = position.side() == self.max;
        let mut best = if maximizing { f64::NEG_INFINITY } else { f64::INFINITY };
        for chosen in position.moves() {
            let value = self.child_value(position, chosen, [depth, height], alpha, beta)?;
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
        Some(best)
    }
}
