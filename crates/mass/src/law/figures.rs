//! The figures that follow from the sums, as estimates and as intervals.

use super::sums::Shares;

/// Shares and percentages as in [`crate::Figures`]; `None` where the divisor may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawFigures<N> {
    /// The first rule's share of all errors.
    pub share_first: Option<N>,
    /// 100 (e2 - e1) / (e2 + e1).
    pub difference_percent: Option<N>,
    /// 100 (e2 - e1) / critical.
    pub per_case_percent: Option<N>,
}

/// An interval that is certain to contain the exact figure.
pub type Interval = [f64; 2];

/// Widens an interval by more than a few roundings of figures of this size.
fn outwards([low, high]: Interval) -> Interval {
    let margin = 16.0 * f64::EPSILON;
    [low - margin * low.abs() - f64::MIN_POSITIVE, high + margin * high.abs() + f64::MIN_POSITIVE]
}

impl LawFigures<f64> {
    /// The figures from single numbers.
    pub fn of(shares: &Shares<f64>) -> Self {
        let Shares { critical, first_error: first, second_error: second } = *shares;
        let over = |number: f64, divisor: f64| (divisor > 0.0).then(|| number / divisor);
        Self {
            share_first: over(first, first + second),
            difference_percent: over(100.0 * (second - first), first + second),
            per_case_percent: over(100.0 * (second - first), critical),
        }
    }
}

impl LawFigures<Interval> {
    /// The figures from intervals: each figure grows with one of the masses and falls with the other, so its ends
    /// follow from theirs.
    pub fn of_intervals(shares: &Shares<Interval>) -> Self {
        let ([f0, f1], [s0, s1]) = (shares.first_error, shares.second_error);
        let [c0, c1] = shares.critical;
        // a / (a + b) grows with a and falls with b.
        let part = |a: f64, b: f64| a / (a + b);
        let some = f0 + s0 > 0.0;
        let share = [part(f0, s1), part(f1, s0)];
        let difference = [part(s0, f1), part(s1, f0)].map(|part| 100.0 * (2.0 * part - 1.0));
        let lead = [100.0 * (s0 - f1), 100.0 * (s1 - f0)];
        let per_case = [
            if lead[0] < 0.0 { lead[0] / c0 } else { lead[0] / c1 },
            if lead[1] < 0.0 { lead[1] / c1 } else { lead[1] / c0 },
        ];
        // The roundings of 2 x - 1 are relative to 1, not to the result.
        let wide = |[low, high]: Interval| [low - 1e-13, high + 1e-13];
        Self {
            share_first: some.then(|| outwards(share)),
            difference_percent: some.then(|| wide(outwards(difference))),
            per_case_percent: (some && c0 > 0.0).then(|| wide(outwards(per_case))),
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn intervals_of_points_are_next_to_the_figures() {
        let shares = Shares { critical: 0.25, first_error: 0.03, second_error: 0.01 };
        let figures = LawFigures::of(&shares);
        assert_relative_eq!(figures.difference_percent.unwrap(), -50.0, epsilon = 1e-12);
        assert_relative_eq!(figures.share_first.unwrap(), 0.75);
        assert_relative_eq!(figures.per_case_percent.unwrap(), -8.0, epsilon = 1e-12);
        let intervals = LawFigures::of_intervals(&shares.map(|share| [share, share]));
        let [low, high] = intervals.difference_percent.unwrap();
        assert!(low < -50.0 && high > -50.0 && high - low < 1e-11);
        let [low, high] = intervals.per_case_percent.unwrap();
        assert!(low < -8.0 && high > -8.0 && high - low < 1e-11);
    }

    /// 0.5 ± 0.1 against 1 ± 0.1: the lead is at least (0.9 - 0.6) / 1.5 and at most (1.1 - 0.4) / 1.5.
    #[test]
    fn ends_of_figures_are_at_opposite_ends_of_masses() {
        let shares = Shares { critical: [2.0, 4.0], first_error: [0.4, 0.6], second_error: [0.9, 1.1] };
        let figures = LawFigures::of_intervals(&shares);
        let [low, high] = figures.difference_percent.unwrap();
        assert_relative_eq!(low, 20.0, epsilon = 1e-9);
        assert_relative_eq!(high, 100.0 * 0.7 / 1.5, epsilon = 1e-9);
        let [low, high] = figures.per_case_percent.unwrap();
        assert_relative_eq!(low, 7.5, epsilon = 1e-9);
        assert_relative_eq!(high, 35.0, epsilon = 1e-9);
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let none = LawFigures::of(&Shares::default());
        assert_eq!((none.share_first, none.per_case_percent), (None, None));
        let maybe = Shares { critical: [0.0, 1.0], first_error: [0.0, 1.0], second_error: [0.0, 1.0] };
        assert_eq!(LawFigures::of_intervals(&maybe).difference_percent, None);
    }
}
