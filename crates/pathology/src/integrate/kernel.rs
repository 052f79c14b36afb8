//! Probability distributions on a lattice: steps and noise.

use crate::model::Steps;

/// Where a normal distribution is cut off on the lattice, in standard deviations: 6e-14 of it lies beyond.
const REACH: f64 = 7.5;

/// Probabilities of the lattice points first, first + stride, first + 2 stride, …
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    pub(crate) first: i64,
    pub(crate) stride: usize,
    pub(crate) weights: Vec<f64>,
}

impl Kernel {
    /// The normal density of standard deviation `sigma` at every `stride`-th point of a lattice of spacing `delta`.
    ///
    /// Sums over these points are trapezoidal sums, whose error falls like exp(-2π² s² / (stride δ)²) for integrands
    /// that are smooth on the scale s.
    pub(crate) fn normal(sigma: f64, delta: f64, stride: usize) -> Self {
        let spacing = delta * stride as f64 / sigma;
        let reach = (REACH / spacing).ceil() as i64;
        let weights = (-reach..=reach).map(|k| (-0.5 * (k as f64 * spacing).powi(2)).exp()).collect();
        Self::normalized(-reach * stride as i64, stride, weights)
    }

    /// The distribution of steps. The ends of a bounded one must lie on the lattice (see [`aligned`]); the endpoints
    /// of the uniform one, where its density jumps, get half the weight.
    pub(crate) fn steps(steps: Steps, sigma: f64, delta: f64, stride: usize) -> Self {
        let Some(half_width) = steps.half_width() else {
            return Self::normal(sigma, delta, stride);
        };
        let n = (half_width * sigma / delta).round().max(1.0) as i64;
        let weight = |k: i64| match steps {
            Steps::Triangular => (n - k.abs()) as f64,
            _ if k.abs() == n => 0.5,
            _ => 1.0,
        };
        Self::normalized(-n, 1, (-n..=n).map(weight).collect())
    }

    fn normalized(first: i64, stride: usize, mut weights: Vec<f64>) -> Self {
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Self { first, stride, weights }
    }

    /// The last point.
    pub(crate) fn last(&self) -> i64 {
        self.first + (self.stride * (self.weights.len() - 1)) as i64
    }
}

/// The greatest spacing up to `delta` for which the ends of the steps' distribution lie on the lattice. Otherwise the
/// error would depend on where in a cell the ends lie, and halving the spacing would not quarter it.
pub(crate) fn aligned(steps: Steps, sigma: f64, delta: f64) -> f64 {
    match steps.half_width() {
        Some(half_width) => half_width * sigma / (half_width * sigma / delta).ceil(),
        None => delta,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(kernel: &Kernel, delta: f64) -> (f64, f64, f64) {
        let at = |k: usize| (kernel.first + (k * kernel.stride) as i64) as f64 * delta;
        let sum =
            |power: i32| kernel.weights.iter().enumerate().map(|(k, w)| w * at(k).powi(power)).sum::<f64>();
        (sum(0), sum(1), sum(2))
    }

    #[test]
    fn a_normal_kernel_has_the_right_variance_at_any_stride() {
        for stride in [1, 2, 4] {
            let (total, mean, variance) = moments(&Kernel::normal(0.7, 0.1, stride), 0.1);
            assert!((total - 1.0).abs() < 1e-12 && mean.abs() < 1e-12 && (variance - 0.49).abs() < 1e-11);
        }
    }

    #[test]
    fn bounded_steps_have_unit_variance_in_the_limit() {
        for steps in [Steps::Uniform, Steps::Triangular] {
            let off = |delta: f64| {
                let delta = aligned(steps, 1.0, delta);
                let (total, _, variance) = moments(&Kernel::steps(steps, 1.0, delta, 1), delta);
                assert!((total - 1.0).abs() < 1e-12);
                (variance - 1.0) / (delta * delta)
            };
            // The error is a multiple of δ².
            assert!((off(0.02) - off(0.01)).abs() < 0.01 * off(0.01).abs(), "{} {}", off(0.02), off(0.01));
        }
    }
}
