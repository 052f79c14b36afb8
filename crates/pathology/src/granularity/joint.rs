//! The joint law of true and heuristic value when both are grains: a square table.

use prodmax_jobs::stop;

use super::RightMoves;

/// The probabilities of (true grain t, heuristic grain h), row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joint {
    pub(crate) grains: usize,
    pub(crate) mass: Vec<f64>,
}

impl Joint {
    pub(crate) fn zero(grains: usize) -> Self {
        Self { grains, mass: vec![0.0; grains * grains] }
    }

    /// A true value with this law, seen through noise: `noise[t][h]`.
    pub(crate) fn noisy(truth: &[f64], noise: &[Vec<f64>]) -> Self {
        let mass = truth.iter().zip(noise).flat_map(|(t, row)| row.iter().map(move |h| t * h)).collect();
        Self { grains: truth.len(), mass }
    }

    pub(crate) fn add(&mut self, weight: f64, other: &Self) {
        self.mass.iter_mut().zip(&other.mass).for_each(|(sum, mass)| *sum += weight * mass);
    }

    fn negate(&mut self) {
        self.mass.reverse();
    }

    /// Pr(T <= t, H <= h), with a row and a column of zeros before the first; normalised to a total of 1.
    fn distribution(&self) -> Vec<f64> {
        let wide = self.grains + 1;
        let mut sums = vec![0.0; wide * wide];
        for (t, row) in self.mass.chunks_exact(self.grains).enumerate() {
            let mut sum = 0.0;
            for (h, mass) in row.iter().enumerate() {
                sum += mass;
                sums[(t + 1) * wide + h + 1] = sums[t * wide + h + 1] + sum;
            }
        }
        let whole = sums[wide * wide - 1];
        sums.iter_mut().for_each(|sum| *sum /= whole);
        sums
    }

    /// The law of the greatest (for MIN: least) values of b independent nodes.
    pub(crate) fn backed_up(mut self, b: u32, max: bool) -> Self {
        if !max {
            self.negate();
        }
        let wide = self.grains + 1;
        let mut powers = self.distribution();
        powers.iter_mut().for_each(|power| *power = power.powi(b as i32));
        for (t, row) in self.mass.chunks_exact_mut(self.grains).enumerate() {
            stop::check();
            for (h, mass) in row.iter_mut().enumerate() {
                let at = (t + 1) * wide + h + 1;
                *mass = (powers[at] - powers[at - 1]) - (powers[at - wide] - powers[at - wide - 1]);
            }
        }
        if !max {
            self.negate();
        }
        self
    }

    /// The probability that MAX, choosing at random among the children with the greatest heuristic grain, chooses one
    /// whose true grain is not the greatest.
    ///
    /// Let a child have the grains (t, h). If no other child lies above t or h and k others also have the heuristic
    /// grain h, then it is chosen, and is best, with probability 1/(1 + k). With A = Pr(T <= t, H < h) and
    /// B = Pr(T <= t, H = h) the mean of that over the others is ((A + B)^b - A^b) / (b B).
    /// If only the first of the best moves is right, both searches choosing the first, the children before it lie below t
    /// and below h, and those after it at most there: A is then Pr(T < t, H < h).
    pub(crate) fn move_error(&self, b: u32, ties: RightMoves) -> f64 {
        let wide = self.grains + 1;
        let sums = self.distribution();
        let mut right = 0.0;
        for (t, row) in self.mass.chunks_exact(self.grains).enumerate() {
            stop::check();
            for (h, mass) in row.iter().enumerate() {
                let at = (t + 1) * wide + h + 1;
                let below = match ties {
                    RightMoves::AllRight => sums[at - 1],
                    RightMoves::FirstRight => sums[at - wide - 1],
                };
                let whole = sums[at];
                let here = whole - below;
                if here <= 0.0 || *mass <= 0.0 {
                    continue;
                }
                // (x^b - y^b) / (x - y), in a form that loses no digits if x and y are close.
                let mean: f64 = (0..b).fold(0.0, |sum, k| sum * below + whole.powi(k as i32));
                right += mass * mean;
            }
        }
        1.0 - right
    }

    /// E|H - T|, in grains.
    pub(crate) fn position_error(&self) -> f64 {
        let row = |(t, row): (usize, &[f64])| -> f64 {
            row.iter().enumerate().map(|(h, mass)| mass * t.abs_diff(h) as f64).sum()
        };
        self.mass.chunks_exact(self.grains).enumerate().map(row).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Joint {
        Joint { grains: 3, mass: vec![0.10, 0.05, 0.00, 0.20, 0.15, 0.12, 0.03, 0.15, 0.20] }
    }

    fn tuples(b: usize) -> Vec<(Vec<(usize, usize)>, f64)> {
        let points: Vec<_> = small().mass.iter().enumerate().map(|(i, p)| ((i / 3, i % 3), *p)).collect();
        (0..b).fold(vec![(Vec::new(), 1.0)], |tuples, _| {
            let longer = |(values, p): &(Vec<(usize, usize)>, f64)| {
                points.iter().map(|(v, q)| ([values.as_slice(), &[*v]].concat(), p * q)).collect::<Vec<_>>()
            };
            tuples.iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn backing_up_agrees_with_all_combinations_of_children() {
        for b in [1, 2, 3, 4] {
            let (mut max, mut min, mut right, mut first) = (vec![0.0; 9], vec![0.0; 9], 0.0, 0.0);
            for (values, p) in tuples(b) {
                let t: Vec<usize> = values.iter().map(|v| v.0).collect();
                let h: Vec<usize> = values.iter().map(|v| v.1).collect();
                let (t_max, h_max) = (*t.iter().max().unwrap(), *h.iter().max().unwrap());
                max[3 * t_max + h_max] += p;
                min[3 * t.iter().min().unwrap() + h.iter().min().unwrap()] += p;
                let chosen: Vec<usize> = values.iter().filter(|v| v.1 == h_max).map(|v| v.0).collect();
                let first_of = |all: &[usize], most: usize| all.iter().position(|x| *x == most);
                first += if first_of(&t, t_max) == first_of(&h, h_max) { p } else { 0.0 };
                right += p * chosen.iter().filter(|t| **t == t_max).count() as f64 / chosen.len() as f64;
            }
            let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
            assert!(close(&small().backed_up(b as u32, true).mass, &max));
            assert!(close(&small().backed_up(b as u32, false).mass, &min));
            let error = |ties| small().move_error(b as u32, ties);
            assert!((error(RightMoves::AllRight) - (1.0 - right)).abs() < 1e-14);
            assert!((error(RightMoves::FirstRight) - (1.0 - first)).abs() < 1e-14);
        }
        // |t - h| is 1 with probability 0.05 + 0.20 + 0.12 + 0.15 and 2 with 0.03.
        assert!((small().position_error() - 0.58).abs() < 1e-15);
    }
}
