//! Rivest's min/max approximation: the tip to whose value the root is most sensitive is expanded next.
//!
//! A MAX node is approximated by the generalised mean M_p of its children, a MIN node by M_-p. The derivative of M_p
//! with respect to one child is (1/n) (x/M)^(p-1), that of M_-p is (1/n) (x/M)^(-p-1). The weight of an edge is minus
//! the logarithm of the derivative:
//!
//! MAX: log n + (p-1) log(M/x); MIN: log n + (p+1) log(x/M).
//!
//! The penalty of a tip is the sum of the weights from it to the root, so the least penalty belongs to the greatest
//! derivative of the root with respect to a tip. That tip is expanded, its children are valued by the evaluator, and
//! values, weights and least penalties are updated along its path only. Of tips with equal penalty the oldest is
//! expanded.
//!
//! Values must be positive, so a probability v becomes 1 + 1022 v: a lost game is 1, a won one 1023, a draw 512.

mod means;
mod tree;

use std::str::FromStr;

use thiserror::Error;

pub use means::{derivative, edge_weight, mean};
pub use tree::{Node, PenaltySearch};

/// What is backed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The generalised means themselves.
    #[default]
    Means,
    /// The true minimum and maximum; means are used only for the penalties (the "reverse approximation").
    Reverse,
}

/// The parameters of a penalty search, written `penalty:P` or `penalty:P:reverse`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// The exponent p.
    pub p: f64,
    /// What is backed up.
    pub scheme: Scheme,
}

/// Why the parameters of a penalty search are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PenaltyError {
    /// The exponent is invalid.
    #[error("`{0}` is not an exponent of penalty:P; P must lie between 1 and {most}", most = Penalty::MAX_P)]
    Exponent(String),
    /// The scheme is invalid.
    #[error("`{0}` is not a scheme of the penalty search; write penalty:P or penalty:P:reverse")]
    Scheme(String),
}

impl Penalty {
    /// The greatest exponent.
    pub const MAX_P: u32 = 1000;

    /// With an exponent between 1 and 1000.
    pub fn new(p: f64, scheme: Scheme) -> Result<Self, PenaltyError> {
        if (1.0..=f64::from(Self::MAX_P)).contains(&p) {
            Ok(Self { p, scheme })
        } else {
            Err(PenaltyError::Exponent(p.to_string()))
        }
    }

    /// Reads the parameters that follow `penalty:`.
    pub(crate) fn read(parameters: &[&str]) -> Result<Self, PenaltyError> {
        let exponent = parameters.first().copied().unwrap_or("");
        let bad = || PenaltyError::Exponent(exponent.chars().take(40).collect());
        let scheme = match parameters.get(1..).unwrap_or(&[]) {
            [] => Scheme::Means,
            ["reverse"] => Scheme::Reverse,
            other => return Err(PenaltyError::Scheme(other.join(":").chars().take(40).collect())),
        };
        Self::new(f64::from_str(exponent).map_err(|_| bad())?, scheme).map_err(|_| bad())
    }
}

impl std::fmt::Display for Penalty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.scheme == Scheme::Reverse { ":reverse" } else { "" };
        write!(f, "penalty:{}{scheme}", self.p)
    }
}
