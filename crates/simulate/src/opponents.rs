//! The two rules that play against each other.

use std::fmt;

use prodmax_mass::measure::khs_rules;
use prodmax_rules::{Leaves, Rule, RuleError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::published::Probabilities;

/// A rule and how it was written (`hints:0.9` is `hints:9/10`): results are named as they were asked for.
#[derive(Clone, Debug, Eq)]
struct NamedRule {
    name: String,
    rule: Rule,
}

impl PartialEq for NamedRule {
    /// However it was written.
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule
    }
}

/// A first and a second rule, different from each other. In a spec they are a list of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Opponents([NamedRule; 2]);

/// Why two rules cannot play against each other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpponentsError {
    /// Not two.
    #[error(
        "{0} {rules} named; name the first and the second one, e.g. rules: [\"minimax\", \"mean:4\"]",
        rules = if *.0 == 1 { "rule is" } else { "rules are" }
    )]
    Number(usize),
    /// Not a rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The same rule under the same name.
    #[error("`{0}` is named twice; a rule has nothing to win against itself")]
    Twice(String),
    /// The same rule, written in two ways.
    #[error("`{0}` and `{1}` are the same rule; it has nothing to win against itself")]
    Same(String, String),
}

impl Opponents {
    /// A first and a second rule, each with the name that results give it.
    pub fn new(rules: [(String, Rule); 2]) -> Result<Self, OpponentsError> {
        let [first, second] = rules.map(|(name, rule)| NamedRule { name, rule });
        if first.name == second.name {
            return Err(OpponentsError::Twice(first.name));
        }
        if first == second {
            return Err(OpponentsError::Same(first.name, second.name));
        }
        Ok(Self([first, second]))
    }

    /// Whether these are Minimax and Product, in this order: the pair of KHS, whose results have the keys and
    /// tables of the paper.
    pub fn is_khs(&self) -> bool {
        matches!(self.rules(), [Rule::Minimax(_), Rule::Product(_)])
    }

    /// The first and the second rule.
    pub fn rules(&self) -> [&Rule; 2] {
        self.0.each_ref().map(|named| &named.rule)
    }

    /// How they were written.
    pub fn names(&self) -> [&str; 2] {
        self.0.each_ref().map(|named| named.name.as_str())
    }

    /// Which of the two see the leaves through the estimate, and so play differently with actual probabilities.
    pub fn estimating(&self) -> [bool; 2] {
        self.rules().map(|rule| rule.leaves() == Leaves::Estimate)
    }
}

/// Through what a rule sees the leaves in the contest of these probabilities: in that of the actual ones, the truth takes
/// the place of the estimate, for both rules.
pub(crate) fn seen(rule: &Rule, probabilities: Probabilities) -> Leaves {
    match (rule.leaves(), probabilities) {
        (Leaves::Estimate, Probabilities::Actual) => Leaves::Truth,
        (leaves, _) => leaves,
    }
}

impl Default for Opponents {
    /// Minimax against Product.
    fn default() -> Self {
        Self(khs_rules().map(|rule| NamedRule { name: rule.to_string(), rule }))
    }
}

impl fmt::Display for Opponents {
    /// As on the command line: `minimax,mean:4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}

impl TryFrom<Vec<String>> for Opponents {
    type Error = OpponentsError;

    fn try_from(names: Vec<String>) -> Result<Self, OpponentsError> {
        let names: [String; 2] =
            names.try_into().map_err(|names: Vec<String>| OpponentsError::Number(names.len()))?;
        let [first, second] = names.map(|name| {
            let name = name.trim().to_owned();
            name.parse().map(|rule| (name, rule))
        });
        Self::new([first?, second?])
    }
}

impl From<Opponents> for Vec<String> {
    fn from(opponents: Opponents) -> Self {
        opponents.0.map(|named| named.name).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&str]) -> Result<Opponents, OpponentsError> {
        names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>().try_into()
    }

    #[test]
    fn rules_keep_their_names_but_are_equal_by_what_they_do() {
        let opponents = read(&["minimax", " hints:0.9"]).unwrap();
        assert_eq!(opponents.names(), ["minimax", "hints:0.9"]);
        assert_eq!(opponents.to_string(), "minimax,hints:0.9");
        assert_eq!(opponents, read(&["minimax", "hints:9/10"]).unwrap());
        assert_ne!(opponents, read(&["hints:9/10", "minimax"]).unwrap());
        assert!(Opponents::default().is_khs() && !opponents.is_khs());
        assert_eq!(opponents.estimating(), [false, true]);
        assert_eq!(read(&["minimax", "ideal"]).unwrap().estimating(), [false, false]);
    }

    #[test]
    fn what_cannot_play_gets_a_sentence() {
        let message = |names: &[&str]| read(names).unwrap_err().to_string();
        let example = "name the first and the second one, e.g. rules: [\"minimax\", \"mean:4\"]";
        assert_eq!(message(&[]), format!("0 rules are named; {example}"));
        assert_eq!(message(&["minimax"]), format!("1 rule is named; {example}"));
        assert_eq!(message(&["minimax", "product", "ideal"]), format!("3 rules are named; {example}"));
        assert_eq!(
            message(&["hints:0.9", "hints:9/10"]),
            "`hints:0.9` and `hints:9/10` are the same rule; it has nothing to win against itself"
        );
        assert_eq!(
            message(&["product", " product"]),
            "`product` is named twice; a rule has nothing to win against itself"
        );
        assert!(message(&["minimax", "nope"]).starts_with("`nope` is not a rule; the rules are"));
    }
}
