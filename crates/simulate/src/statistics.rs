//! Uncertainty: the sign test as published, and standard errors that allow for the overlap of games in one tree.

/// Pr(Z > z) of a standard normal variable, to about 14 digits.
pub fn normal_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_tail(-z);
    }
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 3.0 {
        // Φ(z) - 1/2 = φ(z) (z + z³/3 + z⁵/(3·5) + …)
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > sum * 1e-17 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        // The continued fraction φ(z) / (z + 1/(z + 2/(z + 3/(z + …)))), evaluated backwards.
        density / (1..=100).rev().fold(z, |rest, k| z + f64::from(k) / rest)
    }
}

/// The significance that KHS print: the one-sided normal sign test without continuity correction, in favour of
/// whoever is ahead. `None` without critical pairs. It treats the pairs as independent, which they are not.
pub fn sign_test(first_wins: u64, second_wins: u64) -> Option<f64> {
    let critical = first_wins + second_wins;
    (critical > 0).then(|| normal_tail(first_wins.abs_diff(second_wins) as f64 / (critical as f64).sqrt()))
}

/// A quotient of two sums over trees with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Σ part / Σ whole.
    pub value: f64,
    /// The standard error of `value`, by the delete-one jackknife over trees: whole trees are independent, games
    /// of one tree are not.
    pub standard_error: f64,
    /// The number of trees.
    pub trees: usize,
}

impl Ratio {
    /// The ratio of the sums of (part, whole) over trees; `None` with fewer than two trees, or if one tree holds
    /// everything.
    pub fn of(trees: &[(u64, u64)]) -> Option<Self> {
        let sum = |each: fn(&(u64, u64)) -> u64| trees.iter().map(each).sum::<u64>();
        let (part, whole) = (sum(|t| t.0), sum(|t| t.1));
        if trees.len() < 2 || trees.iter().any(|t| t.1 == whole) {
            return None;
        }
        let value = part as f64 / whole as f64;
        let count = trees.len() as f64;
        let without = |t: &(u64, u64)| (part - t.0) as f64 / (whole - t.1) as f64;
        let mean = trees.iter().map(without).sum::<f64>() / count;
        let squares = trees.iter().map(|t| (without(t) - mean).powi(2)).sum::<f64>();
        let standard_error = (squares * (count - 1.0) / count).sqrt();
        Some(Self { value, standard_error, trees: trees.len() })
    }

    /// The standard error that a sample of `trees` trees would have.
    pub fn standard_error_of(&self, trees: usize) -> f64 {
        self.standard_error * (self.trees as f64 / trees as f64).sqrt()
    }

    /// How many standard errors a figure from `trees` other trees is away, both errors combined.
    pub fn deviation(&self, other: f64, trees: usize) -> f64 {
        (other - self.value) / self.standard_error.hypot(self.standard_error_of(trees))
    }
}

/// Pr(χ² > x) for an even number of degrees of freedom: a Poisson sum.
pub fn chi_square_tail(x: f64, even_degrees: usize) -> f64 {
    assert!(even_degrees.is_multiple_of(2) && even_degrees > 0);
    let half = x / 2.0;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..even_degrees / 2 {
        term *= half / k as f64;
        sum += term;
    }
    (-half).exp() * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * b.abs()
    }

    #[test]
    fn tails_of_the_normal_distribution() {
        // Abramowitz and Stegun, table 26.1 and 26.2.
        for (z, tail) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457),
            (2.0, 0.022_750_131_948_179),
            (3.0, 1.349_898_031_630_09e-3),
            (5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!(close(normal_tail(z), tail, 1e-12), "{z}: {}", normal_tail(z));
        }
        assert!(close(normal_tail(-1.0), 0.841_344_746_068_543, 1e-12));
        // Both formulas agree where they meet.
        assert!(close(normal_tail(3.0 - 1e-9), normal_tail(3.0), 1e-7));
    }

    #[test]
    fn the_sign_test_needs_critical_pairs() {
        assert_eq!(sign_test(0, 0), None);
        assert_eq!(sign_test(7, 7), Some(0.5));
        assert_eq!(sign_test(3, 9), sign_test(9, 3));
    }

    #[test]
    fn tails_of_chi_square() {
        // Abramowitz and Stegun, table 26.8.
        assert!(close(chi_square_tail(23.6848, 14), 0.05, 1e-5));
        assert!(close(chi_square_tail(5.99146, 2), 0.05, 1e-5));
        assert_eq!(chi_square_tail(0.0, 14), 1.0);
    }

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        // Equal wholes: the ratio is a mean, for which the jackknife is the textbook formula.
        let trees = [(1, 10), (4, 10), (3, 10), (6, 10)];
        let ratio = Ratio::of(&trees).unwrap();
        let mean = 0.35;
        let variance = trees.iter().map(|t| (t.0 as f64 / 10.0 - mean).powi(2)).sum::<f64>() / 3.0;
        assert!(close(ratio.value, mean, 1e-12));
        assert!(close(ratio.standard_error, (variance / 4.0).sqrt(), 1e-12));
        assert!(close(ratio.standard_error_of(1), variance.sqrt(), 1e-12));
    }

    #[test]
    fn a_standard_error_needs_two_trees_that_count() {
        assert_eq!(Ratio::of(&[(1, 2)]), None);
        assert_eq!(Ratio::of(&[(1, 2), (0, 0)]), None);
        assert_eq!(Ratio::of(&[(0, 0), (0, 0)]), None);
    }
}
