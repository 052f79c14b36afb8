//! The error masses both ways.

use prodmax_cases::Masses;
use prodmax_mass::Mass;
use prodmax_mass::arithmetic::ErrorPolynomial;

/// The error masses of all critical trees, by cases and by enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The polynomials of the case analysis, weighted.
    pub cases: Mass<ErrorPolynomial>,
    /// The masses backed up tree by tree.
    pub enumerated: Mass<ErrorPolynomial>,
}

impl Sides {
    /// The masses by cases are given times 2^halvings.
    pub(crate) fn new(scaled: Masses, halvings: u32, enumerated: Mass<ErrorPolynomial>) -> Self {
        let first_error = ErrorPolynomial::new(scaled.minimax_errs, halvings);
        let second_error = ErrorPolynomial::new(scaled.product_errs, halvings);
        Self { cases: Mass { first_error, second_error }, enumerated }
    }

    /// Whether every coefficient is the same; both are in lowest terms.
    pub fn agree(&self) -> bool {
        self.cases == self.enumerated
    }
}
