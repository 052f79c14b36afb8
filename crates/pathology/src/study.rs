//! Beyond LGB, run together and recorded in one file: other rules, the grains that eq. (9) extrapolates, Table 6
//! under every reading, and a map of pathological regions.

use std::sync::atomic::AtomicBool;

use prodmax_jobs::Job;
use prodmax_number::possible::ImpossibleFigure;
use prodmax_rules::{NamedRule, RuleList};
use serde::{Deserialize, Serialize};

use crate::figures::Quantity;
use crate::granularity::explicit::{Ends, required, with_grains, with_real_values};
use crate::granularity::readings::{Required, required_by_reading};
use crate::model::{RealModel, Steps, Values};
use crate::regions::{Region, Regions, check_ends};
use crate::sample::{RuleSample, SampleResultsError, SampleSpec, Sampling};
use crate::tables::TableError;
use prodmax_number::{Approximate, Uncertainty};

/// What is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeyondSpec {
    /// Other rules.
    pub rules: Vec<RulesSpec>,
    /// Branching factors for which the required grains are counted.
    pub grains: Vec<u32>,
    /// The maximum number of grains that are tried.
    pub most_grains: u32,
    /// Branching factors and numbers of grains that are evaluated.
    pub evaluated: Vec<(u32, u32)>,
    /// Branching factors of Table 6 under every reading.
    pub readings: Vec<u32>,
    /// The maximum number of grains that are tried there.
    pub most_of_readings: u32,
    /// The map.
    pub map: Regions,
}

/// A sample by rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesSpec {
    /// The model.
    pub model: RealModel,
    /// The rules.
    pub rules: RuleList,
    /// See [`RuleSample::scale`].
    pub scale: f64,
    /// The number of trees.
    pub trees: u64,
    /// How often the noise of each tree is drawn.
    pub repetitions: usize,
    /// The seed.
    pub seed: u64,
}

/// The results of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beyond {
    /// The program and its revision.
    pub prodmax: String,
    /// What was computed.
    pub spec: BeyondSpec,
    /// The curves of the rules, sample by sample.
    pub rules: Vec<Vec<RuleCurve>>,
    /// The required grains.
    pub grains: Vec<GrainsRow>,
    /// The numbers of grains that were evaluated.
    pub evaluated: Vec<EndsRow>,
    /// Table 6, dependent values, under every reading.
    pub dependent_readings: Vec<Required>,
    /// Table 6, independent values.
    pub independent_readings: Vec<Required>,
    /// The map.
    pub map: Vec<Region>,
}

/// The errors of a rule over the depth of search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleCurve {
    /// The rule; stored as its name.
    #[serde(with = "by_name")]
    pub rule: NamedRule,
    /// Position errors from depth 0 on, with standard errors.
    pub position_error: Vec<(f64, f64)>,
    /// Move errors from depth 1 on, with standard errors.
    pub move_error: Vec<(f64, f64)>,
}

impl RuleCurve {
    fn check(&self) -> Result<(), ImpossibleFigure> {
        for (quantity, figures) in
            [(Quantity::PositionError, &self.position_error), (Quantity::MoveError, &self.move_error)]
        {
            for &(value, error) in figures {
                let figure = Approximate { value, uncertainty: Uncertainty::StandardError(error) };
                let checked = figure.known_to(quantity.kind(), 0.0);
                checked.map_err(|reason| reason.of(format!("{} of {}", quantity.words(), self.rule.name)))?;
            }
        }
        Ok(())
    }
}

/// A rule as the name by which it was called.
mod by_name {
    use prodmax_rules::NamedRule;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(super) fn serialize<S: Serializer>(named: &NamedRule, serializer: S) -> Result<S::Ok, S::Error> {
        named.name.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NamedRule, D::Error> {
        let name = String::deserialize(deserializer)?;
        let rule = name.parse().map_err(de::Error::custom)?;
        Ok(NamedRule { name, rule })
    }
}

/// The grains that a branching factor requires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrainsRow {
    /// The branching factor.
    pub b: u32,
    /// The number; `None` if none was found.
    pub required: Option<u32>,
    /// The limit of many grains.
    pub limit: EndsRow,
    /// Real values, whose heuristic values may lie beyond the range of the leaves.
    pub real_values: EndsRow,
}

/// Move errors at both ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndsRow {
    /// The branching factor.
    pub b: u32,
    /// The number of grains; `None` for real values.
    pub grains: Option<u32>,
    /// The move error of a search to depth 1.
    pub first: f64,
    /// That of the deepest search.
    pub last: f64,
    /// The error of both together.
    pub error: f64,
}

impl EndsRow {
    fn check(&self) -> Result<(), ImpossibleFigure> {
        let grains = self.grains.map_or("real values".to_owned(), |grains| format!("{grains} grains"));
        check_ends(
            [self.first, self.last],
            self.error,
            &format!("the move error at b = {}, {grains},", self.b),
        )
    }

    fn new(b: u32, grains: Option<u32>, ends: &Ends) -> Self {
        Self { b, grains, first: ends.first.value, last: ends.last.value, error: ends.error() }
    }

    /// Whether the deepest search is certainly worse.
    pub fn is_pathological(&self) -> bool {
        self.last - self.first > self.error
    }
}

/// The model of Table 6, independent values.
pub fn table_6(b: u32) -> RealModel {
    RealModel { b, d_max: 6, values: Values::Independent, steps: Steps::Uniform, ..RealModel::default() }
}

impl RulesSpec {
    /// The sample.
    pub fn sample(&self) -> SampleSpec {
        let sampling =
            Sampling { trees: self.trees, first_tree: 0, seed: self.seed, repetitions: self.repetitions };
        let by_rules = Some(RuleSample { rules: self.rules.clone(), scale: self.scale });
        SampleSpec { by_rules, ..SampleSpec::new(&self.model, sampling, None) }
    }

    /// The curves of its rules.
    pub fn curves(&self) -> Result<Vec<RuleCurve>, SampleResultsError> {
        let results = self.sample().draw(&Job::new(&AtomicBool::new(false)))?;
        let named = self.rules.named().iter().zip(results.curves()?);
        let curve = |(named, rows): (&NamedRule, Vec<crate::Row>)| {
            let of = |quantity: Quantity| {
                let figures = rows.iter().filter_map(|row| row.get(quantity));
                figures.map(|figure| (figure.value, figure.error())).collect()
            };
            RuleCurve {
                rule: named.clone(),
                position_error: of(Quantity::PositionError),
                move_error: of(Quantity::MoveError),
            }
        };
        Ok(named.map(curve).collect())
    }
}

/// The required grains for one branching factor; none are tried if real values are pathological.
pub fn grains_row(b: u32, most: u32) -> Result<GrainsRow, TableError> {
    let at = |bounded| with_real_values(&table_6(b), bounded).map(|ends| EndsRow::new(b, None, &ends));
    let (limit, real_values) = (at(true)?, at(false)?);
    let required = if limit.is_pathological() { None } else { required(&table_6(b), most)? };
    Ok(GrainsRow { b, required, limit, real_values })
}

/// The move errors with one number of grains.
pub fn evaluated(b: u32, grains: u32) -> Result<EndsRow, TableError> {
    Ok(EndsRow::new(b, Some(grains), &with_grains(&table_6(b), grains)?))
}

impl BeyondSpec {
    /// How many steps [`BeyondSpec::run`] takes.
    pub fn steps(&self) -> u64 {
        let readings = 2 * self.readings.len();
        let all =
            self.rules.len() + self.grains.len() + self.evaluated.len() + readings + self.map.points().len();
        all as u64
    }

    /// Computes everything. `step` is called after every step.
    pub fn run(&self, prodmax: &str, step: &(dyn Fn() + Sync)) -> Result<Beyond, TableError> {
        let rules = self.rules.iter().map(|spec| {
            let curves = spec.curves();
            step();
            curves
        });
        let rules = rules.collect::<Result<_, _>>()?;
        let grains = self.grains.iter().map(|b| {
            let row = grains_row(*b, self.most_grains);
            step();
            row
        });
        let grains = grains.collect::<Result<_, _>>()?;
        let ends = self.evaluated.iter().map(|(b, grains)| {
            let row = evaluated(*b, *grains);
            step();
            row
        });
        let evaluated = ends.collect::<Result<_, _>>()?;
        let by_reading =
            |values| required_by_reading(values, &self.readings, self.most_of_readings, &|_, _| step());
        Ok(Beyond {
            prodmax: prodmax.to_owned(),
            spec: self.clone(),
            rules,
            grains,
            evaluated,
            dependent_readings: by_reading(Values::Dependent)?,
            independent_readings: by_reading(Values::Independent)?,
            map: self.map.map(step)?,
        })
    }
}

/// The last run that was recorded.
const RECORDED: &str = prodmax_data::text("golden/pathology/beyond.json");

impl Beyond {
    /// The recorded run: `make record-pathology` writes it. Its figures pass the gate like those that are computed.
    pub fn recorded() -> Result<Self, serde_json::Error> {
        let read: Self = serde_json::from_str(RECORDED)?;
        read.check().map_err(serde::de::Error::custom)?;
        Ok(read)
    }

    /// The gate, for a run that was read from a file.
    pub fn check(&self) -> Result<(), ImpossibleFigure> {
        self.map.iter().try_for_each(Region::check)?;
        self.grains.iter().flat_map(|row| [&row.limit, &row.real_values]).try_for_each(EndsRow::check)?;
        self.evaluated.iter().try_for_each(EndsRow::check)?;
        self.rules.iter().flatten().try_for_each(RuleCurve::check)
    }
}

#[cfg(test)]
mod tests;
