//! All rules: one line each in the list at the end of this file.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::numbers::{Doubles, Numbers};
use crate::place::Place;
use crate::rule::{
    Backup, BackupRule, Leaves, PairShape, ParameterError, RuleVisitor, SearchBackup, SearchVisitor,
};

/// The maximum number of characters of a text that a message quotes.
const MAX_QUOTED: usize = 60;

/// Why a text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// No rule has this name.
    #[error("`{text}` is not a rule; {}the rules are {}", suggestion(.text), syntaxes())]
    Unknown {
        /// What was given, shortened.
        text: String,
    },
    /// Its parameters are wrong.
    #[error("in the rule `{text}`: {source}")]
    Parameters {
        /// What was given, shortened.
        text: String,
        /// What is wrong with them.
        source: ParameterError,
    },
}

/// A rule as `prodmax rules` describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// How it is written, e.g. `mean:P`.
    pub syntax: &'static str,
    /// What it does.
    pub formula: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

fn syntaxes() -> String {
    let all: Vec<&str> = Rule::ALL.iter().map(|rule| rule.syntax).collect();
    let (last, rest) = all.split_last().map_or(("", &all[..]), |(last, rest)| (*last, rest));
    format!("{} and {last}", rest.join(", "))
}

/// The name that is most like a mistyped one, if one is similar enough.
pub fn similar_name<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names = names.into_iter().map(|name| (strsim::jaro_winkler(name, given), name));
    let best = names.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(similarity, _)| *similarity > 0.75);
    best.map(|(_, name)| name)
}

/// `did you mean …? ` if a name is similar enough.
fn suggestion(text: &str) -> String {
    let similar = similar_name(name(text), Rule::ALL.iter().map(|rule| name(rule.syntax)));
    let rule = similar.and_then(|similar| Rule::ALL.iter().find(|rule| name(rule.syntax) == similar));
    rule.map_or_else(String::new, |rule| format!("did you mean {}? ", rule.syntax))
}

fn name(text: &str) -> &str {
    text.split(':').next().unwrap_or(text)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_QUOTED {
        return text.to_owned();
    }
    text.chars().take(MAX_QUOTED).chain("…".chars()).collect()
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let text = text.trim();
        let parts: Vec<&str> = text.split(':').collect();
        match Self::read(parts[0], &parts[1..]) {
            None => Err(RuleError::Unknown { text: shortened(text) }),
            Some(rule) => rule.map_err(|source| RuleError::Parameters { text: shortened(text), source }),
        }
    }
}

impl TryFrom<String> for Rule {
    type Error = RuleError;
    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}

/// Turns the list of rules into enums over all of them, with the matches that dispatch to each rule.
macro_rules! rules {
    ($($module:ident::$rule:ident),+ $(,)?) => {
        $(use crate::$module::$rule;)+

        /// Any rule, with its parameters. It is read from and printed as its name, e.g. `mean:4`.
        ///
        /// ```
        /// use prodmax_rules::{Rule, RuleError};
        ///
        /// let mean: Rule = "mean:4".parse()?;
        /// assert_eq!(mean.to_string(), "mean:4");
        /// assert_eq!(Rule::from(prodmax_rules::minimax::Minimax), "minimax".parse()?);
        /// assert!("maen:4".parse::<Rule>().is_err());
        /// assert!(Rule::ALL.iter().any(|rule| rule.syntax.starts_with("mean:")));
        /// # Ok::<(), RuleError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("See [`", stringify!($rule), "`].")] $rule($rule),)+
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Description] = &[$(Description {
                syntax: $rule::SYNTAX,
                formula: $rule::FORMULA,
                source: $rule::SOURCE,
            }),+];

            fn read(name_given: &str, parameters: &[&str]) -> Option<Result<Self, ParameterError>> {
                $(if name_given == name($rule::SYNTAX) {
                    return Some($rule::read(parameters).map(Self::$rule));
                })+
                None
            }

            /// The number of its family in the list of all rules: rules that differ only in their parameters have the same.
            pub fn family(&self) -> usize {
                let syntax = match self { $(Self::$rule(_) => $rule::SYNTAX,)+ };
                Self::ALL.iter().position(|rule| rule.syntax == syntax).unwrap_or(Self::ALL.len())
            }

            /// How the rule sees the leaves.
            pub fn leaves(&self) -> Leaves {
                match self { $(Self::$rule(_) => $rule::LEAVES,)+ }
            }

            /// See [`BackupRule::is_strict`].
            pub fn is_strict(&self) -> bool {
                match self { $(Self::$rule(rule) => rule.is_strict(),)+ }
            }

            /// See [`BackupRule::depends_on_depth`].
            pub fn depends_on_depth(&self) -> bool {
                match self { $(Self::$rule(rule) => rule.depends_on_depth(),)+ }
            }

            /// See [`BackupRule::pair_shape`].
            pub fn pair_shape(&self) -> Option<PairShape> {
                match self { $(Self::$rule(rule) => rule.pair_shape(),)+ }
            }

            /// See [`BackupRule::extra_bits`].
            pub fn extra_bits(&self) -> u32 {
                match self { $(Self::$rule(rule) => rule.extra_bits(),)+ }
            }

            /// The rule in numbers of one kind, for searches to a given depth.
            pub fn prepare<N: Numbers>(&self, numbers: N, depth: usize) -> Prepared<N> {
                match self { $(Self::$rule(rule) => Prepared::$rule(rule.prepare(numbers, depth)),)+ }
            }

            /// The rule for searches of games to a given depth.
            pub fn prepare_for_search(&self, depth: usize) -> PreparedForSearch {
                match self {
                    $(Self::$rule(rule) => PreparedForSearch::$rule(rule.prepare(Doubles, depth).into()),)+
                }
            }
        }

        impl fmt::Display for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$rule(rule) => rule.fmt(f),)+ }
            }
        }

        $(impl From<$rule> for Rule {
            fn from(rule: $rule) -> Self {
                Self::$rule(rule)
            }
        })+

        /// Any rule in numbers of one kind.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Prepared<N: Numbers> {
            $(#[doc = concat!("See [`", stringify!($rule), "`].")] $rule(<$rule as BackupRule>::In<N>),)+
        }

        impl<N: Numbers> Prepared<N> {
            /// Runs the visitor on the rule's own type.
            pub fn visit<V: RuleVisitor<N>>(&self, visitor: V) -> V::Output {
                match self { $(Self::$rule(rule) => visitor.visit(rule),)+ }
            }
        }

        impl<N: Numbers> Backup<N> for Prepared<N> {
            fn leaf(&self, seen: N::Number) -> N::Number {
                match self { $(Self::$rule(rule) => rule.leaf(seen),)+ }
            }
            fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
                match self { $(Self::$rule(rule) => rule.node(place, children),)+ }
            }
            fn shown(&self, value: f64) -> f64 {
                match self { $(Self::$rule(rule) => rule.shown(value),)+ }
            }
        }

        /// Any rule as searches of games use it.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum PreparedForSearch {
            $(#[doc = concat!("See [`", stringify!($rule), "`].")] $rule(<$rule as BackupRule>::Search),)+
        }

        impl PreparedForSearch {
            /// Runs the visitor on the rule's own type.
            pub fn visit<V: SearchVisitor>(&self, visitor: V) -> V::Output {
                match self { $(Self::$rule(rule) => visitor.visit(rule),)+ }
            }

            /// The rule itself, for what is asked too rarely to be compiled for each rule.
            pub fn rule(&self) -> &dyn SearchBackup {
                match self { $(Self::$rule(rule) => rule,)+ }
            }
        }
    };
}

rules! {
    minimax::Minimax,
    product::Product,
    average::Average,
    mean::Mean,
    baum::Baum,
    hints::Hints,
    ideal::Ideal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for text in ["minimax", "product", "average:1/2", "mean:4", "baum:4/5:4/5", "hints:9/10", "ideal"] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert_eq!(" hints:0.9 ".parse::<Rule>().unwrap(), "hints:9/10".parse().unwrap());
        assert_eq!(Rule::ALL.len(), 7);
        let family = |text: &str| text.parse::<Rule>().unwrap().family();
        assert_eq!(["minimax", "product", "mean:2", "mean:4"].map(family), [0, 1, 3, 3]);
    }

    #[test]
    fn bad_names_are_explained_in_a_sentence() {
        let message = |text: &str| text.parse::<Rule>().unwrap_err().to_string();
        let all = "the rules are minimax, product, average:A, mean:P, baum:PW:PL, hints:E and ideal";
        assert_eq!(message("nope"), format!("`nope` is not a rule; {all}"));
        assert_eq!(message("minmax"), format!("`minmax` is not a rule; did you mean minimax? {all}"));
        assert_eq!(
            message("averge:1/2"),
            format!("`averge:1/2` is not a rule; did you mean average:A? {all}")
        );
        assert_eq!(message(""), format!("`` is not a rule; {all}"));
        assert_eq!(message("mean:0"), "in the rule `mean:0`: P must be an integer between 1 and 200");
        assert_eq!(message("mean"), "in the rule `mean`: write it as mean:P");
        assert_eq!(message("mean:1/2"), "in the rule `mean:1/2`: P must be an integer between 1 and 200");
        assert_eq!(message("minimax:3"), "in the rule `minimax:3`: write it as minimax");
        assert_eq!(
            message("baum:0.2:0.3"),
            "in the rule `baum:0.2:0.3`: PW + PL is 1/2; it must be at least 1, \
             otherwise a hint \"won\" would count against a move"
        );
        assert_eq!(message("baum:2:0"), "in the rule `baum:2:0`: PW and PL must lie between 0 and 1");
        assert_eq!(message("baum:1"), "in the rule `baum:1`: write it as baum:PW:PL");
        for text in ["hints:2", "hints:0", "hints:-1"] {
            assert_eq!(
                message(text),
                format!("in the rule `{text}`: E must be greater than 0 and at most 1")
            );
        }
        assert_eq!(message("average:3/2"), "in the rule `average:3/2`: A must lie between 0 and 1");
        assert!(message("hints:x").starts_with("in the rule `hints:x`: `x` is not a number"));
        assert!(message(&"x".repeat(1000)).len() < 250, "long texts are shortened");
    }
}
