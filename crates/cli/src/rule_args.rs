//! Rules as they are typed.

use std::str::FromStr;

use prodmax_mass::measure::khs_rules;
use prodmax_rules::Rule;

/// More rules than anyone can read a table of.
const MOST: usize = 20;

/// A rule and how it was written: results are named as they were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedRule {
    pub(crate) name: String,
    pub(crate) rule: Rule,
}

impl From<Rule> for NamedRule {
    fn from(rule: Rule) -> Self {
        Self { name: rule.to_string(), rule }
    }
}

/// Some rules, each different from all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleList(pub(crate) Vec<NamedRule>);

impl FromStr for RuleList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if names.len() > MOST {
            return Err(format!("{} rules are too many; name at most {MOST}", names.len()));
        }
        let mut rules: Vec<NamedRule> = Vec::new();
        for name in names {
            let rule: Rule = name.parse().map_err(|error: prodmax_rules::RuleError| error.to_string())?;
            if let Some(other) = rules.iter().find(|other| other.rule == rule) {
                let (first, second) = (&other.name, name);
                return Err(if first == second {
                    format!("`{first}` is named twice; a rule has nothing to win against itself")
                } else {
                    format!(
                        "`{first}` and `{second}` are the same rule; it has nothing to win against itself"
                    )
                });
            }
            rules.push(NamedRule { name: name.to_owned(), rule });
        }
        match rules.len() {
            1 => Err(format!(
                "`{}` alone has no opponent; name two rules or more, e.g. minimax,mean:4",
                rules[0].name
            )),
            _ => Ok(Self(rules)),
        }
    }
}

/// Exactly two rules: the first and the second one of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RulePair(pub(crate) [NamedRule; 2]);

impl FromStr for RulePair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let RuleList(rules) = text.parse()?;
        let pair: Result<[NamedRule; 2], _> = rules.try_into();
        pair.map(Self).map_err(|rules| {
            format!(
                "{} rules are too many here; name the first and the second one, e.g. minimax,mean:4 \
                 (prodmax contest takes more)",
                rules.len()
            )
        })
    }
}

impl Default for RulePair {
    /// Minimax against Product.
    fn default() -> Self {
        Self(khs_rules().map(NamedRule::from))
    }
}

impl RulePair {
    /// The rules without their names.
    pub(crate) fn rules(&self) -> [Rule; 2] {
        self.0.clone().map(|named| named.rule)
    }

    /// How they were written.
    pub(crate) fn names(&self) -> [&str; 2] {
        self.0.each_ref().map(|named| named.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_keep_the_names_they_were_given() {
        let RulePair(pair) = "minimax, hints:0.9".parse().unwrap();
        assert_eq!(pair[1], NamedRule { name: "hints:0.9".to_owned(), rule: "hints:9/10".parse().unwrap() });
        assert_eq!(RulePair::default().names(), ["minimax", "product"]);
    }

    #[test]
    fn bad_lists_get_a_sentence() {
        let list = |text: &str| text.parse::<RuleList>().unwrap_err();
        assert_eq!(
            list("product,product"),
            "`product` is named twice; a rule has nothing to win against itself"
        );
        assert_eq!(
            list("mean:2,hints:0.9,hints:9/10"),
            "`hints:0.9` and `hints:9/10` are the same rule; it has nothing to win against itself"
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
            "minimax,product,ideal".parse::<RulePair>().unwrap_err(),
            "3 rules are too many here; name the first and the second one, e.g. minimax,mean:4 \
             (prodmax contest takes more)"
        );
    }
}
