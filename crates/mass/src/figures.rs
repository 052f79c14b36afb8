//! The figures that the papers print, from error masses.

use crate::arithmetic::{Field, Ring};
use crate::critical::Mass;

/// Percentages and shares; `None` where there is no critical mass (or case) to divide by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures<N> {
    /// Minimax's share of all errors: eM / (eM + eP).
    pub share_minimax: Option<N>,
    /// 100 (eP - eM) / (eP + eM), positive in favour of Minimax: the statistic "share" of Table II.
    pub difference_percent: Option<N>,
    /// 100 (eP - eM) / number of critical trees: the statistic "per-case".
    pub per_case_percent: Option<N>,
}

impl<N: Clone> Figures<N> {
    /// The figures of a mass over `critical` trees.
    pub fn of<F: Field + Ring<Number = N>>(field: &F, mass: &Mass<N>, critical: u128) -> Self {
        let (minimax, product) = (&mass.minimax_error, &mass.product_error);
        let mut sum = field.zero();
        field.add(&mut sum, minimax);
        field.add(&mut sum, product);
        let sum = field.total(&sum);
        let lead = field.scale(100, &field.sub(product, minimax));
        Self {
            share_minimax: field.div(minimax, &sum),
            difference_percent: field.div(&lead, &sum),
            per_case_percent: field.div(&lead, &field.integer(critical)),
        }
    }
}
