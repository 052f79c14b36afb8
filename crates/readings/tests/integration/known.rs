//! Known values of the named readings.

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::{Curve, Curves, Measure};
use prodmax_readings::{Reading, ReadingFile};

const ROOTS: [i64; 6] = [-4, -3, -2, -1, 1, 2];

fn named(name: &str) -> Reading {
    ReadingFile::load(name).unwrap().choices
}

fn row(reading: &Reading, increments: [i64; 3]) -> [f64; 6] {
    ROOTS.map(|root| {
        let model = Model::new(root, &increments, ZeroMode::Skip, 42).unwrap();
        reading.measure(&model).unwrap().statistic.unwrap()
    })
}

fn assert_close(ours: [f64; 6], known: [f64; 6], digits: i32) {
    for (ours, known) in ours.into_iter().zip(known) {
        assert!((ours - known).abs() <= 0.5001 * 0.1f64.powi(digits), "{ours} {known}");
    }
}

#[test]
fn the_stated_reading_is_the_default() {
    assert_eq!(named("stated"), Reading::default());
}

#[test]
fn the_stated_reading_gives_the_stated_model() {
    let known = [
        ([4, 4, 2], [-5.771138, -5.672971, -5.268536, -4.766077, -4.323940, -3.946245]),
        ([3, 3, 3], [-5.763493, -5.558138, -5.113057, -4.760207, -4.628794, -4.492604]),
        ([2, 2, 4], [-5.620595, -5.152119, -4.852187, -5.127873, -5.099340, -4.673540]),
        ([1, 1, 6], [-4.836571, -4.912892, -5.275893, -5.455700, -4.999779, -4.553317]),
        ([1, 1, 5], [-4.789986, -4.543713, -4.870477, -5.204202, -4.795321, -4.291917]),
        ([1, 1, 4], [-5.004036, -4.386081, -4.402709, -4.891122, -4.589908, -4.027437]),
        ([1, 1, 3], [-4.588161, -4.702053, -3.971248, -4.440829, -4.347127, -3.736718]),
    ];
    for (increments, values) in known {
        assert_close(row(&named("stated"), increments), values, 6);
    }
}

/// The mass crate, which knows nothing about readings, gives the same statistic of the same model.
#[test]
fn per_case_is_the_stated_model_by_another_statistic() {
    let reading = named("per-case");
    assert_eq!(Reading { statistic: Reading::default().statistic, ..reading.clone() }, Reading::default());
    let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    for (root, increments) in [(-4, [4, 4, 2]), (-1, [3, 3, 3]), (2, [1, 1, 6])] {
        let model = Model::new(root, &increments, ZeroMode::Skip, 42).unwrap();
        let measured = Measure::new(&model, &curves).run().unwrap();
        let expected = measured.matches[0].figures.per_case_percent.unwrap().value;
        let found = reading.measure(&model).unwrap().statistic.unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

#[test]
fn sign_wise_gives_its_known_rows() {
    let reading = named("sign-wise");
    assert_close(row(&reading, [1, 1, 6]), [3.96, 3.41, 1.27, -0.50, -1.42, -1.53], 2);
    assert_close(row(&reading, [3, 3, 3]), [-3.03, -1.63, -0.03, 0.33, -0.53, -1.32], 2);
}

#[test]
fn error_product_gives_its_known_rows() {
    let reading = named("error-product");
    assert_close(row(&reading, [1, 1, 6]), [4.36, 4.64, 2.05, -0.51, -1.61, -1.67], 2);
    assert_close(row(&reading, [3, 3, 3]), [-4.28, -3.01, -0.14, 1.22, 0.18, -1.18], 2);
}

#[test]
fn the_stated_depth_2_figures_are_those_of_the_mass_crate() {
    let reading = named("stated");
    let known = [
        (-4, 54.523711, 28984.0, 0.8044),
        (-3, 54.307178, 28992.0, 2.8571),
        (-2, 53.986517, 28536.0, 7.3853),
        (-1, 53.589522, 27736.0, 13.9395),
        (1, 53.234300, 26896.0, 17.9978),
        (2, 52.905930, 25904.0, 22.8246),
    ];
    for (root, share, critical, threshold) in known {
        let model = Model::new(root, &[8, 8], ZeroMode::Skip, 42).unwrap();
        let measured = reading.measure(&model).unwrap();
        assert_eq!(measured.sums.critical, critical);
        assert!((measured.sums.share_minimax_percent().unwrap() - share).abs() < 1e-6);
        assert!((measured.threshold_percent.unwrap() - threshold).abs() < 1e-4);
    }
}

#[test]
fn impossible_readings_are_explained_in_a_sentence() {
    let message = |name: &str| ReadingFile::load(name).unwrap_err().to_string();
    assert_eq!(
        message("sign"),
        "there is no reading `sign`; name one of stated, per-case, sign-wise, error-product or a file that ends in .ron"
    );
    assert!(message("nowhere.ron").starts_with("nowhere.ron: cannot be read"));
    let deep = Model::new(1, &[1; 5], ZeroMode::Skip, 42).unwrap();
    let shared: Reading =
        Reading { sharing: prodmax_readings::dimension::Sharing::Tree, ..Reading::default() };
    assert!(shared.measure(&deep).is_err());
}
