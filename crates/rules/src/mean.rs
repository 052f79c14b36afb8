//! Generalised means (Rivest's min/max approximation): M_P at MAX nodes, M_-P at MIN nodes.
//!
//! The rule backs up the powers v = x^P, which are ordered like the x: a MAX node is their arithmetic and a MIN node
//! their harmonic mean, so an integer P needs no roots. P = 1 gives the plain means, and as P grows the rule
//! approaches minimaxing:
//!
//! ```
//! use prodmax_rules::numbers::Doubles;
//! use prodmax_rules::{Backup, Mover, Place, Rule};
//! let value = |rule: &str, mover, children: [f64; 2]| {
//!     let rule = rule.parse::<Rule>()?.prepare(Doubles, 1);
//!     let value = rule.node(Place { mover, height: 1 }, &children.map(|x| rule.leaf(x)));
//!     Ok::<_, prodmax_rules::RuleError>(rule.shown(value))
//! };
//! assert_eq!(value("mean:1", Mover::Max, [0.5, 0.25])?, 0.375);
//! assert_eq!(value("mean:1", Mover::Min, [0.75, 0.375])?, 0.5);
//! assert!((value("mean:2", Mover::Max, [0.7, 0.1])? - 0.5).abs() < 1e-15);
//! assert!((value("mean:200", Mover::Max, [0.7, 0.1])? - 0.7).abs() < 0.003);
//! assert!((value("mean:200", Mover::Min, [0.7, 0.1])? - 0.1).abs() < 0.001);
//! // A child of value 0 makes a MIN node 0.
//! assert_eq!(value("mean:3", Mover::Min, [0.7, 0.0])?, 0.0);
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

use std::borrow::Borrow;

use crate::numbers::{Doubles, Numbers};
use crate::place::{Mover, Place};
use crate::rule::{Backup, BackupRule, PairShape, ParameterError, SearchBackup};

/// The generalised means with exponents P and -P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mean {
    exponent: u32,
}

impl Mean {
    /// The greatest exponent allowed: with a greater one x^P leaves the range of doubles too soon.
    pub const MAX_EXPONENT: u32 = 200;

    /// P.
    pub fn exponent(&self) -> u32 {
        self.exponent
    }
}

impl BackupRule for Mean {
    const SYNTAX: &'static str = "mean:P";
    const FORMULA: &'static str = "MAX: ((1/n) sum x_i^P)^(1/P); MIN: ((1/n) sum x_i^-P)^(-1/P)";
    const SOURCE: &'static str = "Rivest, generalised means (min/max approximation)";

    type In<N: Numbers> = MeanIn<N>;
    type Search = MeanIn<Doubles>;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        let [exponent] = parameters else { return Err(ParameterError::Syntax(Self::SYNTAX)) };
        match exponent.trim().parse::<u32>() {
            Ok(exponent) if (1..=Self::MAX_EXPONENT).contains(&exponent) => Ok(Self { exponent }),
            _ => {
                let most = Self::MAX_EXPONENT;
                Err(ParameterError::Range(format!("P must be an integer between 1 and {most}")))
            }
        }
    }

    fn prepare<N: Numbers>(&self, numbers: N, _: usize) -> MeanIn<N> {
        MeanIn { numbers, exponent: self.exponent }
    }

    fn pair_shape(&self) -> Option<PairShape> {
        Some(PairShape::Harmonic)
    }

    /// A probability of 1/256 starts at binary place 8, its P-th power at place 8 P.
    fn extra_bits(&self) -> u32 {
        8 * (self.exponent - 1)
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mean:{}", self.exponent)
    }
}

/// Generalised means in numbers of one kind; values are powers x^P.
#[derive(Clone, Copy, Debug)]
pub struct MeanIn<N> {
    numbers: N,
    exponent: u32,
}

impl<N: Numbers> Backup<N> for MeanIn<N> {
    #[inline]
    fn leaf(&self, seen: N::Number) -> N::Number {
        self.numbers.power(&seen, self.exponent)
    }

    #[inline]
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        let numbers = self.numbers;
        let (first, rest) = (children[0].borrow().clone(), &children[1..]);
        if rest.is_empty() {
            return first;
        }
        // A list of children is shorter than 2^32.
        let n = children.len() as u32;
        match place.mover {
            Mover::Max => {
                let sum = rest.iter().fold(first, |sum, child| numbers.add(&sum, child.borrow()));
                numbers.mul(&sum, &numbers.reciprocal(n))
            }
            Mover::Min => {
                if children.iter().any(|child| numbers.is_zero(child.borrow())) {
                    return numbers.integer(0);
                }
                let sum = rest.iter().fold(first, |sum, child| numbers.parallel(&sum, child.borrow()));
                numbers.mul(&numbers.integer(n), &sum)
            }
        }
    }

    fn shown(&self, value: f64) -> f64 {
        value.powf(1.0 / f64::from(self.exponent))
    }
}

impl SearchBackup for MeanIn<Doubles> {}
