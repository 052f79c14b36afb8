//! Runs: threads, interruption, continuation, merging.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_jobs::divide::{self, KeptFile};
use prodmax_jobs::{Divisible, Job, Keep, Part, Run};
use prodmax_rules::RulePair;
use prodmax_simulate::tree::child_elements;
use prodmax_simulate::{
    Probabilities, Ratio, Simulation, SimulationResults, SimulationSpec, first_shares, play_for_shares,
    simulate,
};
use proptest::prelude::*;

fn spec(first_tree: u64, trees: u64) -> SimulationSpec {
    let text = r#"(id: "runs", title: "", source: "", tree_depth: 8, root: -6, truth: "pearl:16",
        assignment: "top-down", estimate: "pearl:1", depths: [1, 2, 4, 8], trees: 1, seed: 5)"#;
    let spec: SimulationSpec = prodmax_jobs::ron_file::parse(text, "x").unwrap();
    SimulationSpec { first_tree, trees, ..spec }
}

fn run(first_tree: u64, trees: u64) -> SimulationResults {
    run_spec(spec(first_tree, trees))
}

fn run_spec(spec: SimulationSpec) -> SimulationResults {
    simulate(&spec, &Job::new(&AtomicBool::new(false))).unwrap()
}

/// The results of several runs together, or why they do not belong together.
fn merge(runs: &[&SimulationResults]) -> Result<SimulationResults, String> {
    let files = runs.iter().zip(1..).map(|(run, number)| KeptFile::Answer {
        path: PathBuf::from(format!("run {number}")),
        record: run.record(),
    });
    let files: Vec<KeptFile> = files.collect();
    let (identity, trees) = KeptFile::asked(&files).unwrap();
    let simulation = Simulation::new(&SimulationSpec::of_kept(identity, trees).unwrap()).unwrap();
    divide::merge(&simulation, &files).map(|run| run.sum().unwrap()).map_err(|error| error.to_string())
}

fn rules(first: &str, second: &str) -> RulePair {
    vec![first.to_owned(), second.to_owned()].try_into().unwrap()
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn results_do_not_depend_on_threads() {
    let one = pool(1).install(|| run(3, 50));
    assert_eq!(one, pool(4).install(|| run(3, 50)));
    assert_eq!(one.trees.len(), 50);
    assert_ne!(one.trees[0].depths, one.trees[1].depths);
}

#[test]
fn a_run_continues_where_another_ended() {
    let whole = run(0, 40);
    let (first, second) = (run(0, 15), run(15, 25));
    assert_eq!(merge(&[&first, &second]).unwrap(), whole);
    assert_eq!(merge(&[&second, &first]).unwrap(), whole);
    let mut sums = first.totals();
    sums.iter_mut().zip(&second.totals()).for_each(|(a, b)| a.add(b));
    assert_eq!(sums, whole.totals());
}

#[test]
fn an_interrupted_run_keeps_its_trees_and_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let simulation = Simulation::new(&spec(0, 40)).unwrap();
    let stop = AtomicBool::new(false);
    let progress = |done: u64, all: u64| {
        assert_eq!(all, 40);
        stop.store(done == 16, Ordering::Relaxed);
    };
    let part = Part::checkpoint(&path, "test", "simulate", &simulation).unwrap();
    let job = Job { keep: Keep::Checkpoint(&part), stop: &stop, progress: &progress };
    let Run::Partial { sum, done: 16, all: 40 } = pool(1).install(|| divide::run(&simulation, &job)).unwrap()
    else {
        panic!("it was not stopped")
    };
    assert_eq!(sum.trees[..], run(0, 16).trees[..]);
    assert_eq!(sum.missing().collect::<Vec<_>>(), (16..40).collect::<Vec<_>>());
    drop(part);
    // A gap between what was kept is filled, too.
    let late = Simulation::new(&spec(60, 9)).unwrap();
    let never = AtomicBool::new(false);
    for simulation in [late, Simulation::new(&spec(0, 80)).unwrap()] {
        let part = Part::checkpoint(&path, "test", "simulate", &simulation).unwrap();
        let job = Job { keep: Keep::Checkpoint(&part), ..Job::new(&never) };
        match divide::run(&simulation, &job) {
            Ok(found) => assert_eq!(found, Run::Whole(run(0, 80))),
            Err(error) => {
                assert!(error.to_string().contains("tree 0 is kept there, but not asked for"), "{error}");
            }
        }
    }
    assert_eq!(Part::checkpoint(&path, "test", "simulate", &simulation).unwrap().units(), 80);
}

#[test]
fn a_gap_between_merged_runs_is_known() {
    let merged = merge(&[&run(0, 5), &run(10, 5)]).unwrap();
    assert_eq!(merged.missing().collect::<Vec<_>>(), [5, 6, 7, 8, 9]);
    assert_eq!((merged.spec.first_tree, merged.spec.trees), (0, 15));
}

#[test]
fn overlapping_or_different_runs_are_not_merged() {
    let first = run(0, 3);
    let message = |other: &SimulationResults| merge(&[&first, other]).unwrap_err();
    assert_eq!(
        message(&run(2, 3)),
        "run 2: tree 2 is there twice, or in another file, too; it would be counted twice"
    );
    assert_eq!(
        message(&run_spec(SimulationSpec { seed: 6, ..spec(3, 3) })),
        "run 2: belongs to another computation (another seed: 6, not 5); name another file"
    );
}

#[test]
fn damaged_results_are_found() {
    let results = run(0, 3);
    let json = serde_json::to_string(&results).unwrap();
    let read: SimulationResults = serde_json::from_str(&json).unwrap();
    assert_eq!(read, results);
    assert_eq!(read.check(), Ok(()));
    let damaged = |damage: fn(&mut SimulationResults)| {
        let mut results = results.clone();
        damage(&mut results);
        results.check().unwrap_err().to_string()
    };
    assert_eq!(
        damaged(|r| r.trees.swap(0, 1)),
        "tree 0 is out of order, counted twice, or not asked for by the spec"
    );
    assert_eq!(
        damaged(|r| r.trees[2].tree = 3),
        "tree 3 is out of order, counted twice, or not asked for by the spec"
    );
    assert_eq!(
        damaged(|r| r.trees[1].depths[2].actual.second_wins = u64::MAX),
        "the counts of tree 1 at depth 4 cannot be those of a tree of depth 8"
    );
    assert!(damaged(|r| r.trees[1].depths.truncate(2)).contains("cannot be those"));
    assert!(damaged(|r| r.trees[1].depths[1].actual_errors[0] += 1).contains("cannot be those"));
    assert!(damaged(|r| r.spec.tree_depth = 99).starts_with("the tree depth is 99"));
}

#[test]
fn a_tree_is_read_back_from_its_line_and_only_from_that() {
    let simulation = Simulation::new(&spec(0, 3)).unwrap();
    let counts = run(0, 3).trees.remove(1);
    let line = simulation.write(&counts);
    assert_eq!(simulation.read(1..2, &line), Some(counts));
    assert_eq!(simulation.read(1..3, &line), None);
    let numbers: Vec<&str> = line.split(' ').collect();
    assert_eq!(numbers.len(), 9 * 4);
    for wrong in [
        numbers[1..].join(" "),
        numbers[9..].join(" "),
        format!("{line} 0"),
        format!("{line} "),
        line.replacen(numbers[0], "1000", 1),
        line.replacen(numbers[0], "-1", 1),
        String::new(),
    ] {
        assert_eq!(simulation.read(1..2, &wrong), None, "{wrong}");
    }
}

proptest! {
    /// Whatever happens to an answer, its record is refused or its figures are unchanged.
    #[test]
    fn damaged_records_are_refused_or_unchanged(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..4)
    ) {
        let record = run(0, 2).record();
        let text = serde_json::json!({ "record": record }).to_string();
        let mut bytes = text.into_bytes();
        for (at, kind, byte) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] ^= 1 << (byte % 8),
                1 => bytes[at] = b'0' + byte % 10,
                2 => { bytes.remove(at); }
                _ => bytes.insert(at, byte),
            }
        }
        if let Ok(read) = divide::Record::parse(&bytes) {
            prop_assert_eq!(read, record);
        }
    }
}

#[test]
fn counts_are_named_by_the_rules() {
    let results = run_spec(SimulationSpec { rules: rules("mean:4", "hints:0.9"), ..spec(0, 3) });
    let names = results.count_names();
    assert_eq!(names[4..6], ["estimated mean:4 errors", "estimated hints:0.9 errors"]);
    assert!(results.counts().all(|counts| counts.len() == names.len()));
    let khs = run(0, 3);
    assert_eq!(khs.count_names()[4..7], ["minimax_errors", "estimated_errors", "actual_errors"]);
    let (counts, at) = (khs.counts().next().unwrap(), khs.trees[0].depths[0]);
    assert_eq!(counts[4..7], [at.estimated_errors[0], at.estimated_errors[1], at.actual_errors[1]]);
}

#[test]
fn results_of_other_rules_are_not_merged() {
    let with = |first, second, first_tree| {
        run_spec(SimulationSpec { rules: rules(first, second), ..spec(first_tree, 3) })
    };
    assert_eq!(
        merge(&[&run(0, 3), &with("minimax", "mean:4", 3)]).unwrap_err(),
        "run 2: belongs to another computation (another rules: minimax,mean:4, not minimax,product); name another file"
    );
    // The same rules, written differently.
    assert!(merge(&[&with("minimax", "hints:0.9", 0), &with("minimax", "hints:9/10", 3)]).is_ok());
}

#[test]
fn swapping_the_rules_swaps_all_counts() {
    let spec = |first, second| SimulationSpec { rules: rules(first, second), ..spec(0, 80) };
    let (one, other) = (run_spec(spec("product", "mean:2")), run_spec(spec("mean:2", "product")));
    let mut critical = 0;
    for (a, b) in one.totals().iter().zip(&other.totals()) {
        assert_eq!(
            (a.estimated.first_wins, a.actual.first_wins),
            (b.estimated.second_wins, b.actual.second_wins)
        );
        assert_eq!(
            (a.estimated.second_wins, a.actual.second_wins),
            (b.estimated.first_wins, b.actual.first_wins)
        );
        assert_eq!(a.estimated_errors, [b.estimated_errors[1], b.estimated_errors[0]]);
        assert_eq!(a.actual_errors, [b.actual_errors[1], b.actual_errors[0]]);
        critical += a.estimated.critical() + a.actual.critical();
    }
    assert!(critical > 100, "{critical}");
}

#[test]
fn the_share_of_the_first_rule_follows_from_the_counts() {
    let spec = spec(0, 30);
    let opponents = rules("minimax", "mean:4");
    let shares = play_for_shares(&opponents, &spec, Probabilities::Actual).unwrap();
    let results = run_spec(SimulationSpec { rules: opponents, ..spec });
    assert_eq!(shares, first_shares(&results, Probabilities::Actual));
    let total = results.totals()[2].actual;
    let share = shares[2];
    assert_eq!((share.d, share.pairs, share.critical), (4, 30 * 31, total.critical()));
    let ratio = share.share.unwrap();
    assert_eq!(ratio.value, total.first_wins as f64 / total.critical() as f64);
    assert!(ratio.standard_error > 0.0 && ratio.trees == 30);
}

/// The error of static evaluation, counted by walking down from the root.
#[test]
fn the_error_of_static_evaluation_is_counted_over_all_nodes() {
    let simulation = Simulation::new(&spec(0, 2)).unwrap();
    let mut workspace = simulation.workspace();
    let mut count = |number: u64| {
        simulation.tree(number, &mut workspace);
        let tree = workspace.tree();
        let (mut waiting, mut counts) = (vec![1usize], (0u64, 0u64));
        while let Some(node) = waiting.pop() {
            let value = simulation.scale().values()[usize::from(tree.places[node])].get();
            counts.0 += u64::from((value > 0) != (tree.truth[node] == 1));
            counts.1 += 1;
            waiting.extend(child_elements(node).into_iter().filter(|&child| child < tree.truth.len()));
        }
        counts
    };
    let trees = [count(0), count(1)];
    assert_eq!(trees.map(|tree| tree.1), [511, 511]);
    assert_eq!(simulation.static_error(2), Ratio::of(&trees));
}
