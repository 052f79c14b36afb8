//! A report from the repository's own specs and golden files, with simulations of a few trees.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use prodmax_golden::GoldenFile;
use prodmax_report::{
    Cache, Findings, Inputs, Progress, SlurmRun, StormRun, Z3Run, folder, read_simulations, read_specs, run,
    write,
};
use prodmax_simulate::SimulationSpec;
use prodmax_spec::{Cost, Experiment};

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

/// The whole report, made once for all tests, by three threads.
pub(crate) fn report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let out = tempfile::tempdir().unwrap();
        let (findings, log) = with_threads(3, || make(out.path(), |_| true));
        Report { findings, log, files: files(out.path()) }
    })
}

/// Does work on this many threads.
pub(crate) fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Runs everything, with only a few simulated trees and the golden files that are wanted, and writes the report.
pub(crate) fn make(out: &Path, wanted: fn(&GoldenFile) -> bool) -> (Findings, Vec<(String, bool)>) {
    let simulations = read_simulations(&repository("crates/report/tests/specs")).unwrap();
    assert_eq!(simulations.len(), 2);
    let mut golden = GoldenFile::read_directory(&repository("golden")).unwrap();
    golden.retain(wanted);
    make_of(&repository("specs"), &simulations, &golden, out)
}

/// Runs the specs in a folder and everything else that is given, and writes the report.
pub(crate) fn make_of(
    specs: &Path,
    simulations: &[SimulationSpec],
    golden: &[GoldenFile],
    out: &Path,
) -> (Findings, Vec<(String, bool)>) {
    let specs: Vec<Experiment> = read_specs(specs).unwrap().into_iter().map(|(_, spec)| spec).collect();
    folder::prepare(out, false).unwrap();
    let cache = Cache::new(&out.join(write::CACHE), "test", true);
    let log = Log::default();
    let storm = StormRun::below(out).unwrap();
    let z3 = Z3Run::below(out).unwrap();
    let slurm = SlurmRun::below(out).unwrap();
    let (most, storm, z3, slurm) = (Cost::Fast, &storm, &z3, &slurm);
    let inputs = Inputs { specs: &specs, simulations, golden, most, storm, z3, slurm };
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
