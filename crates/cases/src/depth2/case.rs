//! The 80 cases: an interval of the draw value and a set of wrongly evaluated leaves, decided by the game rule.

use std::fmt;

use super::interval::Interval;
use super::position::{Position, Positions};
use crate::decision::Decision;

/// One of the 80 cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Where the draw value lies.
    pub interval: Interval,
    /// The leaves that are evaluated wrongly.
    pub errors: Positions,
}

/// The 80 cases, by interval and then by number of errors.
///
/// ```
/// use prodmax_cases::depth2::cases;
/// assert_eq!(cases().count(), 80);
/// assert_eq!(cases().filter(|case| case.decision().is_critical()).count(), 30);
/// ```
pub fn cases() -> impl Iterator<Item = Case> {
    Interval::ALL.into_iter().flat_map(|interval| {
        let mut cases: Vec<Case> = Positions::subsets().map(|errors| Case { interval, errors }).collect();
        cases.sort_by_key(|case| case.listing_key());
        cases
    })
}

impl Case {
    /// The leaves that are truly won: a leaf at or above the draw value is evaluated WIN, and an error reverses
    /// the value.
    pub fn truth(self) -> Positions {
        self.interval.evaluated_won().symmetric_difference(self.errors)
    }

    /// Whether M is truly won: a MIN node is won iff both its leaves are.
    pub fn m_won(self) -> bool {
        self.truth().contains(Position::M1) && self.truth().contains(Position::M2)
    }

    /// Whether P is truly won.
    pub fn p_won(self) -> bool {
        self.truth().contains(Position::P1) && self.truth().contains(Position::P2)
    }

    /// Which backup rule is right.
    pub fn decision(self) -> Decision {
        Decision::from_truth(self.m_won(), self.p_won())
    }

    /// The reason for the decision in one sentence: what is evaluated, what is wrong, what is won and lost.
    pub fn reason(self) -> String {
        let won = |node: &str, won: bool, leaves: [Position; 2]| {
            let lost = leaves.into_iter().filter(|&leaf| !self.truth().contains(leaf));
            match list(lost.collect()).as_str() {
                _ if won => format!("{node} is won"),
                lost => format!("{node} is lost by {lost}"),
            }
        };
        let evaluated = match list(self.interval.evaluated_won().iter().collect()).as_str() {
            "" => "no leaf is evaluated WIN".to_owned(),
            names => format!("{names} evaluated WIN"),
        };
        let wrong = match list(self.errors.iter().collect()).as_str() {
            "" => "all correctly".to_owned(),
            names => format!("{names} wrongly"),
        };
        let consequence = match self.decision() {
            Decision::MinimaxRight => "Minimax is right",
            Decision::ProductRight => "Product is right",
            Decision::Irrelevant => "the choice is irrelevant",
        };
        let m = won("M", self.m_won(), [Position::M1, Position::M2]);
        let p = won("P", self.p_won(), [Position::P1, Position::P2]);
        format!("{}: {evaluated}, {wrong}; {m}, {p}: {consequence}", self.interval)
    }

    /// The cell entry as LaTeX math (without the dollars): `I_4(P_1)`.
    pub fn latex(self) -> String {
        self.label(&format!("I_{}", self.interval.number()), Position::latex)
    }

    /// The order of cases with equally many errors: by the wrong leaves, or by the correct ones if these are
    /// fewer, as Table I lists them.
    pub(super) fn listing_key(self) -> (usize, Positions) {
        let errors = self.errors.len();
        (errors, if errors > 2 { self.errors.complement() } else { self.errors })
    }

    fn label(self, interval: &str, name: fn(Position) -> &'static str) -> String {
        // As in the paper, the positions are omitted if none or all are wrong.
        if self.errors.is_empty() || self.errors.len() == Position::ALL.len() {
            return interval.to_owned();
        }
        let names: Vec<_> = self.errors.iter().map(name).collect();
        format!("{interval}({})", names.join(", "))
    }
}

/// `M1`, `M1 and M2`, `M1, M2 and P1`.
fn list(leaves: Vec<Position>) -> String {
    match leaves.split_last() {
        None => String::new(),
        Some((last, [])) => last.to_string(),
        Some((last, others)) => {
            let others: Vec<_> = others.iter().map(|leaf| leaf.name()).collect();
            format!("{} and {last}", others.join(", "))
        }
    }
}

impl fmt::Display for Case {
    /// The cell entry of Table I: `I4(P1)`; without positions if none or all are wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label(&self.interval.to_string(), Position::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Side;

    fn case(interval: Interval, errors: &[Position]) -> Case {
        Case { interval, errors: errors.iter().copied().collect() }
    }

    #[test]
    fn eighty_cases_thirty_critical_fifteen_for_each() {
        let all: Vec<Case> = cases().collect();
        assert_eq!(all.len(), 80);
        let favouring = |side| all.iter().filter(|case| case.decision().favours() == Some(side)).count();
        assert_eq!(Side::BOTH.map(favouring), [15, 15]);
        // No case twice.
        for (k, case) in all.iter().enumerate() {
            assert!(!all[..k].contains(case), "{case}");
        }
    }

    #[test]
    fn the_balance_holds_in_every_interval() {
        // The 16 error patterns permute the 16 truths, so every interval sees each truth once: 3 : 3.
        for interval in Interval::ALL {
            let favouring = |side| {
                cases().filter(|c| c.interval == interval && c.decision().favours() == Some(side)).count()
            };
            assert_eq!(Side::BOTH.map(favouring), [3, 3], "{interval}");
        }
    }

    #[test]
    fn decisions_agree_with_playing_the_game_on_concrete_values() {
        // Slow twin: values in the order (4), a real draw value, leaf by leaf.
        let value = |leaf| match leaf {
            Position::P2 => 1,
            Position::M2 => 2,
            Position::M1 => 3,
            Position::P1 => 4,
        };
        let mut critical = 0;
        for case in cases() {
            let twice_draw_value = 2 * (5 - case.interval.number()) + 1;
            let won = |leaf| {
                let evaluated_won = 2 * value(leaf) >= twice_draw_value;
                if case.errors.contains(leaf) { !evaluated_won } else { evaluated_won }
            };
            let m = won(Position::M1) && won(Position::M2);
            let p = won(Position::P1) && won(Position::P2);
            let expected = if m == p {
                Decision::Irrelevant
            } else if m {
                Decision::MinimaxRight
            } else {
                Decision::ProductRight
            };
            assert_eq!(case.decision(), expected, "{case}");
            critical += usize::from(m != p);
        }
        assert_eq!(critical, 30);
    }

    #[test]
    fn the_mirror_image_has_the_same_decision() {
        let partner = |leaf| match leaf {
            Position::M1 => Position::M2,
            Position::M2 => Position::M1,
            Position::P1 => Position::P2,
            Position::P2 => Position::P1,
        };
        for case in cases() {
            let errors = case.errors.complement().iter().map(partner).collect();
            let image = Case { interval: case.interval.mirror(), errors };
            assert_eq!(image.decision(), case.decision(), "{case} and {image}");
        }
    }

    #[test]
    fn the_reason_says_what_is_won_and_lost() {
        use Position::{M1, M2, P1, P2};
        let reasons = [
            (
                case(Interval::I4, &[]),
                "I4: M1, M2 and P1 evaluated WIN, all correctly; M is won, P is lost by P2: Minimax is right",
            ),
            (
                case(Interval::I2, &[P2]),
                "I2: P1 evaluated WIN, P2 wrongly; M is lost by M1 and M2, P is won: Product is right",
            ),
            (
                case(Interval::I1, &[M1, M2, P1, P2]),
                "I1: no leaf is evaluated WIN, M1, M2, P1 and P2 wrongly; M is won, P is won: the choice is irrelevant",
            ),
        ];
        for (case, expected) in reasons {
            assert_eq!(case.reason(), expected);
        }
    }

    #[test]
    fn labels_are_as_in_the_table() {
        use Position::{M1, M2, P2};
        let three = case(Interval::I1, &[M1, M2, P2]);
        assert_eq!(three.to_string(), "I1(M1, M2, P2)");
        assert_eq!(three.latex(), "I_1(M_1, M_2, P_2)");
        assert_eq!(case(Interval::I4, &[]).to_string(), "I4");
        assert_eq!(case(Interval::I2, &Position::ALL).latex(), "I_2");
    }
}
