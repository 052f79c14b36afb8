//! The model of LGB section 3.1 and its parameters.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the auxiliary values of siblings are distributed around that of their parent (LGB Fig. 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Steps {
    /// The normal distribution.
    #[default]
    Normal,
    /// The uniform distribution, of half-width √3 σ_v.
    Uniform,
    /// The symmetric triangular distribution, of half-width √6 σ_v.
    Triangular,
}

/// Whether the leaves of a tree depend on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Values {
    /// The auxiliary value of a node is distributed around that of its parent; a leaf's is its true value (section
    /// 3).
    #[default]
    Dependent,
    /// The true values of all leaves are distributed around 0, independently (section 6.1).
    Independent,
}

/// Why a text is not the name of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelNameError {
    /// Not a distribution.
    #[error("`{0}` is not a distribution of steps; write normal, uniform or triangular")]
    Steps(String),
    /// Neither of the two models.
    #[error("values are dependent or independent, not `{0}`")]
    Values(String),
}

impl Steps {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Uniform, Self::Triangular];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Uniform => "uniform",
            Self::Triangular => "triangular",
        }
    }

    /// Half the width of the support, in standard deviations; `None` if it is infinite.
    pub fn half_width(self) -> Option<f64> {
        match self {
            Self::Normal => None,
            Self::Uniform => Some(3f64.sqrt()),
            Self::Triangular => Some(6f64.sqrt()),
        }
    }
}

impl Values {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Dependent, Self::Independent];

    /// Its name in specs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dependent => "dependent",
            Self::Independent => "independent",
        }
    }
}

impl From<Steps> for &'static str {
    fn from(steps: Steps) -> Self {
        steps.name()
    }
}

impl From<Values> for &'static str {
    fn from(values: Values) -> Self {
        values.name()
    }
}

impl FromStr for Steps {
    type Err = ModelNameError;
    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        let named = Self::ALL.into_iter().find(|steps| steps.name() == text);
        named.ok_or_else(|| ModelNameError::Steps(text.to_owned()))
    }
}

impl FromStr for Values {
    type Err = ModelNameError;
    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        let named = Self::ALL.into_iter().find(|values| values.name() == text);
        named.ok_or_else(|| ModelNameError::Values(text.to_owned()))
    }
}

impl TryFrom<String> for Steps {
    type Error = ModelNameError;
    fn try_from(text: String) -> Result<Self, ModelNameError> {
        text.parse()
    }
}

impl TryFrom<String> for Values {
    type Error = ModelNameError;
    fn try_from(text: String) -> Result<Self, ModelNameError> {
        text.parse()
    }
}

/// A limited number of values: the interval [-range, range] is divided into `count` grains of equal width, every
/// value is rounded to the midpoint of its grain, and values beyond the interval belong to the outermost grains.
///
/// LGB section 6.2 gives the number of grains but not the interval they cover; see `granularity` for the readings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Grains {
    /// how many values, g
    pub count: u32,
    /// they lie between -range and range
    pub range: f64,
}

impl Grains {
    /// The width of a grain.
    pub fn width(&self) -> f64 {
        2.0 * self.range / f64::from(self.count)
    }

    /// The index of the grain of a value, from 0.
    pub fn index(&self, value: f64) -> u32 {
        // Casts of out-of-range numbers saturate.
        (((value + self.range) / self.width()).floor() as u32).min(self.count - 1)
    }

    /// The midpoint of a grain.
    pub fn middle(&self, index: u32) -> f64 {
        (f64::from(index) + 0.5) * self.width() - self.range
    }

    /// The midpoint of the grain of a value.
    pub fn round(&self, value: f64) -> f64 {
        self.middle(self.index(value))
    }
}

/// The parameters of the model. The root is a MAX node at depth 0; MAX and MIN alternate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RealModel {
    /// the branching factor
    pub b: u32,
    /// the law of a step, of nodes' values around their parent's or of leaves' around 0: `normal`, `uniform` or `triangular`
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub steps: Steps,
    /// `dependent` or `independent`
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub values: Values,
    /// standard deviation of a step
    pub sigma_v: f64,
    /// standard deviation of the normal noise on the values at the lowest ply of search
    pub sigma_e: f64,
    /// the bound of all values, beyond which they are set to it at every node; null if there is none
    pub m: Option<f64>,
    /// the depth of the leaves, whose auxiliary values are their true values
    pub d_max: usize,
    /// the values that leaves and noisy nodes can have; null for all real numbers
    pub grains: Option<Grains>,
}

impl Default for RealModel {
    /// The parameters of Table 1, b = 2.
    fn default() -> Self {
        Self {
            b: 2,
            steps: Steps::Normal,
            values: Values::Dependent,
            sigma_v: 1.0,
            sigma_e: 0.2,
            m: None,
            d_max: 10,
            grains: None,
        }
    }
}

/// Why a model is invalid or out of range.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RealModelError {
    /// The branching factor is out of range.
    #[error("the branching factor is {0}; it must lie between 1 and {max}", max = RealModel::MAX_B)]
    Branching(u32),
    /// A standard deviation is invalid.
    #[error("{name} is {value}; a standard deviation must be greater than 0 and finite")]
    Deviation {
        /// `sigma_v` or `sigma_e`.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The bound of the values is invalid.
    #[error("m is {0}; the bound of the values must be greater than 0 (leave it out for no bound)")]
    Bound(f64),
    /// The grains are invalid.
    #[error(
        "{count} grains over ±{range} are not possible; give at least 2 grains and a range greater than 0"
    )]
    Grains {
        /// The number of grains.
        count: u32,
        /// Half the length of the interval.
        range: f64,
    },
    /// The depth of the tree is out of range.
    #[error("d_max is {0}; it must lie between 1 and {max}", max = RealModel::MAX_DEPTH)]
    Depth(usize),
    /// A search deeper than the tree.
    #[error("the search depth {d} is greater than the depth {d_max} of the tree")]
    TooDeep {
        /// The requested depth.
        d: usize,
        /// The depth of the tree.
        d_max: usize,
    },
}

impl RealModel {
    /// The greatest branching factor.
    pub const MAX_B: u32 = 1000;
    /// The greatest depth.
    pub const MAX_DEPTH: usize = 40;

    /// An error if anything is wrong with the model.
    pub fn check(&self) -> Result<(), RealModelError> {
        if !(1..=Self::MAX_B).contains(&self.b) {
            return Err(RealModelError::Branching(self.b));
        }
        for (name, value) in [("sigma_v", self.sigma_v), ("sigma_e", self.sigma_e)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(RealModelError::Deviation { name, value });
            }
        }
        if let Some(m) = self.m
            && (m.is_nan() || m <= 0.0)
        {
            return Err(RealModelError::Bound(m));
        }
        if let Some(Grains { count, range }) = self.grains
            && (count < 2 || !range.is_finite() || range <= 0.0)
        {
            return Err(RealModelError::Grains { count, range });
        }
        if !(1..=Self::MAX_DEPTH).contains(&self.d_max) {
            return Err(RealModelError::Depth(self.d_max));
        }
        Ok(())
    }

    /// Checks that a search to depth `d` stays inside the tree.
    pub fn check_depth(&self, d: usize) -> Result<(), RealModelError> {
        if d > self.d_max { Err(RealModelError::TooDeep { d, d_max: self.d_max }) } else { Ok(()) }
    }
}

/// Whether MAX moves at a depth.
pub fn is_max(depth: usize) -> bool {
    depth.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(change: impl FnOnce(&mut RealModel)) -> String {
        let mut model = RealModel::default();
        change(&mut model);
        model.check().unwrap_err().to_string()
    }

    #[test]
    fn bad_models_are_explained_in_a_sentence() {
        assert_eq!(RealModel::default().check(), Ok(()));
        assert_eq!(message(|m| m.b = 0), "the branching factor is 0; it must lie between 1 and 1000");
        assert_eq!(
            message(|m| m.sigma_e = 0.0),
            "sigma_e is 0; a standard deviation must be greater than 0 and finite"
        );
        assert_eq!(
            message(|m| m.sigma_v = -1.0),
            "sigma_v is -1; a standard deviation must be greater than 0 and finite"
        );
        assert!(message(|m| m.sigma_v = f64::NAN).starts_with("sigma_v is NaN"));
        assert_eq!(
            message(|m| m.m = Some(0.0)),
            "m is 0; the bound of the values must be greater than 0 (leave it out for no bound)"
        );
        assert_eq!(message(|m| m.d_max = 0), "d_max is 0; it must lie between 1 and 40");
        assert_eq!(
            RealModel::default().check_depth(11).unwrap_err().to_string(),
            "the search depth 11 is greater than the depth 10 of the tree"
        );
    }

    #[test]
    fn grains_divide_their_interval_evenly() {
        let grains = Grains { count: 4, range: 2.0 };
        assert_eq!([-9.0, -1.0, -0.1, 0.0, 1.9, 2.0, 9.0].map(|x| grains.index(x)), [0, 1, 1, 2, 3, 3, 3]);
        assert_eq!((0..4).map(|k| grains.middle(k)).collect::<Vec<_>>(), [-1.5, -0.5, 0.5, 1.5]);
        assert!(
            message(|m| m.grains = Some(Grains { count: 1, range: 1.0 }))
                .starts_with("1 grains over ±1 are not")
        );
    }

    #[test]
    fn choices_are_read_by_name() {
        assert!(Steps::ALL.iter().all(|steps| steps.name().parse() == Ok(*steps)));
        assert!(Values::ALL.iter().all(|values| values.name().parse() == Ok(*values)));
        assert_eq!(
            "cauchy".parse::<Steps>().unwrap_err().to_string(),
            "`cauchy` is not a distribution of steps; write normal, uniform or triangular"
        );
        assert_eq!(
            "both".parse::<Values>().unwrap_err().to_string(),
            "values are dependent or independent, not `both`"
        );
    }
}
