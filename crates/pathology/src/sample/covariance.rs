//! How the figures of one tree vary together: searches to different depths see the same tree.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::results::add_up;
use super::tree::TreeNumbers;
use super::{SampleError, SampleSpec};
use crate::figures::Quantity;

/// The covariance over trees of a quantity at every two depths of search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covariance {
    /// What was measured.
    pub quantity: Quantity,
    /// The least depth at which it exists.
    pub first_depth: usize,
    /// Row i: depth `first_depth` + i with every depth up to itself.
    pub rows: Vec<Vec<f64>>,
}

impl Covariance {
    /// That of two depths.
    pub fn at(&self, d: usize, e: usize) -> Option<f64> {
        let [low, high] = [d.min(e).checked_sub(self.first_depth)?, d.max(e).checked_sub(self.first_depth)?];
        self.rows.get(high)?.get(low).copied()
    }
}

/// Sums over trees and sums of products, of all figures in the units in which they are kept: exact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Products {
    figures: usize,
    trees: u64,
    sums: Vec<i128>,
    /// Of figure i and every figure up to it, one after the other.
    products: Vec<i128>,
}

impl Products {
    pub(crate) fn new(spec: &SampleSpec) -> Self {
        let figures = (spec.model.d_max + 1) * Quantity::ALL.len();
        Self { figures, trees: 0, sums: vec![0; figures], products: vec![0; figures * (figures + 1) / 2] }
    }

    /// Adds a tree.
    pub(crate) fn add(&mut self, tree: &TreeNumbers) -> Result<(), SampleError> {
        let numbers: Vec<i128> =
            tree.as_flattened().iter().take(self.figures).map(|n| i128::from(*n)).collect();
        self.trees += 1;
        let mut products = self.products.iter_mut();
        for (i, one) in numbers.iter().enumerate() {
            self.sums[i] = self.sums[i].checked_add(*one).ok_or(SampleError::Overflow)?;
            for (other, product) in numbers[..=i].iter().zip(&mut products) {
                *product = product.checked_add(one * other).ok_or(SampleError::Overflow)?;
            }
        }
        Ok(())
    }

    /// Adds other trees.
    pub(super) fn merge(&mut self, other: &Self) -> Result<(), SampleError> {
        self.trees += other.trees;
        add_up(&mut self.sums, &other.sums)?;
        add_up(&mut self.products, &other.products)
    }

    /// The covariance of two figures, in their units; `None` for fewer than two trees.
    fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        let (low, high) = (i.min(j), i.max(j));
        let product = self.products.get(high * (high + 1) / 2 + low)?;
        // n (n - 1) times the covariance, exactly: no digits cancel.
        let spread =
            BigInt::from(*product) * self.trees - BigInt::from(self.sums[i]) * BigInt::from(self.sums[j]);
        let n = self.trees as f64;
        (self.trees > 1).then(|| spread.to_f64().map(|spread| spread / (n * (n - 1.0))))?
    }

    /// The covariance of a quantity at two depths.
    pub(crate) fn between(&self, spec: &SampleSpec, quantity: Quantity, [d, e]: [usize; 2]) -> Option<f64> {
        let at = |d: usize| d * Quantity::ALL.len() + quantity as usize;
        Some(self.covariance(at(d), at(e))? / (spec.units(quantity, d) * spec.units(quantity, e)))
    }

    /// That at all depths of a sample.
    pub(crate) fn of(&self, spec: &SampleSpec, quantity: Quantity) -> Option<Covariance> {
        let first_depth = usize::from(!quantity.exists(0));
        let row = |d: usize| (first_depth..=d).map(|e| self.between(spec, quantity, [d, e])).collect();
        let rows = (first_depth..=spec.model.d_max).map(row).collect::<Option<_>>()?;
        Some(Covariance { quantity, first_depth, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sampling;
    use super::*;
    use crate::model::RealModel;

    /// Two figures of four trees by hand: means 2 and 5, deviations -1 -1 1 1 and -3 1 1 1, so 4/3.
    #[test]
    fn four_trees_by_hand() {
        let spec = SampleSpec {
            repetitions: 1,
            ..SampleSpec::new(
                &RealModel { d_max: 1, ..RealModel::default() },
                Sampling { trees: 4, ..Sampling::default() },
                None,
            )
        };
        let mut products = Products::new(&spec);
        for (one, other) in [(1, 2), (1, 6), (3, 6), (3, 6)] {
            let mut tree = vec![[0; 6]; 2];
            tree[0][Quantity::TwoValueError as usize] = one;
            tree[1][Quantity::TwoValueError as usize] = other;
            products.add(&tree).unwrap();
        }
        let found = products.of(&spec, Quantity::TwoValueError).unwrap();
        assert_eq!(found.rows, [vec![4.0 / 3.0], vec![4.0 / 3.0, 4.0]]);
        assert_eq!(
            (found.at(0, 1), found.at(1, 0), found.at(0, 2)),
            (Some(4.0 / 3.0), Some(4.0 / 3.0), None)
        );
        assert_eq!(products.of(&spec, Quantity::MoveError).unwrap().rows, [vec![0.0]]);
    }

    /// The variance of a figure is that which its standard error is made of.
    #[test]
    fn variances_are_those_of_the_standard_errors() {
        let model = RealModel { d_max: 4, ..RealModel::default() };
        let sampling = Sampling { trees: 200, ..Sampling::default() };
        let spec = SampleSpec::new(&model, sampling, Some(0.1));
        let (results, products) = spec.draw_with_products().unwrap();
        for row in &results.curves().unwrap()[0] {
            for quantity in Quantity::ALL {
                let Some(figure) = row.get(quantity) else { continue };
                let variance = products.of(&spec, quantity).unwrap().at(row.d, row.d).unwrap();
                let error = figure.error();
                assert!((variance / 200.0 / error.powi(2) - 1.0).abs() < 1e-12, "{row:?}");
            }
        }
    }
}
