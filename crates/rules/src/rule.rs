//! What makes a rule: its name and source, and how it backs up values in a given kind of number.

use std::borrow::Borrow;
use std::fmt;

use prodmax_number::Fraction;
use prodmax_number::fraction::{FractionError, parse};
use thiserror::Error;

use crate::numbers::{Doubles, Numbers};
use crate::place::{Mover, Place};

/// How a rule sees the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The heuristic value itself: the rule only needs the order of the values.
    Heuristic,
    /// The estimated probability of winning.
    Estimate,
    /// The true probability of winning, which no program knows.
    Truth,
}

/// What the value of a MIN node with two children depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairShape {
    /// The product a b.
    Product,
    /// A min(a, b) + B a b.
    Mixture {
        /// A.
        minimum: f64,
        /// B.
        product: f64,
    },
    /// The sum 1/a + 1/b: the node's value falls as it grows.
    Harmonic,
}

/// A backup rule with its parameters.
pub trait BackupRule: Clone + fmt::Debug + Sized {
    /// How it is written, e.g. `mean:P`.
    const SYNTAX: &'static str;
    /// What it does at a MAX and at a MIN node.
    const FORMULA: &'static str;
    /// The paper and the equation.
    const SOURCE: &'static str;
    /// How it sees the leaves.
    const LEAVES: Leaves = Leaves::Estimate;

    /// The rule in numbers of one kind.
    type In<N: Numbers>: Backup<N>;
    /// The rule as searches use it: usually in doubles, otherwise made from that.
    type Search: SearchBackup + From<Self::In<Doubles>>;

    /// Reads the parameters that follow the name.
    fn read(parameters: &[&str]) -> Result<Self, ParameterError>;

    /// Prepares the constants for searches to a given depth (see [`BackupRule::depends_on_depth`]).
    fn prepare<N: Numbers>(&self, numbers: N, depth: usize) -> Self::In<N>;

    /// Whether a node with the same children can have different values in searches to different depths, so that a
    /// deeper search cannot continue from a shallower one.
    fn depends_on_depth(&self) -> bool {
        false
    }

    /// Whether a greater value of any child always makes the value of the node greater, as long as all values lie
    /// strictly between 0 and 1. Other rules have plateaus: whole ranges of children that give the same value.
    fn is_strict(&self) -> bool {
        true
    }

    /// How to compute a MIN node with two children in doubles such that the result, even after rounding, grows with
    /// both children; `None` for a rule with plateaus. Sweeps over more nodes than fit in memory need this.
    fn pair_shape(&self) -> Option<PairShape> {
        None
    }

    /// How many more leading binary zeros a value can have than the probabilities it is computed from.
    fn extra_bits(&self) -> u32 {
        0
    }
}

/// A rule in numbers of one kind.
pub trait Backup<N: Numbers> {
    /// The value of a leaf from what the rule sees of it (see [`Leaves`]).
    fn leaf(&self, seen: N::Number) -> N::Number {
        seen
    }

    /// The value of a node from those of its children. There is at least one child.
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number
    where
        Self: Sized;

    /// A value in the form readers expect: a probability (or a heuristic value).
    fn shown(&self, value: f64) -> f64 {
        value
    }
}

/// A rule as searches of games back values up by it: what they may leave out, and when two moves are equally good. The
/// defaults are those of a rule by which every child counts.
pub trait SearchBackup: Backup<Doubles> {
    /// The value below which a child no longer counts once the others are known to make the node worth `so_far`
    /// ([`Self::at_least`]): it may then be replaced by any other value below that. Both are values as the mover sees
    /// them: x at a MAX node, [`Self::opposite`] of x at a MIN node. The value of the node stays the same to the last
    /// bit. `None` if every child counts.
    fn negligible(&self, place: Place, so_far: f64) -> Option<f64> {
        let _ = (place, so_far);
        None
    }

    /// A lower bound, up to rounding, on the value of a node that was worth `so_far` before it got one more child;
    /// values as the mover sees them. Under every rule with negligible children, it is at least the value of the best
    /// child.
    fn at_least(&self, so_far: f64, child: f64) -> f64 {
        so_far.max(child)
    }

    /// Whether [`Self::at_least`], child by child, gives the value of the node, up to rounding.
    fn is_associative(&self) -> bool {
        false
    }

    /// Whether the opponent sees a node that its mover sees as worth at least `so_far` as less than `negligible`. Rounding
    /// errors never make it true.
    fn refutes(&self, so_far: f64, negligible: f64) -> bool {
        1.0 - so_far < negligible - 4.0 * f64::EPSILON
    }

    /// The value of a leaf as the mover above it sees it, under rules with negligible children.
    fn leaf_seen(&self, mover: Mover, probability: f64) -> f64 {
        match mover {
            Mover::Max => probability,
            Mover::Min => 1.0 - probability,
        }
    }

    /// A value as the opponent sees it.
    fn opposite(&self, value: f64) -> f64 {
        1.0 - value
    }

    /// Whether two values are equal up to rounding errors. The default is for rules whose values do not depend
    /// on the order of the children.
    fn same(&self, a: f64, b: f64) -> bool {
        a == b
    }
}

/// Work that is compiled separately for each rule, because it is done so often that dispatching on the rule every
/// time would take too long: see [`crate::Prepared::visit`].
pub trait RuleVisitor<N: Numbers> {
    /// The result of the work.
    type Output;

    /// Does the work with a rule.
    fn visit<R: Backup<N>>(self, rule: &R) -> Self::Output;
}

/// The same for searches: see [`crate::PreparedForSearch::visit`].
pub trait SearchVisitor {
    /// The result of the work.
    type Output;

    /// Does the work with a rule.
    fn visit<R: SearchBackup>(self, rule: &R) -> Self::Output;
}

/// What is wrong with the parameters of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// Too few or too many.
    #[error("write it as {0}")]
    Syntax(&'static str),
    /// Not a number.
    #[error(transparent)]
    Number(#[from] FractionError),
    /// A number outside the rule's range.
    #[error("{0}")]
    Range(String),
}

/// Exactly `N` parameters that are fractions.
pub(crate) fn fractions<const N: usize>(
    parameters: &[&str],
    syntax: &'static str,
) -> Result<[Fraction; N], ParameterError> {
    let texts: [&str; N] = parameters.try_into().map_err(|_| ParameterError::Syntax(syntax))?;
    let numbers = texts.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    numbers.try_into().map_err(|_| ParameterError::Syntax(syntax))
}

/// An error if there are any parameters.
pub(crate) fn none(parameters: &[&str], syntax: &'static str) -> Result<(), ParameterError> {
    if parameters.is_empty() { Ok(()) } else { Err(ParameterError::Syntax(syntax)) }
}
