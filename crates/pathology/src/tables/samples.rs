//! A sample for every model of Tables 1 to 11: the experiment repeated, with what it says about both methods.
//!
//! Integration has no sampling error, so it needs no sample; but how far a figure of the paper may be off by chance
//! follows from the variance between trees, and a method that is checked against another is worth more. Drawing the
//! samples takes a quarter of an hour, so they are recorded (`prodmax pathology methods` draws them again).

use serde::{Deserialize, Serialize};

use super::criterion::CriterionSample;
use super::{Method, PrintedFigure, Series, TABLES, TableError, cells_of, noise, published, series};
use crate::figures::{Quantity, TOLERANCE};
use crate::integrate::integrate_each;
use crate::model::Values;
use crate::sample::{Covariance, SampleResults, SampleSpec, Sampling};
use prodmax_number::Approximate;

/// How many trees to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Of most models.
    pub trees: u64,
    /// Of models with more than 100,000 leaves (b = 5).
    pub large_trees: u64,
    /// The seed of all.
    pub seed: u64,
}

impl Sizes {
    /// How many trees of a row of Table 6 to draw, which has up to a million leaves.
    pub fn trees_of_criterion(self, b: u32) -> u64 {
        /// A twentieth of the leaves that large trees have together.
        const LEAVES: f64 = 5e5;
        let trees = self.large_trees as f64 * LEAVES / f64::from(b).powi(6);
        (trees as u64).clamp(2, self.trees)
    }

    /// How many trees of a model to draw.
    pub fn trees_of(self, series: &Series) -> u64 {
        if series.leaves() > 1e5 { self.large_trees } else { self.trees }
    }
}

/// A model of a table, the first one that has it, and its sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesSample {
    /// The table.
    pub table: usize,
    /// The column.
    pub series: String,
    /// The sample.
    pub results: SampleResults,
    /// The covariance of the same trees, for every quantity that LGB tabulate for this model.
    #[serde(default)]
    pub covariances: Vec<Covariance>,
}

/// The samples of all models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The version of prodmax that drew them.
    pub prodmax: String,
    /// One for every different model.
    pub samples: Vec<SeriesSample>,
    /// The rises of the move error by which the grains of Table 6 are counted.
    #[serde(default)]
    pub criteria: Vec<CriterionSample>,
}

/// The tables whose figures are sampled: Table 6 has counts.
pub fn sampled_tables() -> impl Iterator<Item = usize> {
    (1..=TABLES).filter(|table| *table != 6)
}

/// The models of these tables, each once, with the first table that has it.
pub fn models(tables: &[usize]) -> Vec<(usize, Series)> {
    let wanted: Vec<Series> = tables.iter().flat_map(|table| series(*table)).collect();
    let mut all: Vec<(usize, Series)> = Vec::new();
    for table in 1..=TABLES {
        for series in series(table) {
            let has_model = |other: &Series| other.has_model_of(&series);
            if wanted.iter().any(has_model) && !all.iter().any(|(_, known)| has_model(known)) {
                all.push((table, series));
            }
        }
    }
    all
}

/// The rows of Table 6.
pub fn criteria() -> impl Iterator<Item = (Values, u32)> {
    Values::ALL.into_iter().flat_map(|values| (2..=10).map(move |b| (values, b)))
}

/// The quantities that LGB tabulate for a model, in any table.
fn tabulated(of: &Series) -> Result<Vec<Quantity>, TableError> {
    let mut found = Vec::new();
    for table in sampled_tables() {
        for series in series(table).iter().filter(|series| series.has_model_of(of)) {
            for figure in published(table)?.into_iter().filter(|figure| figure.series == series.name) {
                found.extend(Quantity::try_from(figure.quantity));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The recorded samples.
const RECORDED: &str = prodmax_data::text("golden/pathology/methods.json");

impl Samples {
    /// The samples that were recorded last: `make record-pathology` writes them.
    pub fn recorded() -> Result<Self, TableError> {
        serde_json::from_str(RECORDED).map_err(|error| TableError::Record(error.to_string()))
    }

    /// Draws the samples of these tables; `step` is called after each.
    pub fn draw(tables: &[usize], sizes: Sizes, prodmax: &str, step: &dyn Fn()) -> Result<Self, TableError> {
        let mut samples = Vec::new();
        for (table, series) in models(tables) {
            let sampling =
                Sampling { trees: sizes.trees_of(&series), seed: sizes.seed, ..Sampling::default() };
            let noise = noise(&series)?;
            let median = integrate_each(&series.model, &noise, TOLERANCE)?.median;
            let spec = SampleSpec::new(&series.model, sampling, median.map(|median| median.value));
            let spec = SampleSpec { sigma_e: noise, ..spec };
            let (results, products) = spec.draw_with_products()?;
            let covariances = tabulated(&series)?
                .into_iter()
                .filter_map(|quantity| products.of(&results.spec, quantity))
                .collect();
            samples.push(SeriesSample { table, series: series.name.to_owned(), results, covariances });
            step();
        }
        Ok(Self { prodmax: prodmax.to_owned(), samples, criteria: Vec::new() })
    }

    /// Draws the samples for Table 6, too; `step` is called after each.
    pub fn with_criteria(mut self, sizes: Sizes, step: &dyn Fn()) -> Result<Self, TableError> {
        for (values, b) in criteria() {
            let trees = sizes.trees_of_criterion(b);
            let sampling = Sampling { trees, seed: sizes.seed, ..Sampling::default() };
            self.criteria.extend(CriterionSample::draw(values, b, sampling)?);
            step();
        }
        Ok(self)
    }

    /// The figures of the sample of a model.
    pub fn of(&self, series: &Series) -> Option<&SampleResults> {
        Some(&self.sample(series)?.results)
    }

    /// The sample of a model.
    pub fn sample(&self, series: &Series) -> Option<&SeriesSample> {
        let all: Vec<usize> = sampled_tables().collect();
        let (table, first) = models(&all).into_iter().find(|(_, known)| known.has_model_of(series))?;
        self.samples.iter().find(|sample| (sample.table, sample.series.as_str()) == (table, first.name))
    }

    /// Every published figure of these tables, integrated and sampled. `step` is called after every table.
    pub fn compared(&self, tables: &[usize], step: &dyn Fn()) -> Result<Vec<BothMethods>, TableError> {
        let mut all = Vec::new();
        for &table in tables {
            for cell in cells_of(table, Method::Both, published(table)?, self, None)? {
                if let (Some(integrated), Some(sampled)) = (cell.integrated, cell.sampled) {
                    all.push(BothMethods { table, published: cell.published, integrated, sampled });
                }
            }
            step();
        }
        Ok(all)
    }
}

/// A published figure as both methods give it.
#[derive(Clone, Debug, PartialEq)]
pub struct BothMethods {
    /// The table.
    pub table: usize,
    /// The published figure.
    pub published: PrintedFigure,
    /// By integration.
    pub integrated: Approximate,
    /// From the sample.
    pub sampled: Approximate,
}

impl BothMethods {
    /// The methods agree if they differ by no more standard errors than this.
    pub const ALLOWED: f64 = 4.0;

    /// By how many standard errors they differ.
    pub fn deviation(&self) -> f64 {
        (self.sampled.value - self.integrated.value) / self.sampled.error()
    }

    /// Whether they agree.
    pub fn agree(&self) -> bool {
        self.deviation().abs() <= Self::ALLOWED
    }
}
