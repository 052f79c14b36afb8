//! What is said of two rules that are set against each other.

/// Percentages and shares of the errors of two rules; `None` where there is no error (or case) to divide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percentages<N> {
    /// The first rule's share of all errors: e1 / (e1 + e2).
    pub share_first: Option<N>,
    /// 100 (e2 - e1) / (e2 + e1), positive if the first rule errs less: the statistic "share" of Table II.
    pub difference_percent: Option<N>,
    /// 100 (e2 - e1) / number of critical trees: the statistic "per-case".
    pub per_case_percent: Option<N>,
}

impl<N> Percentages<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Percentages<T> {
        Percentages {
            share_first: self.share_first.map(&to),
            difference_percent: self.difference_percent.map(&to),
            per_case_percent: self.per_case_percent.map(&to),
        }
    }
}
