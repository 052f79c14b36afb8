//! Running everything: the specs in a directory and the golden entries. Each result is stored as soon as it is
//! finished.

use std::path::{Path, PathBuf};

use prodmax_check::{Calculator, Checked};
use prodmax_golden::{Entry, GoldenFile, Verdict};
use prodmax_jobs::Cost;
use prodmax_jobs::ron_file;
use prodmax_number::Figure;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;
use prodmax_simulate::{SimulationResults, SimulationSpec};
use prodmax_spec::{Experiment, Task};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cache::Cache;
use crate::error::ReportError;
use crate::exact::Decimal;
use crate::results::ExperimentResults;
use crate::simulations::{self, OneMoveGames};
use crate::slurm::SlurmRun;
use crate::storm::StormRun;
use crate::write::file_name;
use crate::z3::Z3Run;

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// An experiment with this many steps begins.
    fn begin(&self, title: &str, steps: usize);
    /// A step is done.
    fn step(&self);
    /// The experiment is done; `kept` if its results were stored by an earlier run.
    fn end(&self, title: &str, kept: bool);
}

/// Everything that is reported.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The program and its revision.
    pub version: String,
    /// The experiments in the order of their files.
    pub experiments: Vec<ExperimentResults>,
    /// The simulations in the order of their files.
    pub simulations: Vec<SimulationResults>,
    /// One-move games of simulation and exact engine; none without simulations.
    pub one_move_games: Vec<OneMoveGames>,
    /// The published figures, in the order of the golden files.
    pub comparisons: Vec<Comparison>,
    /// The results of a model checker, from a run for this report or, if there was none, from the recorded run.
    pub storm: StormRun,
    /// The results of a solver about the case analysis of depth 3, also from either run.
    pub z3: Z3Run,
    /// Shards on a Slurm cluster, also from either run.
    pub slurm: SlurmRun,
}

/// A published figure and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the golden file, e.g. `table2`.
    pub group: String,
    /// The title of the published result.
    pub title: String,
    /// The golden entry.
    pub entry: Entry,
    /// Our value.
    pub ours: Ours,
}

/// Our value of a golden entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ours {
    /// The figure, if it is one.
    pub figure: Option<Figure>,
    /// Its text in a golden file.
    pub recorded: String,
    /// Its text for readers.
    pub shown: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How value or verdict differ from the recorded ones, if they do.
    pub failure: Option<String>,
    /// Whether it was computed in this run; slow entries may be taken as recorded.
    pub computed: bool,
}

impl Comparison {
    /// Our number, for drawing.
    pub fn ours_f64(&self) -> Option<f64> {
        self.ours.number().as_ref().map(to_f64)
    }

    /// The published number, for drawing.
    pub fn published_f64(&self) -> Option<f64> {
        self.entry.published.number().as_ref().map(to_f64)
    }

    /// For the data of a section.
    pub(crate) fn data(&self) -> serde_json::Value {
        json!({
            "id": self.entry.id,
            "published": self.entry.published.text(),
            "ours": self.ours.recorded,
            "verdict": self.ours.verdict.to_string(),
        })
    }
}

#[cfg(test)]
impl Findings {
    /// Nothing but golden entries as they are recorded.
    pub(crate) fn recorded(group: &str, golden: &prodmax_golden::Golden) -> Self {
        let comparison = |entry: &Entry| Comparison {
            group: group.to_owned(),
            title: golden.title.clone(),
            entry: entry.clone(),
            ours: Ours::recorded(entry),
        };
        let nowhere = Path::new("nowhere");
        Self {
            version: "test".to_owned(),
            experiments: Vec::new(),
            simulations: Vec::new(),
            one_move_games: Vec::new(),
            comparisons: golden.entries.iter().map(comparison).collect(),
            storm: StormRun::below(nowhere).unwrap(),
            z3: Z3Run::below(nowhere).unwrap(),
            slurm: SlurmRun::below(nowhere).unwrap(),
        }
    }
}

impl Findings {
    /// The experiment with an id.
    pub fn experiment(&self, id: &str) -> Option<&ExperimentResults> {
        self.experiments.iter().find(|results| results.id == id)
    }

    /// Whether any spec asks for a task.
    pub fn asks_for(&self, task: Task) -> bool {
        self.experiments.iter().any(|results| results.run.contains(&task))
    }

    /// The figures of a golden file by its name, e.g. `table2`.
    pub fn published<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Comparison> {
        self.comparisons.iter().filter(move |comparison| comparison.group == group)
    }
}

/// Reads the specs in a directory (not in its subdirectories), in the order of their names.
pub fn read_specs(directory: &Path) -> Result<Vec<(PathBuf, Experiment)>, ReportError> {
    let paths = ron_files(directory)?;
    if paths.is_empty() {
        return Err(ReportError::NoSpecs(directory.to_owned()));
    }
    let mut specs: Vec<(PathBuf, Experiment)> = Vec::new();
    for path in paths {
        let spec = Experiment::read(&path)?;
        check_id(&path, &spec.id, specs.iter().map(|(_, other)| &other.id))?;
        specs.push((path, spec));
    }
    Ok(specs)
}

/// An error if files named after an id would have no name, or the same name as those of another spec.
pub(crate) fn check_id<'a>(
    path: &Path,
    id: &str,
    mut others: impl Iterator<Item = &'a String>,
) -> Result<(), ReportError> {
    let reason = if id.is_empty() {
        "the id is empty; files are named after it"
    } else if others.any(|other| file_name(other) == file_name(id)) {
        "another spec has the same id, or one that gives its files the same name"
    } else {
        return Ok(());
    };
    // The parser does not give the position, but an id is written only once.
    let text = prodmax_jobs::read_text(path, ron_file::MAX_BYTES).unwrap_or_default();
    let (line, column) = ron_file::place(&text, text.find("id:").unwrap_or(0));
    Err(ReportError::Id { path: path.to_owned(), line, column, reason })
}

/// The RON files in a directory (not in its subdirectories), in the order of their names.
pub(crate) fn ron_files(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    ron_file::list(directory).map_err(|source| ReportError::Directory { path: directory.to_owned(), source })
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The experiments.
    pub specs: &'a [Experiment],
    /// The simulations.
    pub simulations: &'a [SimulationSpec],
    /// The published figures.
    pub golden: &'a [GoldenFile],
    /// The maximum cost: more expensive work is not run, and its recorded figures are shown.
    pub most: Cost,
    /// A run of Storm.
    pub storm: &'a StormRun,
    /// A run of Z3.
    pub z3: &'a Z3Run,
    /// A run on a Slurm cluster.
    pub slurm: &'a SlurmRun,
}

/// Runs all experiments and simulations and recomputes all golden entries, as far as they cost no more than the
/// inputs allow.
pub fn run(
    inputs: Inputs<'_>,
    version: &str,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Findings, ReportError> {
    let Inputs { specs, simulations, golden, most, storm, z3, slurm } = inputs;
    let mut experiments = Vec::new();
    for spec in specs.iter().filter(|spec| spec.settings.cost <= most) {
        experiments.push(experiment(spec, cache, progress)?);
    }
    let simulated = simulations
        .iter()
        .map(|spec| simulations::simulate(spec, cache, progress))
        .collect::<Result<Vec<_>, _>>()?;
    let one_move_games =
        if simulations.is_empty() { Vec::new() } else { simulations::compared_games(cache, progress)? };
    let mut comparisons = Vec::new();
    for file in golden {
        comparisons.extend(compare(file, most, &simulated, cache, progress)?);
    }
    let golden_ids: Vec<String> = golden.iter().map(|file| golden_key(file, most).0).collect();
    let ids =
        specs.iter().map(|spec| spec.id.as_str()).chain(simulations.iter().map(|spec| spec.id.as_str()));
    cache.keep_only(ids.chain(golden_ids.iter().map(String::as_str)).chain([simulations::ONE_MOVE_ID]));
    Ok(Findings {
        version: version.to_owned(),
        experiments,
        simulations: simulated,
        one_move_games,
        comparisons,
        storm: storm.clone(),
        z3: z3.clone(),
        slurm: slurm.clone(),
    })
}

/// The id and input under which the results of a spec are stored.
pub(crate) fn spec_key(spec: &Experiment) -> (String, String) {
    (spec.id.clone(), format!("{spec:?}"))
}

/// The id and input under which our values for a golden file are stored.
pub(crate) fn golden_key(file: &GoldenFile, most: Cost) -> (String, String) {
    (format!("golden-{}", group(file)), format!("{most:?} {}", file.text))
}

/// The name of a golden file, e.g. `table2`.
fn group(file: &GoldenFile) -> String {
    file.path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn experiment(
    spec: &Experiment,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<ExperimentResults, ReportError> {
    let (id, input) = spec_key(spec);
    progress.begin(&spec.title, spec.models().count());
    let kept = cache.get::<ExperimentResults>(&id, &input);
    let is_kept = kept.is_some();
    let results = match kept {
        Some(results) => results,
        None => {
            let failed = |(model, source): (prodmax_enumerate::Model, _)| ReportError::Measure {
                id: spec.id.clone(),
                root: model.root().to_string(),
                increments: model.increments().to_vec(),
                source: Box::new(source),
            };
            let results = ExperimentResults::compute(spec, &|| progress.step()).map_err(failed)?;
            cache.put(&id, &input, &results).map_err(unwritable)?;
            results
        }
    };
    progress.end(&spec.title, is_kept);
    Ok(results)
}

fn compare(
    file: &GoldenFile,
    most: Cost,
    simulated: &[SimulationResults],
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Vec<Comparison>, ReportError> {
    let title = format!("Published figures: {}", file.golden.title);
    let name = group(file);
    let (id, input) = golden_key(file, most);
    let entries = &file.golden.entries;
    progress.begin(&title, entries.len());
    let kept = cache.get::<Vec<Ours>>(&id, &input).filter(|kept| kept.len() == entries.len());
    let is_kept = kept.is_some();
    let ours = match kept {
        Some(ours) => ours,
        None => {
            let failed =
                |source| ReportError::Entry { id: file.golden.title.clone(), source: Box::new(source) };
            let mut calculator = Calculator::default();
            for results in simulated {
                calculator = calculator.with_simulation(results).map_err(failed)?;
            }
            let wanted = entries.iter().filter(|entry| entry.cost <= most);
            calculator.prepare(wanted).map_err(failed)?;
            let one = |entry: &Entry| {
                let ours = Ours::of(entry, most, &calculator);
                progress.step();
                ours
            };
            let ours = entries.par_iter().map(one).collect::<Result<Vec<_>, _>>()?;
            cache.put(&id, &input, &ours).map_err(unwritable)?;
            ours
        }
    };
    progress.end(&title, is_kept);
    let join = |(entry, ours): (&Entry, Ours)| Comparison {
        group: name.clone(),
        title: file.golden.title.clone(),
        entry: entry.clone(),
        ours,
    };
    Ok(entries.iter().zip(ours).map(join).collect())
}

impl Ours {
    /// The number, if it is one: exact, or the middle of its enclosure, rounded to the recorded places.
    pub fn number(&self) -> Option<Fraction> {
        match self.figure.as_ref()? {
            Figure::Enclosed(enclosure) => Some(Decimal::middle(enclosure).number().clone()),
            other => other.middle(),
        }
    }

    /// As the golden file records it.
    fn recorded(entry: &Entry) -> Self {
        let recorded = entry.ours.clone();
        Self {
            figure: Figure::read(&recorded),
            shown: recorded.clone(),
            recorded,
            verdict: entry.verdict,
            failure: None,
            computed: false,
        }
    }

    fn of(entry: &Entry, most: Cost, calculator: &Calculator<'_>) -> Result<Self, ReportError> {
        if entry.cost > most {
            return Ok(Self::recorded(entry));
        }
        let failed = |source| ReportError::Entry { id: entry.id.clone(), source: Box::new(source) };
        let checked = Checked::of(entry, calculator).map_err(failed)?;
        Ok(Self {
            figure: checked.value.figure().cloned(),
            recorded: checked.value.recorded(),
            shown: checked.shown(),
            verdict: checked.verdict,
            failure: checked.failure(),
            computed: true,
        })
    }
}

pub(crate) fn unwritable((path, source): (PathBuf, std::io::Error)) -> ReportError {
    ReportError::Write { path, source }
}
