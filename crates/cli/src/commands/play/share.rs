//! A match divided into shards: a unit of work is a pair of games.

use prodmax_games::effort;
use prodmax_games::play::log::PairOfGames;
use prodmax_games::play::{LogError, MatchResults, MatchSpec, check_match, play_one};
use prodmax_games::player::Resource;
use prodmax_jobs::Effort;
use prodmax_jobs::{Part, Parts};

use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::shard::plan::WorkPlan;
use crate::shard::units::{Units, costs};

/// What the games of a part depend on.
fn identity(spec: &MatchSpec) -> String {
    // A spec can always be written.
    format!("match={}", serde_json::to_string(spec).unwrap_or_default())
}

/// The pair in a line of a part, if it is the right one.
fn parse(text: &str, (resource, start): (Resource, u64)) -> Option<PairOfGames> {
    let pair: PairOfGames = serde_json::from_str(text).ok()?;
    (pair.resource == resource && pair.start == start).then_some(pair)
}

/// What all games take.
pub(super) fn plan(spec: &MatchSpec) -> WorkPlan {
    let all = effort::of_spec(spec, 1);
    let pair = effort::of_spec(&MatchSpec { starts: 1, ..spec.clone() }, 1);
    let list = Effort { bytes: 32.0 * spec.starts as f64 * spec.resources.len() as f64, seconds: 0.0 };
    let units = Effort { bytes: pair.bytes, ..all };
    WorkPlan { set_up: list, units, merge: Effort { seconds: 0.0, ..all } }
}

/// What each pair of games takes.
fn seconds(spec: &MatchSpec) -> Vec<f64> {
    let of_pair = effort::pair_seconds(spec);
    of_pair.iter().flat_map(|seconds| (0..spec.starts).map(|_| *seconds)).collect()
}

/// Plays the games of a shard.
pub(super) fn share(context: &Context, part: &Part, spec: &MatchSpec) -> Result<(), Error> {
    check_match(spec).map_err(LogError::from)?;
    let work = effort::of_spec(spec, rayon::current_num_threads());
    let work = work.times(1.0 / f64::from(part.shard().of()));
    let instead = "use a smaller depth, fewer calls or less time";
    let meter = guard::admit(context, "pairs of games", work, instead)?;
    let pairs: Vec<(Resource, u64)> = spec.pairs().collect();
    let own = part.shard().units(&costs(&seconds(spec)));
    let interrupt = context.interrupt();
    let units = Units {
        identity: identity(spec),
        name: "pairs of games",
        own: own.iter().map(|&unit| unit as u64).collect(),
        interrupt,
    };
    let is_whole = |unit: u64, text: &str| parse(text, pairs[unit as usize]).is_some();
    let written = |error: serde_json::Error| Error::Write { path: part.path().into(), source: error.into() };
    units.compute(part, &meter, is_whole, |unit| {
        let pair = play_one(spec, pairs[unit as usize], interrupt).map_err(LogError::from)?;
        pair.map(|pair| serde_json::to_string(&pair).map_err(written)).transpose()
    })
}

/// All games, from the parts of all shards.
pub(super) fn of_parts(parts: &Parts, spec: MatchSpec) -> Result<MatchResults, Error> {
    let pairs: Vec<(Resource, u64)> = spec.pairs().collect();
    let mut played = Vec::new();
    parts.numbered(&identity(&spec), pairs.len() as u64, &mut |unit, text| {
        let pair = pairs.get(unit as usize).and_then(|pair| parse(text, *pair));
        let is_pair = pair.is_some();
        played.extend(pair);
        is_pair
    })?;
    let mut results = MatchResults { spec, pairs: played };
    results.sort();
    Ok(results)
}
