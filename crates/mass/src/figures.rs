//! The figures that the papers print, from error masses.

use num_bigint::BigUint;
use prodmax_number::possible::{ImpossibleFigure, Kind};

use crate::arithmetic::{Field, Ring};
use crate::critical::Mass;

/// Percentages and shares; `None` where there is no critical mass (or case) to divide by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures<N> {
    /// The first rule's share of all errors: e1 / (e1 + e2).
    pub share_first: Option<N>,
    /// 100 (e2 - e1) / (e2 + e1), positive if the first rule errs less: the statistic "share" of Table II.
    pub difference_percent: Option<N>,
    /// 100 (e2 - e1) / number of critical trees: the statistic "per-case".
    pub per_case_percent: Option<N>,
}

impl<N: Clone> Figures<N> {
    /// The figures of a mass over `critical` trees; an error if they are impossible.
    pub fn of<F: Field + Ring<Number = N>>(
        field: &F,
        mass: &Mass<N>,
        critical: &BigUint,
    ) -> Result<Self, ImpossibleFigure> {
        let (first, second) = (&mass.first_error, &mass.second_error);
        let mut sum = field.zero();
        field.add(&mut sum, first);
        field.add(&mut sum, second);
        let sum = field.total(&sum);
        let lead = field.scale(100, &field.sub(second, first));
        let checked = |name: &str, kind: Kind, figure: Option<N>| {
            figure.map(|figure| field.possible(kind, figure)).transpose().map_err(|reason| reason.of(name))
        };
        let per_case = field.div(&lead, &field.whole(critical));
        Ok(Self {
            share_first: checked(
                "the first rule's share of the errors",
                Kind::Probability,
                field.div(first, &sum),
            )?,
            difference_percent: checked(
                "the difference in percent",
                Kind::Difference,
                field.div(&lead, &sum),
            )?,
            per_case_percent: checked("the difference per case", Kind::Difference, per_case)?,
        })
    }
}
