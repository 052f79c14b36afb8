//! The ideal rule: product propagation of the *true* probabilities, so that each node has its true probability of
//! winning (the leaves being independent). No program can play by it; no rule decides better.
//!
//! ```
//! use prodmax_rules::{Leaves, Rule};
//! let ideal: Rule = "ideal".parse()?;
//! assert_eq!(ideal.leaves(), Leaves::Truth);
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

use crate::numbers::Numbers;
use crate::product::{Product, ProductIn, ProductOfOdds};
use crate::rule::{BackupRule, Leaves, PairShape, ParameterError, none};

/// Product propagation on the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ideal;

impl BackupRule for Ideal {
    const SYNTAX: &'static str = "ideal";
    const FORMULA: &'static str = "product on the true probabilities: the best any rule can do";
    const SOURCE: &'static str = "a bound, not a contestant";
    const LEAVES: Leaves = Leaves::Truth;

    type In<N: Numbers> = ProductIn<N>;
    type Search = ProductOfOdds;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        none(parameters, Self::SYNTAX).map(|()| Self)
    }

    fn prepare<N: Numbers>(&self, numbers: N, depth: usize) -> ProductIn<N> {
        Product.prepare(numbers, depth)
    }

    fn pair_shape(&self) -> Option<PairShape> {
        Product.pair_shape()
    }
}

impl std::fmt::Display for Ideal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(Self::SYNTAX)
    }
}
