//! A simulation divided into shards: a unit of work is a tree.

use prodmax_jobs::Effort;
use prodmax_jobs::draw::Runner;
use prodmax_jobs::{Part, Parts};
use prodmax_simulate::{Simulation, SimulationResults, SimulationSpec, effort};

use crate::context::Context;
use crate::error::Error;
use crate::guard;
use crate::shard::plan::WorkPlan;
use crate::shard::units::Units;

/// What the trees of a part depend on.
fn identity(spec: &SimulationSpec) -> String {
    // A spec can always be written.
    format!("simulation={}", serde_json::to_string(spec).unwrap_or_default())
}

/// What all trees take.
pub(super) fn plan(spec: &SimulationSpec, shards: u32) -> WorkPlan {
    let all = effort::of(spec, 1);
    // One tree at a time, without the results of the others.
    let tree = effort::of(&SimulationSpec { trees: 1, ..spec.clone() }, 1);
    let units = Effort { bytes: tree.bytes, ..all };
    // The numbers of a shard's trees.
    let set_up = Effort { bytes: 16.0 * spec.trees as f64 / f64::from(shards), seconds: 0.0 };
    WorkPlan { set_up, units, merge: Effort { seconds: 0.0, ..all } }
}

/// Plays the trees of a shard.
pub(super) fn share(context: &Context, part: &Part, spec: &SimulationSpec) -> Result<(), Error> {
    let effort = effort::of(spec, rayon::current_num_threads());
    let shards = f64::from(part.shard().of());
    let meter = guard::admit(context, "trees", effort.times(1.0 / shards), "use smaller trees")?;
    let simulation = Simulation::new(spec)?;
    let runner = Runner::new(&simulation);
    let interrupt = context.interrupt();
    let units = Units {
        identity: identity(spec),
        name: "trees",
        own: (0..spec.trees).filter(|unit| part.shard().has(*unit)).collect(),
        interrupt,
    };
    let number = |unit: u64| spec.first_tree + unit;
    let is_whole = |unit, text: &str| spec.tree_from_line(text).is_some_and(|tree| tree.tree == number(unit));
    let written = |error: serde_json::Error| Error::Write { path: part.path().into(), source: error.into() };
    units.compute(part, &meter, is_whole, |unit| {
        let tree = runner.tree(number(unit), interrupt);
        tree.map(|tree| spec.tree_to_line(&tree).map_err(written)).transpose()
    })
}

/// All trees, from the parts of all shards.
pub(super) fn of_parts(parts: &Parts, spec: SimulationSpec) -> Result<SimulationResults, Error> {
    let mut trees = Vec::new();
    parts.numbered(&identity(&spec), spec.trees, &mut |unit, text| {
        let tree = spec.tree_from_line(text).filter(|tree| tree.tree == spec.first_tree + unit);
        let is_tree = tree.is_some();
        trees.extend(tree);
        is_tree
    })?;
    let mut results = SimulationResults::new(spec);
    results.extend(trees);
    results.check()?;
    Ok(results)
}
