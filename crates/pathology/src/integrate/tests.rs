//! The lattice laws against twins that visit every combination of values, and the figures against values that are
//! known by other means.

use super::band::Band;
use super::kernel::Kernel;
use super::marginal::Marginal;
use super::*;
use crate::figures::TOLERANCE;
use crate::model::Steps;

/// A law as a list of (t, h, probability).
type Points = Vec<(i64, i64, f64)>;

fn points_of(band: &Band) -> Points {
    let rows = band.mass.chunks_exact(band.width).zip(band.first_t..);
    rows.flat_map(|(row, t)| row.iter().zip(band.first_e..).map(move |(p, e)| (t, t + e, *p))).collect()
}

/// An asymmetric law with gaps.
fn small() -> Band {
    let mass = vec![0.10, 0.00, 0.15, 0.05, 0.20, 0.02, 0.00, 0.08, 0.12, 0.18, 0.03, 0.07];
    Band { first_t: -1, first_e: -1, width: 3, has_bounds: false, mass }
}

fn tuples(points: &Points, b: usize) -> Vec<(Vec<(i64, i64)>, f64)> {
    (0..b).fold(vec![(Vec::new(), 1.0)], |tuples, _| {
        let longer = |(values, p): &(Vec<(i64, i64)>, f64)| {
            let each = points.iter().map(|(t, h, q)| ([values.as_slice(), &[(*t, *h)]].concat(), p * q));
            each.collect::<Vec<_>>()
        };
        tuples.iter().flat_map(longer).collect()
    })
}

#[test]
fn backing_up_agrees_with_all_combinations_of_children() {
    let points = points_of(&small());
    for b in [1, 2, 3] {
        for max in [true, false] {
            let backed_up = points_of(&small().backed_up(b, max));
            let mut expected = std::collections::BTreeMap::new();
            for (values, p) in tuples(&points, b as usize) {
                let of = |each: fn(&(i64, i64)) -> i64| {
                    let all = values.iter().map(each);
                    if max { all.max() } else { all.min() }.unwrap()
                };
                *expected.entry((of(|v| v.0), of(|v| v.1))).or_insert(0.0) += p;
            }
            let mut seen = 0.0;
            for (t, h, p) in backed_up {
                assert!((p - expected.get(&(t, h)).unwrap_or(&0.0)).abs() < 1e-15, "b {b} {max} ({t}, {h})");
                seen += p;
            }
            assert!((seen - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn the_move_error_agrees_with_all_combinations_of_children() {
    // Equal lattice values stand for smooth ones, either of which is greater half of the time.
    let half = |a: i64, b: i64| match a.cmp(&b) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let points = points_of(&small());
    for b in [1, 2, 3] {
        for sign in [1, -1] {
            let right: f64 = tuples(&points, b as usize)
                .iter()
                .map(|(values, p)| {
                    let is_best = |i: usize| {
                        let others = values.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| {
                            half(sign * values[i].0, sign * other.0)
                                * half(sign * values[i].1, sign * other.1)
                        });
                        others.product::<f64>()
                    };
                    p * (0..values.len()).map(is_best).sum::<f64>()
                })
                .sum();
            let error = small().move_error(b, sign == 1);
            assert!((error - (1.0 - right)).abs() < 1e-14, "b {b} sign {sign}: {error} {right}");
        }
    }
}

#[test]
fn a_step_moves_both_values() {
    let kernel = Kernel { first: -2, stride: 2, weights: vec![0.25, 0.45, 0.3] };
    let mut expected = std::collections::BTreeMap::new();
    for (t, h, p) in points_of(&small()) {
        for (k, weight) in kernel.weights.iter().enumerate() {
            let step = kernel.first + 2 * k as i64;
            *expected.entry((t + step, h + step)).or_insert(0.0) += p * weight;
        }
    }
    for (t, h, p) in points_of(&small().shifted(&kernel)) {
        assert!((p - expected.get(&(t, h)).unwrap_or(&0.0)).abs() < 1e-15);
    }
    // More than four weights, so that both loops of the convolution are used.
    let long = Kernel { first: 0, stride: 1, weights: (1..=7).map(|k| f64::from(k) / 28.0).collect() };
    let shifted = small().shifted(&long);
    let mean = |points: Points| points.iter().map(|(t, _, p)| *t as f64 * p).sum::<f64>();
    assert!((mean(points_of(&shifted)) - mean(points_of(&small())) - 4.0).abs() < 1e-13);
}

#[test]
fn errors_of_a_small_law() {
    let (band, points) = (small(), points_of(&small()));
    let position: f64 = points.iter().map(|(t, h, p)| (t - h).abs() as f64 * p).sum();
    assert!((band.position_error() - position).abs() < 1e-15);
    // With six equal values around it, the interpolated value is that of the lattice.
    let crossing: f64 = points.iter().filter(|(t, h, _)| (*t <= 0) != (*h <= 0)).map(|(_, _, p)| p).sum();
    assert!((band.two_value_error(0.5) - crossing).abs() < 1e-15);
}

#[test]
fn a_noisy_law_has_independent_errors() {
    let truth = Marginal { first: 2, mass: vec![0.5, 0.5] };
    let noise = Kernel { first: -1, stride: 1, weights: vec![0.2, 0.5, 0.3] };
    let band = Band::noisy(&truth, &noise);
    assert_eq!((band.first_t, band.first_e, band.width), (2, -1, 3));
    assert!((band.mass[4] - 0.25).abs() < 1e-15);
}

fn close(ours: Option<Approximate>, expected: f64, tolerance: f64) {
    let ours = ours.unwrap();
    assert!((ours.value - expected).abs() <= tolerance, "{ours:?} is not {expected}");
    assert!(ours.error() <= tolerance, "{ours:?} is not known well enough");
}

#[test]
fn figures_at_depth_1_agree_with_hand_computation() {
    let model = RealModel { d_max: 1, ..RealModel::default() };
    let integration = integrate(&model, 1e-6).unwrap();
    let [zero, one] = &integration.rows[..] else { panic!("two rows") };
    // E|N| = σ_e √(2/π); two normal values and two normal errors: the angle between them.
    close(zero.get(Quantity::PositionError), 0.2 * (2.0 / std::f64::consts::PI).sqrt(), 1e-6);
    close(one.get(Quantity::MoveError), 0.2f64.atan() / std::f64::consts::PI, 1e-6);
    close(one.get(Quantity::SiblingDifference), 2.0 / std::f64::consts::PI.sqrt(), 1e-6);
    // The median of the greater of two normal values: Φ(x)² = 1/2.
    assert!(
        (integration.median.unwrap().value - 0.544_952_140_600_4).abs() < 1e-7,
        "{:?}",
        integration.median
    );
    for quantity in Quantity::ALL {
        assert_eq!(zero.get(quantity).is_some(), quantity.exists(0));
        assert!(one.get(quantity).is_some());
    }
}

#[test]
fn only_the_ratio_of_the_deviations_matters() {
    let model = RealModel { d_max: 3, b: 3, ..RealModel::default() };
    let large = RealModel { sigma_v: 7.0, sigma_e: 1.4, ..model.clone() };
    let (small, large) = (integrate(&model, 1e-5).unwrap(), integrate(&large, 7e-5).unwrap());
    for (small, large) in small.rows.iter().zip(&large.rows) {
        let [a, b] = [small, large].map(|row| row.get(Quantity::PositionError).unwrap().value);
        assert!((7.0 * a - b).abs() < 1e-6);
        let [a, b] = [small, large].map(|row| row.get(Quantity::TwoValueError).unwrap().value);
        assert!((a - b).abs() < 1e-6);
    }
}

/// A true value by place and, at the ends, whether it is a bound; the heuristic value; the probability.
type PointBetweenBounds = ((i64, i64), i64, f64);

/// A law with values at both bounds.
fn between_bounds() -> (Band, Vec<PointBetweenBounds>) {
    let mass = vec![
        0.06, 0.02, 0.04, // at the lower bound
        0.05, 0.00, 0.10, 0.03, 0.11, 0.07, 0.10, 0.08, 0.02, // between
        0.12, 0.09, 0.11, // at the upper bound
    ];
    let band = Band { first_t: -1, first_e: -1, width: 3, has_bounds: true, mass };
    // Ordered by place; at the ends the bound lies outside.
    let rows = [(-1, -1), (-1, 0), (0, 0), (1, 0), (1, 1)];
    let points =
        band.mass.iter().enumerate().map(|(i, p)| (rows[i / 3], rows[i / 3].0 + i as i64 % 3 - 1, *p));
    let points = points.collect();
    (band, points)
}

#[test]
fn values_at_the_bounds_agree_with_all_combinations_of_children() {
    let (band, points) = between_bounds();
    let order = |max: bool, point: &PointBetweenBounds| {
        if max { (point.0, point.1) } else { ((-point.0.0, -point.0.1), -point.1) }
    };
    for max in [true, false] {
        let mut expected = std::collections::BTreeMap::new();
        let mut right = 0.0;
        for one in &points {
            for two in &points {
                let p = one.2 * two.2;
                let [a, b] = [one, two].map(|point| order(max, point));
                let truth = if a.0 > b.0 { one.0 } else { two.0 };
                let heuristic = if a.1 > b.1 { one.1 } else { two.1 };
                *expected.entry((truth, heuristic)).or_insert(0.0) += p;
                // Equal places stand for smooth values except at a bound, where both moves are right.
                let is_better = |x: &(i64, i64), y: &(i64, i64)| match x.cmp(y) {
                    std::cmp::Ordering::Equal => {
                        if x.1 == 0 {
                            0.5
                        } else {
                            1.0
                        }
                    }
                    order => {
                        if order.is_gt() {
                            1.0
                        } else {
                            0.0
                        }
                    }
                };
                let chosen_first = match a.1.cmp(&b.1) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                right +=
                    p * (chosen_first * is_better(&a.0, &b.0) + (1.0 - chosen_first) * is_better(&b.0, &a.0));
            }
        }
        let backed_up = band.clone().backed_up(2, max);
        for (p, (truth, heuristic, _)) in backed_up.mass.iter().zip(&points) {
            let expected = expected.get(&(*truth, *heuristic)).unwrap_or(&0.0);
            assert!((p - expected).abs() < 1e-15, "{max} {truth:?} {heuristic}: {p} {expected}");
        }
        let error = band.clone().move_error(2, max);
        assert!((error - (1.0 - right)).abs() < 1e-14, "{max}: {error} {}", 1.0 - right);
    }
}

#[test]
fn a_distant_bound_makes_no_difference() {
    let model = RealModel { d_max: 2, sigma_e: 0.5, ..RealModel::default() };
    let (free, bounded) = (integrate(&model, 1e-6), integrate(&RealModel { m: Some(9.0), ..model }, 1e-6));
    let (free, bounded) = (free.unwrap(), bounded.unwrap());
    assert_eq!(bounded.median, None);
    for (free, bounded) in free.rows.iter().zip(&bounded.rows) {
        let of_root = [
            Quantity::PositionError,
            Quantity::MoveError,
            Quantity::StaticMoveError,
            Quantity::SiblingDifference,
        ];
        for quantity in of_root.into_iter().filter(|quantity| quantity.exists(free.d)) {
            close(bounded.get(quantity), free.get(quantity).unwrap().value, 1e-5);
        }
        assert_eq!(bounded.get(Quantity::TwoValueError), None);
    }
}

#[test]
fn a_narrow_bound_leaves_two_values() {
    // Steps are so great that nearly every value is at a bound, at each with probability 1/2: siblings are equal half of
    // the time, otherwise they differ by 2, and the noisy difference has the deviation √2.
    let model = RealModel { d_max: 1, m: Some(1.0), sigma_v: 50.0, sigma_e: 1.0, ..RealModel::default() };
    let rows = integrate(&model, 1e-6).unwrap().rows;
    let between = 1.0 - 2.0 * prodmax_number::tails::normal_tail(1.0 / 50.0);
    let wrong = 0.5 * prodmax_number::tails::normal_tail(2f64.sqrt());
    let ours = |quantity| rows[1].get(quantity).unwrap().value;
    // Pairs of which one value lies between the bounds differ by other amounts.
    assert!((ours(Quantity::MoveError) - wrong).abs() < 2.0 * between);
    assert!((ours(Quantity::SiblingDifference) - 1.0).abs() < 2.0 * between);
}

#[test]
fn point_by_point_and_on_a_lattice_independent_values_are_the_same() {
    for (b, d_max, steps) in [(2, 4, Steps::Normal), (3, 2, Steps::Uniform), (5, 2, Steps::Triangular)] {
        let model = RealModel { b, d_max, steps, values: Values::Independent, ..RealModel::default() };
        let rows = integrate(&model, 1e-6).unwrap().rows;
        for d in [0, 1, d_max] {
            let on_lattice = |lattice: usize| {
                let searched = super::pointwise::Pointwise::new(&model, d, model.sigma_e, lattice);
                (searched.figures(), Some(searched.median()))
            };
            let row = extrapolated(d, Tolerance::of(&model, 1e-5), on_lattice, |_| true).row().unwrap();
            for quantity in Quantity::ALL.into_iter().filter(|quantity| quantity.exists(d)) {
                let (ours, exact) = (row.get(quantity).unwrap(), rows[d].get(quantity).unwrap());
                let stated = ours.error() + exact.error();
                let off = (ours.value - exact.value).abs();
                assert!(off <= stated && stated < 1e-4, "{steps:?} d = {d} {quantity:?}: {ours:?} {exact:?}");
            }
        }
    }
}

#[test]
fn many_independent_moves_agree_with_the_formula_for_grains() {
    let independent =
        RealModel { values: Values::Independent, steps: Steps::Uniform, ..RealModel::default() };
    let model = RealModel { b: 30, d_max: 6, ..independent };
    let ends = crate::granularity::explicit::with_real_values(&model, false).unwrap();
    let row = |d: usize| refine(&model, d, model.sigma_e, 1e-5).unwrap().row().unwrap();
    for (exact, d) in [(ends.first, 1), (ends.last, 6)] {
        let ours = row(d).get(Quantity::MoveError).unwrap();
        let stated = ours.error() + exact.error();
        assert!((ours.value - exact.value).abs() <= stated && stated < 1e-4, "d = {d}: {ours:?} {exact:?}");
    }
}

/// Every figure of a rough computation lies within its stated error of a finer one.
#[test]
fn figures_lie_within_their_stated_errors() {
    for steps in Steps::ALL {
        for values in Values::ALL {
            let model = RealModel { b: 3, d_max: 3, steps, values, ..RealModel::default() };
            let (rough, fine) = (integrate(&model, 1.0).unwrap(), integrate(&model, 1e-8).unwrap());
            for (rough, fine) in rough.rows.iter().zip(&fine.rows) {
                for quantity in Quantity::ALL {
                    let (Some(rough), Some(fine)) = (rough.get(quantity), fine.get(quantity)) else {
                        continue;
                    };
                    let off = (rough.value - fine.value).abs();
                    let stated = rough.error() + fine.error();
                    assert!(off <= stated, "{steps:?} {values:?} {quantity:?}: {rough:?} {fine:?}");
                }
            }
        }
    }
}

#[test]
fn a_single_child_leaves_no_choice() {
    let model = RealModel { b: 1, d_max: 2, ..RealModel::default() };
    let rows = integrate(&model, 1e-6).unwrap().rows;
    close(rows[2].get(Quantity::MoveError), 0.0, 1e-10);
    close(rows[2].get(Quantity::PositionError), rows[0].get(Quantity::PositionError).unwrap().value, 1e-6);
}

#[test]
fn refused_models_are_explained_in_a_sentence() {
    let message = |model: RealModel| integrate(&model, 1e-5).unwrap_err().to_string();
    let model = RealModel::default();
    assert_eq!(
        message(RealModel { m: Some(1.0), steps: Steps::Uniform, ..model.clone() }),
        "with a finite m only dependent values with normal steps are integrated; sample instead"
    );
    assert_eq!(
        message(RealModel { m: Some(100.0), ..model.clone() }),
        "m is 100 and sigma_e is 0.2: a lattice that resolves both is too large; sample instead"
    );
    assert_eq!(
        message(RealModel { sigma_e: 100.0, ..model.clone() }),
        "sigma_e / sigma_v is 100; a lattice that resolves both is possible between 0.01 and 20; sample instead"
    );
    assert_eq!(
        integrate_each(&model, &[0.2], 1e-5).unwrap_err().to_string(),
        "1 values of sigma_e were given for 11 depths"
    );
    assert_eq!(
        sigma_e_for(&model, Constant::StaticMoveError, 0.6).unwrap_err(),
        IntegrateError::NoSolution { d: 1, target: 0.6 }
    );
}

#[test]
fn figures_that_no_lattice_gives_accurately_are_refused() {
    // The move error of the deepest search came out as -0.0000217, known to 0.00024, and was printed.
    let model = RealModel { b: 10, m: Some(0.3), d_max: 4, ..RealModel::default() };
    let refused = integrate(&model, 1e-5).unwrap_err().to_string();
    assert!(
        refused.starts_with("the move error of a search to depth 3 is known only to 7.1e-5"),
        "{refused}"
    );
    assert!(
        refused.ends_with("not to 1e-5; allow a greater tolerance or compute it in another way"),
        "{refused}"
    );
    // With that error it may be 0, and nothing below.
    let rows = integrate(&model, 1e-3).unwrap().rows;
    let figure = rows[4].get(Quantity::MoveError).unwrap();
    assert_eq!(figure.value, 0.0);
    assert!((1e-5..1e-3).contains(&figure.error()), "{figure:?}");
}

#[test]
fn the_median_alone_is_that_of_all_figures() {
    for values in Values::ALL {
        let model = RealModel { b: 3, d_max: 3, values, ..RealModel::default() };
        assert_eq!(median(&model, 1e-5).unwrap(), integrate(&model, 1e-5).unwrap().median);
    }
    assert_eq!(median(&RealModel { m: Some(1.0), d_max: 1, ..RealModel::default() }, 1e-5).unwrap(), None);
}

/// The models of Table 3: the wider the bounds, the less accurate a lattice that is not too large.
#[test]
fn wide_bounds_are_integrated() {
    let model = RealModel { m: Some(5.0), ..RealModel::default() };
    let rows = integrate(&model, TOLERANCE).unwrap().rows;
    // Without a search the error is that of the noise: its mean is 0.2 sqrt(2 / pi).
    let expected = 0.2 * (2.0 / std::f64::consts::PI).sqrt();
    close(rows[0].get(Quantity::PositionError), expected, TOLERANCE);
}
