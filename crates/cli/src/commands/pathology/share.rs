//! A sample divided into shards: a unit of work is a block of trees.

use prodmax_jobs::Effort;
use prodmax_jobs::{Part, Parts};
use prodmax_pathology::tables::TableError;
use prodmax_pathology::{SampleBlocks, SampleResults, SampleSpec, effort};

use super::INSTEAD;
use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::shard::plan::WorkPlan;
use crate::shard::units::Units;

/// What the trees of a part depend on.
fn identity(spec: &SampleSpec) -> String {
    // A spec can always be written.
    format!("sample={}", serde_json::to_string(spec).unwrap_or_default())
}

/// What all trees take; `set_up` is what is integrated before the first one is drawn.
pub(super) fn plan(spec: &SampleSpec, set_up: Effort) -> WorkPlan {
    WorkPlan { set_up, units: effort::sample(spec, 1), merge: set_up }
}

/// Draws the trees of a shard.
pub(super) fn share(context: &Context, part: &Part, spec: &SampleSpec) -> Result<(), Error> {
    let work = effort::sample(spec, rayon::current_num_threads());
    let meter = guard::admit(context, "trees", work.times(1.0 / f64::from(part.shard().of())), INSTEAD)?;
    let blocks = SampleBlocks::new(spec).map_err(TableError::from)?;
    let interrupt = context.interrupt();
    let units = Units {
        identity: identity(spec),
        name: "blocks of trees",
        own: (0..blocks.count()).filter(|unit| part.shard().has(*unit)).collect(),
        interrupt,
    };
    let is_whole = |unit: u64, text: &str| blocks.from_line(unit, text).is_some();
    units.compute(part, &meter, is_whole, |unit| {
        Ok(blocks.draw(unit, interrupt)?.map(|results| results.to_line()))
    })
}

/// All trees, from the parts of all shards.
pub(super) fn of_parts(parts: &Parts, spec: SampleSpec) -> Result<SampleResults, Error> {
    let blocks = SampleBlocks::new(&spec).map_err(TableError::from)?;
    let mut results = SampleResults::new(spec.clone());
    parts.numbered(&identity(&spec), blocks.count(), &mut |unit, text| {
        blocks.from_line(unit, text).is_some_and(|block| results.absorb(&block).is_ok())
    })?;
    Ok(results)
}
