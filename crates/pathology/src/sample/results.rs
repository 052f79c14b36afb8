//! The figures of sampled trees as exact sums, which can be written, read back, continued and merged.
//!
//! Figures that are counts are kept as counts, lengths as multiples of 2^-40 of the model's size. Only integers are
//! added up, so a sample that was divided, interrupted or merged has the same sums as one that was not.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use prodmax_jobs::Checksum;
use prodmax_jobs::draw::draw_trees;
use prodmax_number::possible::ImpossibleFigure;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::finished::{Finished, FinishedError};
use super::tree::{Plan, TreeNumbers};
use super::{Products, SampleError, SampleSpec};
use crate::figures::{Quantity, Row, Tolerance};
use prodmax_number::{Approximate, Uncertainty};

/// Trees per thread between two reports.
const BATCH: usize = 64;

/// A sample and the sums over its finished trees, which may be fewer than the spec asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct SampleResults {
    /// What is sampled.
    pub spec: SampleSpec,
    /// Which trees are in the sums.
    pub finished: Finished,
    /// One number per curve, depth and quantity, over all finished trees.
    sums: Vec<i128>,
    /// Likewise of the squares.
    squares: Vec<i128>,
}

/// Why results cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SampleResultsError {
    /// The sample itself is invalid.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// Invalid ranges of trees.
    #[error(transparent)]
    Finished(#[from] FinishedError),
    /// A tree that is not asked for.
    #[error("tree {0} is counted but not asked for")]
    Beyond(u64),
    /// Sums that were changed since they were written.
    #[error("the results are damaged: their checksum is wrong; sample them again")]
    Damaged,
    /// A figure that does not pass the gate.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// Sums that are too large.
    #[error("the sums do not fit into 128 bits; sample fewer trees at once")]
    Overflow,
    /// Two different samples.
    #[error(
        "the results belong to different samples: `{field}` is {first} in one and {second} in the other; only the \
         range of trees may differ"
    )]
    Different {
        /// The setting.
        field: String,
        /// Its value in the first.
        first: String,
        /// Its value in the second.
        second: String,
    },
}

/// The form in which results are written: integers that do not fit into a double are texts.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    sample: SampleSpec,
    finished: Finished,
    sums: Vec<String>,
    squares: Vec<String>,
    checksum: String,
}

impl From<SampleResults> for Written {
    fn from(results: SampleResults) -> Self {
        let texts = |numbers: &[i128]| numbers.iter().map(i128::to_string).collect();
        let checksum = results.checksum();
        let (sums, squares) = (texts(&results.sums), texts(&results.squares));
        Self { sample: results.spec, finished: results.finished, sums, squares, checksum }
    }
}

impl TryFrom<Written> for SampleResults {
    type Error = SampleResultsError;

    fn try_from(written: Written) -> Result<Self, SampleResultsError> {
        let damaged = |_| SampleResultsError::Damaged;
        let numbers = |texts: &[String]| texts.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>();
        let (sums, squares) =
            (numbers(&written.sums).map_err(damaged)?, numbers(&written.squares).map_err(damaged)?);
        let results = Self { spec: written.sample, finished: written.finished, sums, squares };
        results.spec.check()?;
        let cells = results.cells();
        if results.checksum() != written.checksum
            || [&results.sums, &results.squares].iter().any(|n| n.len() != cells)
        {
            return Err(SampleResultsError::Damaged);
        }
        match results.finished.beyond(&results.spec.tree_numbers()) {
            Some(tree) => Err(SampleResultsError::Beyond(tree)),
            None => Ok(results),
        }
    }
}

impl SampleResults {
    /// Results without any trees yet.
    pub fn new(spec: SampleSpec) -> Self {
        let mut results = Self { spec, finished: Finished::default(), sums: Vec::new(), squares: Vec::new() };
        let cells = results.cells();
        (results.sums, results.squares) = (vec![0; cells], vec![0; cells]);
        results
    }

    fn cells(&self) -> usize {
        self.spec.curves() * (self.spec.model.d_max + 1) * Quantity::ALL.len()
    }

    /// A checksum of the spec and all sums.
    fn checksum(&self) -> String {
        // A spec can always be written.
        let spec = serde_json::to_vec(&self.spec).unwrap_or_default();
        let finished = Vec::from(self.finished.clone());
        let sum = finished
            .iter()
            .fold(Checksum::default().part(&spec), |sum, (first, end)| sum.number(*first).number(*end));
        let numbers = self.sums.iter().chain(&self.squares);
        numbers.fold(sum, |sum, number| sum.bytes(&number.to_le_bytes())).text()
    }

    /// How many trees are asked for but not finished.
    pub fn missing(&self) -> u64 {
        self.finished.gaps(self.spec.tree_numbers()).iter().map(|gap| gap.end - gap.start).sum()
    }

    pub(super) fn add(&mut self, number: u64, tree: &TreeNumbers) -> Result<(), SampleResultsError> {
        self.finished.insert(number)?;
        let all = self.sums.iter_mut().zip(&mut self.squares);
        for ((sum, squares), value) in all.zip(tree.as_flattened()) {
            let value = i128::from(*value);
            let grown = (sum.checked_add(value), squares.checked_add(value * value));
            let (Some(new_sum), Some(new_squares)) = grown else { return Err(SampleResultsError::Overflow) };
            (*sum, *squares) = (new_sum, new_squares);
        }
        Ok(())
    }

    /// Draws all trees that are missing. `observer` is called after every batch of trees. When `interrupt` becomes
    /// true, the trees in progress are abandoned and the finished ones are returned.
    pub fn complete(
        self,
        interrupt: &AtomicBool,
        observer: &mut dyn FnMut(&Self),
    ) -> Result<Self, SampleResultsError> {
        self.complete_each(interrupt, observer, &mut |_| Ok(()))
    }

    /// The same, with the products of all figures of each tree that is drawn.
    pub(crate) fn complete_with_products(self) -> Result<(Self, Products), SampleResultsError> {
        let mut products = Products::new(&self.spec);
        let never = AtomicBool::new(false);
        let results = self.complete_each(&never, &mut |_| (), &mut |tree| products.add(tree))?;
        Ok((results, products))
    }

    /// The same; every tree is shown to `each`, in the order of their numbers.
    fn complete_each(
        mut self,
        interrupt: &AtomicBool,
        observer: &mut dyn FnMut(&Self),
        each: &mut dyn FnMut(&TreeNumbers) -> Result<(), SampleError>,
    ) -> Result<Self, SampleResultsError> {
        self.spec.check()?;
        let spec = self.spec.clone();
        let plan = Plan::new(&spec);
        // As ranges: a sample may ask for so many trees that their numbers do not fit into memory.
        let numbers = self.finished.gaps(self.spec.tree_numbers()).into_iter().flatten();
        let mut failed = None;
        draw_trees(&plan, numbers, BATCH, interrupt, |batch| {
            for (number, tree) in batch {
                if failed.is_none() {
                    failed = self.add(number, &tree).and_then(|()| Ok(each(&tree)?)).err();
                }
            }
            observer(&self);
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Both results combined; trees between their ranges are missing.
    pub fn merge(&self, other: &Self) -> Result<Self, SampleResultsError> {
        if let Some((field, first, second)) = self.spec.difference(&other.spec) {
            return Err(SampleResultsError::Different { field, first, second });
        }
        let (a, b) = (self.spec.tree_numbers(), other.spec.tree_numbers());
        let (first_tree, end) = (a.start.min(b.start), a.end.max(b.end));
        let mut merged = self.clone();
        merged.spec.first_tree = first_tree;
        merged.spec.trees = end - first_tree;
        merged.spec.check()?;
        merged.absorb(other)?;
        Ok(merged)
    }

    /// Adds other trees of the same sample.
    pub fn absorb(&mut self, other: &Self) -> Result<(), SampleResultsError> {
        self.finished.merge(&other.finished)?;
        for (ours, theirs) in [(&mut self.sums, &other.sums), (&mut self.squares, &other.squares)] {
            for (sum, other) in ours.iter_mut().zip(theirs) {
                *sum = sum.checked_add(*other).ok_or(SampleResultsError::Overflow)?;
            }
        }
        Ok(())
    }

    /// All sums in one line, for [`super::SampleBlocks::from_line`].
    pub fn to_line(&self) -> String {
        let numbers: Vec<String> = self.sums.iter().chain(&self.squares).map(i128::to_string).collect();
        numbers.join(" ")
    }

    pub(super) fn from_line(spec: &SampleSpec, trees: Range<u64>, text: &str) -> Option<Self> {
        let mut results = Self::new(spec.clone());
        let numbers: Vec<i128> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let cells = results.cells();
        if numbers.len() != 2 * cells || numbers[cells..].iter().any(|square| *square < 0) {
            return None;
        }
        results.finished = Finished::try_from(vec![(trees.start, trees.end)]).ok()?;
        results.squares.copy_from_slice(&numbers[cells..]);
        results.sums.copy_from_slice(&numbers[..cells]);
        Some(results)
    }

    /// The figures of every curve: one for minimax, or one for each rule.
    pub fn curves(&self) -> Result<Vec<Vec<Row>>, SampleResultsError> {
        let depths = self.spec.model.d_max + 1;
        let curve = |curve: usize| (0..depths).map(|d| self.row(curve, d)).collect();
        (0..self.spec.curves()).map(curve).collect()
    }

    fn row(&self, curve: usize, d: usize) -> Result<Row, SampleResultsError> {
        let by_rules = self.spec.by_rules.is_some();
        let figures = Quantity::ALL.map(|quantity| {
            let two_values = matches!(quantity, Quantity::TwoValueError | Quantity::StaticTwoValueError);
            let of_root = matches!(quantity, Quantity::PositionError | Quantity::MoveError);
            let measured = if by_rules { of_root } else { self.spec.threshold.is_some() || !two_values };
            if !measured || !quantity.exists(d) {
                return None;
            }
            let at = (curve * (self.spec.model.d_max + 1) + d) * Quantity::ALL.len() + quantity as usize;
            self.figure(at, self.spec.units(quantity, d))
        });
        Ok(Row::new(d, figures, Tolerance::of(&self.spec.model, 0.0))?)
    }

    /// A mean over trees and its standard error; `None` for fewer than two trees.
    fn figure(&self, at: usize, units: f64) -> Option<Approximate> {
        let trees = self.finished.count();
        if trees < 2 {
            return None;
        }
        let n = trees as f64;
        // n² (n - 1) times the square of the standard error, exactly: no digits cancel.
        let spread = BigInt::from(self.squares[at]) * trees - BigInt::from(self.sums[at]).pow(2);
        let square = spread.to_f64()? / (n * n * (n - 1.0));
        let uncertainty = Uncertainty::StandardError(square.sqrt() / units);
        Some(Approximate { value: self.sums[at] as f64 / (n * units), uncertainty })
    }
}
