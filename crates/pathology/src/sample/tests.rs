//! The sampler against the integrator, and what the sampler promises by itself.

use super::*;
use crate::integrate::integrate;
use crate::model::{Grains, Steps, Values};

/// Asserts that every figure lies within 4 standard errors of the integrated one.
fn agrees(model: &RealModel, trees: u64) {
    let integration = integrate(model, 1e-5).unwrap();
    let sampling = Sampling { trees, seed: 18, ..Sampling::default() };
    let rows = sample(model, sampling, Some(integration.median.value)).unwrap();
    for (sampled, integrated) in rows.iter().zip(&integration.rows) {
        assert_eq!(sampled.d, integrated.d);
        for quantity in Quantity::ALL {
            let (Some(ours), Some(exact)) = (sampled.get(quantity), integrated.get(quantity)) else {
                assert!(!quantity.exists(sampled.d));
                continue;
            };
            let off = (ours.value - exact.value).abs();
            let allowed = 4.0 * ours.uncertainty.amount() + exact.uncertainty.amount();
            assert!(off <= allowed, "{model:?} d = {} {quantity:?}: {ours:?} {exact:?}", sampled.d);
            assert!(ours.uncertainty.amount() > 0.0);
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
    agrees(&RealModel { b: 5, d_max: 4, ..model }, 500);
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
