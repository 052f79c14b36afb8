//! Runs: threads, interruption, continuation, merging.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_simulate::{Progress, Results, SimulationSpec, simulate};

fn spec(first_tree: u64, trees: u64) -> SimulationSpec {
    let text = r#"(id: "runs", title: "", source: "", tree_depth: 8, root: -6, truth: "pearl:16",
        assignment: "top-down", estimate: "pearl:1", depths: [1, 2, 4, 8], trees: 1, seed: 5)"#;
    let spec: SimulationSpec = prodmax_spec::ron_file::parse(text, "x").unwrap();
    SimulationSpec { first_tree, trees, ..spec }
}

fn run(first_tree: u64, trees: u64) -> Results {
    let never = AtomicBool::new(false);
    simulate(Results::new(spec(first_tree, trees)), &never, &mut |_: Progress, _: &Results| {}).unwrap()
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
    assert_eq!(first.merge(&second).unwrap(), whole);
    assert_eq!(second.merge(&first).unwrap(), whole);
    let mut sums = first.totals();
    sums.iter_mut().zip(&second.totals()).for_each(|(a, b)| a.add(b));
    assert_eq!(sums, whole.totals());
}

#[test]
fn an_interrupted_run_keeps_its_trees_and_is_resumed() {
    let interrupt = AtomicBool::new(false);
    let mut batches = 0;
    let stop = &mut |progress: Progress, results: &Results| {
        assert_eq!(progress.finished, results.trees.len() as u64);
        batches += 1;
        interrupt.store(batches == 2, Ordering::Relaxed);
    };
    let part = pool(1).install(|| simulate(Results::new(spec(0, 40)), &interrupt, stop)).unwrap();
    assert_eq!(part.trees.len(), 16);
    assert_eq!(part.missing().collect::<Vec<_>>(), (16..40).collect::<Vec<_>>());
    let mut fresh = 0;
    let never = AtomicBool::new(false);
    let resumed =
        simulate(part, &never, &mut |progress: Progress, _: &Results| fresh = progress.fresh).unwrap();
    assert_eq!((resumed, fresh), (run(0, 40), 24));
}

#[test]
fn a_gap_between_merged_runs_is_known_and_can_be_filled() {
    let merged = run(0, 5).merge(&run(10, 5)).unwrap();
    assert_eq!(merged.missing().collect::<Vec<_>>(), [5, 6, 7, 8, 9]);
    let never = AtomicBool::new(false);
    let filled = simulate(merged, &never, &mut |_: Progress, _: &Results| {}).unwrap();
    assert_eq!(filled, run(0, 15));
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let message = |a: &Results, b: &Results| a.merge(b).unwrap_err().to_string();
    let first = run(0, 3);
    assert_eq!(message(&first, &run(2, 3)), "tree 2 is in both results; it would be counted twice");
    let mut other = run(3, 3);
    other.spec.seed = 6;
    assert_eq!(
        message(&first, &other),
        "the results are of different simulations (`runs` and `runs`): only the range of trees may differ"
    );
}

#[test]
fn results_survive_json_and_damage_is_found() {
    let results = run(0, 3);
    let json = serde_json::to_string(&results).unwrap();
    let read: Results = serde_json::from_str(&json).unwrap();
    assert_eq!(read, results);
    assert_eq!(read.check(), Ok(()));
    let damaged = |damage: fn(&mut Results)| {
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
        damaged(|r| r.trees[1].depths[2].actual.product_wins = u64::MAX),
        "the counts of tree 1 at depth 4 cannot be those of a tree of depth 8"
    );
    assert!(damaged(|r| r.trees[1].depths.truncate(2)).contains("cannot be those"));
    assert!(damaged(|r| r.spec.tree_depth = 99).starts_with("the tree depth is 99"));
}
