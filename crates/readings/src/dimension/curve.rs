//! Curves with the h_max they are scaled by.

use std::fmt;
use std::str::FromStr;

use prodmax_enumerate::Line;
use prodmax_mass::{Curve, CurveError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A curve and its h_max, written `arctan:4` (with the papers' h_max = 42) or `arctan:4@21`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScaledCurve {
    /// The kind and its constant.
    pub curve: Curve,
    /// The value at which eq. (2) reaches 1.
    pub h_max: i32,
}

/// Why a text is not a curve with its h_max.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScaledCurveError {
    /// The part before the `@` is wrong.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The part after the `@` is wrong.
    #[error("in the curve `{0}`: h_max must be a whole number between 1 and {max}", max = Line::MAX_H_MAX)]
    HMax(String),
}

impl ScaledCurve {
    /// Eq. (2) with an integer constant and the papers' h_max.
    pub fn arctan(c: u32) -> Self {
        Self { curve: Curve::arctan(c), h_max: DEFAULT_H_MAX }
    }
}

const DEFAULT_H_MAX: i32 = Line::DEFAULT_H_MAX as i32;

impl FromStr for ScaledCurve {
    type Err = ScaledCurveError;

    fn from_str(text: &str) -> Result<Self, ScaledCurveError> {
        let Some((curve, h_max)) = text.split_once('@') else {
            return Ok(Self { curve: text.parse()?, h_max: DEFAULT_H_MAX });
        };
        match h_max.parse::<i32>() {
            Ok(h_max) if (1..=Line::MAX_H_MAX).contains(&i64::from(h_max)) => {
                Ok(Self { curve: curve.parse()?, h_max })
            }
            _ => Err(ScaledCurveError::HMax(text.to_owned())),
        }
    }
}

impl TryFrom<String> for ScaledCurve {
    type Error = ScaledCurveError;
    fn try_from(text: String) -> Result<Self, ScaledCurveError> {
        text.parse()
    }
}

impl From<ScaledCurve> for String {
    fn from(curve: ScaledCurve) -> Self {
        curve.to_string()
    }
}

impl fmt::Display for ScaledCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.curve.fmt(f)?;
        if self.h_max == DEFAULT_H_MAX { Ok(()) } else { write!(f, "@{}", self.h_max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_read_and_printed() {
        for text in ["arctan:4", "pearl:1@21", "uniform:1/20"] {
            assert_eq!(text.parse::<ScaledCurve>().unwrap().to_string(), text);
        }
        assert_eq!("arctan:4@42".parse::<ScaledCurve>().unwrap(), ScaledCurve::arctan(4));
    }

    #[test]
    fn bad_curves_are_explained_in_a_sentence() {
        let message = |text: &str| text.parse::<ScaledCurve>().unwrap_err().to_string();
        for text in ["arctan:4@0", "arctan:4@x", "arctan:4@99999"] {
            assert_eq!(
                message(text),
                format!("in the curve `{text}`: h_max must be a whole number between 1 and 10000")
            );
        }
        assert!(message("arctan@42").contains("is not a curve"));
    }
}
