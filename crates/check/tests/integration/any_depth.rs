//! The law of values compared with every golden figure that the classes give: at depths 2 to 5, the slow ones as they
//! were recorded.

use std::sync::atomic::AtomicBool;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use prodmax_check::Calculator;
use prodmax_enumerate::Model;
use prodmax_golden::quantity::{LawAnswer, LawFigure};
use prodmax_golden::{Entry, Finding, GoldenFile, Quantity};
use prodmax_mass::law::{self, Interval};
use prodmax_mass::{Curve, Curves};
use prodmax_number::Figure;
use prodmax_number::fraction::to_f64;

/// So few subtrees that usually only those of height one are listed.
const FEW: usize = 1 << 10;
const DEFAULT_LISTED: usize = law::Options::LISTED;

fn entries() -> Vec<Entry> {
    let files = GoldenFile::built_in().unwrap();
    let stated = |entry: &Entry| entry.reading == Entry::STATED;
    files.into_iter().flat_map(|file| file.golden.entries).filter(stated).collect()
}

fn recorded(entry: &Entry) -> f64 {
    Figure::read(&entry.ours).unwrap().double()
}

/// Within an interval, up to the digits of the record.
fn holds([low, high]: Interval, recorded: f64) -> bool {
    let margin = 1e-15 + 1e-14 * recorded.abs();
    low - margin <= recorded && recorded <= high + margin
}

#[test]
fn the_law_of_values_agrees_with_every_golden_model() {
    assert_agreement_with_every_golden_model(&[(8, FEW), (9, DEFAULT_LISTED), (10, FEW)]);
}

#[test]
#[ignore = "slow: fine grids"]
fn on_fine_grids_the_law_of_values_agrees_with_every_golden_model() {
    assert_agreement_with_every_golden_model(&[(11, DEFAULT_LISTED), (12, FEW)]);
}

fn assert_agreement_with_every_golden_model(estimates: &[(u32, usize)]) {
    let never = AtomicBool::new(false);
    let all = entries();
    let mut compared = [0; 4];
    for entry in &all {
        let Quantity::DifferencePercent(model) = &entry.quantity else { continue };
        let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), model.line().h_max());
        let exact = recorded(entry);
        // Listed as far as usual, and as little as possible.
        for (steps, listed) in [(1 << 10, DEFAULT_LISTED), (1 << 9, FEW)] {
            let options = law::Options { listed, ..law::Options::new(steps, &never, &|_, _| {}) };
            let bounds = law::bounds(model, &curves, &options).unwrap();
            if let Some(interval) = bounds.figures.difference_percent {
                assert!(holds(interval, exact), "{}: {exact} is not in {interval:?}", entry.id);
            }
            if let Some(critical) = critical_share(&all, model) {
                assert!(holds(bounds.shares.critical, critical), "{}: critical {critical}", entry.id);
            }
        }
        for &(bits, listed) in estimates {
            let options = law::Options { listed, ..law::Options::new(1 << bits, &never, &|_, _| {}) };
            let difference =
                law::estimate(model, &curves, &options).unwrap().figures.difference_percent.unwrap();
            let off = (difference.value - exact).abs();
            assert!(off <= difference.error(), "{}, {bits}: {difference:?} is {off} from {exact}", entry.id);
        }
        compared[model.depth() - 2] += 1;
    }
    assert!(compared.iter().all(|&count| count > 0), "{compared:?} models of depths 2 to 5");
}

/// The critical trees of a model as a share of all, if they are on record.
fn critical_share(entries: &[Entry], model: &Model) -> Option<f64> {
    let entry = entries.iter().find(|entry| entry.quantity == Quantity::Critical(model.clone()))?;
    let critical: BigUint = entry.ours.parse().ok()?;
    Some(critical.to_f64()? / model.trees().to_f64()?)
}

/// On the finest grids on record: every bound contains the estimate, and the estimate's margin reaches into it.
#[test]
fn recorded_bounds_and_estimates_agree() {
    let all = entries();
    let law = |entry: &Entry, answer: LawAnswer| match &entry.quantity {
        Quantity::Law { figure: LawFigure::DifferencePercent, answer: found, grid, model, curves }
            if *found == answer =>
        {
            Some((*grid, (model.clone(), curves.clone())))
        }
        _ => None,
    };
    let mut compared = 0;
    for bounds in &all {
        let Some((grid, model)) = law(bounds, LawAnswer::Bounds).filter(|(grid, _)| *grid > 1 << 12) else {
            continue;
        };
        let estimate =
            all.iter().find(|entry| law(entry, LawAnswer::Estimate).is_some_and(|(_, of)| of == model));
        let Some(ends) = Figure::read(&bounds.ours).and_then(|figure| figure.margin_ends()) else { continue };
        let estimate = recorded(estimate.unwrap());
        assert!(holds(ends, estimate), "{} on {grid} steps: {estimate} is not in {ends:?}", bounds.id);
        compared += 1;
    }
    assert!(compared >= 43, "{compared} models");
}

/// A threshold by the law of values against formula (7), which is exact at depth 2.
#[test]
fn thresholds_agree_with_the_formula() {
    let calculator = Calculator::default();
    for root in [-4, -1, 1, 2] {
        for increments in [&[8, 8][..], &[3, 5]] {
            let model = Model::new(root, increments, prodmax_enumerate::ZeroMode::Skip, 42).unwrap();
            let exact = calculator.compute(&Quantity::ThresholdPercent(model.clone())).unwrap();
            let found = calculator.compute(&Quantity::LawThresholdPercent { grid: 64, model }).unwrap();
            let (Finding::Figure(Figure::Fraction(exact)), Finding::Figure(Figure::Approximate(estimate))) =
                (&exact, &found)
            else {
                assert_eq!(found, Finding::Nothing, "{exact:?}");
                continue;
            };
            assert!(
                (estimate.value - to_f64(exact)).abs() <= estimate.error(),
                "{root} {increments:?}: {found:?}, exactly {exact}"
            );
        }
    }
}
