//! How far the grains that a sample seems to require may be off by chance.
//!
//! The required number is where the rise of the move error, from depth 1 to the deepest search, falls through 0. In a sample
//! the rise is off by a fluctuation, so the crossing is off by that divided by the slope of the rise over the number of
//! grains (the delta method). The fluctuation follows from the variance between trees, the slope from exact rises.

use serde::{Deserialize, Serialize};

use super::granular::{Column, exact_rise};
use super::{PAPER_TREES, TableError};
use crate::figures::Quantity;
use crate::model::{RealModel, Values};
use crate::sample::{SampleSpec, Sampling};

/// The rise of the move error in sampled trees with the required number of grains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriterionSample {
    /// Whether leaves depend on each other.
    pub values: Values,
    /// The branching factor.
    pub b: u32,
    /// The required number of grains, computed.
    pub grains: u32,
    /// How much the exact rise changes with one grain more.
    pub slope: f64,
    /// The variance of the rise between trees.
    pub variance: f64,
    /// How many trees were sampled.
    pub trees: u64,
}

impl CriterionSample {
    /// Samples trees of a column of Table 6; `None` if no number of grains suffices.
    pub fn draw(values: Values, b: u32, sampling: Sampling) -> Result<Option<Self>, TableError> {
        let column = Column::of(values);
        let model = column.model(b);
        let Some(grains) = column.required(&model)? else { return Ok(None) };
        let slope = slope(|count| exact_rise(&column.grained(&model, count)?), grains)?;
        let variance = variance(&column.grained(&model, grains)?, sampling)?;
        Ok(Some(Self { values, b, grains, slope, variance, trees: sampling.trees }))
    }

    /// The standard error of the required number in samples of this many trees.
    pub fn standard_error(&self, trees: u64) -> f64 {
        (self.variance / trees as f64).sqrt() / self.slope.abs()
    }

    /// The same in samples of the paper's usual size.
    pub fn paper_standard_error(&self) -> f64 {
        self.standard_error(PAPER_TREES)
    }
}

/// The variance between trees of the rise.
fn variance(model: &RealModel, sampling: Sampling) -> Result<f64, TableError> {
    let spec = SampleSpec::new(model, sampling, None);
    let (results, products) = spec.draw_with_products()?;
    let between = |d: usize, e: usize| products.between(&results.spec, Quantity::MoveError, [d, e]);
    let last = model.d_max;
    let variance = between(1, 1)
        .zip(between(last, last))
        .zip(between(1, last))
        .map(|((one, other), both)| one + other - 2.0 * both);
    variance.ok_or_else(|| TableError::Record("a sample has fewer than two trees".to_owned()))
}

/// The slope of the straight line with the least squares through the rises around a number of grains: the rise itself falls
/// in steps of different height.
fn slope(rise: impl Fn(u32) -> Result<f64, TableError>, grains: u32) -> Result<f64, TableError> {
    let width = (grains / 8).max(2);
    let (mut products, mut squares) = (0.0, 0.0);
    for count in grains.saturating_sub(width).max(2)..=grains + width {
        let off = f64::from(count) - f64::from(grains);
        products += off * rise(count)?;
        squares += off * off;
    }
    Ok(products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Grains;
    use crate::sample::sample;

    #[test]
    fn the_slope_of_a_straight_line() {
        let line = |count: u32| Ok(3.0 - 0.25 * f64::from(count));
        assert!((slope(line, 40).unwrap() + 0.25).abs() < 1e-14);
    }

    /// The experiment repeated: in each of many samples the rise is measured for all numbers of grains in the same trees,
    /// and the straight line through the rises crosses 0 somewhere. The crossings scatter as much as the delta method says.
    #[test]
    fn crossings_of_repeated_samples_scatter_as_computed() {
        const TREES: u64 = 2500;
        const SAMPLES: u64 = 60;
        let column = Column::of(Values::Independent);
        // The rise falls from .005 with 4 grains to -.007 with 7, nearly along a straight line.
        let model = RealModel { d_max: 2, sigma_e: 0.5, ..column.model(4) };
        let grains = column.required(&model).unwrap().unwrap();
        let exact = |count| exact_rise(&column.grained(&model, count)?);
        let slope = slope(exact, grains).unwrap();
        let sampling = |seed| Sampling { trees: TREES, seed, repetitions: 4, ..Sampling::default() };
        let variance = variance(&column.grained(&model, grains).unwrap(), sampling(6)).unwrap();
        let computed =
            CriterionSample { values: Values::Independent, b: 4, grains, slope, variance, trees: TREES };
        let width = (grains / 8).max(2);
        let crossing = |seed: u64| {
            let (mut mean, mut products, mut squares, mut count) = (0.0, 0.0, 0.0, 0.0);
            for grains_now in grains - width..=grains + width {
                let range = column.grained(&model, grains_now).unwrap().grains.unwrap().range;
                let model = RealModel { grains: Some(Grains { count: grains_now, range }), ..model.clone() };
                let rows = sample(&model, sampling(seed), None).unwrap();
                let error = |d: usize| rows[d].get(Quantity::MoveError).unwrap().value;
                let (off, rise) = (f64::from(grains_now) - f64::from(grains), error(2) - error(1));
                (mean, products, squares, count) =
                    (mean + rise, products + off * rise, squares + off * off, count + 1.0);
            }
            -(mean / count) / (products / squares)
        };
        let crossings: Vec<f64> = (100..100 + SAMPLES).map(crossing).collect();
        let mean = crossings.iter().sum::<f64>() / SAMPLES as f64;
        let spread = crossings.iter().map(|each| (each - mean).powi(2)).sum::<f64>() / (SAMPLES - 1) as f64;
        // A variance of 60 values is known to 1/√30, thus the deviation to a tenth.
        let ratio = spread.sqrt() / computed.standard_error(TREES);
        assert!((0.65..1.35).contains(&ratio), "{ratio}: {} against {computed:?}", spread.sqrt());
    }
}
