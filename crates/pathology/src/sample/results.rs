//! The figures of sampled trees as exact sums, which can be written and read back.
//!
//! Figures that are counts are kept as counts, lengths as multiples of 2^-40 of the model's size. Only integers are
//! added up, so a sample that was divided, interrupted or merged has the same sums as one that was not.

use std::ops::Range;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use prodmax_jobs::Checksum;
use prodmax_number::possible::ImpossibleFigure;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::finished::{Finished, FinishedError};
use super::tree::TreeNumbers;
use super::{Products, SampleError, SampleSpec};
use crate::figures::{Quantity, Row, Tolerance};
use prodmax_number::{Approximate, Uncertainty};

/// A sample and the sums over its finished trees, which may be fewer than the spec asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct SampleResults {
    /// What is sampled.
    pub spec: SampleSpec,
    /// Which trees are in the sums.
    pub finished: Finished,
    /// Their sums.
    pub(super) tally: Tally,
}

/// Exact sums over some trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// One number per curve, depth and quantity.
    sums: Vec<i128>,
    /// Likewise of the squares.
    squares: Vec<i128>,
    /// Of the products of all figures of a tree, if they are added up.
    pub(super) products: Option<Products>,
}

impl Tally {
    /// Sums over no trees.
    pub(super) fn new(spec: &SampleSpec, products: bool) -> Self {
        let cells = cells(spec);
        let products = products.then(|| Products::new(spec));
        Self { sums: vec![0; cells], squares: vec![0; cells], products }
    }

    /// Adds a tree.
    pub(super) fn add(&mut self, tree: &TreeNumbers) -> Result<(), SampleError> {
        let all = self.sums.iter_mut().zip(&mut self.squares);
        for ((sum, squares), value) in all.zip(tree.as_flattened()) {
            let value = i128::from(*value);
            let grown = (sum.checked_add(value), squares.checked_add(value * value));
            let (Some(new_sum), Some(new_squares)) = grown else { return Err(SampleError::Overflow) };
            (*sum, *squares) = (new_sum, new_squares);
        }
        self.products.as_mut().map_or(Ok(()), |products| products.add(tree))
    }

    /// Adds other trees.
    fn merge(&mut self, other: &Self) -> Result<(), SampleError> {
        add_up(&mut self.sums, &other.sums)?;
        add_up(&mut self.squares, &other.squares)?;
        match (&mut self.products, &other.products) {
            (Some(ours), Some(theirs)) => ours.merge(theirs),
            _ => Ok(()),
        }
    }

    /// Sums and squares in one line.
    pub(super) fn to_line(&self) -> String {
        let numbers: Vec<String> = self.sums.iter().chain(&self.squares).map(i128::to_string).collect();
        numbers.join(" ")
    }

    /// What is in such a line; `None` if it is not one of this sample.
    pub(super) fn from_line(spec: &SampleSpec, line: &str) -> Option<Self> {
        let mut sums: Vec<i128> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let cells = cells(spec);
        if sums.len() != 2 * cells {
            return None;
        }
        let squares = sums.split_off(cells);
        squares.iter().all(|square| *square >= 0).then_some(Self { sums, squares, products: None })
    }
}

/// How many figures there are: one per curve, depth and quantity.
fn cells(spec: &SampleSpec) -> usize {
    spec.curves() * (spec.model.d_max + 1) * Quantity::ALL.len()
}

/// Adds numbers to others of the same kind.
pub(super) fn add_up(sums: &mut [i128], more: &[i128]) -> Result<(), SampleError> {
    for (sum, other) in sums.iter_mut().zip(more) {
        *sum = sum.checked_add(*other).ok_or(SampleError::Overflow)?;
    }
    Ok(())
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
    /// What is kept cannot be read, written or used.
    #[error("{0}")]
    Kept(String),
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
        let (sums, squares) = (texts(&results.tally.sums), texts(&results.tally.squares));
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
        let tally = Tally { sums, squares, products: None };
        let results = Self { spec: written.sample, finished: written.finished, tally };
        results.spec.check()?;
        let cells = cells(&results.spec);
        if results.checksum() != written.checksum
            || [&results.tally.sums, &results.tally.squares].iter().any(|n| n.len() != cells)
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
    pub(super) fn new(spec: SampleSpec, products: bool) -> Self {
        let tally = Tally::new(&spec, products);
        Self { spec, finished: Finished::default(), tally }
    }

    /// A checksum of the spec and all sums.
    fn checksum(&self) -> String {
        // A spec can always be written.
        let spec = serde_json::to_vec(&self.spec).unwrap_or_default();
        let finished = Vec::from(self.finished.clone());
        let sum = finished
            .iter()
            .fold(Checksum::default().part(&spec), |sum, (first, end)| sum.number(*first).number(*end));
        let numbers = self.tally.sums.iter().chain(&self.tally.squares);
        numbers.fold(sum, |sum, number| sum.bytes(&number.to_le_bytes())).text()
    }

    /// How many trees are asked for but not finished.
    pub fn missing(&self) -> u64 {
        self.finished.gaps(self.spec.tree_numbers()).iter().map(|gap| gap.end - gap.start).sum()
    }

    /// Adds a run of trees.
    pub(super) fn add(&mut self, trees: Range<u64>, tally: &Tally) -> Result<(), SampleResultsError> {
        self.finished.insert(trees)?;
        Ok(self.tally.merge(tally)?)
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
        let spread = BigInt::from(self.tally.squares[at]) * trees - BigInt::from(self.tally.sums[at]).pow(2);
        let square = spread.to_f64()? / (n * n * (n - 1.0));
        let uncertainty = Uncertainty::StandardError(square.sqrt() / units);
        Some(Approximate { value: self.tally.sums[at] as f64 / (n * units), uncertainty })
    }
}
