//! Alpha-beta with iterative deepening, bounded by calls of the move routine.
//!
//! Searches to depth 1, depth 2 and so on; the best move at one depth is searched first at the next. When the calls
//! run out, the current depth is abandoned and the last complete one decides. The search ends when no line is cut off
//! any more.

use super::{MoveValue, Stop};
use crate::calls::Calls;
use crate::position::{Move, Position, Side};

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
    pub by_depth: [u64; super::MOST_DEPTH + 1],
}

/// Searches as deep as the calls allow; `None` if the game is over.
pub fn deepen<P: Position>(position: &P, calls: u64) -> Option<Deepened> {
    deepen_until(position, calls, Stop::default())
}

/// The same; when `stop` says so, the search ends as if no calls were left.
pub fn deepen_until<P: Position>(position: &P, calls: u64, stop: Stop<'_>) -> Option<Deepened> {
    let mut order: Vec<Move> = position.moves().collect();
    let mut walk = Walk {
        calls: Calls::new(calls),
        max: position.side(),
        cut_off: false,
        by_depth: [0; super::MOST_DEPTH + 1],
        stop,
    };
    let first = MoveValue { chosen: *order.first()?, value: position.static_value(walk.max) };
    let mut found = Deepened { best: first, depth: 0, calls: 0, by_depth: walk.by_depth };
    for depth in 1..=super::MOST_DEPTH {
        walk.cut_off = false;
        let (best, complete) = walk.root(position, &order, depth);
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

struct Walk<'a> {
    calls: Calls,
    max: Side,
    cut_off: bool,
    stop: Stop<'a>,
    by_depth: [u64; super::MOST_DEPTH + 1],
}

impl Walk<'_> {
    /// The first best move among those searched, and whether these were all.
    fn root<P: Position>(&mut self, position: &P, order: &[Move], depth: usize) -> (Option<MoveValue>, bool) {
        let mut best: Option<MoveValue> = None;
        for &chosen in order {
            let alpha = best.map_or(f64::NEG_INFINITY, |best| best.value);
            let child = self.child(position, chosen, 1);
            let value = child.and_then(|child| self.value(&child, [1, depth - 1], alpha, f64::INFINITY));
            let Some(value) = value else { return (best, false) };
            if best.is_none_or(|best| value > best.value) {
                best = Some(MoveValue { chosen, value });
            }
        }
        (best, true)
    }

    /// Makes a child that lies so deep below the searched position.
    fn child<P: Position>(&mut self, position: &P, chosen: Move, depth: usize) -> Option<P> {
        let child = self.calls.child(position, chosen)?;
        self.by_depth[depth] += 1;
        Some(child)
    }

    /// `None` if the calls did not suffice.
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
            let child = self.child(position, chosen, depth + 1)?;
            let value = self.value(&child, [depth + 1, height - 1], alpha, beta)?;
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
