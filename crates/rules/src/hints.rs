//! Baum's rule with hints that get worse towards the leaves (Baum section 5): P_W = P_L = 1 - E^(d-l)/2 for a node whose
//! children have height l, in a search of depth d.
//!
//! ```
//! use prodmax_rules::numbers::Fractions;
//! use prodmax_rules::{Backup, Mover, Place, Rule};
//! let value = |rule: &str, height, depth| {
//!     let rule = rule.parse::<Rule>()?.prepare(Fractions, depth);
//!     let x = |p: i32, q: i32| prodmax_number::Fraction::new(p.into(), q.into());
//!     let value = rule.node(Place { mover: Mover::Max, height }, &[x(1, 2), x(2, 5)]);
//!     Ok::<_, prodmax_rules::RuleError>(value.to_string())
//! };
//! // Two plies above the leaves of a search of depth 3: 1 - (1/2)^2/2 = 7/8.
//! assert_eq!(value("hints:1/2", 2, 3)?, value("baum:7/8:7/8", 2, 3)?);
//! // E = 1 is minimaxing; a small E comes close to product propagation.
//! assert_eq!(value("hints:1", 1, 3)?, "1/2");
//! assert_eq!(value("product", 1, 3)?, "7/10");
//! # Ok::<(), prodmax_rules::RuleError>(())
//! ```

use std::borrow::Borrow;

use num_traits::{One, Signed, Zero};
use prodmax_number::Fraction;

use crate::formula_2_6::{Hint, value};
use crate::numbers::{Doubles, Numbers};
use crate::place::Place;
use crate::rule::{Backup, BackupRule, ParameterError, SearchBackup, fractions};

/// Formula (2.6) with hints that depend on the height.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hints {
    decay: Fraction,
}

impl Hints {
    /// P_W = P_L at nodes of height `height` in a search of depth `depth`.
    pub fn reliability(&self, height: usize, depth: usize) -> Fraction {
        let plies = (depth + 1).saturating_sub(height);
        let half = Fraction::new(1.into(), 2.into());
        Fraction::one() - (0..plies).fold(half, |product, _| product * &self.decay)
    }
}

impl BackupRule for Hints {
    const SYNTAX: &'static str = "hints:E";
    const FORMULA: &'static str = "(2.6) with PW = PL = 1 - E^(d-l)/2, l = height of the children, d = depth";
    const SOURCE: &'static str = "Baum section 5, E = 9/10";

    type In<N: Numbers> = HintsIn<N>;
    type Search = HintsIn<Doubles>;

    fn read(parameters: &[&str]) -> Result<Self, ParameterError> {
        let [decay] = fractions(parameters, Self::SYNTAX)?;
        if decay.is_negative() || decay.is_zero() || decay > Fraction::one() {
            return Err(ParameterError::Range("E must be greater than 0 and at most 1".to_owned()));
        }
        Ok(Self { decay })
    }

    fn prepare<N: Numbers>(&self, numbers: N, depth: usize) -> HintsIn<N> {
        let hint = |height| {
            let reliability = self.reliability(height, depth);
            Hint::new(numbers, &reliability, &reliability)
        };
        // A node of height 0 is a leaf: its hints are never used.
        HintsIn { numbers, by_height: (0..=depth.max(1)).map(hint).collect() }
    }

    fn depends_on_depth(&self) -> bool {
        true
    }

    fn is_strict(&self) -> bool {
        false
    }
}

impl std::fmt::Display for Hints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "hints:{}", self.decay)
    }
}

/// Baum's rule with hints that depend on the height, in numbers of one kind.
#[derive(Clone, Debug)]
pub struct HintsIn<N: Numbers> {
    numbers: N,
    by_height: Vec<Hint<N::Number>>,
}

impl<N: Numbers> HintsIn<N> {
    #[inline]
    fn hint(&self, place: Place) -> &Hint<N::Number> {
        &self.by_height[place.height.min(self.by_height.len() - 1)]
    }
}

impl<N: Numbers> Backup<N> for HintsIn<N> {
    fn node<C: Borrow<N::Number>>(&self, place: Place, children: &[C]) -> N::Number {
        value(self.numbers, place.mover, children, self.hint(place))
    }
}

impl SearchBackup for HintsIn<Doubles> {
    #[inline]
    fn negligible(&self, place: Place, best: f64) -> Option<f64> {
        self.hint(place).negligible(best)
    }
}
