//! Generalised means and their derivatives.

use prodmax_rules::Mover;

/// M_p at a MAX node, M_-p at a MIN node, of positive values. The greatest (least) value is factored out first, so
/// that no power leaves the range of doubles.
///
/// ```
/// use prodmax_games::penalty::mean;
/// use prodmax_rules::Mover;
/// assert!((mean(Mover::Max, 2.0, [1.0, 7.0].into_iter()) - 5.0).abs() < 1e-14);
/// assert!((mean(Mover::Min, 1.0, [2.0, 6.0].into_iter()) - 3.0).abs() < 1e-14);
/// ```
pub fn mean(mover: Mover, p: f64, values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let n = values.len() as f64;
    match mover {
        Mover::Max => {
            let most = values.clone().fold(0.0, f64::max);
            let sum: f64 = values.map(|x| (x / most).powf(p)).sum();
            most * (sum / n).powf(1.0 / p)
        }
        Mover::Min => {
            let least = values.clone().fold(f64::INFINITY, f64::min);
            let sum: f64 = values.map(|x| (least / x).powf(p)).sum();
            least / (sum / n).powf(1.0 / p)
        }
    }
}

/// Minus the logarithm of the derivative of the mean of n values with respect to one of them.
#[inline]
pub fn edge_weight(mover: Mover, p: f64, n: usize, mean: f64, x: f64) -> f64 {
    let log_n = (n as f64).ln();
    match mover {
        Mover::Max => log_n + (p - 1.0) * (mean / x).ln(),
        Mover::Min => log_n + (p + 1.0) * (x / mean).ln(),
    }
}

/// The derivative itself: (1/n) (x/M)^(p-1), or (1/n) (x/M)^(-p-1).
pub fn derivative(mover: Mover, p: f64, n: usize, mean: f64, x: f64) -> f64 {
    let exponent = match mover {
        Mover::Max => p - 1.0,
        Mover::Min => -p - 1.0,
    };
    (x / mean).powf(exponent) / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_finite_differences_and_with_another_formula() {
        let values = [300.0, 512.0, 700.0, 333.0];
        for mover in [Mover::Max, Mover::Min] {
            for p in [1.0, 2.0, 5.0, 10.0, 40.0] {
                let whole = mean(mover, p, values.into_iter());
                let signed = if mover == Mover::Max { p } else { -p };
                for (index, &x) in values.iter().enumerate() {
                    let moved = |by: f64| {
                        let mut moved = values;
                        moved[index] += by;
                        mean(mover, p, moved.into_iter())
                    };
                    let step = 1e-3;
                    let difference = (moved(step) - moved(-step)) / (2.0 * step);
                    let exact = derivative(mover, p, values.len(), whole, x);
                    assert!(
                        (exact - difference).abs() < 1e-6 * exact.max(1e-3),
                        "{mover:?} {p} {exact} {difference}"
                    );
                    // x dM/dx / M is the share of x in the sum of powers.
                    let sum: f64 = values.iter().map(|y| (y / x).powf(signed)).sum();
                    assert!((exact * x / whole - 1.0 / sum).abs() < 1e-12);
                    let weight = edge_weight(mover, p, values.len(), whole, x);
                    assert!((weight + exact.ln()).abs() < 1e-11, "{weight} {exact}");
                }
            }
        }
    }

    #[test]
    fn large_exponents_approach_the_extremes() {
        let values = [1.0, 1023.0, 512.0];
        assert!((mean(Mover::Max, 1000.0, values.into_iter()) - 1023.0).abs() < 2.0);
        assert!((mean(Mover::Min, 1000.0, values.into_iter()) - 1.0).abs() < 0.002);
    }
}
