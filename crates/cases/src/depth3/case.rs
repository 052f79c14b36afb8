//! One of the depth-3 cases: an order type, a position of the draw value, a set of wrongly evaluated leaves.

use super::leaf::Leaves;
use super::order_type::OrderType;
use super::outcome::Outcomes;
use crate::decision::Decision;

/// A depth-3 case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The order of the leaves.
    pub order_type: OrderType,
    /// The position of the draw value: the number of leaves below it, 0 to 8.
    pub below: usize,
    /// The leaves that are evaluated wrongly.
    pub errors: Leaves,
}

impl Case {
    /// The leaves that are truly won.
    pub fn truth(&self) -> Leaves {
        self.order_type.evaluated_won(self.below).symmetric_difference(self.errors)
    }

    /// Which backup rule is right.
    pub fn decision(&self) -> Decision {
        Outcomes::decision(self.order_type.evaluated_won(self.below), self.errors)
    }

    /// The reason for the decision: what is won and what is lost.
    pub fn reason(&self) -> String {
        let (m, p) = self.truth().nodes_won();
        let won = |won| if won { "won" } else { "lost" };
        let consequence = match self.decision() {
            Decision::MinimaxRight => "Minimax is right",
            Decision::ProductRight => "Product is right",
            Decision::Irrelevant => "the choice is irrelevant",
        };
        format!("M is {}, P is {}: {consequence}", won(m), won(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_decided_by_its_truth() {
        let order_type = OrderType::of_values(&[4, 1, 5, 2, 8, 7, 3, 0]);
        // Four leaves above the draw value: M11 and M21 win M; P2 is lost.
        let case = Case { order_type, below: 4, errors: Leaves::default() };
        assert_eq!(case.truth(), order_type.evaluated_won(4));
        assert_eq!(case.reason(), "M is won, P is lost: Minimax is right");
        // With every leaf wrong, those below the draw value are won: M12 and M22 win M, but P21 and P22 do not win P.
        let wrong = Case { errors: Leaves::from_bits(255), ..case };
        assert_eq!(wrong.decision(), Decision::MinimaxRight);
        let all_won = Case { below: 0, ..case };
        assert_eq!(all_won.reason(), "M is won, P is won: the choice is irrelevant");
    }
}
