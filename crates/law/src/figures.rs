//! The figures that follow from the sums, as estimates and as intervals.

use prodmax_number::Approximate;
use prodmax_number::possible::{Impossible, ImpossibleFigure, Kind};
use prodmax_rules::Percentages;

use super::quality::LawQuality;
use super::sums::Shares;

/// What the law of values says about two rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laws<N> {
    /// Sums over the critical trees as shares of all trees.
    pub shares: Shares<N>,
    /// The figures that follow from them; `None` where the divisor may be 0.
    pub figures: Percentages<N>,
    /// How well both rules decide, if asked for.
    pub quality: Option<LawQuality<N>>,
    /// What ties contribute to won of the first rule minus won of the second, in percentage points; known with the quality.
    pub ties_points: Option<N>,
}

/// Numbers of which something is known only up to an error.
pub(super) trait Uncertain: Copy {
    /// The difference of two numbers whose errors may be independent.
    fn minus(self, other: Self) -> Self;
    /// c - x.
    fn mirrored(self, c: f64) -> Self;
    /// The number in percent.
    fn percent(self) -> Self;
}

impl Uncertain for Interval {
    fn minus(self, other: Self) -> Self {
        [(self[0] - other[1]).next_down(), (self[1] - other[0]).next_up()]
    }
    fn mirrored(self, c: f64) -> Self {
        [c - self[1], c - self[0]]
    }
    fn percent(self) -> Self {
        [(100.0 * self[0]).next_down(), (100.0 * self[1]).next_up()]
    }
}

impl Uncertain for Approximate {
    fn minus(self, other: Self) -> Self {
        Self::estimated(self.value - other.value, (self.error() + other.error()).next_up())
    }
    fn mirrored(self, c: f64) -> Self {
        Self { value: c - self.value, ..self }
    }
    fn percent(self) -> Self {
        Self::estimated(100.0 * self.value, (100.0 * self.error()).next_up())
    }
}

/// Laws with what ties contribute, which follows from the other figures.
pub(super) fn with_ties<N: Uncertain>(laws: Laws<N>) -> Laws<N> {
    let errors = laws.shares.second_error.minus(laws.shares.first_error);
    let ties = |quality: LawQuality<N>| quality.won[0].minus(quality.won[1]).minus(errors).percent();
    Laws { ties_points: laws.quality.map(ties), ..laws }
}

/// What holds if the two rules change places.
pub(super) fn swapped<N: Uncertain>(laws: Laws<N>) -> Laws<N> {
    let Shares { critical, first_error, second_error } = laws.shares;
    let Percentages { share_first, difference_percent, per_case_percent } = laws.figures;
    let opposite = |figure: Option<N>| figure.map(|figure| figure.mirrored(0.0));
    let quality = laws.quality.map(|mut quality| {
        quality.won.reverse();
        quality.efficiency.reverse();
        quality
    });
    Laws {
        shares: Shares { critical, first_error: second_error, second_error: first_error },
        figures: Percentages {
            share_first: share_first.map(|share| share.mirrored(1.0)),
            difference_percent: opposite(difference_percent),
            per_case_percent: opposite(per_case_percent),
        },
        quality,
        ties_points: opposite(laws.ties_points),
    }
}

impl<N: Copy> Laws<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Laws<T> {
        Laws {
            shares: self.shares.map(&to),
            figures: self.figures.map(&to),
            quality: self.quality.map(|quality| quality.map(&to)),
            ties_points: self.ties_points.map(&to),
        }
    }

    /// The same after the gate, which gives the possible part of a figure; an error if one of them is impossible.
    pub(super) fn checked(
        self,
        check: impl Fn(Kind, N) -> Result<N, Impossible>,
    ) -> Result<Self, ImpossibleFigure> {
        let one = |name: &str, kind: Kind, figure: N| check(kind, figure).map_err(|reason| reason.of(name));
        let maybe = |name: &str, kind: Kind, figure: Option<N>| {
            figure.map(|figure| one(name, kind, figure)).transpose()
        };
        let Self { shares, figures, quality, ties_points } = self;
        let shares = Shares {
            critical: one("the share of critical trees", Kind::Probability, shares.critical)?,
            first_error: one("the first rule's error rate", Kind::Probability, shares.first_error)?,
            second_error: one("the second rule's error rate", Kind::Probability, shares.second_error)?,
        };
        let figures = Percentages {
            share_first: maybe(
                "the first rule's share of the errors",
                Kind::Probability,
                figures.share_first,
            )?,
            difference_percent: maybe(
                "the difference in percent",
                Kind::Difference,
                figures.difference_percent,
            )?,
            per_case_percent: maybe("the difference per case", Kind::Difference, figures.per_case_percent)?,
        };
        let quality = quality.map(|LawQuality { won: [first, second], efficiency, ideal, random }| {
            Ok(LawQuality {
                won: [
                    one("what the first rule wins", Kind::Probability, first)?,
                    one("what the second rule wins", Kind::Probability, second)?,
                ],
                efficiency,
                ideal: one("what the ideal rule wins", Kind::Probability, ideal)?,
                random: one("what a random choice wins", Kind::Probability, random)?,
            })
        });
        Ok(Self { shares, figures, quality: quality.transpose()?, ties_points })
    }
}

impl Laws<Interval> {
    /// The width of the interval of the difference, in percentage points; infinite if nothing is known about it.
    pub fn width(&self) -> f64 {
        self.figures.difference_percent.map_or(f64::INFINITY, |[low, high]| high - low)
    }
}

/// An interval that is certain to contain the exact figure.
pub type Interval = [f64; 2];

/// Widens an interval by more than a few roundings of figures of this size.
fn outwards([low, high]: Interval) -> Interval {
    let margin = 16.0 * f64::EPSILON;
    [low - margin * low.abs() - f64::MIN_POSITIVE, high + margin * high.abs() + f64::MIN_POSITIVE]
}

/// The figures from single numbers.
pub(super) fn percentages(shares: &Shares<f64>) -> Percentages<f64> {
    let Shares { critical, first_error: first, second_error: second } = *shares;
    let over = |number: f64, divisor: f64| (divisor > 0.0).then(|| number / divisor);
    Percentages {
        share_first: over(first, first + second),
        difference_percent: over(100.0 * (second - first), first + second),
        per_case_percent: over(100.0 * (second - first), critical),
    }
}

/// The figures from intervals: each figure grows with one of the masses and falls with the other, so its ends
/// follow from theirs.
pub(super) fn of_intervals(shares: &Shares<Interval>) -> Percentages<Interval> {
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
    Percentages {
        share_first: some.then(|| outwards(share)),
        difference_percent: some.then(|| wide(outwards(difference))),
        per_case_percent: (some && c0 > 0.0).then(|| wide(outwards(per_case))),
    }
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;

    #[test]
    fn intervals_of_points_are_next_to_the_figures() {
        let shares = Shares { critical: 0.25, first_error: 0.03, second_error: 0.01 };
        let figures = percentages(&shares);
        assert_relative_eq!(figures.difference_percent.unwrap(), -50.0, epsilon = 1e-12);
        assert_relative_eq!(figures.share_first.unwrap(), 0.75);
        assert_relative_eq!(figures.per_case_percent.unwrap(), -8.0, epsilon = 1e-12);
        let intervals = of_intervals(&shares.map(|share| [share, share]));
        let [low, high] = intervals.difference_percent.unwrap();
        assert!(low < -50.0 && high > -50.0 && high - low < 1e-11);
        let [low, high] = intervals.per_case_percent.unwrap();
        assert!(low < -8.0 && high > -8.0 && high - low < 1e-11);
    }

    /// 0.5 ± 0.1 against 1 ± 0.1: the lead is at least (0.9 - 0.6) / 1.5 and at most (1.1 - 0.4) / 1.5.
    #[test]
    fn ends_of_figures_are_at_opposite_ends_of_masses() {
        let shares = Shares { critical: [2.0, 4.0], first_error: [0.4, 0.6], second_error: [0.9, 1.1] };
        let figures = of_intervals(&shares);
        let [low, high] = figures.difference_percent.unwrap();
        assert_relative_eq!(low, 20.0, epsilon = 1e-9);
        assert_relative_eq!(high, 100.0 * 0.7 / 1.5, epsilon = 1e-9);
        let [low, high] = figures.per_case_percent.unwrap();
        assert_relative_eq!(low, 7.5, epsilon = 1e-9);
        assert_relative_eq!(high, 35.0, epsilon = 1e-9);
    }

    #[test]
    fn figures_without_a_divisor_are_none() {
        let none = percentages(&Shares::default());
        assert_eq!((none.share_first, none.per_case_percent), (None, None));
        let maybe = Shares { critical: [0.0, 1.0], first_error: [0.0, 1.0], second_error: [0.0, 1.0] };
        assert_eq!(of_intervals(&maybe).difference_percent, None);
    }

    /// The distance from 1 to the next double.
    const NEXT: f64 = 1.0 / (1u64 << 52) as f64;

    /// 16 such distances of a number of this size: 48 of 3, 80 of 5 and 32 of 2, all of them exact.
    #[test]
    fn intervals_are_widened_by_a_few_roundings() {
        assert_eq!(outwards([-3.0, 5.0]), [-3.0 - 48.0 * NEXT, 5.0 + 80.0 * NEXT]);
        assert_eq!(outwards([2.0, -2.0]), [2.0 - 32.0 * NEXT, -2.0 + 32.0 * NEXT]);
        assert_eq!(outwards([0.0; 2]), [-f64::MIN_POSITIVE, f64::MIN_POSITIVE]);
    }

    /// Errors of 0.02 and 0.08 in a half of all trees: the first rule has a fifth, and the second makes 0.06 more, of
    /// 0.1 and of 0.5.
    #[test]
    fn figures_of_numbers_agree_with_a_count_by_hand() {
        let figures = |critical, first_error, second_error| {
            let Percentages { share_first, difference_percent, per_case_percent } =
                percentages(&Shares { critical, first_error, second_error });
            [share_first, difference_percent, per_case_percent]
        };
        for (found, expected) in [
            (figures(0.5, 0.02, 0.08), [0.2, 60.0, 12.0]),
            (figures(0.5, 0.08, 0.02), [0.8, -60.0, -12.0]),
            (figures(0.5, 0.0, 0.08), [0.0, 100.0, 16.0]),
            (figures(0.5, 0.08, 0.0), [1.0, -100.0, -16.0]),
        ] {
            for (found, expected) in found.iter().zip(expected) {
                assert_relative_eq!(found.unwrap(), expected, max_relative = 1e-14);
            }
        }
        // No errors, and no critical trees.
        assert_eq!(figures(0.5, 0.0, 0.0), [None, None, Some(0.0)]);
        let [share, difference, per_case] = figures(0.0, 0.02, 0.08);
        assert!(share.is_some() && difference.is_some() && per_case.is_none());
    }

    /// The critical trees are from 2 to 4. A lead, whichever it is, is greatest if it is a share of 2.
    #[test]
    fn figures_of_intervals_agree_with_a_count_by_hand() {
        let critical = [2.0, 4.0];
        for (first_error, second_error, share, difference, per_case) in [
            // The second rule errs more: a lead from 0.9 - 0.6 = 0.3 to 1.1 - 0.4 = 0.7.
            ([0.4, 0.6], [0.9, 1.1], [0.4 / 1.5, 0.4], [20.0, 70.0 / 1.5], [30.0 / 4.0, 70.0 / 2.0]),
            // The first rule errs more.
            ([0.9, 1.1], [0.4, 0.6], [0.6, 1.1 / 1.5], [-70.0 / 1.5, -20.0], [-70.0 / 2.0, -30.0 / 4.0]),
            // Either may err more: from 0.5 - 0.8 = -0.3 to 0.7 - 0.2 = 0.5.
            ([0.2, 0.8], [0.5, 0.7], [0.2 / 0.9, 0.8 / 1.3], [-30.0 / 1.3, 50.0 / 0.9], [-15.0, 25.0]),
        ] {
            let figures = of_intervals(&Shares { critical, first_error, second_error });
            for (found, expected) in [
                (figures.share_first, share),
                (figures.difference_percent, difference),
                (figures.per_case_percent, per_case),
            ] {
                let found = found.unwrap();
                assert_relative_eq!(found[0], expected[0], max_relative = 1e-12);
                assert_relative_eq!(found[1], expected[1], max_relative = 1e-12);
                assert!(found[0] < expected[0] && expected[1] < found[1]);
            }
        }
    }

    /// 0.25 and 0.75 of 2, all numbers exact: a quarter, and a lead of 50 % and of 25 %. Each has a margin of 16
    /// roundings of its size, and the leads one of 10^-13 more.
    #[test]
    fn figures_of_points_have_their_margins() {
        let shares = Shares { critical: 2.0, first_error: 0.25, second_error: 0.75 };
        let figures = of_intervals(&shares.map(|share| [share, share]));
        assert_eq!(figures.share_first, Some([0.25 - 4.0 * NEXT, 0.25 + 4.0 * NEXT]));
        for (found, figure) in [(figures.difference_percent, 50.0), (figures.per_case_percent, 25.0)] {
            let (found, margin) = (found.unwrap(), 16.0 * figure * NEXT + 1e-13);
            for margin_found in [figure - found[0], found[1] - figure] {
                // A double of this size is known within 32 such distances.
                assert_abs_diff_eq!(margin_found, margin, epsilon = 64.0 * NEXT);
            }
        }
    }

    /// One error is enough for a share, but critical trees are needed for a share of them.
    #[test]
    fn figures_are_known_where_their_divisors_are() {
        let known = |critical: f64, first: f64, second: f64| {
            let shares =
                Shares { critical: [critical, 4.0], first_error: [first, 0.5], second_error: [second, 0.5] };
            let figures = of_intervals(&shares);
            [figures.share_first, figures.difference_percent, figures.per_case_percent]
                .map(|figure| figure.is_some())
        };
        assert_eq!(known(2.0, 0.25, 0.375), [true; 3]);
        assert_eq!(known(2.0, 0.0, 0.375), [true; 3]);
        assert_eq!(known(2.0, 0.375, 0.0), [true; 3]);
        assert_eq!(known(2.0, 0.0, 0.0), [false; 3]);
        assert_eq!(known(0.0, 0.25, 0.375), [true, true, false]);
        assert_eq!(known(0.0, 0.0, 0.0), [false; 3]);
    }
}
