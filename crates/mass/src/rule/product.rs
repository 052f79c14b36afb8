//! Product propagation (KHS Definition 2), in any arithmetic.

use std::cmp::Ordering;

use prodmax_enumerate::HeuristicValue;

use super::BackupRule;
use crate::arithmetic::{Arithmetic, Compare};

/// Backs up probabilities to win as if the children were independent: a MIN node is won if both children are,
/// a MAX node is lost if both children are. With the true probabilities of the leaves it gives the true
/// probability that a node is won, so this rule also computes the truth.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a, A>(pub &'a A);

impl<A: Arithmetic + Compare> BackupRule for Product<'_, A> {
    type Value = A::Number;

    fn leaf(&self, h: HeuristicValue) -> A::Number {
        self.0.leaf(h)
    }

    fn max_node(&self, a: &A::Number, b: &A::Number) -> A::Number {
        self.0.either(a, b)
    }

    fn min_node(&self, a: &A::Number, b: &A::Number) -> A::Number {
        self.0.mul(a, b)
    }

    fn compare(&self, a: &A::Number, b: &A::Number) -> Option<Ordering> {
        self.0.compare(a, b)
    }
}
