//! Baum's rule for imperfect players with hints of a fixed quality, formula (2.6).
//!
//! The rule leads from minimaxing, if hints carry no information (P_W = P_L = 1/2), to product propagation, if they are
//! perfect:
//!
//! ```
//! use prodmax_rules::numbers::Fractions;
//! use prodmax_rules::{Backup, Mover, Place, Rule};
//! let value = |rule: &str, mover| {
//!     let rule = rule.parse::<Rule>()?.prepare(Fractions, 1);
//!     let x = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
//!     let value = rule.node(Place { mover, height: 1 }, &[x(1, 2), x(1, 3), x(1, 5)]);
//!     Ok::<_, prodmax_rules::RuleError>(value.to_string())
//! };
//! for mover in [Mover::Max, Mover::Min] {
//!     assert_eq!(value("baum:1/2:1/2", mover)?, value("average:1", mover)?);
//!     assert_eq!(value("baum:1:1", mover)?, value("product", mover)?);
//! }
//! // Hints so poor that the best child is chosen whatever they say: a plateau.
//! assert_eq!(value("baum:3/5:1/2", Mover::Max)?, "1/2");
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

use std::borrow::Borrow;

use num_traits::{One, Signed};
use prodmax_number::Fraction;

use crate::formula_2_6::{Hint, value};
use crate::numbers::{Doubles, Numbers};
use crate::place::Place;
use crate::rule::{Backup, BackupRule, ParameterError, SearchBackup, fractions};

/// Formula (2.6) with the same hints at every node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Baum {
    won: Fraction,
    lost: Fraction,
}

impl Baum {
    /// P_W: how often a hint says "won" of a won child.
    pub fn won(&self) -> &Fraction {
        &self.won
    }

    /// P_L: how often a hint says "lost" of a lost child.
    pub fn lost(&self) -> &Fraction {
        &self.lost
    }
}

impl BackupRule for Baum {
    const SYNTAX: &'static str = "baum:PW:PL";
    const FORMULA: &'static str = "MAX: (2.6) with hints of reliability PW and PL; MIN: 1 - (2.6) of 1 - x_i";
    const SOURCE: &'static str = "Baum, formula (2.6)";

    type In<N: Numbers> = BaumIn<N>;
    type Search = BaumIn<Doubles>;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        let [won, lost] = fractions(parameters, Self::SYNTAX)?;
        let one = Fraction::one();
        if [&won, &lost].iter().any(|p| p.is_negative() || **p > one) {
            return Err(ParameterError::Range("PW and PL must lie between 0 and 1".to_owned()));
        }
        if &won + &lost < one {
            let sum = &won + &lost;
            return Err(ParameterError::Range(format!(
                "PW + PL is {sum}; it must be at least 1, otherwise a hint \"won\" would count against a move"
            )));
        }
        Ok(Self { won, lost })
    }

    fn prepare<N: Numbers>(&self, numbers: N, _: usize) -> BaumIn<N> {
        BaumIn { numbers, hint: Hint::new(numbers, &self.won, &self.lost) }
    }

    fn is_strict(&self) -> bool {
        false
    }
}

impl std::fmt::Display for Baum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "baum:{}:{}", self.won, self.lost)
    }
}

/// Baum's rule in numbers of one kind.
#[derive(Clone, Debug)]
pub struct BaumIn<N: Numbers> {
    numbers: N,
    hint: Hint<N::Number>,
}

impl<N: Numbers> Backup<N> for BaumIn<N> {
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        value(self.numbers, place.mover, children, &self.hint)
    }
}

impl SearchBackup for BaumIn<Doubles> {
    #[inline]
    fn negligible(&self, _: Place, best: f64) -> Option<f64> {
        self.hint.negligible(best)
    }
}
