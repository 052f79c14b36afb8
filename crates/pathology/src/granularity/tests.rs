//! Grains against the sampler, against real values and against Table 6.

use super::*;
use crate::sample::{Sampling, sample};

fn model(values: Values, steps: Steps, b: u32, count: u32, range: f64) -> RealModel {
    RealModel { b, values, steps, d_max: 4, grains: Some(Grains { count, range }), ..RealModel::default() }
}

#[test]
fn grains_agree_with_the_sampler() {
    let models = [
        model(Values::Independent, Steps::Uniform, 2, 7, 3f64.sqrt()),
        model(Values::Independent, Steps::Triangular, 3, 10, 2.0),
        model(Values::Dependent, Steps::Normal, 2, 9, 4.0),
        model(Values::Dependent, Steps::Normal, 3, 16, 5.0),
    ];
    for model in models {
        let exact = grained(&model).unwrap();
        let sampling = Sampling { trees: 2000, seed: 6, ..Sampling::default() };
        let sampled = sample(&model, sampling, None).unwrap();
        for (exact, sampled) in exact.iter().zip(&sampled) {
            for quantity in [Quantity::PositionError, Quantity::MoveError] {
                let (Some(exact), Some(sampled)) = (exact.get(quantity), sampled.get(quantity)) else {
                    continue;
                };
                let off = (exact.value - sampled.value).abs();
                assert!(off <= 4.0 * sampled.error(), "{model:?} {exact:?} {sampled:?}");
            }
        }
    }
}

#[test]
fn many_grains_are_nearly_real_values() {
    let real = RealModel { d_max: 2, values: Values::Independent, ..RealModel::default() };
    let integrated = crate::integrate::integrate(&real, 1e-6).unwrap().rows;
    let grains = Some(Grains { count: 1000, range: 5.0 });
    let grained = grained(&RealModel { grains, ..real }).unwrap();
    for (grained, integrated) in grained.iter().zip(&integrated) {
        let [a, b] = [grained, integrated].map(|row| row.get(Quantity::PositionError).unwrap().value);
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn few_grains_are_pathological_and_many_are_not() {
    let model =
        RealModel { d_max: 6, values: Values::Independent, steps: Steps::Uniform, ..RealModel::default() };
    let required = required_grains(&model, Range::Support, Criterion::Ends, 40).unwrap();
    // As published for b = 2, independent values.
    assert_eq!(required, Some(13));
    let holds = |count: u32| {
        let range = Range::Support.half_width(&model, count).unwrap();
        let grained = grained(&RealModel { grains: Some(Grains { count, range }), ..model.clone() }).unwrap();
        Criterion::Ends.holds(&grained)
    };
    assert!(holds(12) && !holds(13));
}

#[test]
fn refused_models_are_explained_in_a_sentence() {
    let message = |model: &RealModel| grained(model).unwrap_err().to_string();
    assert_eq!(
        message(&RealModel::default()),
        "the model has no grains; give their number and the interval they cover"
    );
    assert_eq!(
        message(&model(Values::Dependent, Steps::Uniform, 2, 9, 4.0)),
        "dependent values with grains are computed only for normal steps and infinite m; sample instead"
    );
    assert_eq!(
        message(&model(Values::Independent, Steps::Normal, 2, 9999, 4.0)),
        "9999 grains are too many for tables over pairs of grains; at most 2000 are possible; sample instead"
    );
}

#[test]
fn the_mean_of_the_greatest_leaf() {
    let of = |values, steps, b, d_max| {
        let model = RealModel { b, d_max, values, steps, sigma_v: 2.0, ..RealModel::default() };
        Range::Extremes.half_width(&model, 9)
    };
    // The greater of two normal values: 1/√π; of two or four uniform ones on ±√3: √3/3, √3 3/5.
    let greater = of(Values::Dependent, Steps::Normal, 2, 1).unwrap();
    assert!((greater - 2.0 / std::f64::consts::PI.sqrt()).abs() < 2e-3, "{greater}");
    let uniform = |d_max| of(Values::Independent, Steps::Uniform, 2, d_max).unwrap() / (2.0 * 3f64.sqrt());
    assert!((uniform(1) - 1.0 / 3.0).abs() < 1e-15 && (uniform(2) - 0.6).abs() < 1e-15);
    assert_eq!(of(Values::Dependent, Steps::Uniform, 2, 1), None);
}
