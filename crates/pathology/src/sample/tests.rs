//! The sampler against the integrator, and what the sampler promises by itself.

use std::path::Path;
use std::sync::atomic::Ordering;

use prodmax_jobs::divide::{self, KeptFile};
use prodmax_jobs::{Divisible, Keep, Part};

use super::*;
use crate::figures::Quantity;
use crate::integrate::integrate;
use crate::model::{Grains, Steps, Values};

/// Asserts that every figure lies within 4 standard errors of the integrated one.
fn agrees(model: &RealModel, trees: u64) {
    let integration = integrate(model, 1e-5).unwrap();
    let sampling = Sampling { trees, seed: 18, ..Sampling::default() };
    let rows = sample(model, sampling, integration.median.map(|median| median.value)).unwrap();
    for (sampled, integrated) in rows.iter().zip(&integration.rows) {
        assert_eq!(sampled.d, integrated.d);
        for quantity in Quantity::ALL {
            let (Some(ours), Some(exact)) = (sampled.get(quantity), integrated.get(quantity)) else {
                let two_values = matches!(quantity, Quantity::TwoValueError | Quantity::StaticTwoValueError);
                assert!(!quantity.exists(sampled.d) || (two_values && model.m.is_some()));
                continue;
            };
            let off = (ours.value - exact.value).abs();
            let allowed = 4.0 * ours.error() + exact.error();
            assert!(off <= allowed, "{model:?} d = {} {quantity:?}: {ours:?} {exact:?}", sampled.d);
            assert!(ours.error() > 0.0);
        }
    }
}

#[test]
fn sampler_and_integrator_agree() {
    let model = RealModel { d_max: 5, ..RealModel::default() };
    for steps in Steps::ALL {
        for values in Values::ALL {
            agrees(&RealModel { steps, values, ..model.clone() }, 2000);
        }
    }
    agrees(&RealModel { b: 3, sigma_v: 2.0, sigma_e: 1.0, ..model.clone() }, 1000);
    agrees(&RealModel { b: 5, d_max: 4, ..model.clone() }, 500);
    // Bounded values; the two-value errors are left out.
    for m in [1.0, 2.5] {
        agrees(&RealModel { m: Some(m), d_max: 4, ..model.clone() }, 2000);
    }
    agrees(&RealModel { m: Some(1.0), b: 3, d_max: 3, sigma_e: 0.5, ..model }, 1000);
}

#[test]
fn a_sample_can_be_divided() {
    let model = RealModel { d_max: 3, ..RealModel::default() };
    let all = Sampling { trees: 40, ..Sampling::default() };
    let whole = sample(&model, all, None).unwrap();
    let parts = [(0, 15), (15, 25)].map(|(first_tree, trees)| {
        (trees, sample(&model, Sampling { trees, first_tree, ..all }, None).unwrap())
    });
    for d in 0..=3 {
        let value = |rows: &[Row]| rows[d].get(Quantity::PositionError).unwrap().value;
        let mean = parts.iter().map(|(trees, rows)| *trees as f64 * value(rows)).sum::<f64>() / 40.0;
        assert!((mean - value(&whole)).abs() < 1e-13);
        assert_eq!(whole[d].get(Quantity::TwoValueError), None);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let model = RealModel { d_max: 4, b: 3, ..RealModel::default() };
    let sampling = Sampling { trees: 50, ..Sampling::default() };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sample(&model, sampling, Some(0.2)).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn bounded_values_stay_inside() {
    // With a tiny m all true values are nearly equal: siblings differ by no more than 2 m.
    let model = RealModel { m: Some(1e-3), d_max: 3, ..RealModel::default() };
    let rows = sample(&model, Sampling { trees: 50, ..Sampling::default() }, None).unwrap();
    for row in &rows[1..] {
        let difference = row.get(Quantity::SiblingDifference).unwrap().value;
        assert!(difference > 0.0 && difference <= 2e-3, "{row:?}");
    }
}

#[test]
fn two_grains_make_two_values() {
    let grains = Some(Grains { count: 2, range: 1.0 });
    let model = RealModel { grains, values: Values::Independent, d_max: 2, ..RealModel::default() };
    let rows = sample(&model, Sampling { trees: 2000, ..Sampling::default() }, Some(0.0)).unwrap();
    // Values are ±1/2, so a position error is a two-value error.
    for row in &rows {
        let [position, two] =
            [Quantity::PositionError, Quantity::TwoValueError].map(|q| row.get(q).unwrap().value);
        assert!((position - two).abs() < 1e-12, "{row:?}");
    }
}

#[test]
fn refused_samples_are_explained_in_a_sentence() {
    let message =
        |model: &RealModel, sampling: Sampling| sample(model, sampling, None).unwrap_err().to_string();
    let (model, sampling) = (RealModel::default(), Sampling::default());
    assert_eq!(
        message(&model, Sampling { trees: 1, ..sampling }),
        "there are 1 trees; a standard error needs at least 2, and at most 100000000 are sampled"
    );
    assert_eq!(
        message(&model, Sampling { repetitions: 0, ..sampling }),
        "the noise is drawn 0 times; it must be at least once and at most 1000 times"
    );
    assert_eq!(
        message(&RealModel { b: 40, ..model }, sampling),
        "a tree with b = 40 and depth 10 has more than 10^9 leaves; integrate instead"
    );
}

/// A small sample.
fn spec(trees: u64, first_tree: u64) -> SampleSpec {
    let model = RealModel { d_max: 4, b: 3, ..RealModel::default() };
    SampleSpec::new(&model, Sampling { trees, first_tree, seed: 4, ..Sampling::default() }, Some(0.2))
}

fn drawn(spec: SampleSpec) -> SampleResults {
    spec.draw(&Job::new(&AtomicBool::new(false))).unwrap()
}

/// Samples as they are kept, in files with these names.
fn kept(folder: &Path, specs: &[(&str, &SampleSpec)]) -> Vec<KeptFile> {
    let keep = |(name, spec): &(&str, &SampleSpec)| {
        let path = folder.join(name);
        let part = Part::checkpoint(&path, "test", "pathology", &Sample::new(spec).unwrap()).unwrap();
        spec.draw(&Job { keep: Keep::Checkpoint(&part), ..Job::new(&AtomicBool::new(false)) }).unwrap();
        KeptFile::read(&path, "pathology").unwrap()
    };
    specs.iter().map(keep).collect()
}

fn merged(files: &[KeptFile]) -> Result<SampleResults, String> {
    let (identity, trees) = KeptFile::asked(files).unwrap();
    let spec = SampleSpec::of_kept(identity, trees).unwrap();
    let sample = Sample::new(&spec).unwrap();
    divide::merge(&sample, files).map(|run| run.sum().unwrap()).map_err(|error| error.to_string())
}

fn ruled(spec: SampleSpec, rules: &str) -> SampleSpec {
    let by_rules = Some(RuleSample { rules: rules.parse().unwrap(), scale: 1.5 });
    SampleSpec { by_rules, threshold: None, ..spec }
}

#[test]
fn parts_add_up_to_the_whole_exactly() {
    for rules in [None, Some("minimax,product")] {
        let spec = |trees, first_tree| match rules {
            None => spec(trees, first_tree),
            Some(rules) => ruled(spec(trees, first_tree), rules),
        };
        let whole = drawn(spec(40, 0));
        let [a, b, c] = [(15, 0), (5, 15), (20, 20)].map(|(trees, first)| spec(trees, first));
        let folder = tempfile::tempdir().unwrap();
        // In any order, with a gap in between.
        assert_eq!(merged(&kept(folder.path(), &[("a", &a), ("c", &c)])).unwrap().missing(), 5);
        assert_eq!(merged(&kept(folder.path(), &[("c", &c), ("a", &a), ("b", &b)])).unwrap(), whole);
        // Written and read back.
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<SampleResults>(&text).unwrap(), whole);
        assert_eq!(serde_json::to_string(&whole).unwrap(), text);
    }
}

#[test]
fn an_interrupted_sample_is_completed_to_the_same_sums() {
    // Units of three trees.
    let spec = spec(20_000, 3);
    let whole = drawn(spec.clone());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("begun");
    let sample = Sample::new(&spec).unwrap();
    let mut drawn = Vec::new();
    for stop_at in [1, 500, u64::MAX] {
        let stop = AtomicBool::new(false);
        let progress = |done: u64, _: u64| stop.store(done >= stop_at, Ordering::Relaxed);
        let part = Part::checkpoint(&path, "test", "pathology", &sample).unwrap();
        let results =
            spec.draw(&Job { keep: Keep::Checkpoint(&part), stop: &stop, progress: &progress }).unwrap();
        assert_eq!(results.missing(), 20_000 - results.finished.count());
        drawn.push(results);
    }
    let [first, second, last] = &drawn[..] else { panic!("three runs") };
    assert!((1..500).contains(&first.finished.count()) && (500..20_000).contains(&second.finished.count()));
    assert_eq!(*last, whole);
}

#[test]
fn sums_are_read_back_from_their_line_and_only_from_that() {
    let spec = spec(7, 0);
    let sample = Sample::new(&spec).unwrap();
    let tally = drawn(spec.clone()).tally;
    let line = sample.write(&tally);
    assert_eq!(sample.read(0..7, &line), Some(tally));
    let (first, rest) = line.split_once(' ').unwrap();
    let (before, last) = line.rsplit_once(' ').unwrap();
    for wrong in
        [rest, before, "", &format!("{line} 0"), &format!("x{first} {rest}"), &format!("{before} -{last}")]
    {
        assert_eq!(sample.read(0..7, wrong), None, "{wrong}");
    }
}

#[test]
fn results_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (spec(5, 0), SampleSpec { seed: 5, ..spec(5, 9) });
    let refused = |with: &SampleSpec| {
        let name = format!("{}-{}", with.first_tree, with.seed);
        let files = kept(folder.path(), &[("one", &one), (&name, with)]);
        merged(&files).unwrap_err().replace(&folder.path().display().to_string(), "F")
    };
    assert_eq!(
        refused(&spec(5, 4)),
        "F/4-4: tree 4 is there twice, or in another file, too; it would be counted twice"
    );
    assert_eq!(
        refused(&other),
        "F/9-5: belongs to another computation (another seed: 5, not 4); name another file"
    );
    let rules = ruled(spec(5, 9), "minimax,product");
    assert!(refused(&rules).contains("belongs to another computation"));
    let one = drawn(one);
    let text = serde_json::to_string(&one).unwrap();
    let read = |text: &str| serde_json::from_str::<SampleResults>(text).unwrap_err().to_string();
    let damaged = "the results are damaged: their checksum is wrong; sample them again";
    assert!(read(&text.replacen("\"sums\":[\"", "\"sums\":[\"1", 1)).starts_with(damaged));
    assert!(read(&text.replace("[[0,5]]", "[[0,4]]")).starts_with(damaged));
    assert!(read(&text.replace("[[0,5]]", "[[5,0]]")).starts_with("the range 5 to 0"));
}

#[test]
fn minimax_as_a_rule_makes_the_moves_of_minimax() {
    let curves = drawn(ruled(spec(200, 0), "product,minimax")).curves().unwrap();
    let plain = drawn(spec(200, 0)).curves().unwrap();
    for (d, (as_rule, plain)) in curves[1].iter().zip(&plain[0]).enumerate() {
        assert_eq!(as_rule.get(Quantity::MoveError), plain.get(Quantity::MoveError), "d = {d}");
        assert_eq!(as_rule.get(Quantity::StaticMoveError), None);
    }
    assert_ne!(curves[0][4].get(Quantity::MoveError), curves[1][4].get(Quantity::MoveError));
}

#[test]
fn rules_approach_minimax_where_they_should() {
    let model = RealModel { d_max: 3, ..RealModel::default() };
    let of = |rules: &str, scale: f64| {
        let spec = SampleSpec::new(&model, Sampling { trees: 300, seed: 2, ..Sampling::default() }, None);
        let by_rules = Some(RuleSample { rules: rules.parse().unwrap(), scale });
        drawn(SampleSpec { by_rules, ..spec }).curves().unwrap()
    };
    let moves = |rows: &[Row]| rows[3].get(Quantity::MoveError).unwrap().value;
    // A mean with a great exponent is nearly minimax, and so is the average with weight 1.
    let curves = of("minimax,mean:200,average:1,mean:1", 1.0);
    let [minimax, steep, average, plain] = [0, 1, 2, 3].map(|curve| moves(&curves[curve]));
    assert!((steep - minimax).abs() < 0.01, "{steep} {minimax}");
    assert!((plain - minimax).abs() > 0.05, "{plain} {minimax}");
    assert_eq!(average, minimax);
    // The ideal rule sees no noise: at depth 1 it makes no error.
    let ideal = of("minimax,ideal", 1.0);
    assert_eq!(ideal[1][1].get(Quantity::MoveError).unwrap().value, 0.0);
    assert_eq!(ideal[1][0].get(Quantity::PositionError).unwrap().value, 0.0);
}
