//! Counting concrete critical trees by order type and draw position, so that enumerated error masses can be
//! compared with the polynomials.

use num_bigint::BigInt;
use num_traits::Zero;

use super::DRAW_POSITIONS;
use super::analysis::Analysis;
use super::leaf::Leaves;
use super::order_type::OrderType;
use crate::balance::Masses;
use crate::zero::copies;

/// The numbers N(type, draw position) of critical trees, in units of 1/256 tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// By type index and number of leaves below the draw value.
    weights: Vec<[BigInt; DRAW_POSITIONS]>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { weights: vec![Default::default(); OrderType::COUNT] }
    }
}

impl Tally {
    /// The weight of one tree: 2^8, so that eight leaves on the draw value can be split evenly.
    pub const UNIT: u32 = 256;

    /// Counts a tree, `multiplicity` times, given by eight leaf values in the order of [`super::Leaf::ALL`] around a
    /// draw value of 0. Leaves of value 0 are split by the convention of [`crate::zero`].
    ///
    /// ```
    /// use prodmax_cases::depth3::{OrderType, Tally};
    /// let mut tally = Tally::default();
    /// tally.add(&[1, -2, 2, -1, 5, 4, -1, -4], &1.into());
    /// let (order, below, weight) = tally.entries().next().unwrap();
    /// assert_eq!((below, weight), (4, &256.into()));
    /// ```
    pub fn add(&mut self, values: &[i64; 8], multiplicity: &BigInt) {
        for (above, weight) in copies(values) {
            let above = Leaves::from_bits(above);
            let order = OrderType::of_copy(values, above);
            self.weights[order.index()][8 - above.len()] += multiplicity * weight;
        }
    }

    /// Adds everything another tally has counted.
    pub fn merge(&mut self, other: &Self) {
        let mine = self.weights.iter_mut().flatten();
        for (mine, theirs) in mine.zip(other.weights.iter().flatten()) {
            *mine += theirs;
        }
    }

    /// The numbers that are not 0, times [`Self::UNIT`], by type and number of leaves below the draw value.
    pub fn entries(&self) -> impl Iterator<Item = (OrderType, usize, &BigInt)> {
        OrderType::all().zip(&self.weights).flat_map(|(order, weights)| {
            let entries = weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
            entries.map(move |(below, weight)| (order, below, weight))
        })
    }

    /// The error masses of all trees counted, times [`Self::UNIT`].
    pub fn scaled_masses(&self) -> Masses {
        let mut sum = Masses::default();
        for (order, below, weight) in self.entries() {
            sum.add_scaled(Analysis::masses(&order, below), weight);
        }
        sum
    }

    /// The order types that were counted although the two rules cannot differ in them: none, if only critical trees
    /// (with strict preferences) were counted.
    pub fn impossible_types(&self, analysis: &Analysis) -> Vec<OrderType> {
        let mut types: Vec<OrderType> = self.entries().map(|(order, ..)| order).collect();
        types.dedup();
        types.retain(|order| !analysis.possibility(order).is_possible());
        types
    }
}
