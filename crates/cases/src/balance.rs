//! How many cases favour each side, by number of errors, and the polynomials in p that follow.

use std::ops::AddAssign;

use num_bigint::BigInt;
use prodmax_number::Polynomial;

use crate::decision::{Decision, Side};

/// The numbers of critical cases that favour each side, by number of errors.
///
/// `CLASSES` is the number of leaves plus one: 5 at depth 2 (0 to 4 errors), 9 at depth 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance<const CLASSES: usize> {
    minimax: [u64; CLASSES],
    product: [u64; CLASSES],
}

impl<const CLASSES: usize> Default for Balance<CLASSES> {
    fn default() -> Self {
        Self { minimax: [0; CLASSES], product: [0; CLASSES] }
    }
}

impl<const CLASSES: usize> Balance<CLASSES> {
    /// Counts one case with this decision and number of errors (less than `CLASSES`); an irrelevant one counts
    /// for neither side.
    pub(crate) fn record(&mut self, decision: Decision, errors: usize) {
        let counts = match decision.favours() {
            Some(Side::Minimax) => &mut self.minimax,
            Some(Side::Product) => &mut self.product,
            None => return,
        };
        counts[errors] += 1;
    }

    /// The numbers of cases that favour `side`; entry n counts those with n errors.
    pub fn favouring(&self, side: Side) -> &[u64; CLASSES] {
        match side {
            Side::Minimax => &self.minimax,
            Side::Product => &self.product,
        }
    }

    /// The number of cases that favour `side`.
    pub fn total(&self, side: Side) -> u64 {
        self.favouring(side).iter().sum()
    }

    /// The number of critical cases.
    pub fn critical(&self) -> u64 {
        Side::BOTH.into_iter().map(|side| self.total(side)).sum()
    }

    /// The error masses under a uniform error: a case with n errors has the frequency p^n (1-p)^(leaves-n).
    pub fn masses(&self) -> Masses {
        Masses {
            minimax_errs: frequency(self.favouring(Side::Product)),
            product_errs: frequency(self.favouring(Side::Minimax)),
        }
    }
}

impl<const CLASSES: usize> AddAssign<&Self> for Balance<CLASSES> {
    fn add_assign(&mut self, other: &Self) {
        let mine = self.minimax.iter_mut().chain(&mut self.product);
        for (mine, theirs) in mine.zip(other.minimax.iter().chain(&other.product)) {
            *mine += theirs;
        }
    }
}

fn frequency<const CLASSES: usize>(counts: &[u64; CLASSES]) -> Polynomial {
    let leaves = CLASSES.saturating_sub(1) as u32;
    let mut sum = Polynomial::default();
    for (errors, &count) in (0..).zip(counts) {
        sum += &Polynomial::pattern(errors, leaves).scaled(&count.into());
    }
    sum
}

/// The two error masses under a uniform error probability p: polynomials with integer coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masses {
    /// The mass of the cases where Minimax errs: M is lost and P is won.
    pub minimax_errs: Polynomial,
    /// The mass of the cases where Product errs: M is won and P is lost.
    pub product_errs: Polynomial,
}

impl Masses {
    /// Product's error mass minus Minimax's: positive values favour Minimax, as in formula (5).
    pub fn difference(&self) -> Polynomial {
        &self.product_errs - &self.minimax_errs
    }

    /// Adds `weight` times the other masses.
    pub fn add_scaled(&mut self, other: &Self, weight: &BigInt) {
        self.minimax_errs += &other.minimax_errs.scaled(weight);
        self.product_errs += &other.product_errs.scaled(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_side_and_number_of_errors() {
        let mut balance = Balance::<5>::default();
        balance.record(Decision::MinimaxRight, 0);
        balance.record(Decision::ProductRight, 1);
        balance.record(Decision::ProductRight, 1);
        balance.record(Decision::Irrelevant, 4);
        assert_eq!(balance.favouring(Side::Minimax), &[1, 0, 0, 0, 0]);
        assert_eq!(balance.favouring(Side::Product), &[0, 2, 0, 0, 0]);
        assert_eq!(balance.critical(), 3);
        let twice = {
            let mut sum = balance;
            sum += &balance;
            sum
        };
        assert_eq!((twice.total(Side::Minimax), twice.total(Side::Product)), (2, 4));
    }

    #[test]
    fn cases_that_favour_one_side_are_the_error_mass_of_the_other() {
        let mut balance = Balance::<5>::default();
        balance.record(Decision::MinimaxRight, 0);
        balance.record(Decision::ProductRight, 4);
        let masses = balance.masses();
        assert_eq!(masses.product_errs, Polynomial::one_minus_p().pow(4));
        assert_eq!(masses.minimax_errs, Polynomial::p().pow(4));
        assert_eq!(masses.difference(), &masses.product_errs - &masses.minimax_errs);
        let mut sum = Masses::default();
        sum.add_scaled(&masses, &3.into());
        assert_eq!(sum.minimax_errs, Polynomial::new([0, 0, 0, 0, 3]));
    }
}
