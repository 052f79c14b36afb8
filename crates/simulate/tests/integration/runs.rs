//! Runs: threads, interruption, continuation, merging.

use std::sync::atomic::{AtomicBool, Ordering};

use prodmax_rules::RulePair;
use prodmax_simulate::tree::child_elements;
use prodmax_simulate::{
    Probabilities, Ratio, Simulation, SimulationProgress, SimulationResults, SimulationSpec, first_shares,
    play_for_shares, simulate,
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
    let never = AtomicBool::new(false);
    simulate(SimulationResults::new(spec), &never, &mut |_: SimulationProgress, _: &SimulationResults| {})
        .unwrap()
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
    let stop = &mut |progress: SimulationProgress, results: &SimulationResults| {
        assert_eq!(progress.finished, results.trees.len() as u64);
        batches += 1;
        interrupt.store(batches == 2, Ordering::Relaxed);
    };
    let part = pool(1).install(|| simulate(SimulationResults::new(spec(0, 40)), &interrupt, stop)).unwrap();
    assert_eq!(part.trees.len(), 16);
    assert_eq!(part.missing().collect::<Vec<_>>(), (16..40).collect::<Vec<_>>());
    let mut fresh = 0;
    let never = AtomicBool::new(false);
    let resumed = simulate(part, &never, &mut |progress: SimulationProgress, _: &SimulationResults| {
        fresh = progress.fresh;
    })
    .unwrap();
    assert_eq!((resumed, fresh), (run(0, 40), 24));
}

#[test]
fn a_gap_between_merged_runs_is_known_and_can_be_filled() {
    let merged = run(0, 5).merge(&run(10, 5)).unwrap();
    assert_eq!(merged.missing().collect::<Vec<_>>(), [5, 6, 7, 8, 9]);
    let never = AtomicBool::new(false);
    let filled = simulate(merged, &never, &mut |_: SimulationProgress, _: &SimulationResults| {}).unwrap();
    assert_eq!(filled, run(0, 15));
}

#[test]
fn overlapping_or_different_runs_are_not_merged() {
    let message = |a: &SimulationResults, b: &SimulationResults| a.merge(b).unwrap_err().to_string();
    let first = run(0, 3);
    assert_eq!(message(&first, &run(2, 3)), "tree 2 is in both results; it would be counted twice");
    let mut other = run(3, 3);
    other.spec.seed = 6;
    assert_eq!(
        message(&first, &other),
        "the results belong to different simulations (`runs` and `runs`): `seed` is 5 in one and 6 in the other; \
         only the range of trees may differ"
    );
}

#[test]
fn results_survive_json_and_damage_is_found() {
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

/// A file of Minimax against Product from before there were other rules.
const OLD: &str = r#"{"spec":{"id":"runs","title":"","source":"","tree_depth":4,"root":-6,"increment":8,"h_max":42,
    "zero":"skip","overflow":"clamp","truth":"pearl:16","assignment":"top-down","estimate":"pearl:1","depths":[2],
    "trees":1,"first_tree":0,"seed":5},"trees":[{"tree":0,"depths":[{"d":2,"pairs":7,"decisive":3,"minimax_errors":2,
    "estimated_errors":1,"actual_errors":0,"estimated":{"minimax_wins":1,"product_wins":2},
    "actual":{"minimax_wins":3,"product_wins":4}}]}]}"#;

/// The same file with the checksum that is written today.
fn with_checksum() -> String {
    let unspaced: String = OLD.split_whitespace().collect();
    format!("{},\"checksum\":\"{OF_OLD}\"}}", unspaced.strip_suffix('}').unwrap())
}

/// FNV-1a of the spec as JSON, a byte 255 and the numbers of the tree, 8 bytes each, least significant byte first.
const OF_OLD: &str = "9827badbbd159ae7";

#[test]
fn results_of_minimax_and_product_keep_their_original_keys() {
    let text = with_checksum();
    let results: SimulationResults = serde_json::from_str(&text).unwrap();
    assert!(results.spec.rules.is_khs());
    let counts = results.trees[0].depths[0];
    assert_eq!((counts.estimated_errors, counts.actual_errors), ([2, 1], [2, 0]));
    assert_eq!((counts.estimated.first_wins, counts.actual.second_wins), (1, 4));
    assert_eq!(results.counts().collect::<Vec<_>>(), [[0, 2, 7, 3, 2, 1, 0, 1, 2, 3, 4]]);
    assert_eq!(serde_json::to_string(&results).unwrap(), text);
    let message = |text: &str| serde_json::from_str::<SimulationResults>(text).unwrap_err().to_string();
    let missing = text.replace(r#""minimax_errors":2,"#, "");
    assert_eq!(message(&missing), "the counts of tree 0 at depth 2 have no `minimax_errors`");
    assert!(message(OLD).starts_with("the results have no checksum, like those of prodmax 0.1"));
    let other = text.replace(r#""decisive":3"#, r#""decisive":4"#);
    assert_eq!(message(&other), "the results are damaged: their checksum is wrong; simulate them again");
}

proptest! {
    /// Whatever happens to a file of results, it is refused or its figures are unchanged.
    #[test]
    fn damaged_results_are_refused_or_unchanged(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..4)
    ) {
        let text = with_checksum();
        let mut bytes = text.clone().into_bytes();
        for (at, kind, byte) in edits {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] ^= 1 << (byte % 8),
                1 => bytes[at] = b'0' + byte % 10,
                2 => { bytes.remove(at); }
                _ => bytes.insert(at, byte),
            }
        }
        if let Ok(read) = serde_json::from_slice::<SimulationResults>(&bytes) {
            prop_assert_eq!(read, serde_json::from_str(&text).unwrap());
        }
    }
}

#[test]
fn results_of_other_rules_are_keyed_by_the_names_of_the_rules() {
    let results = run_spec(SimulationSpec { rules: rules("mean:4", "hints:0.9"), ..spec(0, 3) });
    let json = serde_json::to_string(&results).unwrap();
    assert!(json.contains(r#""rules":["mean:4","hints:0.9"]"#), "{json}");
    assert!(json.contains(r#""wins":{"mean:4":"#) && !json.contains("minimax"), "{json}");
    let read: SimulationResults = serde_json::from_str(&json).unwrap();
    assert_eq!(read, results);
    assert_eq!(read.check(), Ok(()));
    let other = json.replacen(r#"["mean:4","hints:0.9"]"#, r#"["mean:4","product"]"#, 1);
    let message = serde_json::from_str::<SimulationResults>(&other).unwrap_err().to_string();
    assert_eq!(message, "the counts of tree 0 at depth 1 have no `wins` of `product`");
    let names = results.count_names();
    assert_eq!(names[4..6], ["estimated mean:4 errors", "estimated hints:0.9 errors"]);
    assert!(results.counts().all(|counts| counts.len() == names.len()));
}

#[test]
fn results_of_other_rules_are_not_merged() {
    let with = |first, second, first_tree| {
        run_spec(SimulationSpec { rules: rules(first, second), ..spec(first_tree, 3) })
    };
    assert_eq!(
        run(0, 3).merge(&with("minimax", "mean:4", 3)).unwrap_err().to_string(),
        "the results belong to different simulations (`runs` and `runs`): `rules` is minimax,product in one and \
         minimax,mean:4 in the other; only the range of trees may differ"
    );
    // The same rules, written differently.
    assert!(with("minimax", "hints:0.9", 0).merge(&with("minimax", "hints:9/10", 3)).is_ok());
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
