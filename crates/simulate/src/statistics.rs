//! Uncertainty: the sign test as published, and standard errors that allow for the overlap of games in one tree.

use prodmax_number::tails::normal_tail;

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
        let signed = |&(part, whole): &(u64, u64)| Some((i64::try_from(part).ok()?, whole));
        Self::signed(&trees.iter().map(signed).collect::<Option<Vec<_>>>()?)
    }

    /// The same for parts that may be negative, such as differences of counts in the same tree.
    pub fn signed(trees: &[(i64, u64)]) -> Option<Self> {
        let part = trees.iter().map(|t| t.0).sum::<i64>();
        let whole = trees.iter().map(|t| t.1).sum::<u64>();
        if trees.len() < 2 || trees.iter().any(|t| t.1 == whole) {
            return None;
        }
        let value = part as f64 / whole as f64;
        let count = trees.len() as f64;
        let without = |t: &(i64, u64)| (part - t.0) as f64 / (whole - t.1) as f64;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_in_the_same_trees_have_their_own_error() {
        let trees = [(-2, 10), (1, 10), (3, 10), (4, 10)];
        let ratio = Ratio::signed(&trees).unwrap();
        assert!(close(ratio.value, 0.15, 1e-12), "{ratio:?}");
        // With equal wholes the jackknife is the standard error of a mean: deviations -0.35, -0.05, 0.15, 0.25.
        let variance: f64 = [0.35f64, 0.05, 0.15, 0.25].iter().map(|x| x * x).sum::<f64>() / 3.0;
        assert!(close(ratio.standard_error, (variance / 4.0).sqrt(), 1e-12), "{ratio:?}");
    }

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * b.abs()
    }

    #[test]
    fn the_sign_test_needs_critical_pairs() {
        assert_eq!(sign_test(0, 0), None);
        assert_eq!(sign_test(7, 7), Some(0.5));
        assert_eq!(sign_test(3, 9), sign_test(9, 3));
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
