//! An estimate of the memory and time that searches and matches take.
//!
//! The number of lines of play is not known beforehand; a few moves are made to see how fast it grows. Measured on
//! one core: 3 ns for a sequence that is only counted, 65 ns for a leaf by a rule, 70 ns for a call of alpha-beta,
//! 650 ns and 54 bytes for a call of the penalty search.

use prodmax_jobs::Effort;

use crate::any::AnyStart;
use crate::play::MatchSpec;
use crate::player::{Player, Resource};

/// How many moves are made to see how lines grow: a few thousand positions.
const PROBE: usize = 4;

const COUNT_SECONDS: f64 = 3e-9;
const LEAF_SECONDS: f64 = 65e-9;
const CALL_SECONDS: f64 = 70e-9;
const PENALTY_SECONDS: f64 = 650e-9;
/// Twice the measured bytes: a list that grows exists twice for a moment.
const PENALTY_BYTES: f64 = 110.0;

/// Alpha-beta visits this power of the number of leaves: a half would be perfect.
const CUT: f64 = 0.65;

/// The moves of one side in a game of typical length.
const MOVES: f64 = 25.0;

/// The approximate number of sequences of `depth` moves.
pub fn sequences(position: &dyn AnyStart, depth: usize) -> f64 {
    let counts: Vec<f64> =
        (1..=depth.min(PROBE)).map(|depth| position.perft(depth).unwrap_or(u64::MAX) as f64).collect();
    match counts[..] {
        // Games do not end within a few moves of the start: the last two counts give the growth.
        [.., before, last] if depth > PROBE && before > 0.0 => {
            last * (last / before).powi((depth - PROBE) as i32)
        }
        [.., last] => last,
        [] => 1.0,
    }
}

/// What counting all sequences up to a depth takes.
pub fn counting(position: &dyn AnyStart, depth: usize) -> Effort {
    Effort { bytes: 0.0, seconds: 1.3 * sequences(position, depth) * COUNT_SECONDS }
}

/// What a player takes for one move.
pub fn search(position: &dyn AnyStart, player: &Player, resource: Resource) -> Effort {
    let (bytes, seconds) = match (player, resource) {
        (Player::Rule(_) | Player::Single(_), Resource::Depth(depth)) => {
            (0.0, sequences(position, depth) * LEAF_SECONDS)
        }
        (Player::AlphaBeta(_), Resource::Depth(depth)) => {
            (0.0, sequences(position, depth).powf(CUT) * LEAF_SECONDS)
        }
        (Player::Penalty(_), Resource::Calls(calls)) => {
            (calls as f64 * PENALTY_BYTES, calls as f64 * PENALTY_SECONDS)
        }
        (_, Resource::Calls(calls)) => (0.0, calls as f64 * CALL_SECONDS),
        (player, Resource::Milliseconds(milliseconds)) => {
            let seconds = milliseconds as f64 / 1000.0;
            // Twice as many calls as measured: a faster machine makes more of them.
            let calls =
                if matches!(player, Player::Penalty(_)) { 2.0 * seconds / PENALTY_SECONDS } else { 0.0 };
            (calls * PENALTY_BYTES, seconds)
        }
        // Refused before anything is searched.
        (Player::Penalty(_), Resource::Depth(_)) => (0.0, 0.0),
    };
    Effort { bytes, seconds }
}

/// What a match takes on this many threads; nothing for an impossible board, which is refused later.
pub fn of_spec(spec: &MatchSpec, threads: usize) -> Effort {
    let Ok(start) = spec.game.begin() else { return Effort::NONE };
    let threads = threads.max(1) as f64;
    let with = |&resource: &Resource| {
        let moves = spec.players.iter().map(|player| {
            // In a match minimax is played by alpha-beta.
            let quick = matches!(player, Player::Rule(prodmax_rules::Rule::Minimax(_)));
            search(&*start, if quick { &Player::AlphaBeta(None) } else { player }, resource)
        });
        moves.fold(Effort::NONE, Effort::then).times(2.0 * MOVES * spec.starts as f64 / threads)
    };
    let all = spec.resources.iter().map(with).fold(Effort::NONE, Effort::then);
    // Every thread has its own search; a record of two games takes some hundred bytes, and as many when it is
    // written.
    Effort { bytes: all.bytes * threads + 1000.0 * spec.starts as f64 * spec.resources.len() as f64, ..all }
}

/// What a pair of games takes with each resource of the spec, in seconds of one thread.
pub fn pair_seconds(spec: &MatchSpec) -> Vec<f64> {
    let one =
        |&resource| of_spec(&MatchSpec { resources: vec![resource], starts: 1, ..spec.clone() }, 1).seconds;
    spec.resources.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::{Connect4, Evaluator};
    use crate::kalah::Kalah;

    /// The counts in the documentation of [`crate::perft`], and those of Connect-Four.
    #[test]
    fn a_few_moves_show_the_growth() {
        let kalah = Kalah::start(6, 4).unwrap();
        assert_eq!(sequences(&kalah, 4), 942.0);
        assert_eq!(sequences(&kalah, 5), 942.0 * 942.0 / 185.0);
        let connect4 = Connect4::start(7, 6, Evaluator::default()).unwrap();
        let exact = connect4.perft(8).unwrap() as f64;
        assert!((0.9..1.1).contains(&(sequences(&connect4, 8) / exact)));
        assert!(sequences(&connect4, 40) > 1e30);
    }
}
