//! What to sample, in the form in which it is kept with the results.

use std::ops::Range;

use prodmax_rules::RuleList;
use serde::{Deserialize, Serialize};

use super::{SampleError, Sampling, check};
use crate::figures::Quantity;
use crate::model::RealModel;

/// Other backup rules than minimax, in the same trees with the same noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSample {
    /// The rules; each gets a curve of its own.
    pub rules: RuleList,
    /// A value v is the probability 1 / (1 + e^(-v / scale)) that MAX wins.
    pub scale: f64,
}

/// A sample: the model, what is measured, and which trees of which random stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSpec {
    /// The model. Its `sigma_e` is not used.
    pub model: RealModel,
    /// σ_e for every depth of search.
    pub sigma_e: Vec<f64>,
    /// Values below it are losses, for the two-value errors; without it they are left out.
    pub threshold: Option<f64>,
    /// Rules on probabilities instead of minimax on values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<RuleSample>,
    /// How often the noise of each tree is drawn.
    pub repetitions: usize,
    /// The seed of all trees; tree number t uses its stream t.
    pub seed: u64,
    /// The index of the first tree.
    pub first_tree: u64,
    /// The number of trees.
    pub trees: u64,
}

/// Lengths (position errors, differences) are kept in multiples of 2^-40 of a length that no value exceeds by much.
const PRECISION: i32 = 40;

impl SampleSpec {
    /// A sample of minimax with the noise of the model at every depth.
    pub fn new(model: &RealModel, sampling: Sampling, threshold: Option<f64>) -> Self {
        let Sampling { trees, first_tree, seed, repetitions } = sampling;
        Self {
            model: model.clone(),
            sigma_e: vec![model.sigma_e; model.d_max + 1],
            threshold,
            by_rules: None,
            repetitions,
            seed,
            first_tree,
            trees,
        }
    }

    /// An error if anything is wrong.
    pub fn check(&self) -> Result<(), SampleError> {
        check(&self.model, self.sampling())?;
        if self.sigma_e.len() != self.model.d_max + 1 {
            return Err(SampleError::Deviations { given: self.sigma_e.len(), depths: self.model.d_max + 1 });
        }
        if let Some(&value) = self.sigma_e.iter().find(|value| !(**value > 0.0 && value.is_finite())) {
            return Err(crate::model::RealModelError::Deviation { name: "sigma_e", value }.into());
        }
        match &self.by_rules {
            Some(rules) if !(rules.scale > 0.0 && rules.scale.is_finite()) => {
                Err(SampleError::Scale(rules.scale))
            }
            _ => Ok(()),
        }
    }

    /// Which trees.
    pub fn sampling(&self) -> Sampling {
        let Self { trees, first_tree, seed, repetitions, .. } = *self;
        Sampling { trees, first_tree, seed, repetitions }
    }

    /// The numbers of the trees.
    pub fn tree_numbers(&self) -> Range<u64> {
        self.first_tree..self.first_tree.saturating_add(self.trees)
    }

    /// How many curves there are: one per rule.
    pub(crate) fn curves(&self) -> usize {
        self.by_rules.as_ref().map_or(1, |by_rules| by_rules.rules.named().len())
    }

    /// How many stored units make up a figure of 1: counts are stored as counts.
    pub(crate) fn units(&self, quantity: Quantity, d: usize) -> f64 {
        let b = f64::from(self.model.b);
        let draws = self.repetitions as f64;
        match quantity {
            Quantity::PositionError | Quantity::SiblingDifference => self.length_units(),
            Quantity::MoveError | Quantity::TwoValueError => draws,
            Quantity::StaticMoveError => draws * b.powi(d as i32 - 1),
            Quantity::StaticTwoValueError => draws * b.powi(d as i32),
        }
    }

    fn length_units(&self) -> f64 {
        // Errors of rules are differences of probabilities.
        let longest = match self.by_rules {
            Some(_) => 1.0,
            None => {
                let noise = self.sigma_e.iter().copied().fold(0.0, f64::max);
                let grains = self.model.grains.map_or(0.0, |grains| grains.range);
                self.model.sigma_v * self.model.d_max as f64 + noise + grains
            }
        };
        2f64.powi(PRECISION - longest.log2().ceil() as i32)
    }

    /// The first setting, apart from the range of trees, in which another sample differs, and its value in each.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        // The settings of the model one by one; its own σ_e, which is not used, gives way to the list.
        let settings = |spec: &Self| {
            let whole = Self { first_tree: 0, trees: 0, ..spec.clone() };
            let mut rest = serde_json::to_value(whole).unwrap_or_default();
            let mut settings = rest["model"].take();
            for (name, value) in rest.as_object().into_iter().flatten().filter(|(name, _)| *name != "model") {
                settings[name.as_str()] = value.clone();
            }
            settings
        };
        let (one, two) = (settings(self), settings(other));
        let names = one.as_object().into_iter().chain(two.as_object()).flat_map(|object| object.keys());
        let name = names.into_iter().find(|name| one[name.as_str()] != two[name.as_str()])?;
        Some((name.clone(), one[name.as_str()].to_string(), two[name.as_str()].to_string()))
    }
}
