//! What is computed for a published figure.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use num_bigint::BigInt;
use prodmax_cases::depth2::{Formulas, Interval, Position, cases};
use prodmax_enumerate::{Line, Model, ModelError, Zero};
use prodmax_mass::deep::{self, DeepError};
use prodmax_mass::measure::{MeasureError, Outcome, Request, is_deep, khs_rules};
use prodmax_mass::{
    Critical, Crossover, Curve, Curves, IntervalCounts, Mass, MassError, Measured, Measurement, Number,
};
use prodmax_number::{Enclosure, Polynomial};
use prodmax_rules::{Rule, RulePair};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::value::Value;

/// A figure of the papers as something to compute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// 100 (eP - eM) / (eP + eM).
    DifferencePercent(Model),
    /// The mean of the differences over several roots.
    MeanDifferencePercent {
        /// The columns of the table.
        roots: Vec<i64>,
        /// The row.
        increments: Vec<i64>,
    },
    /// 100 (eP - eM) / number of critical trees.
    PerCasePercent(Model),
    /// 100 eM / (eM + eP).
    ShareMinimaxPercent(Model),
    /// 100 eP / (eM + eP).
    ShareProductPercent(Model),
    /// Critical ordered trees.
    Critical(Model),
    /// A figure of any two rules against each other.
    Contest {
        /// Which figure.
        figure: ContestFigure,
        /// The first and the second rule.
        rules: RulePair,
        /// The trees.
        model: Model,
    },
    /// How much of what can be won beyond chance a rule wins: (won - random) / (ideal - random).
    Efficiency {
        /// The rule.
        rule: Rule,
        /// The trees.
        model: Model,
    },
    /// The probability that a random tree is critical and a rule chooses wrongly in it: its error mass among all
    /// trees, as a fraction. The truth must be rational.
    ErrorProbability {
        /// The rule that errs.
        errs: Side,
        /// The rules, Minimax and Product unless named.
        #[serde(default, skip_serializing_if = "RulePair::is_khs")]
        rules: RulePair,
        /// The trees.
        model: Model,
        /// What is true of the leaves.
        truth: Curve,
        /// What Product believes of them.
        estimate: Curve,
    },
    /// The uniform error rate, in percent, at which Minimax becomes superior (depth 2, formula (7)).
    ThresholdPercent(Model),
    /// N(I2) / N(I4) (depth 2).
    IntervalRatio(Model),
    /// The rule that is right in a case of Table I: `minimax`, `product` or `irrelevant`.
    Table1Case {
        /// Where the draw value lies: 1..=5.
        interval: usize,
        /// The wrongly evaluated leaves: M1, M2, P1, P2.
        errors: Vec<String>,
    },
    /// Critical cases that favour `minimax` or `product`.
    Table1Count(String),
    /// Cases in all.
    Table1Cases,
    /// A formula of KHS section IV-C.
    Formula(Formula),
}

/// A figure of two rules against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContestFigure {
    /// Critical ordered trees.
    Critical,
    /// 100 (e2 - e1) / (e1 + e2): positive favours the first rule.
    DifferencePercent,
}

/// One of the two rules of a contest. The names that KHS's two rules have are as good as `first` and `second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first rule.
    #[serde(alias = "minimax")]
    First,
    /// The second rule.
    #[serde(alias = "product")]
    Second,
}

impl Side {
    /// This rule's part of the error masses.
    fn of<N>(self, mass: Mass<N>) -> N {
        match self {
            Self::First => mass.first_error,
            Self::Second => mass.second_error,
        }
    }
}

/// The formulas of KHS section IV-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// (5): the draw value in I4.
    Five,
    /// (6): the draw value in I2.
    Six,
    /// g(p).
    CommonFactor,
    /// (5) / g(p).
    CofactorFive,
    /// (6) / g(p).
    CofactorSix,
}

/// Why a quantity cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// The model cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// One of the models cannot be.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A model that is swept block by block.
    #[error("{0}")]
    Deep(String),
    /// Not depth 2.
    #[error("thresholds by formula (7) exist at depth 2 only, not at depth {0}")]
    NotDepthTwo(usize),
    /// No such case.
    #[error("there is no case of Table I with interval {interval} and the errors {errors:?}")]
    NoCase {
        /// As given.
        interval: usize,
        /// As given.
        errors: Vec<String>,
    },
}

impl From<MassError> for QuantityError {
    fn from(error: MassError) -> Self {
        Self::Measure(error.into())
    }
}

impl Quantity {
    /// Whether the sign of the quantity says which rule is ahead.
    pub fn is_signed(&self) -> bool {
        matches!(
            self,
            Self::DifferencePercent(_)
                | Self::MeanDifferencePercent { .. }
                | Self::PerCasePercent(_)
                | Self::Contest { figure: ContestFigure::DifferencePercent, .. }
        )
    }

    /// The model, where the quantity belongs to a single one.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Self::DifferencePercent(model)
            | Self::PerCasePercent(model)
            | Self::ShareMinimaxPercent(model)
            | Self::ShareProductPercent(model)
            | Self::Critical(model)
            | Self::Contest { model, .. }
            | Self::Efficiency { model, .. }
            | Self::ErrorProbability { model, .. }
            | Self::ThresholdPercent(model)
            | Self::IntervalRatio(model) => Some(model),
            _ => None,
        }
    }
}

/// Told how far a deep model is: the model, blocks done, all blocks.
pub type Watch<'a> = &'a (dyn Fn(&Model, u64, u64) + Sync);

/// What a measurement was asked for, beyond the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    rules: [Rule; 2],
    quality: bool,
}

impl Asked {
    /// The errors of Minimax and Product.
    fn khs() -> Self {
        Self { rules: khs_rules(), quality: false }
    }
}

/// Computes quantities under the model as the papers state it: truth w_4, estimate w_1. Keeps the curves of the
/// papers' line and what it has measured.
pub struct Calculator<'a> {
    usual: Curves,
    measured: Mutex<HashMap<(Model, Asked), Measurement>>,
    interrupt: &'a AtomicBool,
    watch: Watch<'a>,
}

fn stated(h_max: i32) -> Curves {
    Curves::new(Curve::arctan(4), Curve::arctan(1), h_max)
}

impl Default for Calculator<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self::new(&NEVER, &|_, _, _| {})
    }
}

impl<'a> Calculator<'a> {
    /// A calculator that can be interrupted and watched in long work.
    pub fn new(interrupt: &'a AtomicBool, watch: Watch<'a>) -> Self {
        Self { usual: stated(Line::DEFAULT_H_MAX as i32), measured: Mutex::default(), interrupt, watch }
    }

    /// The name of the reading that it computes under.
    pub const STATED: &'static str = "stated";

    /// Computes a quantity, exactly or with an enclosure.
    pub fn compute(&self, quantity: &Quantity) -> Result<Value, QuantityError> {
        match quantity {
            Quantity::DifferencePercent(model) => self.compute_difference(model),
            Quantity::PerCasePercent(model) => {
                self.certified(model, &Asked::khs(), |outcome| outcome.figures.per_case_percent.clone())
            }
            Quantity::ShareMinimaxPercent(model) => {
                let percent = |share: &Enclosure| share.scale(&100.into());
                self.certified(model, &Asked::khs(), |outcome| {
                    outcome.figures.share_first.as_ref().map(percent)
                })
            }
            Quantity::ShareProductPercent(model) => {
                let percent = |share: &Enclosure| share.complement().scale(&100.into());
                self.certified(model, &Asked::khs(), |outcome| {
                    outcome.figures.share_first.as_ref().map(percent)
                })
            }
            Quantity::ErrorProbability { errs, rules, model, truth, estimate } => {
                let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
                error_probability(*errs, rules, model, &curves)
            }
            Quantity::Contest { figure, rules, model } => {
                let asked = Asked { rules: rules.rules(), quality: false };
                match figure {
                    ContestFigure::Critical => self.critical(model, &asked),
                    ContestFigure::DifferencePercent => {
                        self.certified(model, &asked, |outcome| outcome.figures.difference_percent.clone())
                    }
                }
            }
            Quantity::Efficiency { rule, model } => self.efficiency(rule, model),
            Quantity::MeanDifferencePercent { roots, increments } => self.mean(roots, increments),
            Quantity::Critical(model) => self.critical(model, &Asked::khs()),
            Quantity::ThresholdPercent(model) => {
                let threshold = self.intervals(model)?.threshold();
                Ok(threshold.map_or(Value::Nothing, |p| Value::Fraction(p * BigInt::from(100))))
            }
            Quantity::IntervalRatio(model) => {
                Ok(self.intervals(model)?.ratio().map_or(Value::Nothing, Value::Fraction))
            }
            Quantity::Table1Case { interval, errors } => table1_case(*interval, errors),
            Quantity::Table1Count(side) => {
                let count =
                    cases().filter(|case| case.decision().is_critical() && case.decision().name() == side);
                Ok(Value::Integer(count.count().into()))
            }
            Quantity::Table1Cases => Ok(Value::Integer(cases().count().into())),
            Quantity::Formula(formula) => Ok(Value::Polynomial(formula.polynomial())),
        }
    }

    /// Does something with the curves on a model's line.
    fn with_curves<T>(&self, model: &Model, work: impl FnOnce(&Curves) -> T) -> T {
        let h_max = model.line().h_max();
        if h_max == self.usual.truth.h_max() { work(&self.usual) } else { work(&stated(h_max)) }
    }

    /// The certified measurement of a model, computed once.
    fn measurement(&self, model: &Model, asked: &Asked) -> Result<Measurement, QuantityError> {
        let kept = || self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.clone(), asked.clone());
        if let Some(measurement) = kept().get(&key) {
            return Ok(measurement.clone());
        }
        let rules = asked.rules.clone();
        let request = Request { rules, number: Number::Certified, quality: asked.quality };
        let measurement = self.with_curves(model, |curves| -> Result<Measurement, QuantityError> {
            if !is_deep(model) {
                return Ok(curves.answer(model, &request)?);
            }
            let progress = |done, all| (self.watch)(model, done, all);
            let options = deep::Options::usual(self.interrupt, &progress);
            let failed = |error: DeepError| QuantityError::Deep(error.to_string());
            curves.answer_deep(model, &request, &options).map_err(failed)
        })?;
        kept().insert(key, measurement.clone());
        Ok(measurement)
    }

    fn certified(
        &self,
        model: &Model,
        asked: &Asked,
        pick: impl FnOnce(&Outcome<Enclosure>) -> Option<Enclosure>,
    ) -> Result<Value, QuantityError> {
        let measurement = self.measurement(model, asked)?;
        let picked = match &measurement.measured {
            Measured::Certified(outcome) => pick(outcome),
            Measured::F64(_) | Measured::Exact(_) => None,
        };
        Ok(picked.map_or(Value::Nothing, Value::Certified))
    }

    fn critical(&self, model: &Model, asked: &Asked) -> Result<Value, QuantityError> {
        Ok(Value::Integer(self.measurement(model, asked)?.counts.critical.into()))
    }

    /// The efficiency of a rule, measured against Minimax so that models of any size can be swept.
    fn efficiency(&self, rule: &Rule, model: &Model) -> Result<Value, QuantityError> {
        let [minimax, product] = khs_rules();
        let is_minimax = *rule == minimax;
        let other = if is_minimax { product } else { rule.clone() };
        let asked = Asked { rules: [minimax, other], quality: true };
        self.certified(model, &asked, |outcome| {
            let [first, second] = &outcome.quality.as_ref()?.rules;
            if is_minimax { first } else { second }.efficiency.clone()
        })
    }

    fn mean(&self, roots: &[i64], increments: &[i64]) -> Result<Value, QuantityError> {
        let mut sum: Option<Enclosure> = None;
        for &root in roots {
            let model = Model::new(root, increments, Zero::Skip, Line::DEFAULT_H_MAX)?;
            let Value::Certified(difference) = self.compute_difference(&model)? else {
                return Ok(Value::Nothing);
            };
            sum = Some(sum.map_or_else(|| difference.clone(), |sum| sum.add(&difference)));
        }
        Ok(sum.map_or(Value::Nothing, |sum| Value::Certified(sum.div_integer(roots.len() as u32))))
    }

    fn compute_difference(&self, model: &Model) -> Result<Value, QuantityError> {
        self.certified(model, &Asked::khs(), |outcome| outcome.figures.difference_percent.clone())
    }

    fn intervals(&self, model: &Model) -> Result<IntervalCounts, QuantityError> {
        let critical = self.with_curves(model, |curves| Critical::of(model, &curves.estimate))?;
        let crossover = Crossover::of(&critical);
        crossover.intervals.ok_or(QuantityError::NotDepthTwo(model.depth()))
    }
}

impl Formula {
    fn polynomial(self) -> Polynomial {
        let formulas = Formulas::derive();
        let common = formulas.common_factor();
        match self {
            Self::Five => formulas.formula5(),
            Self::Six => formulas.formula6(),
            Self::CommonFactor => common.factor,
            Self::CofactorFive => common.cofactors[0].clone(),
            Self::CofactorSix => common.cofactors[1].clone(),
        }
    }
}

fn error_probability(
    errs: Side,
    rules: &RulePair,
    model: &Model,
    curves: &Curves,
) -> Result<Value, QuantityError> {
    let request = Request { rules: rules.rules(), number: Number::Exact, quality: false };
    Ok(match curves.answer(model, &request)?.measured {
        Measured::Exact(outcome) => Value::Fraction(errs.of(outcome.mass) / BigInt::from(model.trees())),
        Measured::F64(_) | Measured::Certified(_) => Value::Nothing,
    })
}

fn table1_case(interval: usize, errors: &[String]) -> Result<Value, QuantityError> {
    let unknown = || QuantityError::NoCase { interval, errors: errors.to_vec() };
    let leaf = |name: &String| Position::ALL.into_iter().find(|position| position.name() == name);
    let wrong = errors.iter().map(leaf).collect::<Option<_>>().ok_or_else(unknown)?;
    let interval = Interval::ALL.into_iter().find(|known| known.number() == interval).ok_or_else(unknown)?;
    let case = cases().find(|case| case.interval == interval && case.errors == wrong).ok_or_else(unknown)?;
    Ok(Value::Text(case.decision().name().to_owned()))
}
