//! The blockwise last level compared with the sweep in memory and with visiting trees, and what an interrupted run
//! leaves behind.

use std::cmp::Ordering;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{self, AtomicBool};
use std::time::Duration;

use num_traits::ToPrimitive as _;
use prodmax_enumerate::{Enumerator, HeuristicValue, Model, Unordered, ZeroMode};
use prodmax_jobs::Work;
use prodmax_mass::arithmetic::{Arithmetic as _, Certified as Enclosures, Exact, Float};
use prodmax_mass::deep::{self, CheckpointError, DeepError, DeepMass, Options};
use prodmax_mass::{
    Certified, Contestant, Counts, Critical, Curve, CurveTable, Curves, Engine, Forest, Measure,
    MeasureError, Measurement,
};
use prodmax_number::fraction::parse;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Certain, Enclosure, Fraction};
use prodmax_rules::Rule;
use proptest::prelude::*;

use crate::twin::Twin;

fn run(
    model: &Model,
    truth: &CurveTable,
    estimate: &CurveTable,
    block_pairs: u64,
    checkpoint: Option<&Path>,
) -> Result<DeepMass, DeepError> {
    let options = Options {
        memory_bytes: 1 << 28,
        block_pairs: Some(block_pairs),
        checkpoint,
        work: Work::Whole,
        interrupt: &AtomicBool::new(false),
        progress: &|_, _| {},
    };
    deep::mass(model, truth, &product(estimate), &options)
}

fn product(estimate: &CurveTable) -> Contestant<'_> {
    Contestant::through("product".parse().unwrap(), estimate)
}

fn tables(model: &Model, truth: &str, estimate: &str) -> [CurveTable; 2] {
    [truth, estimate].map(|curve| CurveTable::new(curve.parse().unwrap(), model.line().h_max()))
}

fn skip(root: i64, increments: &[i64]) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
}

/// Runs with several block sizes and compares with the sweep in memory: counts exactly, masses with enclosures
/// far narrower than the bound. Returns the number of blocks of each run.
fn agrees_with_the_sweep_in_memory(model: &Model, truth: &str, estimate: &str, sizes: &[u64]) -> Vec<u64> {
    let [truth, estimate] = tables(model, truth, estimate);
    let critical = Critical::of(model, &estimate).unwrap();
    let certified = Enclosures { curve: &truth, bits: 128 };
    let exact = critical.mass(&certified, &critical.truth(&certified));
    let counts = critical.counts();
    let one_size = |&size: &u64| {
        let deep = run(model, &truth, &estimate, size, None).unwrap();
        assert_eq!(deep.counts, counts, "{model:?}, blocks of {size}");
        let enclosed = deep.certified(128);
        for (deep, exact) in
            [(&enclosed.first_error, &exact.first_error), (&enclosed.second_error, &exact.second_error)]
        {
            assert!(deep.low() <= exact.low() && exact.high() <= deep.high(), "{model:?}, blocks of {size}");
        }
        let scale = counts.critical.to_f64().unwrap().max(1.0);
        assert!(deep.bound <= 1e-13 * scale, "the bound {} is too wide to be useful", deep.bound);
        assert_eq!(deep.comparisons.unresolved, 0);
        deep.blocks
    };
    sizes.iter().map(one_size).collect()
}

fn model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=6, 2),
        prop::collection::vec(0i64..=2, 3),
        prop::collection::vec(0i64..=1, 4),
        Just(vec![3, 1, 3]),
        Just(vec![1, 0, 2, 1]),
        Just(vec![0, 1, 0, 1, 1]),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    let h_max = prop_oneof![Just(42i64), Just(12)];
    (increments, zero, -6i64..=6, h_max)
        .prop_filter_map("a root of 0 under skip", |(a, zero, root, h_max)| {
            Model::new(root, &a, zero, h_max).ok()
        })
}

fn curve() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("arctan:1"),
        Just("arctan:4"),
        Just("pearl:1"),
        Just("pearl:5/2"),
        Just("uniform:1/20"),
        Just("uniform:1/2"),
        Just("uniform:0"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_models_agree_with_the_sweep_in_memory(
        model in model(), truth in curve(), estimate in curve(), size in 1u64..300
    ) {
        agrees_with_the_sweep_in_memory(&model, truth, estimate, &[1, size, 1 << 20]);
    }
}

#[test]
fn deep_models_agree_with_the_sweep_in_memory() {
    for increments in [&[1, 2, 1, 2][..], &[2, 2, 2, 2], &[1, 1, 1, 1, 1]] {
        let blocks =
            agrees_with_the_sweep_in_memory(&skip(-1, increments), "arctan:4", "arctan:1", &[64, 5000]);
        assert!(blocks[0] > 20, "{increments:?}: {blocks:?}");
    }
    agrees_with_the_sweep_in_memory(&skip(1, &[2, 2, 2, 2]), "arctan:4", "uniform:1/20", &[1, 1 << 18]);
}

#[test]
fn a_wide_model_of_depth_four_agrees_with_the_sweep_in_memory() {
    let model = skip(1, &[3, 3, 3, 3]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let critical = Critical::of(&model, &estimate).unwrap();
    let doubles = critical.mass(&Float(&truth), &critical.truth(&Float(&truth)));
    let deep = run(&model, &truth, &estimate, 1 << 14, None).unwrap();
    assert_eq!((deep.counts, deep.pairs), (critical.counts(), 237_541));
    assert_eq!(deep.items, deep.classes, "no two classes of a smooth curve have equal product values");
    // The sweep in memory has no bound; its error is of the same size.
    assert!((deep.mass.first_error - doubles.first_error).abs() <= 2.0 * deep.bound);
    assert!((deep.mass.second_error - doubles.second_error).abs() <= 2.0 * deep.bound);
}

/// Visits every tree once up to the order of siblings, and backs up each rule on its leaves in fractions.
fn visited(model: &Model, estimate: &Exact, truth: &Exact) -> (Counts, [Fraction; 2]) {
    let mut counts = Counts::from([0, 0, 0]);
    let mut masses = [0, 0].map(|zero: i32| Fraction::from_integer(zero.into()));
    let mut trees = Unordered::new(model).unwrap();
    let one = Fraction::from_integer(1.into());
    while let Some(tree) = trees.next_tree() {
        let (left, right) = tree.leaves.split_at(tree.leaves.len() / 2);
        let leaf = |h: HeuristicValue| estimate.leaf(h);
        let [by_minimax, by_product] = ["minimax", "product"].map(|rule| {
            let twin = Twin { rule, leaf: &leaf, depth: model.depth(), branching: 2 };
            twin.value(left, 1).cmp(&twin.value(right, 1))
        });
        let (m, p) = match (by_minimax, by_product) {
            (Ordering::Equal, _) | (_, Ordering::Equal) => {
                counts.tied += tree.multiplicity;
                continue;
            }
            (a, b) if a == b => {
                counts.agreeing += tree.multiplicity;
                continue;
            }
            (Ordering::Greater, _) => (left, right),
            _ => (right, left),
        };
        counts.critical += tree.multiplicity;
        let leaf = |h: HeuristicValue| truth.leaf(h);
        let won = Twin { rule: "product", leaf: &leaf, depth: model.depth(), branching: 2 };
        let [m, p] = [m, p].map(|leaves| won.value(leaves, 1));
        let weight = Fraction::from_integer(tree.multiplicity.into());
        masses[0] += (&one - &m) * &p * &weight;
        masses[1] += m * (&one - p) * weight;
    }
    (counts, masses)
}

#[test]
fn small_deep_models_agree_with_visiting_every_tree() {
    let exact = |error: &str| Exact { error: parse(error).unwrap() };
    for (root, increments) in
        [(-1, &[1, 1, 1, 0][..]), (1, &[1, 0, 2, 0]), (-1, &[1, 1, 1, 0, 0]), (1, &[2, 1, 2])]
    {
        let model = skip(root, increments);
        let [truth, estimate] = tables(&model, "uniform:1/7", "uniform:1/20");
        let (counts, [minimax, product]) = visited(&model, &exact("1/20"), &exact("1/7"));
        let deep = run(&model, &truth, &estimate, 4, None).unwrap();
        assert_eq!(deep.counts, counts, "{model:?}");
        let enclosed = deep.certified(128);
        assert!(enclosed.first_error.contains(&minimax), "{model:?}");
        assert!(enclosed.second_error.contains(&product), "{model:?}");
        // Different product values of a uniform estimate are far apart: doubles settle all but the ties.
        let [level_two, level_one] = [4, 2].map(|parts| different_products(&model, &exact("1/20"), parts));
        let ties = (deep.classes - level_two) as u64 + deep.pairs - level_one as u64;
        assert_eq!(deep.comparisons.escalated, ties, "{model:?}");
        assert_eq!(deep.comparisons.total, (deep.classes as u64 - 1) + (deep.pairs - 1), "{model:?}");
    }
}

/// The number of different product values among the subtrees whose leaves are one of `parts` equal parts of a tree's
/// leaves.
fn different_products(model: &Model, estimate: &Exact, parts: usize) -> usize {
    let mut values = Vec::new();
    let leaf = |h: HeuristicValue| estimate.leaf(h);
    let twin = Twin { rule: "product", leaf: &leaf, depth: model.depth(), branching: 2 };
    let mut trees = Unordered::new(model).unwrap();
    while let Some(tree) = trees.next_tree() {
        let subtrees = tree.leaves.chunks(tree.leaves.len() / parts);
        values.extend(subtrees.map(|leaves| twin.value(leaves, parts.ilog2() as usize)));
    }
    values.sort();
    values.dedup();
    values.len()
}

#[test]
fn ties_are_merged_before_pairs_are_made() {
    let model = skip(1, &[4, 4, 4, 4]);
    let [truth, estimate] = tables(&model, "arctan:4", "uniform:1/20");
    let deep = run(&model, &truth, &estimate, 1 << 18, None).unwrap();
    assert!(deep.classes > 1000 && deep.items < 100, "{} classes, {} items", deep.classes, deep.items);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let model = skip(-2, &[2, 2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let results = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&model, &truth, &estimate, 500, None).unwrap())
    });
    assert!(results[0].blocks > 20);
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn a_checkpoint_cut_off_anywhere_is_continued_to_the_same_result() {
    let model = skip(1, &[2, 1, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let expected = run(&model, &truth, &estimate, 20, Some(&path)).unwrap();
    assert_eq!(expected.resumed, 0);
    let whole = std::fs::read(&path).unwrap();
    let mut resumed = Vec::new();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let again = run(&model, &truth, &estimate, 20, Some(&path)).unwrap();
        resumed.push(again.resumed);
        assert_eq!(DeepMass { resumed: 0, ..again }, expected, "cut off after {length} bytes");
        // The torn end is repaired: another run has nothing left to do.
        if length % 97 == 0 {
            assert_eq!(run(&model, &truth, &estimate, 20, Some(&path)).unwrap().resumed, expected.blocks);
        }
    }
    assert_eq!((resumed[0], resumed[whole.len()]), (0, expected.blocks));
    assert!(resumed.is_sorted() && expected.blocks > 5, "{} blocks", expected.blocks);
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let (model, other) = (skip(1, &[2, 1, 2]), skip(-1, &[2, 1, 2]));
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    run(&model, &truth, &estimate, 20, Some(&path)).unwrap();
    let message = |result: Result<DeepMass, DeepError>| {
        result.unwrap_err().to_string().replace(&path.display().to_string(), "FILE")
    };
    let refusal = message(run(&other, &truth, &estimate, 20, Some(&path)));
    assert_eq!(
        refusal,
        "FILE: the checkpoint belongs to another computation (another root: +1, not -1); name another file or delete it"
    );
    let refusal = message(run(&model, &estimate, &truth, 20, Some(&path)));
    assert!(refusal.contains("(another truth: arctan:4, not arctan:1)"), "{refusal}");
    let refusal = message(run(&model, &truth, &estimate, 30, Some(&path)));
    assert!(refusal.contains("(another block pairs: 20, not 30)"), "{refusal}");

    let whole = std::fs::read_to_string(&path).unwrap();
    let damaged = whole.replacen("block 0 ", "block 1 ", 1);
    assert_ne!(damaged, whole);
    std::fs::write(&path, damaged).unwrap();
    let line = whole.lines().position(|line| line.starts_with("block 0 ")).unwrap() + 1;
    assert_eq!(
        message(run(&model, &truth, &estimate, 20, Some(&path))),
        format!("FILE: line {line} of the checkpoint is damaged; delete the file to start again")
    );

    for text in ["not a checkpoint", "not a checkpoint\n", "prodmax-deep-checkpoint 3 root=+1 00\nblock 0\n"]
    {
        std::fs::write(&path, text).unwrap();
        let refusal = run(&model, &truth, &estimate, 20, Some(&path)).unwrap_err();
        assert!(matches!(refusal, DeepError::Checkpoint(CheckpointError::Foreign { .. })), "{refusal}");
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            text,
            "a file that is not a checkpoint is left unchanged"
        );
    }
    let refusal = run(&model, &truth, &estimate, 20, Some(folder.path())).unwrap_err();
    assert!(matches!(refusal, DeepError::Checkpoint(CheckpointError::Read(_))), "{refusal}");
}

#[test]
fn an_interrupted_run_is_continued_to_the_same_result() {
    let model = skip(-1, &[2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let expected = run(&model, &truth, &estimate, 30, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let interrupt = AtomicBool::new(false);
    let reports = Mutex::new(Vec::new());
    let options = Options {
        memory_bytes: 1 << 20,
        block_pairs: Some(30),
        checkpoint: Some(&path),
        work: Work::Whole,
        interrupt: &interrupt,
        progress: &|done, blocks| {
            reports.lock().unwrap().push((done, blocks));
            interrupt.store(done >= 4, atomic::Ordering::Relaxed);
        },
    };
    let stopped = deep::mass(&model, &truth, &product(&estimate), &options).unwrap_err();
    let DeepError::Interrupted { done, blocks } = stopped else { panic!("{stopped}") };
    assert!((4..blocks).contains(&done), "{done} of {blocks}");
    assert!(reports.lock().unwrap().iter().all(|report| report.1 == blocks));
    reports.lock().unwrap().clear();
    let continued = deep::mass(
        &model,
        &truth,
        &product(&estimate),
        &Options { interrupt: &AtomicBool::new(false), ..options },
    )
    .unwrap();
    assert_eq!(continued.resumed, done);
    // Each remaining block is reported once, in whatever order the threads report it.
    let mut reported = std::mem::take(&mut *reports.lock().unwrap());
    reported.sort_unstable();
    assert!(reported.into_iter().eq((done + 1..=blocks).map(|number| (number, blocks))));
    assert_eq!(DeepMass { resumed: 0, ..continued }, expected);
}

/// Where [`a_run_to_be_killed`] finds its checkpoint.
const TO_BE_KILLED: &str = "PRODMAX_TEST_CHECKPOINT";

/// Not a test on its own: the process that the next test kills, slowed down so that there is time to do so.
#[test]
#[ignore = "run by a_killed_run_is_continued_to_the_same_result"]
fn a_run_to_be_killed() {
    let Some(path) = std::env::var_os(TO_BE_KILLED) else { return };
    let model = skip(1, &[2, 2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let options = Options {
        memory_bytes: 1 << 28,
        block_pairs: Some(50),
        checkpoint: Some(path.as_ref()),
        work: Work::Whole,
        interrupt: &AtomicBool::new(false),
        progress: &|_, _| std::thread::sleep(Duration::from_millis(5)),
    };
    deep::mass(&model, &truth, &product(&estimate), &options).unwrap();
}

#[test]
fn a_killed_run_is_continued_to_the_same_result() {
    let model = skip(1, &[2, 2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let expected = run(&model, &truth, &estimate, 50, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut resumed = 0;
    for bytes in [1, 10_000, 30_000] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["deep::a_run_to_be_killed", "--exact", "--ignored"])
            .env(TO_BE_KILLED, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while std::fs::metadata(&path).map_or(0, |data| data.len()) < bytes
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let copy = folder.path().join("copy");
        std::fs::copy(&path, &copy).unwrap();
        let continued = run(&model, &truth, &estimate, 50, Some(&copy)).unwrap();
        assert!((resumed..continued.blocks).contains(&continued.resumed), "{} blocks", continued.resumed);
        resumed = continued.resumed;
        assert_eq!(DeepMass { resumed: 0, ..continued }, expected);
    }
    assert!(resumed > 0);
}

#[test]
#[ignore = "slow: 7.7 million classes in memory"]
fn seven_million_classes_agree_with_the_sweep_in_memory() {
    let model = skip(1, &[5, 5, 5, 5]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let critical = Critical::of(&model, &estimate).unwrap();
    let deep = run(&model, &truth, &estimate, 1 << 18, None).unwrap();
    assert_eq!((deep.counts, deep.pairs), (critical.counts(), 7_703_751));
    let doubles = critical.mass(&Float(&truth), &critical.truth(&Float(&truth)));
    assert!((deep.mass.first_error - doubles.first_error).abs() <= 2.0 * deep.bound);
    assert!((deep.mass.second_error - doubles.second_error).abs() <= 2.0 * deep.bound);
}

#[test]
fn impossible_requests_are_refused_with_a_sentence() {
    let model = skip(1, &[2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let message = |result: Result<DeepMass, DeepError>| result.unwrap_err().to_string();
    assert_eq!(
        message(run(&skip(1, &[3]), &truth, &estimate, 9, None)),
        "a model of depth 1 has no last level to sweep; use the sweep in memory"
    );
    let short = CurveTable::new(Curve::arctan(1), 12);
    assert_eq!(
        message(run(&model, &truth, &short, 9, None)),
        "the curve table is for h_max = 12, the model has h_max = 42"
    );
}

/// A move of at most 2 leads from +1 to +1, +2 or +3: 3 values, for each of which an item has a count and a mass of 8
/// bytes, with room for 8 more items. The block holds twice 32 bytes plus 4 for a pair, and 12 for an item.
#[test]
fn a_run_takes_no_less_memory_than_it_says() {
    let model = skip(1, &[2, 2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let with = |memory_bytes| {
        let interrupt = AtomicBool::new(false);
        let options =
            Options { memory_bytes, block_pairs: Some(1 << 20), ..Options::new(&interrupt, &|_, _| {}) };
        deep::mass(&model, &truth, &product(&estimate), &options)
    };
    let items = with(1 << 20).unwrap().items as u64;
    let vectors = 3 * 16 * (items + 8);
    let needed = vectors + items * (items + 1) / 2 * 68 + 12 * items;
    assert!(with(needed).is_ok());
    for (given, needed) in [(needed - 1, needed), (vectors, needed), (vectors - 1, vectors)] {
        let refusal = with(given).unwrap_err().to_string();
        assert_eq!(refusal, format!("this takes at least {needed} bytes of memory; {given} are allowed"));
    }
}

/// Every rule that can be swept, compared with the sweep in memory, from either side.
#[test]
fn other_rules_are_swept_too() {
    for (root, increments) in [(-1, &[2, 2, 2][..]), (1, &[2, 1, 1, 2])] {
        let model = skip(root, increments);
        let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
        for (rule, curve) in [
            ("average:1/2", &estimate),
            ("average:0", &estimate),
            ("mean:1", &estimate),
            ("mean:4", &estimate),
            ("mean:40", &estimate),
            ("ideal", &truth),
        ] {
            let second = Contestant::through(rule.parse().unwrap(), curve);
            let minimax = Contestant::through("minimax".parse().unwrap(), curve);
            let critical = Critical::between(Forest::of(&model).unwrap(), [&minimax, &second]).unwrap();
            let certified = Enclosures { curve: &truth, bits: 128 };
            let exact = critical.mass(&certified, &critical.truth(&certified));
            for block_pairs in [7, 100, 1 << 20] {
                let interrupt = AtomicBool::new(false);
                let options =
                    Options { block_pairs: Some(block_pairs), ..Options::new(&interrupt, &|_, _| {}) };
                let deep = deep::mass(&model, &truth, &second, &options).unwrap();
                assert_eq!(deep.counts, critical.counts(), "{rule}, {model:?}");
                assert!(deep.blocks > 1 || block_pairs > 100, "{rule}, {model:?}: {} blocks", deep.blocks);
                let enclosed = deep.certified(128);
                for (deep, exact) in [
                    (&enclosed.first_error, &exact.first_error),
                    (&enclosed.second_error, &exact.second_error),
                ] {
                    assert!(deep.low() <= exact.low() && exact.high() <= deep.high(), "{rule}, {model:?}");
                }
            }
        }
    }
}

/// Near the end of the line leaves are worth 0, and so is every MIN node of a mean above them: ties that doubles
/// cannot show.
#[test]
fn values_of_zero_are_swept() {
    let model = Model::new(-11, &[2, 2, 1], ZeroMode::Skip, 13).unwrap();
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    for rule in ["mean:3", "mean:200", "average:1/3", "product"] {
        let [minimax, second] =
            ["minimax", rule].map(|rule| Contestant::through(rule.parse().unwrap(), &estimate));
        let critical = Critical::between(Forest::of(&model).unwrap(), [&minimax, &second]).unwrap();
        let interrupt = AtomicBool::new(false);
        let options = Options { block_pairs: Some(9), ..Options::new(&interrupt, &|_, _| {}) };
        let deep = deep::mass(&model, &truth, &second, &options).unwrap();
        assert_eq!(deep.counts, critical.counts(), "{rule}");
    }
}

#[test]
fn rules_with_plateaus_are_refused() {
    let model = skip(1, &[2, 2]);
    let [truth, estimate] = tables(&model, "arctan:4", "arctan:1");
    let interrupt = AtomicBool::new(false);
    let options = Options::new(&interrupt, &|_, _| {});
    for rule in ["hints:9/10", "baum:4/5:4/5", "average:1", "minimax"] {
        let second = Contestant::through(rule.parse().unwrap(), &estimate);
        let refusal = deep::mass(&model, &truth, &second, &options).unwrap_err().to_string();
        assert_eq!(
            refusal,
            format!(
                "the model has too many depth-1 classes for memory, and block by block only minimax can be set against \
                 product, average:A (A < 1), mean:P or ideal, not minimax against {rule}; use smaller increments"
            )
        );
    }
}

/// The quality of rules by one of the engines.
fn certified(
    model: &Model,
    curves: &Curves,
    rules: &[Rule],
    engine: Engine,
    options: &Options<'_>,
) -> Result<Measurement<Enclosure>, MeasureError> {
    let measure = Measure::new(model, curves).contest(rules.to_vec()).number::<Certified>();
    let enclosure = |number| match number {
        Certain::Enclosed(enclosure) => enclosure,
        Certain::Between(ends) => panic!("{ends:?}"),
    };
    Ok(measure.engine(engine).plan()?.run(options)?.map(enclosure))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What rules win, block by block and in memory: the enclosures of the latter are far narrower.
    #[test]
    fn the_quality_of_rules_agrees_with_the_sweep_in_memory(
        model in model(), truth in curve(), estimate in curve(), size in 1u64..300,
        other in prop::sample::select(&["product", "average:1/3", "mean:3", "ideal"][..]), swapped: bool,
    ) {
        let curves = Curves::new(truth.parse().unwrap(), estimate.parse().unwrap(), model.line().h_max());
        let mut rules = ["minimax", other].map(|rule| rule.parse().unwrap());
        if swapped {
            rules.reverse();
        }
        let interrupt = AtomicBool::new(false);
        let options = Options { block_pairs: Some(size), ..Options::new(&interrupt, &|_, _| {}) };
        let measured = |engine| certified(&model, &curves, &rules, engine, &options).unwrap();
        let (exact, deep) = (measured(Engine::Classes), measured(Engine::Deep));
        prop_assert_eq!(exact.matches[0].counts(), deep.matches[0].counts());
        let figures = |measured: &Measurement<Enclosure>| {
            let chances = measured.chances.clone().unwrap();
            let won = measured.quality.iter().map(|quality| quality.won.clone());
            won.chain([chances.ideal, chances.random]).collect::<Vec<_>>()
        };
        for (exact, deep) in figures(&exact).iter().zip(figures(&deep)) {
            prop_assert!(deep.low() <= exact.low() && exact.high() <= deep.high(), "{:?}", rules);
            prop_assert!(to_f64(&deep.width()) < 1e-12);
        }
        for (exact, deep) in exact.quality.iter().zip(&deep.quality) {
            if let (Some(exact), Some(deep)) = (&exact.efficiency, &deep.efficiency) {
                prop_assert!(deep.low() <= exact.low() && exact.high() <= deep.high(), "{:?}", rules);
            }
        }
    }
}

/// A tournament block by block has the same matches against Minimax and the same qualities as one in memory.
#[test]
fn tournaments_agree_with_those_in_memory() {
    let (model, curves) = (skip(-1, &[2, 1, 2]), Curves::new(Curve::arctan(4), Curve::arctan(1), 42));
    let interrupt = AtomicBool::new(false);
    let options = Options { block_pairs: Some(50), ..Options::new(&interrupt, &|_, _| {}) };
    for names in [
        ["product", "minimax", "mean:3"],
        ["minimax", "ideal", "average:1/2"],
        ["product", "ideal", "minimax"],
    ] {
        let rules: Vec<Rule> = names.iter().map(|name| name.parse().unwrap()).collect();
        let minimax = names.iter().position(|name| *name == "minimax").unwrap();
        let measured = |engine| certified(&model, &curves, &rules, engine, &options).unwrap();
        let (memory, deep) = (measured(Engine::Classes), measured(Engine::Deep));
        let expected: Vec<_> = memory.matches.iter().filter(|game| game.rules.contains(&minimax)).collect();
        assert_eq!(deep.matches.len(), expected.len());
        let inside = |inner: &Enclosure, outer: &Enclosure| {
            assert!(outer.low() <= inner.low() && inner.high() <= outer.high(), "{names:?}");
        };
        for (memory, deep) in expected.iter().zip(&deep.matches) {
            assert_eq!((memory.rules, memory.counts()), (deep.rules, deep.counts()));
            memory.errors().iter().zip(deep.errors()).for_each(|(memory, deep)| inside(memory, deep));
        }
        for (memory, deep) in memory.quality.iter().zip(&deep.quality) {
            inside(&memory.won, &deep.won);
        }
        let (memory, deep) = (memory.chances.unwrap(), deep.chances.unwrap());
        inside(&memory.ideal, &deep.ideal);
        inside(&memory.random, &deep.random);
    }
    let refusal = |names: &[&str]| {
        let rules: Vec<Rule> = names.iter().map(|name| name.parse().unwrap()).collect();
        certified(&model, &curves, &rules, Engine::Deep, &options).unwrap_err().to_string()
    };
    assert!(refusal(&["product", "mean:3", "ideal"]).contains("name it, too"));
    assert!(refusal(&["product", "mean:3"]).contains("not product against mean:3"));
    assert!(refusal(&["minimax", "product", "hints:9/10"]).contains("not minimax against hints:9/10"));
}
