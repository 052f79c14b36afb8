//! A double, and how well it is known.

use crate::possible::{Impossible, Kind, ROUNDING};

/// How well a double is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Uncertainty {
    /// It is certain to lie within this distance: proved.
    Bound(f64),
    /// The standard error of a sample.
    StandardError(f64),
    /// An estimate of how far it may be off.
    Margin(f64),
    /// Nothing is stated.
    Unstated,
}

impl Uncertainty {
    /// The number; `None` if nothing is stated.
    pub fn amount(self) -> Option<f64> {
        match self {
            Self::Bound(amount) | Self::StandardError(amount) | Self::Margin(amount) => Some(amount),
            Self::Unstated => None,
        }
    }
}

/// A double, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximate {
    /// The double.
    pub value: f64,
    /// How well it is known.
    pub uncertainty: Uncertainty,
}

impl Approximate {
    /// A number with a proved bound.
    pub fn within(value: f64, bound: f64) -> Self {
        Self { value, uncertainty: Uncertainty::Bound(bound) }
    }

    /// The mean of a sample.
    pub fn sampled(value: f64, standard_error: f64) -> Self {
        Self { value, uncertainty: Uncertainty::StandardError(standard_error) }
    }

    /// A number whose margin is an estimate itself.
    pub fn estimated(value: f64, margin: f64) -> Self {
        Self { value, uncertainty: Uncertainty::Margin(margin) }
    }

    /// A double of which nothing is stated.
    pub fn unstated(value: f64) -> Self {
        Self { value, uncertainty: Uncertainty::Unstated }
    }

    /// Its bound, standard error or margin; 0 if nothing is stated.
    pub fn error(&self) -> f64 {
        self.uncertainty.amount().unwrap_or(0.0)
    }

    /// The gate: the possible part of a figure of this kind. A bound is true, however wide; a margin of half the range says
    /// nothing.
    pub fn possible(self, kind: Kind) -> Result<Self, Impossible> {
        let [low, high] = kind.range();
        let is_margin = matches!(self.uncertainty, Uncertainty::Margin(_));
        self.known_to(kind, if is_margin { (high - low) / 2.0 } else { f64::INFINITY })
    }

    /// The same with a bound or margin of at most `tolerance`. A standard error says nothing about rounding, so a sampled value
    /// has to lie in its range as it is.
    pub fn known_to(self, kind: Kind, tolerance: f64) -> Result<Self, Impossible> {
        let value = match self.uncertainty {
            Uncertainty::Bound(error) | Uncertainty::Margin(error) => {
                kind.check(self.value, error, tolerance)?
            }
            Uncertainty::StandardError(error) => {
                Kind::Size.check(error, 0.0, 0.0)?;
                kind.check(self.value, 0.0, 0.0)?
            }
            Uncertainty::Unstated => kind.check_rounded(self.value, ROUNDING)?,
        };
        Ok(Self { value, ..self })
    }
}
