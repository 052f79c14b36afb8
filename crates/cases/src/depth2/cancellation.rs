//! The cancellation of KHS section IV-C: under a uniform error, two cases of the same interval with the same
//! number of errors that favour opposite sides weigh the same and drop out.

use super::case::{Case, cases};
use super::interval::Interval;
use super::position::Position;
use crate::decision::Side;

/// The critical cases, split into pairs that cancel and those that remain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancellation {
    /// Cancelling pairs: a case that favours Minimax and one that favours Product.
    pub pairs: Vec<(Case, Case)>,
    /// The cases without a counterpart, by interval and number of errors.
    pub remaining: Vec<Case>,
}

impl Cancellation {
    /// Pairs off the critical cases in the order in which they are listed. If a cell has more cases than its
    /// counterpart, the choice of the remaining one is arbitrary, but its weight is not.
    ///
    /// ```
    /// use prodmax_cases::depth2::Cancellation;
    /// let cancellation = Cancellation::derive();
    /// assert_eq!((cancellation.pairs.len(), cancellation.remaining.len()), (11, 8));
    /// ```
    pub fn derive() -> Self {
        let mut result = Self { pairs: Vec::new(), remaining: Vec::new() };
        for interval in Interval::ALL {
            for errors in 0..=Position::ALL.len() {
                let favouring = |side| -> Vec<Case> {
                    let wanted = |case: &Case| case.decision().favours() == Some(side);
                    cases()
                        .filter(|case| case.interval == interval && case.errors.len() == errors)
                        .filter(wanted)
                        .collect()
                };
                let (minimax, product) = (favouring(Side::Minimax), favouring(Side::Product));
                let common = minimax.len().min(product.len());
                result.pairs.extend(minimax.iter().copied().zip(product.iter().copied()));
                result.remaining.extend(
                    minimax.iter().chain(&product).filter(|case| {
                        !minimax[..common].contains(case) && !product[..common].contains(case)
                    }),
                );
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth2::{Balance, Formulas};

    #[test]
    fn eight_cases_remain_four_in_i2_and_four_in_i4() {
        let cancellation = Cancellation::derive();
        let summary: Vec<_> = cancellation
            .remaining
            .iter()
            .map(|case| (case.interval.number(), case.errors.len(), case.decision().name()))
            .collect();
        // HK: I4 favours Minimax with 0 and 1 errors, Product with 2 and 3; I2 Product with 1 and 2, Minimax
        // with 3 and 4.
        let expected = [
            (2, 1, "product"),
            (2, 2, "product"),
            (2, 3, "minimax"),
            (2, 4, "minimax"),
            (4, 0, "minimax"),
            (4, 1, "minimax"),
            (4, 2, "product"),
            (4, 3, "product"),
        ];
        assert_eq!(summary, expected);
        assert_eq!(2 * cancellation.pairs.len() + cancellation.remaining.len(), 30);
    }

    #[test]
    fn pairs_have_equal_weight_and_opposite_sides() {
        let pairs = Cancellation::derive().pairs;
        assert_eq!(pairs.len(), 11);
        for (left, right) in pairs {
            assert_eq!((left.interval, left.errors.len()), (right.interval, right.errors.len()));
            assert_eq!(left.decision().favours(), Some(Side::Minimax));
            assert_eq!(right.decision().favours(), Some(Side::Product));
        }
    }

    #[test]
    fn the_remaining_cases_have_the_same_difference_as_all() {
        let formulas = Formulas::derive();
        for interval in Interval::ALL {
            let mut balance = Balance::default();
            for case in Cancellation::derive().remaining.iter().filter(|case| case.interval == interval) {
                balance.record(case.decision(), case.errors.len());
            }
            assert_eq!(balance.masses().difference(), formulas.masses(interval).difference(), "{interval}");
        }
    }
}
