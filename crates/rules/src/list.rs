//! Lists of rules as people write them, in arguments and in files.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::minimax::Minimax;
use crate::product::Product;
use crate::registry::{Rule, RuleError};
use crate::rule::Leaves;

/// The maximum number of rules in a list: a larger table would be unreadable.
const MAX_RULES: usize = 20;

/// Why a list of rules is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ListError {
    /// One of the rules.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The same name twice.
    #[error("`{0}` is named twice; a rule cannot be compared with itself")]
    Twice(String),
    /// The same rule by two names.
    #[error("`{0}` and `{1}` are the same rule, which cannot be compared with itself")]
    Same(String, String),
    /// No rule at all.
    #[error("no rule is named; name two rules or more, e.g. minimax,mean:4")]
    None,
    /// Only one rule.
    #[error("`{0}` alone has no opponent; name two rules or more, e.g. minimax,mean:4")]
    Alone(String),
    /// More than a table has room for.
    #[error("{0} rules are too many; name at most {MAX_RULES}")]
    TooMany(usize),
    /// More than the two of a contest.
    #[error(
        "{0} rules are too many here; name the first and the second one, e.g. minimax,mean:4 \
         (prodmax contest takes more)"
    )]
    NotTwo(usize),
}

/// A rule and how it was written: results carry the name that the user gave.
#[derive(Clone, Debug, Eq)]
pub struct NamedRule {
    /// How it was written.
    pub name: String,
    /// The rule.
    pub rule: Rule,
}

impl PartialEq for NamedRule {
    /// The same rule, however it was written.
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule
    }
}

impl From<Rule> for NamedRule {
    fn from(rule: Rule) -> Self {
        Self { name: rule.to_string(), rule }
    }
}

/// Two or more different rules.
///
/// ```
/// use prodmax_rules::{ListError, RuleList};
///
/// let rules: RuleList = "minimax,product,mean:4".parse()?;
/// assert_eq!(rules.rules().len(), 3);
/// assert_eq!(rules.pair().names(), ["minimax", "product"]);
/// assert!("minimax,minimax".parse::<RuleList>().is_err(), "a rule cannot play against itself");
/// # Ok::<(), ListError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct RuleList(Vec<NamedRule>);

/// Exactly two rules: the first and second of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct RulePair([NamedRule; 2]);

fn read<S: AsRef<str>>(names: &[S]) -> Result<RuleList, ListError> {
    if names.len() > MAX_RULES {
        return Err(ListError::TooMany(names.len()));
    }
    let mut rules: Vec<NamedRule> = Vec::new();
    for name in names {
        let name = name.as_ref().trim();
        let rule: Rule = name.parse()?;
        if let Some(other) = rules.iter().find(|other| other.rule == rule) {
            let (first, second) = (other.name.clone(), name.to_owned());
            return Err(if first == second {
                ListError::Twice(first)
            } else {
                ListError::Same(first, second)
            });
        }
        rules.push(NamedRule { name: name.to_owned(), rule });
    }
    match &rules[..] {
        [] => Err(ListError::None),
        [alone] => Err(ListError::Alone(alone.name.clone())),
        _ => Ok(RuleList(rules)),
    }
}

impl FromStr for RuleList {
    type Err = ListError;
    fn from_str(text: &str) -> Result<Self, ListError> {
        read(&text.split(',').collect::<Vec<_>>())
    }
}

impl TryFrom<Vec<String>> for RuleList {
    type Error = ListError;
    fn try_from(names: Vec<String>) -> Result<Self, ListError> {
        read(&names)
    }
}

impl From<RuleList> for Vec<String> {
    fn from(RuleList(rules): RuleList) -> Self {
        rules.into_iter().map(|named| named.name).collect()
    }
}

impl RuleList {
    /// The rules and how they were written.
    pub fn named(&self) -> &[NamedRule] {
        &self.0
    }

    /// The rules.
    pub fn rules(&self) -> Vec<Rule> {
        self.0.iter().map(|named| named.rule.clone()).collect()
    }

    /// The first two.
    pub fn pair(&self) -> RulePair {
        RulePair([0, 1].map(|place| self.0[place].clone()))
    }
}

impl TryFrom<RuleList> for RulePair {
    type Error = ListError;
    fn try_from(RuleList(rules): RuleList) -> Result<Self, ListError> {
        let pair: Result<[NamedRule; 2], _> = rules.try_into();
        pair.map(Self).map_err(|rules: Vec<NamedRule>| ListError::NotTwo(rules.len()))
    }
}

impl FromStr for RulePair {
    type Err = ListError;
    fn from_str(text: &str) -> Result<Self, ListError> {
        text.parse::<RuleList>()?.try_into()
    }
}

impl TryFrom<Vec<String>> for RulePair {
    type Error = ListError;
    fn try_from(names: Vec<String>) -> Result<Self, ListError> {
        RuleList::try_from(names)?.try_into()
    }
}

impl From<RulePair> for Vec<String> {
    fn from(RulePair(rules): RulePair) -> Self {
        rules.into_iter().map(|named| named.name).collect()
    }
}

impl fmt::Display for RulePair {
    /// As on the command line: `minimax,mean:4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}

impl Default for RulePair {
    /// Minimax against Product.
    fn default() -> Self {
        Self([Rule::from(Minimax), Product.into()].map(NamedRule::from))
    }
}

impl RulePair {
    /// Whether these are KHS's two rules, in their order.
    pub fn is_khs(&self) -> bool {
        self.rules() == Self::default().rules()
    }

    /// Which of the two see the leaves through the estimate, and so may decide differently when given the truth.
    pub fn estimating(&self) -> [bool; 2] {
        self.0.each_ref().map(|named| named.rule.leaves() == Leaves::Estimate)
    }

    /// The rules and how they were written.
    pub fn named(&self) -> &[NamedRule; 2] {
        &self.0
    }

    /// The rules.
    pub fn rules(&self) -> [Rule; 2] {
        self.0.clone().map(|named| named.rule)
    }

    /// How they were written.
    pub fn names(&self) -> [&str; 2] {
        self.0.each_ref().map(|named| named.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_keep_the_names_they_were_given() {
        let pair: RulePair = "minimax, hints:0.9".parse().unwrap();
        assert_eq!(
            pair.named()[1],
            NamedRule { name: "hints:0.9".to_owned(), rule: "hints:9/10".parse().unwrap() }
        );
        assert_eq!(pair.to_string(), "minimax,hints:0.9");
        assert_eq!(RulePair::default().names(), ["minimax", "product"]);
    }

    #[test]
    fn pairs_are_equal_if_their_rules_are() {
        let pair = |text: &str| text.parse::<RulePair>().unwrap();
        assert_eq!(pair("minimax,hints:0.9"), pair("minimax,hints:9/10"));
        assert_ne!(pair("minimax,hints:9/10"), pair("hints:9/10,minimax"));
        assert!(RulePair::default().is_khs() && !pair("product,minimax").is_khs());
        assert_eq!(pair("minimax,hints:9/10").estimating(), [false, true]);
        assert_eq!(pair("minimax,ideal").estimating(), [false, false]);
    }

    #[test]
    fn bad_lists_are_explained_in_a_sentence() {
        let list = |text: &str| text.parse::<RuleList>().unwrap_err().to_string();
        assert_eq!(
            list("product,product"),
            "`product` is named twice; a rule cannot be compared with itself"
        );
        assert_eq!(
            list("mean:2,hints:0.9,hints:9/10"),
            "`hints:0.9` and `hints:9/10` are the same rule, which cannot be compared with itself"
        );
        assert_eq!(
            list("product"),
            "`product` alone has no opponent; name two rules or more, e.g. minimax,mean:4"
        );
        let many: Vec<String> = (1..=21).map(|p| format!("mean:{p}")).collect();
        assert_eq!(list(&many.join(",")), "21 rules are too many; name at most 20");
        assert!(list("minimax,nope").starts_with("`nope` is not a rule; the rules are minimax, product"));
        assert!(list("").starts_with("`` is not a rule"));
        assert_eq!(
            "minimax,product,ideal".parse::<RulePair>().unwrap_err().to_string(),
            "3 rules are too many here; name the first and the second one, e.g. minimax,mean:4 \
             (prodmax contest takes more)"
        );
    }
}
