//! Backup rules: how the values of a node's children become the value of the node.
//!
//! A rule sees who moves at a node, how high the node is above the leaves, and its children's values. It knows no
//! trees, so the same rule serves exact enumeration, simulated games and searches of real games. Nodes have any number of children, and every rule computes in every kind of
//! [`Numbers`](numbers::Numbers): doubles, doubles with an error bound, enclosures, fractions.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`minimax`], [`product`], [`average`], [`mean`], [`baum`], [`hints`], [`ideal`] | one rule each |
//! | [`formula_2_6`] | Baum's formula, which two rules share |
//! | `registry` | all rules: reading their names ([`Rule`]), and a rule in given numbers ([`Prepared`]) or for searches ([`PreparedForSearch`]) |
//! | `list` | lists of rules as people write them ([`RuleList`], [`RulePair`]) |
//! | [`numbers`] | the kinds of numbers |
//! | `line` | heuristic values, and the [`Line`] they lie on |
//! | `curve` | the probability that a leaf of a heuristic value is won ([`Curve`]), its values ([`CurveTable`]), and a truth with an estimate of it ([`Curves`]) |
//! | `contest` | what is said of rules that are set against each other ([`Percentages`], [`ByRule`]) |
//! | `contestant` | a rule with the curve through which it sees the leaves ([`Contestant`]) |
//! | `place` | who moves at a node ([`Mover`]), and its height ([`Place`]) |
//!
//! A rule is read from its name and prepared for a kind of numbers and a depth of search:
//!
//! ```
//! use prodmax_rules::numbers::Doubles;
//! use prodmax_rules::{Backup, Mover, Place, Rule};
//!
//! let rule: Rule = "average:1/2".parse()?;
//! let rule = rule.prepare(Doubles, 2);
//! let min_node = Place { mover: Mover::Min, height: 1 };
//! // Halfway between the minimum 0.25 and the product 0.125.
//! assert_eq!(rule.node(min_node, &[0.25, 0.5]), 0.1875);
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

mod angles;
pub mod average;
pub mod baum;
mod contest;
mod contestant;
mod curve;
pub mod formula_2_6;
pub mod hints;
pub mod ideal;
mod line;
mod list;
pub mod mean;
pub mod minimax;
pub mod numbers;
mod place;
pub mod product;
mod registry;
mod rule;

pub use contest::{ByRule, Percentages};
pub use contestant::{Contestant, CurveNumbers, PreparedContestant};
pub use curve::{Curve, CurveError, CurveTable, Curves};
pub use line::{HeuristicValue, Line, LineError, ZeroMode};
pub use list::{ListError, NamedRule, RuleList, RulePair};
pub use place::{Mover, Place};
pub use registry::{Description, Prepared, PreparedForSearch, Rule, RuleError, similar_name};
pub use rule::{
    Backup, BackupRule, Leaves, PairShape, ParameterError, RuleVisitor, SearchBackup, SearchVisitor,
};
