//! Counting sequences of moves: the usual test of a move generator.

use crate::position::Position;

/// The number of sequences of exactly `depth` moves, or `None` if it does not fit into 64 bits. A game that is over has no
/// further moves.
///
/// ```
/// use prodmax_games::{kalah::Kalah, perft::perft};
/// let start = Kalah::start(6, 4)?;
/// assert_eq!((1..=4).map(|depth| perft(&start, depth)).collect::<Option<Vec<_>>>(), Some(vec![6, 35, 185, 942]));
/// # Ok::<(), prodmax_games::kalah::KalahError>(())
/// ```
pub fn perft<P: Position>(position: &P, depth: usize) -> Option<u64> {
    match depth {
        0 => Some(1),
        // The last moves need not be made to be counted.
        1 => Some(position.moves().count() as u64),
        _ => position
            .moves()
            .try_fold(0u64, |sum, chosen| sum.checked_add(perft(&position.play(chosen), depth - 1)?)),
    }
}
