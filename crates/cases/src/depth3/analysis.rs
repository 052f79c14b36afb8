//! The whole depth-3 analysis: what is possible in every order type, the balance of the cases, and the cases as a
//! stream.

use super::leaf::Leaves;
use super::order_type::OrderType;
use super::outcome::Outcomes;
use super::possibility::Possibility;
use super::proof::Argument;
use super::{Balance, Case, DRAW_POSITIONS};
use crate::balance::Masses;

/// What is possible in each of the 630 order types.
#[derive(Clone, Debug)]
pub struct Analysis {
    possibilities: Vec<(OrderType, Possibility)>,
}

impl Analysis {
    /// Decides every order type: some milliseconds of work.
    pub fn compute() -> Self {
        Self { possibilities: OrderType::all().map(|order| (order, Possibility::of(&order))).collect() }
    }

    /// The order types with what is possible in them, by index.
    pub fn possibilities(&self) -> &[(OrderType, Possibility)] {
        &self.possibilities
    }

    /// What is possible in one order type.
    pub fn possibility(&self, order: &OrderType) -> &Possibility {
        &self.possibilities[order.index()].1
    }

    /// The order types in which the two rules can differ, by index.
    pub fn possible(&self) -> impl Iterator<Item = OrderType> {
        self.possibilities
            .iter()
            .filter(|(_, possibility)| possibility.is_possible())
            .map(|&(order, _)| order)
    }

    /// The error masses of one tree of the order type with `below` leaves below the draw value.
    pub fn masses(order: &OrderType, below: usize) -> &'static Masses {
        Outcomes::table().masses(order.evaluated_won(below))
    }

    /// Every case of every possible order type, as a stream: by type, draw position and error pattern.
    pub fn cases(&self) -> impl Iterator<Item = Case> {
        self.possible().flat_map(|order_type| {
            (0..DRAW_POSITIONS).flat_map(move |below| {
                Leaves::subsets().map(move |errors| Case { order_type, below, errors })
            })
        })
    }

    /// The numbers of the depth-3 analysis.
    ///
    /// ```
    /// use prodmax_cases::depth3::Analysis;
    /// let summary = Analysis::compute().summary();
    /// assert_eq!((summary.types, summary.possible, summary.undecided), (630, 201, 0));
    /// assert_eq!((summary.cases, summary.balance.critical()), (463_104, 227_934));
    /// ```
    pub fn summary(&self) -> Summary {
        let count =
            |wanted: fn(&Possibility) -> bool| self.possibilities.iter().filter(|(_, v)| wanted(v)).count();
        let proved_by = |argument| {
            let proofs = self.possibilities.iter().filter_map(|(_, possibility)| match possibility {
                Possibility::Impossible(proof) => Some(proof.argument()),
                _ => None,
            });
            proofs.filter(|&other| other == argument).count()
        };
        let possible = count(Possibility::is_possible);
        let mut by_draw_position = [Balance::default(); DRAW_POSITIONS];
        for order in self.possible() {
            for (below, sum) in by_draw_position.iter_mut().enumerate() {
                *sum += Outcomes::table().balance(order.evaluated_won(below));
            }
        }
        let mut balance = Balance::default();
        for part in &by_draw_position {
            balance += part;
        }
        Summary {
            types: self.possibilities.len(),
            minimax_prefers_m: count(|possibility| *possibility != Possibility::MinimaxPrefersP),
            possible,
            dominated: proved_by(Argument::Domination),
            rebalanced: proved_by(Argument::Rebalancing),
            undecided: count(|possibility| *possibility == Possibility::Undecided),
            cases: possible * DRAW_POSITIONS * Leaves::subsets().count(),
            balance,
            by_draw_position,
        }
    }
}

/// The numbers of the depth-3 analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The order types up to the symmetries of the tree.
    pub types: usize,
    /// Those in which Minimax prefers M.
    pub minimax_prefers_m: usize,
    /// Those of them in which Product can prefer P, each with a witness.
    pub possible: usize,
    /// Those in which Product cannot, by domination.
    pub dominated: usize,
    /// Those in which Product cannot, by domination after rebalancing.
    pub rebalanced: usize,
    /// Those that remain undecided.
    pub undecided: usize,
    /// The cases: possible types x draw positions x error patterns.
    pub cases: usize,
    /// The depth-3 Table I: the critical cases by number of errors.
    pub balance: Balance,
    /// The same for each number of leaves below the draw value; its masses are the sums over the possible types.
    pub by_draw_position: [Balance; DRAW_POSITIONS],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Side;

    #[test]
    fn every_type_is_decided_with_a_certificate_that_holds() {
        let analysis = Analysis::compute();
        for (order, possibility) in analysis.possibilities() {
            match possibility {
                Possibility::MinimaxPrefersP => assert!(!order.minimax_prefers_m(), "{order}"),
                Possibility::Possible(witness) => assert!(witness.holds(order), "{order}: {witness}"),
                Possibility::Impossible(proof) => assert!(proof.holds(order), "{order}: {proof}"),
                Possibility::Undecided => panic!("{order} is undecided"),
            }
            assert_eq!(analysis.possibility(order), possibility);
        }
    }

    #[test]
    fn the_numbers_add_up() {
        let summary = Analysis::compute().summary();
        assert_eq!((summary.types, summary.minimax_prefers_m), (630, 315));
        assert_eq!((summary.possible, summary.dominated, summary.rebalanced), (201, 102, 12));
        assert_eq!(summary.undecided, 0);
        assert_eq!(summary.possible + summary.dominated + summary.rebalanced, summary.minimax_prefers_m);
        // 63 : 63 for each type and draw position.
        assert_eq!(Side::BOTH.map(|side| summary.balance.total(side)), [201 * 9 * 63; 2]);
    }

    #[test]
    fn the_summary_counts_what_the_stream_lists() {
        let analysis = Analysis::compute();
        let summary = analysis.summary();
        let mut by_draw_position = [Balance::default(); DRAW_POSITIONS];
        let mut cases = 0;
        for case in analysis.cases() {
            by_draw_position[case.below].record(case.decision(), case.errors.len());
            cases += 1;
        }
        assert_eq!(cases, summary.cases);
        assert_eq!(by_draw_position, summary.by_draw_position);
    }

    #[test]
    fn masses_of_a_draw_position_are_the_sum_over_the_types() {
        let analysis = Analysis::compute();
        let summary = analysis.summary();
        for (below, balance) in summary.by_draw_position.iter().enumerate() {
            let mut sum = Masses::default();
            for order in analysis.possible() {
                sum.add_scaled(Analysis::masses(&order, below), &1.into());
            }
            assert_eq!(balance.masses(), sum, "{below} leaves below the draw value");
        }
    }
}
