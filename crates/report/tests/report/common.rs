//! A report from the repository's own specs and golden files, with simulations of a few trees.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use prodmax_golden::{GoldenFile, Quantity};
use prodmax_jobs::Cost;
use prodmax_report::{
    Cache, Findings, Inputs, Progress, SlurmRun, StormRun, Z3Run, folder, read_simulations, read_specs, run,
    write,
};
use prodmax_simulate::SimulationSpec;
use prodmax_spec::{Experiment, Task};

/// Records what was computed and what was kept.
#[derive(Default)]
pub(crate) struct Log(pub(crate) Mutex<Vec<(String, bool)>>);

impl Progress for Log {
    fn begin(&self, _: &str, _: usize) {}
    fn step(&self) {}
    fn end(&self, title: &str, kept: bool) {
        self.0.lock().unwrap().push((title.to_owned(), kept));
    }
}

/// A folder of the repository.
pub(crate) fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}

/// A report that tests look at but do not change.
pub(crate) struct Report {
    pub(crate) findings: Findings,
    pub(crate) log: Vec<(String, bool)>,
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
}

/// How much of the repository's specs and golden files is run.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// Contests of a few models only, and the figures that take longest as they are recorded.
    Quick,
    /// Everything.
    Whole,
}

/// Whether a figure that `prodmax check` counts as fast is taken as recorded in a quick report: the simulation, fine grids,
/// the tables of LGB that take more than a second, and claims, which may be about any of these.
fn takes_long(quantity: &Quantity) -> bool {
    match quantity {
        Quantity::Simulated { .. } | Quantity::Claim { .. } => true,
        Quantity::Law { grid, .. } => *grid > 16,
        Quantity::LawThresholdPercent { model, .. } => model.depth() > 2,
        Quantity::Lgb { table, .. } => [2, 4, 9, 11].contains(table),
        _ => false,
    }
}

/// A report on all subjects, made once for all tests, by three threads.
pub(crate) fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let out = tempfile::tempdir().unwrap();
        let (findings, log) = with_threads(3, || make(out.path(), Extent::Quick));
        Report { findings, log, files: files(out.path()) }
    })
}

/// Does work on this many threads.
pub(crate) fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Only the roots -1 and 1 and at most five moves and four estimates: contests of many rules take most of the time.
fn thinned(spec: &Experiment) -> Experiment {
    let mut value = serde_json::to_value(spec).unwrap();
    let grids = value["models"].as_array_mut().unwrap();
    grids.retain(|grid| {
        grid.get("branching").and_then(serde_json::Value::as_u64).is_none_or(|moves| moves <= 5)
    });
    for grid in grids {
        grid["roots"].as_array_mut().unwrap().retain(|root| [-1, 1].map(Some).contains(&root.as_i64()));
    }
    let mut spec: Experiment = serde_json::from_value(value).unwrap();
    spec.settings.estimates.truncate(4);
    spec
}

/// Runs the repository's specs and golden files, with only a few simulated trees, and writes the report.
pub(crate) fn make(out: &Path, extent: Extent) -> (Findings, Vec<(String, bool)>) {
    let simulations = read_simulations(&repository("crates/report/tests/specs")).unwrap();
    assert_eq!(simulations.len(), 2);
    let mut golden = GoldenFile::read_directory(&repository("golden")).unwrap();
    let mut specs = read(&repository("specs"));
    if extent == Extent::Quick {
        for spec in specs.iter_mut().filter(|spec| spec.settings.asks_for(Task::Contest)) {
            *spec = thinned(spec);
        }
        let all = golden.iter_mut().flat_map(|file| &mut file.golden.entries);
        let slow = all.filter(|entry| takes_long(&entry.quantity));
        slow.for_each(|entry| entry.cost = Cost::Slow);
    }
    make_of(&specs, &simulations, &golden, out)
}

/// The specs in a folder.
pub(crate) fn read(folder: &Path) -> Vec<Experiment> {
    read_specs(folder).unwrap().into_iter().map(|(_, spec)| spec).collect()
}

/// Runs specs and everything else that is given, and writes the report.
pub(crate) fn make_of(
    specs: &[Experiment],
    simulations: &[SimulationSpec],
    golden: &[GoldenFile],
    out: &Path,
) -> (Findings, Vec<(String, bool)>) {
    folder::prepare(out, false).unwrap();
    let cache = Cache::new(&out.join(write::CACHE), "test", true);
    let log = Log::default();
    let storm = StormRun::below(out).unwrap();
    let z3 = Z3Run::below(out).unwrap();
    let slurm = SlurmRun::below(out).unwrap();
    let (most, storm, z3, slurm) = (Cost::Fast, &storm, &z3, &slurm);
    let inputs = Inputs { specs, simulations, golden, most, storm, z3, slurm };
    let findings = run::run(inputs, "test", &cache, &log).unwrap();
    write::write(&findings, out).unwrap();
    (findings, log.0.into_inner().unwrap())
}

/// Every file below a folder, by its path.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}
