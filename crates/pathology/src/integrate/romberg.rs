//! Richardson extrapolation of figures computed on lattices of spacing δ, δ/2, δ/4, …

/// The limit of figures whose error is a series in δ², δ⁴, …, and a stated error.
///
/// Each halving removes one more term (Romberg's scheme, up to δ⁴). The value is the last one with the terms δ² and
/// δ⁴ removed. The stated error is its distance from the best value with only δ² removed, but at least a sixteenth of
/// the change of the value at the last halving: an estimate, which is on the safe side once the leading terms of the
/// series dominate. `None` with fewer than three figures. If one of them is not a number, neither is the value or the error.
pub(crate) fn limit(figures: &[f64]) -> Option<(f64, f64)> {
    let removed = |figures: &[f64], factor: f64| -> Vec<f64> {
        figures.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect()
    };
    let once = removed(figures, 4.0);
    let twice = removed(&once, 16.0);
    let (value, rough) = (*twice.last()?, *once.last()?);
    let moved = twice.windows(2).last().map_or(0.0, |pair| (pair[1] - pair[0]).abs() / 16.0);
    // `max` would drop what is not a number; in this order it is the greatest of absolute values.
    let greater = |a: f64, b: f64| if b.total_cmp(&a).is_gt() { b } else { a };
    Some((value, greater(greater((value - rough).abs(), moved), ROUNDING)))
}

/// An allowance for rounding.
const ROUNDING: f64 = 1e-11;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_terms_are_removed() {
        let at = |delta: f64| 0.3 + 0.7 * delta.powi(2) - 0.2 * delta.powi(4);
        let (value, error) = limit(&[at(0.4), at(0.2), at(0.1)]).unwrap();
        assert!((value - 0.3).abs() < 1e-14);
        assert!(error > (value - 0.3).abs());
        let rough = at(0.1) + (at(0.1) - at(0.2)) / 3.0;
        assert!((error - (rough - value).abs()).abs() < 1e-14);
        assert_eq!(limit(&[1.0, 2.0]), None);
    }

    #[test]
    fn what_is_not_a_number_is_not_dropped() {
        for missing in 0..4 {
            let mut figures = [0.1, 0.2, 0.3, 0.4];
            figures[missing] = f64::NAN;
            let (value, error) = limit(&figures).unwrap();
            assert!(value.is_nan() || error.is_nan(), "{missing}: {value} {error}");
        }
    }
}
