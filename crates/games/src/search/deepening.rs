//! Alpha-beta with iterative deepening, bounded by calls of the move routine or by processor time.
//!
//! Searches to depth 1, depth 2 and so on; the best move at one depth is searched first at the next. When calls or time
//! run out, the current depth is abandoned and the last complete one decides. The search ends when no line is cut off
//! any more.

use super::alpha_beta::Walk;
use super::{MoveValue, Ply, Stop};
use crate::calls::Calls;
use crate::position::{Move, Position};

/// The result of a bounded search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepened {
    /// The first best move of the deepest complete search, and its value.
    pub best: MoveValue,
    /// The depth of that search; 0 if the calls did not even suffice for depth 1: then `best` is the best of the
    /// moves searched.
    pub depth: usize,
    /// Children generated.
    pub calls: u64,
    /// Children generated at each depth below the position, over all iterations; none at depth 0.
    pub by_depth: [u64; super::MAX_DEPTH + 1],
}

/// Searches as deep as the calls allow; `None` if the game is over.
pub fn deepen<P: Position>(position: &P, calls: u64) -> Option<Deepened> {
    deepen_until(position, Calls::new(calls), Stop::default())
}

/// The same with calls or within a time; when `stop` says so, the search ends as if none were left.
pub fn deepen_until<P: Position>(position: &P, calls: Calls, stop: Stop<'_>) -> Option<Deepened> {
    let mut order: Vec<Move> = position.moves().collect();
    let mut walk = Walk::new(position, Ply::Move, calls, stop);
    let first = MoveValue { chosen: *order.first()?, value: position.static_value(position.side()) };
    let mut found = Deepened { best: first, depth: 0, calls: 0, by_depth: walk.by_depth };
    for depth in 1..=super::MAX_DEPTH {
        walk.cut_off = false;
        let (best, complete) = search_root(&mut walk, position, &order, depth);
        match best {
            Some(best) if complete || depth == 1 => {
                found.best = best;
                // Next time the best move first, the others in order.
                order.sort_by_key(|&chosen| (chosen != best.chosen, chosen));
            }
            _ => {}
        }
        if !complete {
            break;
        }
        found.depth = depth;
        if !walk.cut_off {
            break;
        }
    }
    (found.calls, found.by_depth) = (walk.calls.used(), walk.by_depth);
    Some(found)
}

/// The first best move among those searched, and whether these were all.
fn search_root<P: Position>(
    walk: &mut Walk<'_>,
    position: &P,
    order: &[Move],
    depth: usize,
) -> (Option<MoveValue>, bool) {
    let mut best: Option<MoveValue> = None;
    for &chosen in order {
        let alpha = best.map_or(f64::NEG_INFINITY, |best| best.value);
        let Some(value) = walk.move_value(position, chosen, depth, alpha, f64::INFINITY) else {
            return (best, false);
        };
        if best.is_none_or(|best| value > best.value) {
            best = Some(MoveValue { chosen, value });
        }
    }
    (best, true)
}
