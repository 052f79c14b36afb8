//! Playing a match on all threads.
//!
//! Start number s of a seed has its own streams of random numbers: 4 s for the opening, 4 s + 1 and 4 s + 2 for ties
//! in its two games. So a game depends only on the spec and its start, unless the players are bounded by time.

use std::sync::atomic::{AtomicBool, Ordering};

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use super::log::{GameRecord, LogError, MatchResults, PairOfGames};
use super::spec::{MatchError, MatchSpec, Opening};
use crate::game::MoveList;
use crate::player::{PlayerError, Resource, drawn};
use crate::position::{Move, Position};
use crate::search::Stop;

/// How far a match has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchProgress {
    /// Pairs finished, including those of earlier runs.
    pub finished: u64,
    /// Pairs that the spec asks for.
    pub pairs: u64,
}

/// Pairs per thread between two reports to the observer.
const BATCH: usize = 8;

/// How often a random opening is drawn, if it ends the game, before giving up.
const MAX_ATTEMPTS: usize = 1000;

/// Plays all pairs that are missing in `results`; if the spec says so, only until the match is decided. When `interrupt` becomes true, the pairs in progress are abandoned and the
/// finished ones are returned. `observer` is called after every batch.
pub fn play_match(
    mut results: MatchResults,
    interrupt: &AtomicBool,
    observer: &mut dyn FnMut(MatchProgress, &MatchResults),
) -> Result<MatchResults, LogError> {
    let start = results.spec.game.begin().map_err(MatchError::from)?;
    start.check_match(&results.spec)?;
    results.check()?;
    let spec = results.spec.clone();
    let pairs = spec.pairs().count() as u64;
    let missing: Vec<(Resource, u64)> = results.missing();
    let begun = results.pairs.len();
    let mut decided: Vec<Resource> = Vec::new();
    for batch in missing.chunks(BATCH * rayon::current_num_threads()) {
        let run = |&(resource, number): &(Resource, u64)| {
            if decided.contains(&resource) {
                return None;
            }
            start.play_pair(&spec, resource, number, interrupt).transpose()
        };
        let finished: Result<Vec<PairOfGames>, MatchError> =
            batch.par_iter().with_max_len(1).filter_map(run).collect();
        results.pairs.extend(finished?);
        for &resource in &spec.resources {
            let Some(starts) = results.decided_after(resource) else { continue };
            // How far a batch reaches depends on the number of threads; games that were there before are kept.
            let mut played = results.pairs.split_off(begun);
            played.retain(|pair| pair.resource != resource || pair.start < spec.first_start + starts);
            results.pairs.append(&mut played);
            decided.push(resource);
        }
        observer(MatchProgress { finished: results.pairs.len() as u64, pairs }, &results);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    results.sort();
    Ok(results)
}

/// Plays both games of one pair of a match; `None` if `interrupt` became true before they ended. The spec must have
/// been checked ([`check_match`]).
pub fn play_one(
    spec: &MatchSpec,
    (resource, number): (Resource, u64),
    interrupt: &AtomicBool,
) -> Result<Option<PairOfGames>, MatchError> {
    spec.game.begin()?.play_pair(spec, resource, number, interrupt)
}

/// An error if anything is wrong with the spec of a match.
pub fn check_match(spec: &MatchSpec) -> Result<(), MatchError> {
    spec.game.begin()?.check_match(spec)
}

/// Plays a pair; `None` if it was interrupted.
pub(crate) fn play_unless<P: Position>(
    spec: &MatchSpec,
    start: &P,
    resource: Resource,
    number: u64,
    interrupt: &AtomicBool,
) -> Result<Option<PairOfGames>, MatchError> {
    if interrupt.load(Ordering::Relaxed) {
        return Ok(None);
    }
    match play_pair(spec, start, resource, number, Stop::when(interrupt)) {
        // An abandoned pair is not an error.
        Err(_) if interrupt.load(Ordering::Relaxed) => Ok(None),
        pair => pair.map(Some),
    }
}

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// Plays both games from one start.
pub fn play_pair<P: Position>(
    spec: &MatchSpec,
    start: &P,
    resource: Resource,
    number: u64,
    stop: Stop<'_>,
) -> Result<PairOfGames, MatchError> {
    let opening = opening(spec, start, number)?;
    let begun = opening.iter().fold(*start, |position, &chosen| position.play(chosen));
    let game = |swapped: bool| {
        let mut random = stream(spec.seed, 4 * number + 1 + u64::from(swapped));
        play_game(spec, &begun, resource, swapped, &mut random, stop)
    };
    let games = [game(false)?, game(true)?];
    Ok(PairOfGames { resource, start: number, opening: MoveList(opening), games })
}

fn opening<P: Position>(spec: &MatchSpec, start: &P, number: u64) -> Result<Vec<Move>, MatchError> {
    match spec.opening {
        Opening::Random(moves) => {
            let mut random = stream(spec.seed, 4 * number);
            for _ in 0..MAX_ATTEMPTS {
                let (mut position, mut list) = (*start, Vec::with_capacity(moves));
                while list.len() < moves {
                    let legal: Vec<Move> = position.moves().collect();
                    let Some(chosen) = drawn(&legal, &mut random) else { break };
                    position = position.play(chosen);
                    list.push(chosen);
                }
                if list.len() == moves && position.outcome().is_none() {
                    return Ok(list);
                }
            }
            Err(MatchError::AlwaysOver(moves))
        }
        Opening::All(moves) => {
            let mut left = number;
            nth_sequence(start, moves, &mut left).ok_or(MatchError::AlwaysOver(moves))
        }
    }
}

/// The sequence of moves with number `left`, counted in the order of the moves.
fn nth_sequence<P: Position>(position: &P, moves: usize, left: &mut u64) -> Option<Vec<Move>> {
    if moves == 0 {
        let found = *left == 0 && position.outcome().is_none();
        *left = left.wrapping_sub(1);
        return found.then(Vec::new);
    }
    position.moves().find_map(|chosen| {
        let mut rest = nth_sequence(&position.play(chosen), moves - 1, left)?;
        rest.insert(0, chosen);
        Some(rest)
    })
}

/// Plays one game; `swapped` if the second player of the match moves first.
fn play_game<P: Position>(
    spec: &MatchSpec,
    begun: &P,
    resource: Resource,
    swapped: bool,
    random: &mut ChaCha8Rng,
    stop: Stop<'_>,
) -> Result<GameRecord, MatchError> {
    let seat = |player: usize| spec.players[player].seat::<P>(resource, spec.ply, spec.ties);
    let mut seats = [seat(usize::from(swapped))?, seat(usize::from(!swapped))?];
    let (mut position, mut moves) = (*begun, Vec::new());
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok(GameRecord { moves: MoveList(moves), outcome });
        }
        let seat = &mut seats[position.side().index()];
        let chosen = seat.choose(&position, random, stop).map_err(PlayerError::from)?;
        position = position.play(chosen);
        moves.push(chosen);
    }
}
