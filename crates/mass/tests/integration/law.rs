//! The law engine compared with a twin without a grid, and both with the classes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use approx::assert_relative_eq;
use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Model, Mover, ZeroMode};
use prodmax_mass::law::{self, Interval, LawError, LawQuality, Laws, Shares};
use prodmax_mass::{Certified, Curves, Measure};
use prodmax_number::fraction::to_f64;
use prodmax_number::{Approximate, Figure, Fraction};
use prodmax_rules::Percentages;
use proptest::prelude::*;

fn model(root: i64, increments: &[i64]) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
}

fn curves(truth: &str, model: &Model) -> Curves {
    Curves::new(truth.parse().unwrap(), "arctan:1".parse().unwrap(), model.line().h_max())
}

/// So few subtrees that usually only those of height one are listed.
const FEW: usize = 1 << 10;
const DEFAULT_LISTED: usize = law::Options::LISTED;

fn options(steps: u32, listed: usize, interrupt: &AtomicBool) -> law::Options<'_> {
    law::Options { listed, quality: true, ..law::Options::new(steps, interrupt, &|_, _| {}) }
}

fn bounds(model: &Model, curves: &Curves, steps: u32, listed: usize) -> Laws<Interval> {
    let interrupt = AtomicBool::new(false);
    law::bounds(model, curves, &options(steps, listed, &interrupt)).unwrap()
}

fn estimate(model: &Model, curves: &Curves, steps: u32, listed: usize) -> Laws<Approximate> {
    let interrupt = AtomicBool::new(false);
    law::estimate(model, curves, &options(steps, listed, &interrupt)).unwrap()
}

/// The exact figures.
struct Exact {
    shares: Shares<f64>,
    figures: Percentages<f64>,
    quality: LawQuality<f64>,
}

/// The exact figures by the classes, as the middles of enclosures that are some 10^-30 wide.
fn exact(model: &Model, curves: &Curves) -> Exact {
    let measured = Measure::new(model, curves).number::<Certified>().quality(true).run().unwrap();
    let measured = measured.map(|figure| Figure::from(figure).middle().unwrap());
    let pair = &measured.matches[0];
    let trees = model.trees();
    let share = |sum: Fraction| to_f64(&(sum / BigInt::from(trees.clone())));
    let shares = Shares {
        critical: share(Fraction::from_integer(pair.counts().unwrap().critical.clone().into())),
        first_error: share(pair.errors()[0].clone()),
        second_error: share(pair.errors()[1].clone()),
    };
    let figures = pair.figures.clone().map(|figure| to_f64(&figure));
    let measured = measured.map(|figure| to_f64(&figure));
    let [first, second] = measured.quality[..] else { panic!("two rules") };
    let chances = measured.chances.unwrap();
    let quality = LawQuality {
        won: [first.won, second.won],
        efficiency: [first.efficiency, second.efficiency],
        ideal: chances.ideal,
        random: chances.random,
    };
    Exact { shares, figures, quality }
}

/// The law of (minimax value, product value) of a node: mass and won mass, by exact value.
type Law = BTreeMap<(i32, u64), [f64; 2]>;

/// The recursion of the engine on exact values, without a grid and without tails: every pair of values of two moves.
fn twin_law(model: &Model, curves: &Curves, level: usize, position: i32) -> Law {
    let value = model.value_at(position);
    if level == model.depth() {
        let key = (position, curves.estimate.double(value).to_bits());
        return Law::from([(key, [1.0, curves.truth.double(value)])]);
    }
    // As a list: all pairs are visited.
    let moves: Vec<_> = twin_moves(model, curves, level, position).into_iter().collect();
    let mut law = Law::new();
    for &((m1, p1), [mass1, won1]) in &moves {
        for &((m2, p2), [mass2, won2]) in &moves {
            let (p1, p2) = (f64::from_bits(p1), f64::from_bits(p2));
            let (m, p, won) = match Mover::at(level) {
                Mover::Min => (m1.min(m2), p1 * p2, won1 * won2),
                Mover::Max => {
                    let lost = (mass1 - won1) * (mass2 - won2);
                    (m1.max(m2), 1.0 - (1.0 - p1) * (1.0 - p2), mass1 * mass2 - lost)
                }
            };
            let sums = law.entry((m, p.to_bits())).or_insert([0.0; 2]);
            sums[0] += mass1 * mass2;
            sums[1] += won;
        }
    }
    law
}

/// The mean law of the moves of a node.
fn twin_moves(model: &Model, curves: &Curves, level: usize, position: i32) -> Law {
    let increment = model.increment(level + 1);
    let mut mean = Law::new();
    for step in 0..=increment {
        let child = if Mover::at(level) == Mover::Max { position + step } else { position - step };
        for (key, [mass, won]) in twin_law(model, curves, level + 1, child) {
            let sums = mean.entry(key).or_insert([0.0; 2]);
            sums[0] += mass / f64::from(increment + 1);
            sums[1] += won / f64::from(increment + 1);
        }
    }
    mean
}

fn twin(model: &Model, curves: &Curves) -> Shares<f64> {
    let moves = twin_moves(model, curves, 0, model.line().position(model.root()));
    let moves: Vec<_> = moves.into_iter().map(|((m, p), sums)| (m, f64::from_bits(p), sums)).collect();
    let mut shares = Shares::default();
    for &(m, m_product, [m_mass, m_won]) in &moves {
        for &(p, p_product, [p_mass, p_won]) in &moves {
            // Doubles that differ only by rounding are equal.
            if m > p && m_product < p_product - 1e-13 {
                shares.critical += 2.0 * m_mass * p_mass;
                shares.first_error += 2.0 * (m_mass - m_won) * p_won;
                shares.second_error += 2.0 * m_won * (p_mass - p_won);
            }
        }
    }
    shares
}

fn holds(interval: Interval, exact: f64) -> bool {
    // The exact value is rounded to a double here.
    let margin = 1e-15 * exact.abs();
    interval[0] <= exact + margin && exact - margin <= interval[1]
}

fn shares<N: Copy>(shares: &Shares<N>) -> [Option<N>; 3] {
    [shares.critical, shares.first_error, shares.second_error].map(Some)
}

fn figures<N: Copy>(figures: &Percentages<N>) -> [Option<N>; 3] {
    [figures.share_first, figures.difference_percent, figures.per_case_percent]
}

fn qualities<N: Copy>(quality: &LawQuality<N>) -> [Option<N>; 6] {
    let [first, second] = quality.won;
    let [first_part, second_part] = quality.efficiency;
    [Some(first), Some(second), first_part, second_part, Some(quality.ideal), Some(quality.random)]
}

fn assert_holds(model: &Model, bounds: &Laws<Interval>, exact: &Exact) {
    let quality = bounds.quality.as_ref().unwrap();
    let found = shares(&bounds.shares).into_iter().chain(figures(&bounds.figures)).chain(qualities(quality));
    let expected =
        shares(&exact.shares).into_iter().chain(figures(&exact.figures)).chain(qualities(&exact.quality));
    for (place, (interval, exact)) in found.zip(expected).enumerate() {
        if let (Some(interval), Some(exact)) = (interval, exact) {
            assert!(holds(interval, exact), "{model:?}, figure {place}: {exact} is not in {interval:?}");
        }
    }
}

fn assert_close(model: &Model, estimated: &Laws<Approximate>, exact: &Exact) {
    let quality = estimated.quality.as_ref().unwrap();
    let found =
        shares(&estimated.shares).into_iter().chain(figures(&estimated.figures)).chain(qualities(quality));
    let expected =
        shares(&exact.shares).into_iter().chain(figures(&exact.figures)).chain(qualities(&exact.quality));
    for (place, (estimate, exact)) in found.zip(expected).enumerate() {
        assert_eq!(estimate.is_some(), exact.is_some(), "{model:?}, figure {place}");
        let (Some(found), Some(exact)) = (estimate, exact) else { continue };
        let off = (found.value - exact).abs();
        assert!(off <= found.error(), "{model:?}, figure {place}: {found:?} is {off} from {exact}");
    }
}

fn small_model() -> impl Strategy<Value = Model> {
    let increments = prop_oneof![
        prop::collection::vec(0i64..=12, 1),
        prop::collection::vec(0i64..=6, 2),
        prop::collection::vec(0i64..=2, 3),
        prop::collection::vec(0i64..=1, 4),
        Just(vec![0, 0, 3, 1]),
        Just(vec![1, 0, 0, 1, 1]),
    ];
    let zero = prop_oneof![Just(ZeroMode::Skip), Just(ZeroMode::Allow)];
    let h_max = prop_oneof![Just(42i64), Just(20), Just(14)];
    (increments, zero, -6i64..=6, h_max)
        .prop_filter_map("a root of 0 under skip", |(a, zero, root, h_max)| {
            Model::new(root, &a, zero, h_max).ok()
        })
}

fn truth() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("arctan:4"), Just("pearl:1"), Just("uniform:1/20"), Just("uniform:0"), Just("arctan:16")]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_recursion_on_exact_values_gives_what_the_classes_give(model in small_model(), truth in truth()) {
        let curves = curves(truth, &model);
        let pairs = twin(&model, &curves).zip(exact(&model, &curves).shares);
        for (twin, exact) in [pairs.critical, pairs.first_error, pairs.second_error] {
            prop_assert!((twin - exact).abs() < 1e-12, "{twin} {exact}");
        }
    }

    #[test]
    fn bounds_contain_what_the_classes_give_for_any_number_of_moves(
        model in small_model(),
        truth in truth(),
        bits in 4u32..10,
        branching in prop_oneof![Just(1i64), Just(3), Just(4), Just(7)],
        listed in prop_oneof![Just(0), Just(60), Just(DEFAULT_LISTED)],
    ) {
        prop_assume!(model.depth() < 4 || branching == 1 || model.increments().iter().sum::<i32>() < 3);
        let Ok(model) = model.with_branching(branching) else { return Ok(()) };
        prop_assume!(prodmax_enumerate::Plan::of(&model).depth_one_classes() < &BigUint::from(20_000u32));
        let curves = curves(truth, &model);
        assert_holds(&model, &bounds(&model, &curves, 1 << bits, listed), &exact(&model, &curves));
    }

    #[test]
    fn bounds_contain_what_the_classes_give(
        model in small_model(),
        truth in truth(),
        bits in 4u32..12,
        listed in prop_oneof![Just(0), Just(60), Just(DEFAULT_LISTED)],
    ) {
        let curves = curves(truth, &model);
        assert_holds(&model, &bounds(&model, &curves, 1 << bits, listed), &exact(&model, &curves));
    }
}

/// Leaves that are certain to be won or lost: p is 0 or 1 and beyond the end of every grid.
#[test]
fn values_beyond_the_ends_of_the_grid_are_counted() {
    for (root, increments, h_max) in
        [(4, &[4, 4, 4][..], 12), (-1, &[2, 2, 2, 3], 6), (1, &[3, 3, 3], 7), (1, &[1, 1, 1, 1, 1], 4)]
    {
        let model = Model::new(root, increments, ZeroMode::Skip, h_max).unwrap();
        let curves = curves("arctan:4", &model);
        let exact = exact(&model, &curves);
        for steps in [1 << 4, 1 << 9] {
            for listed in [0, FEW, DEFAULT_LISTED] {
                assert_holds(&model, &bounds(&model, &curves, steps, listed), &exact);
            }
        }
    }
}

/// Models of depths 2 to 5 whose exact figures follow from the classes: the intervals contain them, and get narrow.
#[test]
fn bounds_and_estimates_hold_for_larger_models() {
    let models = [
        (1, &[8, 8][..]),
        (-4, &[8, 8]),
        (-1, &[3, 3, 3]),
        (-4, &[4, 4, 2]),
        (2, &[1, 1, 6]),
        (-3, &[6, 6, 6]),
        (1, &[3, 2, 2, 2]),
        (1, &[1, 2, 1, 1, 1]),
        (-1, &[1, 1, 1, 1, 1]),
    ];
    // Each with one of two truths, in turn.
    for ((root, increments), truth) in
        models.into_iter().zip(["arctan:4", "uniform:1/20"].into_iter().cycle())
    {
        let model = model(root, increments);
        let curves = curves(truth, &model);
        let exact = exact(&model, &curves);
        for listed in [0, FEW, DEFAULT_LISTED] {
            assert_holds(&model, &bounds(&model, &curves, 1 << 10, listed), &exact);
        }
        for bits in [10, 12] {
            assert_close(&model, &estimate(&model, &curves, 1 << bits, DEFAULT_LISTED), &exact);
        }
    }
}

/// Three and five moves: the intervals get narrow, and the estimates hold.
#[test]
fn bounds_and_estimates_hold_for_more_moves() {
    for (root, increments, branching, truth) in [
        (1, &[8, 8][..], 3, "uniform:1/20"),
        (-2, &[8, 8], 5, "arctan:4"),
        (1, &[3, 3, 3], 3, "arctan:4"),
        (-1, &[2, 2, 1], 4, "uniform:1/20"),
        (1, &[1, 1, 0, 1], 3, "arctan:4"),
    ] {
        let model = model(root, increments).with_branching(branching).unwrap();
        let curves = curves(truth, &model);
        let exact = exact(&model, &curves);
        let widths = [1 << 9, 1 << 12].map(|steps| {
            let bounds = bounds(&model, &curves, steps, 0);
            assert_holds(&model, &bounds, &exact);
            bounds.width()
        });
        assert!(widths[0] > 5.0 * widths[1], "{model:?}: {widths:?}");
        assert_close(&model, &estimate(&model, &curves, 1 << 12, DEFAULT_LISTED), &exact);
    }
}

/// A run that is stopped and continued gives the same bytes, and a finished one computes nothing again.
#[test]
fn an_interrupted_run_is_continued_to_the_same_result() {
    let model = model(-2, &[5, 4, 3, 2, 2]);
    let curves = curves("arctan:4", &model);
    let folder = tempfile::tempdir().unwrap();
    for certified in [true, false] {
        let path = folder.path().join(format!("law-{certified}.ckpt"));
        let run = |stop_after: u64, checkpoint: bool| {
            let interrupt = AtomicBool::new(false);
            let steps_done = AtomicU64::new(0);
            let progress = |_, _| {
                if steps_done.fetch_add(1, Ordering::SeqCst) + 1 >= stop_after {
                    interrupt.store(true, Ordering::SeqCst);
                }
            };
            let defaults = law::Options::new(1 << 9, &interrupt, &progress);
            let checkpoint = checkpoint.then_some(&path).map(std::path::PathBuf::as_path);
            let options = law::Options { listed: FEW, quality: true, checkpoint, ..defaults };
            if certified {
                law::bounds(&model, &curves, &options).map(|bounds| format!("{bounds:?}"))
            } else {
                law::estimate(&model, &curves, &options).map(|estimated| format!("{estimated:?}"))
            }
        };
        let whole = run(u64::MAX, false).unwrap();
        let mut stops = 0;
        let continued = loop {
            match run(12 + stops, true) {
                Err(LawError::Interrupted) => stops += 1,
                other => break other.unwrap(),
            }
            assert!(stops < 100, "nothing is kept");
        };
        assert!(stops > 0 && continued == whole, "{stops} stops: {continued} {whole}");
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(run(u64::MAX, true).unwrap(), whole);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        // A damaged line, and another model's file.
        let damaged: Vec<u8> =
            bytes.iter().rev().enumerate().map(|(i, b)| if i == 40 { b ^ 1 } else { *b }).collect();
        std::fs::write(&path, damaged.into_iter().rev().collect::<Vec<u8>>()).unwrap();
        assert!(matches!(run(u64::MAX, true), Err(LawError::Checkpoint(text)) if text.contains("damaged")));
    }
}

/// All 231 million classes of depth 4 give -11.456924.
#[test]
fn depth_four_at_full_width() {
    let model = model(1, &[8, 8, 8, 8]);
    let curves = curves("arctan:4", &model);
    let estimated = estimate(&model, &curves, 1 << 11, DEFAULT_LISTED).figures.difference_percent.unwrap();
    assert_relative_eq!(estimated.value, -11.456_924, epsilon = 1e-5);
    assert!(estimated.error() < 0.008);
    let [coarse, fine] = [1 << 11, 1 << 13].map(|steps| bounds(&model, &curves, steps, DEFAULT_LISTED));
    for bounds in [coarse, fine] {
        assert!(holds(bounds.figures.difference_percent.unwrap(), -11.456_924));
    }
    assert!(fine.width() < 0.5, "{}", fine.width());
    // Four times as many steps, of first order.
    assert!(coarse.width() / fine.width() > 3.6);
}

/// An independent prototype extrapolates -18.7875 for the 10^486 trees of depth 8. The golden figures of depth 8 are on finer grids.
#[test]
#[ignore = "slow: a quarter of a minute"]
fn depth_eight_at_full_width() {
    let model = model(1, &[8; 8]);
    let curves = curves("arctan:4", &model);
    let estimated = estimate(&model, &curves, 1 << 8, DEFAULT_LISTED).figures.difference_percent.unwrap();
    assert!((estimated.value + 18.7875).abs() < estimated.error(), "{estimated:?}");
    let bounds = bounds(&model, &curves, 1 << 8, DEFAULT_LISTED);
    assert!(holds(bounds.figures.difference_percent.unwrap(), -18.7875));
}

/// Whether moves are listed or not, and with what the ideal rule wins or without.
#[test]
fn progress_ends_where_it_was_announced_to_end() {
    for (increments, listed) in [(&[2, 2][..], 1 << 20), (&[2, 2, 2], 1)] {
        let ends = [true, false].map(|quality| {
            let (model, interrupt) = (model(1, increments), AtomicBool::new(false));
            let last = std::sync::Mutex::new([0, 0]);
            let note = |done, all| *last.lock().unwrap() = [done, all];
            let options = law::Options { listed, quality, ..law::Options::new(1 << 8, &interrupt, &note) };
            law::bounds(&model, &curves("arctan:4", &model), &options).unwrap();
            let [done, all] = *last.lock().unwrap();
            assert_eq!(done, all, "{increments:?} {quality}");
            all
        });
        // One step more for the ideal rule; what is listed takes no steps at all.
        assert_eq!(ends[0], ends[1] + 1);
        assert_eq!(ends[1] == 0, listed > 1);
    }
}

#[test]
fn what_needs_no_grid_agrees_with_the_classes() {
    let model = model(-1, &[3, 2, 3]);
    let curves = curves("arctan:4", &model);
    let quality = exact(&model, &curves).quality;
    let [minimax, random] = law::minimax_and_random_won(&model, &curves);
    assert!(holds(minimax, quality.won[0]) && holds(random, quality.random));
    assert!(minimax[1] - minimax[0] < 1e-9 && random[1] - random[0] < 1e-9);
    let bounds = bounds(&model, &curves, 1 << 9, FEW);
    let [low, high] = bounds.figures.difference_percent.unwrap();
    assert!(low < high);
    assert_eq!(bounds.width(), high - low);
}

#[test]
fn answers_are_the_same_for_any_number_of_threads() {
    let model = model(-2, &[5, 4, 3, 2, 2]);
    let curves = curves("arctan:4", &model);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (bounds(&model, &curves, 1 << 9, FEW), estimate(&model, &curves, 1 << 9, FEW)))
    };
    let one = with(1);
    assert!([2, 5].map(with).iter().all(|other| *other == one));
}

#[test]
fn impossible_requests_are_refused_with_a_sentence() {
    let model = model(1, &[2, 2, 2, 2]);
    let curves = curves("arctan:4", &model);
    let run = |steps, stop| {
        let listed = 0;
        let interrupt = AtomicBool::new(stop);
        law::bounds(&model, &curves, &options(steps, listed, &interrupt))
    };
    assert_eq!(run(1 << 6, true), Err(LawError::Interrupted));
    assert_eq!(
        run(1000, false).unwrap_err().to_string(),
        "a grid of 1000 steps per unit is not possible; use a power of two from 16 to 1048576"
    );
    let interrupt = AtomicBool::new(false);
    assert_eq!(
        law::estimate(&model, &curves, &options(32, 0, &interrupt)).unwrap_err().to_string(),
        "a grid of 32 steps per unit is not possible; use a power of two from 64 to 1048576"
    );
}
