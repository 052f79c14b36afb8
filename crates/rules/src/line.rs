//! The line of heuristic values -h_max .. +h_max, with or without the value 0.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whether the value 0 exists on the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "Zero", rename_all = "lowercase")]
pub enum ZeroMode {
    /// KHS section III: there is no 0, one step up from -1 is +1.
    #[default]
    Skip,
    /// Ordinary integers with 0.
    Allow,
}

impl fmt::Display for ZeroMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Skip => "skip",
            Self::Allow => "allow",
        })
    }
}

/// A heuristic value f(n). It always lies on the [`Line`] that made it: there is no other way to get one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeuristicValue(i32);

impl HeuristicValue {
    /// The value as an integer.
    pub fn get(self) -> i32 {
        self.0
    }
}

impl fmt::Display for HeuristicValue {
    /// With its sign, as the papers print root values: `+1`, `-4`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("0") } else { write!(f, "{:+}", self.0) }
    }
}

/// Why a number is not a heuristic value of a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// A line without values, or with too many.
    #[error("h_max is {0}; it must lie between 1 and {max}", max = Line::MAX_H_MAX)]
    HMax(i64),
    /// The value 0 under [`ZeroMode::Skip`].
    #[error("the value 0 does not exist when zero is skipped; use -1 or +1, or `allow` zero")]
    NoZero,
    /// A value beyond h_max.
    #[error("the value {value:+} lies beyond h_max = {h_max}")]
    Beyond {
        /// The value asked for.
        value: i64,
        /// The end of the line.
        h_max: i32,
    },
}

/// The contiguous line of heuristic values. Its *positions* are consecutive integers in the order of the
/// values, so that an increment is a difference of positions whether 0 exists or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    h_max: i32,
    zero: ZeroMode,
}

impl Line {
    /// The greatest h_max: a longer line would make the table of a curve needlessly large.
    pub const MAX_H_MAX: i64 = 10_000;

    /// The h_max of the papers (the material balance of chess).
    pub const DEFAULT_H_MAX: i64 = 42;

    /// The line -h_max .. +h_max.
    pub fn new(h_max: i64, zero: ZeroMode) -> Result<Self, LineError> {
        match i32::try_from(h_max) {
            Ok(small) if (1..=Self::MAX_H_MAX).contains(&h_max) => Ok(Self { h_max: small, zero }),
            _ => Err(LineError::HMax(h_max)),
        }
    }

    /// The greatest heuristic value.
    pub fn h_max(&self) -> i32 {
        self.h_max
    }

    /// Whether 0 is on the line.
    pub fn zero(&self) -> ZeroMode {
        self.zero
    }

    /// The heuristic value equal to `value`.
    ///
    /// ```
    /// use prodmax_rules::{Line, LineError, ZeroMode};
    /// let line = Line::new(42, ZeroMode::Skip)?;
    /// assert_eq!(line.value(-4)?.get(), -4);
    /// assert_eq!(line.value(0), Err(LineError::NoZero));
    /// # Ok::<(), LineError>(())
    /// ```
    pub fn value(&self, value: i64) -> Result<HeuristicValue, LineError> {
        if value == 0 && self.zero == ZeroMode::Skip {
            return Err(LineError::NoZero);
        }
        match i32::try_from(value) {
            Ok(small) if (-self.h_max..=self.h_max).contains(&small) => Ok(HeuristicValue(small)),
            _ => Err(LineError::Beyond { value, h_max: self.h_max }),
        }
    }

    /// Where a value lies: consecutive values have consecutive positions.
    pub fn position(&self, value: HeuristicValue) -> i32 {
        if self.zero == ZeroMode::Skip && value.0 > 0 { value.0 - 1 } else { value.0 }
    }

    /// The value at a position, if it is on the line.
    pub fn at(&self, position: i32) -> Option<HeuristicValue> {
        let value = self.number_at(i64::from(position));
        self.value(value).ok()
    }

    /// The number at a position if the line had no ends (for messages about values beyond h_max).
    pub fn number_at(&self, position: i64) -> i64 {
        if self.zero == ZeroMode::Skip && position >= 0 { position + 1 } else { position }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_up_from_minus_one_is_plus_one_when_zero_is_skipped() {
        let step_up = |zero, from| {
            let line = Line::new(42, zero).unwrap();
            line.at(line.position(line.value(from).unwrap()) + 1).map(HeuristicValue::get)
        };
        assert_eq!(step_up(ZeroMode::Skip, -1), Some(1));
        assert_eq!(step_up(ZeroMode::Allow, -1), Some(0));
        assert_eq!(step_up(ZeroMode::Skip, 42), None);
        assert_eq!(step_up(ZeroMode::Allow, 42), None);
    }

    #[test]
    fn positions_are_consecutive() {
        for zero in [ZeroMode::Skip, ZeroMode::Allow] {
            let line = Line::new(5, zero).unwrap();
            let values: Vec<_> = (-5..=5).filter_map(|v| line.value(v).ok()).collect();
            let positions: Vec<_> = values.iter().map(|&v| line.position(v)).collect();
            assert!(positions.windows(2).all(|w| w[1] == w[0] + 1), "{positions:?}");
            assert!(values.iter().zip(&positions).all(|(&v, &p)| line.at(p) == Some(v)));
        }
    }

    #[test]
    fn refuses_what_is_not_on_the_line() {
        assert_eq!(Line::new(0, ZeroMode::Skip), Err(LineError::HMax(0)));
        assert_eq!(Line::new(i64::MAX, ZeroMode::Skip), Err(LineError::HMax(i64::MAX)));
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        assert_eq!(line.value(43), Err(LineError::Beyond { value: 43, h_max: 42 }));
        assert_eq!(line.value(i64::MIN), Err(LineError::Beyond { value: i64::MIN, h_max: 42 }));
        assert_eq!(line.value(i32::MIN.into()), Err(LineError::Beyond { value: i32::MIN.into(), h_max: 42 }));
        assert!(line.value(0).is_ok());
    }

    #[test]
    fn values_print_with_their_sign() {
        let line = Line::new(42, ZeroMode::Allow).unwrap();
        let printed: Vec<_> = [-4, 0, 2].map(|v| line.value(v).unwrap().to_string()).into();
        assert_eq!(printed, ["-4", "0", "+2"]);
    }
}
