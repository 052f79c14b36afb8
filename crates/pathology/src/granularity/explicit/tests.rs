//! The explicit formula against tables over all pairs of grains and against the integrator.

use super::*;
use crate::figures::Quantity;
use crate::granularity::grained;
use crate::integrate::integrate;

fn model(b: u32, d_max: usize) -> RealModel {
    RealModel { b, d_max, values: Values::Independent, steps: Steps::Uniform, ..RealModel::default() }
}

#[test]
fn the_formula_agrees_with_tables_over_all_pairs_of_grains() {
    for (b, d_max, count) in [(2, 2, 7), (3, 5, 10), (5, 6, 28), (10, 6, 121), (20, 6, 150), (2, 6, 300)] {
        let model = model(b, d_max);
        let grains = Some(Grains { count, range: 3f64.sqrt() });
        let rows = grained(&RealModel { grains, ..model.clone() }).unwrap();
        let ends = with_grains(&model, count).unwrap();
        let expected = |d: usize| rows[d].get(Quantity::MoveError).unwrap().value;
        let off = [ends.first.value - expected(1), ends.last.value - expected(d_max)];
        assert!(off.iter().all(|off| off.abs() < 1e-10), "b {b} g {count}: {ends:?} {off:?}");
    }
}

#[test]
fn the_required_grains_are_those_of_the_tables() {
    use crate::granularity::{Criterion, Range, required_grains};
    for b in [2, 4, 5] {
        let slow = required_grains(&model(b, 6), Range::Support, Criterion::Ends, 40).unwrap();
        assert_eq!(required(&model(b, 6), 40).unwrap(), slow);
        assert_eq!(required(&model(b, 6), 8).unwrap(), None);
    }
}

/// From 15 moves on, more grains are no cure: real values themselves are pathological.
#[test]
fn with_many_moves_no_number_of_grains_suffices() {
    let limit = |b: u32| with_real_values(&model(b, 6), false).unwrap();
    let [below, above] = [13, 15].map(limit);
    assert!(below.rise() < -below.error() && above.rise() > above.error(), "{below:?} {above:?}");
    assert!(with_grains(&model(15, 6), 400).unwrap().rise() > 1e-4);
}

#[test]
#[ignore = "slow: a tenth of a minute"]
fn with_more_moves_or_bounded_values_no_number_of_grains_suffices() {
    let limit = |b: u32, bounded: bool| with_real_values(&model(b, 6), bounded).unwrap();
    let below = limit(13, true);
    assert!(below.rise() < -below.error(), "{below:?}");
    for above in [limit(15, true), limit(20, true), limit(20, false)] {
        assert!(above.rise() > above.error(), "{above:?}");
    }
    for b in [15, 20] {
        assert!([400, 900].iter().all(|g| with_grains(&model(b, 6), *g).unwrap().rise() > 1e-4));
    }
}

#[test]
fn real_values_agree_with_the_integrator() {
    // At b = 3 and sigma_e = 2 a probability of two values was once 2^-52 below 0, and a division of 0 by 0 followed.
    for (b, d_max, sigma_e) in [(2, 3, 0.2), (2, 6, 0.2), (5, 6, 0.2), (7, 4, 0.2), (3, 6, 1.9), (3, 6, 2.0)]
    {
        let model = RealModel { sigma_e, ..model(b, d_max) };
        let ends = with_real_values(&model, false).unwrap();
        let rows = integrate(&model, 1e-5).unwrap().rows;
        for (ours, d) in [(ends.first, 1), (ends.last, d_max)] {
            let exact = rows[d].get(Quantity::MoveError).unwrap();
            let stated = ours.error() + exact.error();
            assert!((ours.value - exact.value).abs() <= stated, "b {b} d {d}: {ours:?} {exact:?}");
        }
    }
}

#[test]
fn a_mean_of_powers_lies_between_their_ends() {
    const NEXT: f64 = f64::EPSILON;
    for (b, x, y) in [(3, 0.75, 0.25), (2, 1.0, 0.0), (5, 0.5, 0.5 - NEXT), (4, 0.0, 0.0), (3, 0.25, 0.75)] {
        let mean: f64 = (0..b).map(|m| f64::powi(x, m) * f64::powi(y, b - 1 - m)).sum();
        assert!((mean_power(b, x, y) - mean).abs() <= 1e-15, "{b} {x} {y}");
    }
    // What rounding left of a probability of 0, where there was a division of 0 by 0.
    assert!(mean_power(3, -NEXT, -NEXT).abs() <= 3.0 * NEXT * NEXT);
    assert!(mean_power(3, 0.5, f64::NAN).is_nan());
}

#[test]
fn what_is_not_a_number_is_not_hidden() {
    assert_eq!((not_negative(-1e-17), not_negative(0.5)), (0.0, 0.5));
    assert!(not_negative(f64::NAN).is_nan());
    let table = |index: usize| vec![0.0, if index == 1 { f64::NAN } else { 0.5 }, 1.0];
    assert!(move_error(3, 3, table).is_nan());
}

/// The figures that the gate did not see: extrapolated from a hidden 0, and that 0 itself.
#[test]
fn the_figure_that_was_printed_does_not_pass() {
    let (value, error) = (-1.297_114_344_236_605_5, 0.241_578_415_929_335);
    let first = Approximate::estimated(0.625_203_030_474_523, 1e-7);
    let refused = Ends::new(6, first, Approximate::estimated(value, error)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the move error of a search to depth 6 is known only to 2.4e-1 (-1.2971143442366055), not to 1e-5; \
         allow a greater tolerance or compute it in another way"
    );
    let refused = Ends::new(6, first, Approximate::estimated(value, 1e-6)).unwrap_err();
    assert!(refused.to_string().contains("a probability lies between 0 and 1"), "{refused}");
    assert!(Ends::new(6, first, Approximate::estimated(f64::NAN, 1e-9)).is_err());
}
