//! Compensated (Neumaier) summation of doubles.

/// A running sum and its accumulated rounding error.
///
/// ```
/// use prodmax_number::CompensatedSum;
///
/// let terms = [1.0, 1e100, 1.0, -1e100];
/// let mut sum = CompensatedSum::default();
/// terms.iter().for_each(|&term| sum.add(term));
/// assert_eq!(sum.value(), 2.0);
/// assert_eq!(terms.iter().sum::<f64>(), 0.0, "the plain sum loses both ones");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let total = self.sum + term;
        self.lost +=
            if self.sum.abs() >= term.abs() { (self.sum - total) + term } else { (term - total) + self.sum };
        self.sum = total;
    }

    /// Adds another sum, including its rounding error.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        self.add(other.sum);
        self.lost += other.lost;
    }

    /// The sum.
    pub fn value(&self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_a_plain_sum_loses() {
        let mut sum = CompensatedSum::default();
        for term in [1.0, 1e100, 1.0, -1e100] {
            sum.add(term);
        }
        assert_eq!(sum.value(), 2.0);
    }

    #[test]
    fn merging_keeps_both_rounding_errors() {
        let mut total = CompensatedSum::default();
        for _ in 0..2 {
            let mut part = CompensatedSum::default();
            part.add(1e100);
            part.add(1.0);
            total.merge(&part);
        }
        total.add(-2e100);
        assert_eq!(total.value(), 2.0);
    }
}
