//! Table 6: how many grains it takes to avoid pathology.

use prodmax_number::fraction::to_f64;
use prodmax_number::tails::chi_square_tail;
use rayon::prelude::*;

use super::criterion::CriterionSample;
use super::{Closeness, Compared, Equation9, PrintedFigure, TableError};
use crate::figures::{Quantity, Row};
use crate::granularity::{Criterion, Range, grained, required_grains};
use crate::model::{Grains, RealModel, Steps, Values};
use prodmax_number::Approximate;

/// A column, under the reading that is tabulated: the grains cover all values of an independent leaf, or ±3 standard
/// deviations of a dependent one; a curve is pathological if the move error of the deepest search is greater than that of
/// depth 1. It was chosen after the fact, as the reading in `granularity` that comes closest to the published numbers.
/// For independent values it gives 13, 16, 22, 29, 39 for b = 2..6 (any rise: 15, 20, 29, 45, 92).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    values: Values,
    steps: Steps,
    range: Range,
}

impl Column {
    /// The column of these values.
    pub(crate) fn of(values: Values) -> Self {
        match values {
            Values::Independent => Self { values, steps: Steps::Uniform, range: Range::Support },
            Values::Dependent => Self { values, steps: Steps::Normal, range: Range::LeafDeviations(3.0) },
        }
    }

    /// Its model, without grains.
    pub(crate) fn model(self, b: u32) -> RealModel {
        RealModel { b, d_max: 6, values: self.values, steps: self.steps, ..RealModel::default() }
    }

    /// The same with grains.
    pub(crate) fn grained(self, model: &RealModel, count: u32) -> Result<RealModel, TableError> {
        let range = self.range.half_width(model, count).ok_or(TableError::NoFit)?;
        Ok(RealModel { grains: Some(Grains { count, range }), ..model.clone() })
    }

    /// The required number of grains.
    pub(crate) fn required(self, model: &RealModel) -> Result<Option<u32>, TableError> {
        Ok(required_grains(model, self.range, Criterion::Ends, 200)?)
    }
}

/// By how much the move error of the deepest search is above that of depth 1.
pub(crate) fn exact_rise(model: &RealModel) -> Result<f64, TableError> {
    let rows = grained(model)?;
    let error =
        |row: Option<&Row>| row.and_then(|row| row.get(Quantity::MoveError)).map(|figure| figure.value);
    error(rows.last()).zip(error(rows.get(1))).map(|(last, first)| last - first).ok_or(TableError::NoFit)
}

/// How much a printed column scatters about its trend, compared with what samples would.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The column.
    pub values: Values,
    /// Squared deviations from the trend over the squared standard errors of samples of the usual size, added up.
    pub chi_square: f64,
    /// Figures less what the trend was fitted with.
    pub degrees: usize,
}

impl Scatter {
    /// The probability that samples scatter as little as that.
    pub fn tail(&self) -> f64 {
        1.0 - chi_square_tail(self.chi_square, self.degrees)
    }

    /// Whether the column may be of samples of the usual size: it does not scatter much less than these.
    pub fn may_be_sampled(&self) -> bool {
        /// So improbable that it is no chance.
        const LEAST: f64 = 0.01;
        self.tail() >= LEAST
    }

    /// The scatter of the columns of Table 6. The trend of independent values is eq. (9) with its three coefficients; with
    /// dependent values "the required granularity did not rise after b = 4", so it is a constant from there on.
    pub fn of(published: &[PrintedFigure], samples: &[CriterionSample]) -> Result<[Self; 2], TableError> {
        const CONSTANT_FROM: usize = 4;
        let equation_9 = Equation9::fitted()?;
        let of_column = |values: Values| {
            let column: Vec<(usize, f64, f64)> = published
                .iter()
                .filter(|figure| figure.series == values.name())
                .filter_map(|figure| {
                    let sample = find(samples, values, figure.row)?;
                    let variance = sample.paper_standard_error().powi(2) + figure.rounding_variance();
                    Some((figure.row, figure.value(), variance))
                })
                .collect();
            let (column, fitted): (Vec<_>, usize) = match values {
                Values::Independent => (column, 3),
                Values::Dependent => (column.into_iter().filter(|(b, ..)| *b >= CONSTANT_FROM).collect(), 1),
            };
            let mean = column.iter().map(|(_, value, _)| value).sum::<f64>() / column.len() as f64;
            let trend = |b: usize| match values {
                Values::Independent => to_f64(&equation_9.grains(b as u32).middle()),
                Values::Dependent => mean,
            };
            let squares = column.iter().map(|(b, value, variance)| (value - trend(*b)).powi(2) / variance);
            Self { values, chi_square: squares.sum(), degrees: column.len().saturating_sub(fitted) }
        };
        Ok(Values::ALL.map(of_column))
    }
}

fn find(samples: &[CriterionSample], values: Values, b: usize) -> Option<&CriterionSample> {
    samples.iter().find(|sample| sample.values == values && sample.b as usize == b)
}

/// Every published number with ours. A number may be off by the sampling error of the criterion, unless its column scatters
/// too little for a sample.
pub(super) fn compare(
    published: Vec<PrintedFigure>,
    samples: &[CriterionSample],
) -> Result<Vec<Compared>, TableError> {
    let scatter = Scatter::of(&published, samples)?;
    let one = |published: PrintedFigure| {
        let values = if published.series == Values::Independent.name() {
            Values::Independent
        } else {
            Values::Dependent
        };
        let column = Column::of(values);
        let required = column.required(&column.model(published.row as u32))?;
        let ours = required.map(|grains| Approximate::estimated(f64::from(grains), 0.0));
        let may_be_sampled =
            scatter.iter().any(|scatter| scatter.values == values && scatter.may_be_sampled());
        let paper_standard_error = find(samples, values, published.row)
            .filter(|_| may_be_sampled)
            .map(CriterionSample::paper_standard_error);
        let equal = ours.is_some_and(|figure| figure.value == published.value());
        let verdict = match ours.zip(paper_standard_error) {
            Some((ours, error)) => Closeness::of(super::deviation(&published, ours, error)),
            None if equal => Closeness::Agrees,
            None => Closeness::Differs,
        };
        Ok(Compared { published, integrated: ours, sampled: None, paper_standard_error, verdict })
    };
    let all: Vec<_> = published.into_par_iter().with_max_len(1).map(one).collect();
    all.into_iter().collect()
}
