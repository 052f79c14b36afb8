//! Figures of the stated model that are known independently: from earlier exact enumerations and, where stated, from
//! the probabilistic model checker Storm 2.0.

use prodmax_enumerate::{Model, ZeroMode};
use prodmax_mass::{Certified, Critical, Crossover, Curve, Curves, Measure, Measurement};
use prodmax_number::fraction::decimal;
use prodmax_number::fraction::to_f64;
use prodmax_number::{Certain, Enclosure};

const ROOTS: [i64; 6] = [-4, -3, -2, -1, 1, 2];

/// Difference in percent for each row (a1 = a2, a3) and root.
const TABLE2: [([i64; 3], [&str; 6]); 7] = [
    ([4, 4, 2], ["-5.771138", "-5.672971", "-5.268536", "-4.766077", "-4.323940", "-3.946245"]),
    ([3, 3, 3], ["-5.763493", "-5.558138", "-5.113057", "-4.760207", "-4.628794", "-4.492604"]),
    ([2, 2, 4], ["-5.620595", "-5.152119", "-4.852187", "-5.127873", "-5.099340", "-4.673540"]),
    ([1, 1, 6], ["-4.836571", "-4.912892", "-5.275893", "-5.455700", "-4.999779", "-4.553317"]),
    ([1, 1, 5], ["-4.789986", "-4.543713", "-4.870477", "-5.204202", "-4.795321", "-4.291917"]),
    ([1, 1, 4], ["-5.004036", "-4.386081", "-4.402709", "-4.891122", "-4.589908", "-4.027437"]),
    ([1, 1, 3], ["-4.588161", "-4.702053", "-3.971248", "-4.440829", "-4.347127", "-3.736718"]),
];

/// Depth 2, increments up to 8: root, Minimax's share in percent, critical trees, threshold in percent.
const DEPTH2: [(i64, &str, u128, &str); 6] = [
    (-4, "54.523711", 28984, "0.8044"),
    (-3, "54.307178", 28992, "2.8571"),
    (-2, "53.986517", 28536, "7.3853"),
    (-1, "53.589522", 27736, "13.9395"),
    (1, "53.234300", 26896, "17.9978"),
    (2, "52.905930", 25904, "22.8246"),
];

fn stated() -> Curves {
    Curves::new(Curve::arctan(4), Curve::arctan(1), 42)
}

fn skip(root: i64, increments: &[i64]) -> Model {
    Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
}

/// The certified difference, after checking the conditions that every certified measurement must satisfy.
fn certified(curves: &Curves, model: &Model) -> (Measurement<Enclosure>, Enclosure) {
    let certified = Measure::new(model, curves).number::<Certified>().run().unwrap();
    let certified = certified.map(|number| Certain::enclosed(&number).unwrap().clone());
    assert_eq!(certified.comparisons.unwrap().unresolved, 0);
    let difference = certified.matches[0].figures.difference_percent.clone().unwrap();
    assert!(to_f64(&difference.width()) < 1e-12);
    let doubles = Measure::new(model, curves).run().unwrap();
    // The printed interval, rounded outwards to 14 digits, contains the doubles' result.
    let [low, high] = difference.decimals(14).map(|end| end.parse::<f64>().unwrap());
    let double = doubles.matches[0].figures.difference_percent.unwrap().value;
    assert!(low <= double && double <= high && high - low < 1e-12, "{double} in [{low}, {high}]");
    (certified, difference)
}

#[test]
fn all_cells_of_table_2_under_the_stated_model() {
    let curves = stated();
    for (increments, row) in TABLE2 {
        for (root, expected) in ROOTS.into_iter().zip(row) {
            let (_, difference) = certified(&curves, &skip(root, &increments));
            assert_eq!(decimal(&difference.low(), 6), expected, "{increments:?}, root {root}");
            assert_eq!(decimal(&difference.high(), 6), expected, "{increments:?}, root {root}");
        }
    }
}

#[test]
fn depth_2_under_the_stated_model() {
    let curves = stated();
    for (root, share, critical, threshold) in DEPTH2 {
        let model = skip(root, &[8, 8]);
        let (measurement, _) = certified(&curves, &model);
        let pair = &measurement.matches[0];
        let counted = pair.counts().unwrap().critical.clone();
        assert_eq!(counted, num_bigint::BigUint::from(critical), "root {root}");
        let percent = pair.figures.share_first.as_ref().unwrap().scale(&100.into());
        assert_eq!(decimal(&percent.middle(), 6), share, "root {root}");
        let crossover = Crossover::of(&Critical::of(&model, &curves.estimate).unwrap());
        let by_counts = crossover.intervals.unwrap().threshold().unwrap();
        assert_eq!(decimal(&(by_counts * num_bigint::BigInt::from(100)), 4), threshold, "root {root}");
    }
}

#[test]
fn figures_that_storm_confirms() {
    let curves = stated();
    let digits = |model: &Model| decimal(&certified(&curves, model).1.middle(), 9);
    assert_eq!(digits(&skip(1, &[8, 8])), "-6.468599539");
    assert_eq!(digits(&skip(-1, &[1, 1, 3])), "-4.440829252");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let models: Vec<Model> = ROOTS.iter().map(|&root| skip(root, &[4, 5, 3])).collect();
    let measure = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let curves = stated();
            models.iter().map(|model| Measure::new(model, &curves).run().unwrap()).collect::<Vec<_>>()
        })
    };
    assert_eq!(measure(1), measure(2));
}
