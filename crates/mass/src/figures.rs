//! The figures that the papers print, from error masses.

use num_bigint::BigUint;
use prodmax_number::possible::{ImpossibleFigure, Kind};
use prodmax_rules::Percentages;

use crate::arithmetic::Field;
use crate::critical::Mass;

/// The percentages of a mass over `critical` trees; an error if they are impossible.
pub fn percentages<F: Field>(
    field: &F,
    mass: &Mass<F::Number>,
    critical: &BigUint,
) -> Result<Percentages<F::Number>, ImpossibleFigure> {
    let (first, second) = (&mass.first_error, &mass.second_error);
    let mut sum = field.zero();
    field.add(&mut sum, first);
    field.add(&mut sum, second);
    let sum = field.total(&sum);
    let lead = field.scale(100, &field.sub(second, first));
    let checked = |name: &str, kind: Kind, figure: Option<F::Number>| {
        figure.map(|figure| field.possible(kind, figure)).transpose().map_err(|reason| reason.of(name))
    };
    let per_case = field.div(&lead, &field.whole(critical));
    Ok(Percentages {
        share_first: checked(
            "the first rule's share of the errors",
            Kind::Probability,
            field.div(first, &sum),
        )?,
        difference_percent: checked("the difference in percent", Kind::Difference, field.div(&lead, &sum))?,
        per_case_percent: checked("the difference per case", Kind::Difference, per_case)?,
    })
}

/// What ties contribute to won of the first rule minus won of the second, in percentage points: all but (e2 - e1) / trees.
pub(crate) fn ties_points<F: Field>(
    field: &F,
    [first, second]: [&F::Number; 2],
    mass: &Mass<F::Number>,
    trees: &BigUint,
) -> F::Number {
    let lead = field.sub(first, second);
    let critical = field.sub(&mass.second_error, &mass.first_error);
    let critical = field.div(&critical, &field.whole(trees)).unwrap_or_else(|| field.integer(0));
    field.scale(100, &field.sub(&lead, &critical))
}
