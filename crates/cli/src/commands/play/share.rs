//! A match divided into shards: a unit of work is a pair of games.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use prodmax_games::effort;
use prodmax_games::play::log::PairOfGames;
use prodmax_games::play::{LogError, MatchResults, MatchSpec, check_match, play_one};
use prodmax_games::player::Resource;
use prodmax_jobs::divide::Units;
use prodmax_jobs::{Divisible, Effort, Part, Shard};

use crate::context::Context;
use crate::divided;
use crate::error::Error;
use crate::guard;
use crate::long_run::Meter;
use crate::shard::plan::WorkPlan;

/// The pairs of games of a match, in the order of the spec.
struct Pairs<'a> {
    spec: &'a MatchSpec,
    pairs: Vec<(Resource, u64)>,
}

impl<'a> Pairs<'a> {
    fn new(spec: &'a MatchSpec) -> Self {
        Self { spec, pairs: spec.pairs().collect() }
    }
}

impl Divisible for Pairs<'_> {
    const STEP: [&'static str; 2] = ["pair of games", "pairs of games"];
    type Finding = PairOfGames;
    type Workspace = ();
    type Sum = Vec<PairOfGames>;
    type Error = LogError;

    fn identity(&self) -> String {
        // A spec can always be written.
        format!("match={}", serde_json::to_string(self.spec).unwrap_or_default())
    }

    fn steps(&self) -> Range<u64> {
        0..self.pairs.len() as u64
    }

    fn units(&self, shard: Option<Shard>) -> Units {
        let seconds = effort::pair_seconds(self.spec);
        let of_pairs = seconds.iter().flat_map(|seconds| (0..self.spec.starts).map(|_| *seconds));
        let units = self.steps().map(|pair| pair..pair + 1).collect();
        Units::of_seconds(units, &of_pairs.collect::<Vec<f64>>(), shard)
    }

    fn workspace(&self) {}

    fn compute(
        &self,
        steps: Range<u64>,
        (): &mut (),
        stop: &AtomicBool,
    ) -> Result<Option<(u64, PairOfGames)>, LogError> {
        let Some(pair) = self.pairs.get(steps.start as usize) else { return Ok(None) };
        Ok(play_one(self.spec, *pair, stop)?.map(|pair| (1, pair)))
    }

    fn write(&self, pair: &PairOfGames) -> String {
        // A pair can always be written.
        serde_json::to_string(pair).unwrap_or_default()
    }

    fn read(&self, steps: Range<u64>, line: &str) -> Option<PairOfGames> {
        let (resource, start) = *self.pairs.get(usize::try_from(steps.start).ok()?)?;
        let pair: PairOfGames = serde_json::from_str(line).ok()?;
        (steps.end - steps.start == 1 && pair.resource == resource && pair.start == start).then_some(pair)
    }

    fn begin(&self) -> Vec<PairOfGames> {
        Vec::new()
    }

    fn absorb(&self, pairs: &mut Vec<PairOfGames>, _: Range<u64>, pair: PairOfGames) -> Result<(), LogError> {
        pairs.push(pair);
        Ok(())
    }
}

/// What all games take.
pub(super) fn plan(spec: &MatchSpec) -> WorkPlan {
    let all = effort::of_spec(spec, 1);
    let pair = effort::of_spec(&MatchSpec { starts: 1, ..spec.clone() }, 1);
    let list = Effort { bytes: 32.0 * spec.starts as f64 * spec.resources.len() as f64, seconds: 0.0 };
    let units = Effort { bytes: pair.bytes, ..all };
    WorkPlan { set_up: list, units, merge: Effort { seconds: 0.0, ..all } }
}

/// Plays the games of a shard.
pub(super) fn share(context: &Context, part: &Part, spec: &MatchSpec) -> Result<(), Error> {
    check_match(spec).map_err(LogError::from)?;
    let work = effort::of_spec(spec, rayon::current_num_threads());
    let work = work.times(1.0 / f64::from(part.shard().of()));
    let instead = "use a smaller depth, fewer calls or less time";
    let meter = guard::admit(context, "pairs of games", work, instead)?;
    divided::run(context, &Pairs::new(spec), None, context.interrupt(), &meter).map(|_| ())
}

/// All games, from the parts of all shards.
pub(super) fn of_parts(context: &Context, meter: &Meter, spec: MatchSpec) -> Result<MatchResults, Error> {
    let run = divided::run(context, &Pairs::new(&spec), None, context.interrupt(), meter)?;
    let mut results = MatchResults { pairs: run.sum().unwrap_or_default(), spec };
    results.sort();
    Ok(results)
}
