//! How the two rules that play against each other see the leaves.

use prodmax_rules::{Leaves, Rule};

use crate::published::Probabilities;

/// How a rule sees the leaves in the contest with these probabilities: with the actual ones, the truth takes the
/// place of the estimate for both rules.
pub(crate) fn seen(rule: &Rule, probabilities: Probabilities) -> Leaves {
    match (rule.leaves(), probabilities) {
        (Leaves::Estimate, Probabilities::Actual) => Leaves::Truth,
        (leaves, _) => leaves,
    }
}
