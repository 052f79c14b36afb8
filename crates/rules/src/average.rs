//! Average propagation: a mixture of minimaxing and product propagation at every node. With equal parts it is the rule
//! of Nau, Purdom and Tzeng.
//!
//! The limits are minimaxing (A = 1) and product propagation (A = 0):
//!
//! ```
//! use prodmax_rules::numbers::Doubles;
//! use prodmax_rules::{Backup, Mover, Place, Rule};
//! let value = |rule: &str, mover| {
//!     let rule = rule.parse::<Rule>()?.prepare(Doubles, 1);
//!     Ok::<_, prodmax_rules::RuleError>(rule.node(Place { mover, height: 1 }, &[0.5, 0.25]))
//! };
//! assert_eq!((value("average:1", Mover::Max)?, value("average:1", Mover::Min)?), (0.5, 0.25));
//! assert_eq!((value("average:0", Mover::Max)?, value("average:0", Mover::Min)?), (0.625, 0.125));
//! assert_eq!(value("average:1/2", Mover::Max)?, 0.5625);
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

use std::borrow::Borrow;

use num_traits::{One, Signed};
use prodmax_number::Fraction;

use crate::minimax::extreme;
use crate::numbers::{Doubles, Numbers};
use crate::place::Place;
use crate::product::ProductIn;
use crate::rule::{Backup, BackupRule, PairShape, ParameterError, SearchBackup, fractions};

/// A mixture of minimaxing with weight A and product propagation with weight 1 - A.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Average {
    /// A, between 0 and 1.
    minimax: Fraction,
}

impl Average {
    /// A, the weight of minimaxing.
    pub fn minimax(&self) -> &Fraction {
        &self.minimax
    }
}

impl BackupRule for Average {
    const SYNTAX: &'static str = "average:A";
    const FORMULA: &'static str = "A times minimax + (1 - A) times product, at every node";
    const SOURCE: &'static str = "A = 1/2: the average propagation of Nau, Purdom and Tzeng";

    type In<N: Numbers> = AverageIn<N>;
    type Search = AverageIn<Doubles>;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        let [minimax] = fractions(parameters, Self::SYNTAX)?;
        if minimax.is_negative() || minimax > Fraction::one() {
            return Err(ParameterError::Range("A must lie between 0 and 1".to_owned()));
        }
        Ok(Self { minimax })
    }

    fn prepare<N: Numbers>(&self, numbers: N, _: usize) -> AverageIn<N> {
        AverageIn {
            numbers,
            minimax: numbers.constant(&self.minimax),
            product: numbers.constant(&(Fraction::one() - &self.minimax)),
        }
    }

    fn is_strict(&self) -> bool {
        !self.minimax.is_one()
    }

    fn pair_shape(&self) -> Option<PairShape> {
        let mixture = || {
            let AverageIn { minimax, product, .. } = self.prepare(Doubles, 1);
            PairShape::Mixture { minimum: minimax, product }
        };
        self.is_strict().then(mixture)
    }
}

impl std::fmt::Display for Average {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "average:{}", self.minimax)
    }
}

/// Average propagation in numbers of one kind.
#[derive(Clone, Copy, Debug)]
pub struct AverageIn<N: Numbers> {
    numbers: N,
    minimax: N::Number,
    product: N::Number,
}

impl<N: Numbers> Backup<N> for AverageIn<N> {
    #[inline]
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        let minimax = extreme(self.numbers, place.mover, children);
        let product = ProductIn(self.numbers).node(place, children);
        let [a, b] = [(&self.minimax, minimax), (&self.product, product)]
            .map(|(part, value)| self.numbers.mul(part, &value));
        self.numbers.add(&a, &b)
    }
}

impl SearchBackup for AverageIn<Doubles> {}
