//! The simulations: those of the specs in `simulate/`, and one-move games, which the exact engine can compute as well.
//! Their results are counts, so nothing is lost when they are stored.

use prodmax_rules::RulePair;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use prodmax_enumerate::{Line, ZeroMode};
use prodmax_jobs::{Job, ron_file};
use prodmax_mass::Curve;
use prodmax_simulate::link::{ExactRates, OneMoveCounts, one_move_games};
use prodmax_simulate::{Assignment, Overflow, SimulationError, SimulationResults, SimulationSpec};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::error::ReportError;
use crate::run::{Progress, check_id, ron_files, unwritable};

/// The subfolder of the specs that contains the simulations.
pub const FOLDER: &str = "simulate";

/// Depth, root and greatest increment of the one-move games.
const ONE_MOVE_MODELS: [(usize, i64, i64); 2] = [(2, -4, 8), (3, -3, 8)];
/// Their results are recorded after 10^2 to 10^5 trees, at this many points per power of ten.
const PER_DECADE: u32 = 8;
const DECADES: std::ops::RangeInclusive<u32> = 2 * PER_DECADE..=5 * PER_DECADE;

/// One-move games of a model: the exact figures, and those of more and more random trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneMoveGames {
    /// The model.
    pub spec: SimulationSpec,
    /// The share of all trees that is critical, by the exact engine.
    pub critical: f64,
    /// Minimax's share of all errors, by the exact engine.
    pub share_minimax: f64,
    /// The counts, with more and more trees.
    pub points: Vec<OneMoveCounts>,
}

/// Reads the simulations below a directory of specs; empty if there is no folder of them.
pub fn read_simulations(directory: &Path) -> Result<Vec<SimulationSpec>, ReportError> {
    let directory = directory.join(FOLDER);
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut specs: Vec<SimulationSpec> = Vec::new();
    for path in ron_files(&directory)? {
        let spec: SimulationSpec = ron_file::read(&path)?;
        spec.check().map_err(|error| failed(&spec, SimulationError::Work(error)))?;
        check_id(&path, &spec.id, specs.iter().map(|other| &other.id))?;
        specs.push(spec);
    }
    Ok(specs)
}

fn failed(spec: &SimulationSpec, source: SimulationError) -> ReportError {
    ReportError::Simulation { id: spec.id.clone(), source: Box::new(source) }
}

/// Runs a simulation, or reads its stored results.
pub(crate) fn simulate(
    spec: &SimulationSpec,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<SimulationResults, ReportError> {
    let title = format!("Simulation: {}", spec.title);
    let input = format!("{spec:?}");
    progress.begin(&title, usize::try_from(spec.trees).unwrap_or(usize::MAX));
    let is_whole =
        |kept: &SimulationResults| kept.spec == *spec && kept.check().is_ok() && kept.missing().count() == 0;
    let kept = cache.get::<SimulationResults>(&spec.id, &input).filter(is_whole);
    let is_kept = kept.is_some();
    let results = match kept {
        Some(results) => results,
        None => {
            let shown = AtomicU64::new(0);
            let step = |done: u64, _| {
                (shown.fetch_max(done, Ordering::Relaxed)..done).for_each(|_| progress.step());
            };
            let never = AtomicBool::new(false);
            let job = Job { progress: &step, ..Job::new(&never) };
            let results = prodmax_simulate::simulate(spec, &job).map_err(|error| failed(spec, error))?;
            cache.put(&spec.id, &input, &results).map_err(unwritable)?;
            results
        }
    };
    progress.end(&title, is_kept);
    Ok(results)
}

/// The id under which the comparison is stored.
pub(crate) const ONE_MOVE_ID: &str = "one-move-games";

/// Compares simulation and exact engine, or reads the stored comparison.
pub(crate) fn compared_games(
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Vec<OneMoveGames>, ReportError> {
    let title = "Simulation and exact engine on the same one-move games";
    let id = ONE_MOVE_ID;
    let specs = ONE_MOVE_MODELS.map(|(depth, root, increment)| one_move_spec(depth, root, increment));
    let samples: Vec<u64> =
        DECADES.map(|k| 10f64.powf(f64::from(k) / f64::from(PER_DECADE)).round() as u64).collect();
    let input = format!("{specs:?} {samples:?}");
    progress.begin(title, specs.len());
    let kept = cache.get::<Vec<OneMoveGames>>(id, &input).filter(|kept| kept.len() == specs.len());
    let is_kept = kept.is_some();
    let compared = match kept {
        Some(compared) => compared,
        None => {
            let one = |spec: &SimulationSpec| {
                let exact = ExactRates::of(spec).map_err(Box::new)?;
                let points = one_move_games(spec, &samples).map_err(Box::new)?;
                progress.step();
                Ok(OneMoveGames {
                    spec: spec.clone(),
                    critical: exact.critical,
                    share_minimax: exact.share(),
                    points,
                })
            };
            let compared = specs.par_iter().map(one).collect::<Result<Vec<_>, ReportError>>()?;
            cache.put(id, &input, &compared).map_err(unwritable)?;
            compared
        }
    };
    progress.end(title, is_kept);
    Ok(compared)
}

/// Search depth = tree depth, truth from the leaves up, the curves of Table II.
fn one_move_spec(depth: usize, root: i64, increment: i64) -> SimulationSpec {
    SimulationSpec {
        id: format!("one-move-depth{depth}"),
        title: format!("One-move games of depth {depth}"),
        source: "the model of KHS section V".to_owned(),
        tree_depth: depth,
        root,
        increment,
        h_max: Line::DEFAULT_H_MAX,
        zero: ZeroMode::Skip,
        overflow: Overflow::Clamp,
        rules: RulePair::default(),
        truth: Curve::arctan(4),
        assignment: Assignment::BottomUp,
        estimate: Curve::arctan(1),
        depths: vec![depth],
        trees: 1,
        first_tree: 0,
        seed: 0,
    }
}
