//! Minimaxing (KHS Definition 1): values are treated as if they were true.
//!
//! ```
//! use prodmax_rules::numbers::Doubles;
//! use prodmax_rules::{Backup, BackupRule, Mover, Place};
//! # use prodmax_rules::minimax::Minimax;
//! let rule = Minimax.prepare(Doubles, 2);
//! let value = |mover| rule.node(Place { mover, height: 1 }, &[-3.0, 5.0, 2.0]);
//! assert_eq!((value(Mover::Max), value(Mover::Min)), (5.0, -3.0));
//! ```

use std::borrow::Borrow;

use crate::numbers::{Doubles, Numbers};
use crate::place::{Mover, Place};
use crate::rule::{Backup, BackupRule, Leaves, ParameterError, SearchBackup, none};

/// The greatest child at MAX nodes, the least at MIN nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Minimax;

impl BackupRule for Minimax {
    const SYNTAX: &'static str = "minimax";
    const FORMULA: &'static str = "MAX: max x_i; MIN: min x_i";
    const SOURCE: &'static str = "KHS Definition 1";
    const LEAVES: Leaves = Leaves::Heuristic;

    type In<N: Numbers> = MinimaxIn<N>;
    type Search = MinimaxIn<Doubles>;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        none(parameters, Self::SYNTAX).map(|()| Self)
    }

    fn prepare<N: Numbers>(&self, numbers: N, _: usize) -> MinimaxIn<N> {
        MinimaxIn(numbers)
    }

    fn is_strict(&self) -> bool {
        false
    }
}

impl std::fmt::Display for Minimax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(Self::SYNTAX)
    }
}

/// Minimaxing in numbers of one kind.
#[derive(Clone, Copy, Debug)]
pub struct MinimaxIn<N>(N);

impl<N: Numbers> Backup<N> for MinimaxIn<N> {
    #[inline]
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        extreme(self.0, place.mover, children)
    }
}

impl SearchBackup for MinimaxIn<Doubles> {
    #[inline]
    fn negligible(&self, _: Place, best: f64) -> Option<f64> {
        Some(best)
    }
}

/// The greatest child at a MAX node, the least at a MIN node.
#[inline]
pub(crate) fn extreme<N: Numbers, C: Borrow<N::Number>>(
    numbers: N,
    mover: Mover,
    children: &[C],
) -> N::Number {
    let (first, rest) = (children[0].borrow().clone(), &children[1..]);
    rest.iter().fold(first, |best, child| match mover {
        Mover::Max => numbers.greatest(&best, child.borrow()),
        Mover::Min => numbers.least(&best, child.borrow()),
    })
}
