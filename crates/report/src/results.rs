//! What an experiment found, in a form that can be kept. Numbers are decimal strings: a double that is written and
//! read again may come back changed in its last bit, and a kept result must give the same report as a new one.

use std::sync::atomic::AtomicBool;

use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Model, Plan};
use prodmax_mass::deep;
use prodmax_mass::measure::{CurvesByLine, MeasureError, is_deep, khs_rules};
use prodmax_mass::{Critical, Crossover, Curve, Curves, Measured, Number};
use prodmax_number::Fraction;
use prodmax_number::fraction::decimal;
use prodmax_rules::RuleList;
use prodmax_spec::{Experiment, Task};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::contests::ContestResults;

/// Decimal places of kept figures.
const PLACES: u32 = 15;

/// Everything an experiment found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The experiment's id.
    pub id: String,
    /// What a reader calls it.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// What was asked for.
    pub run: Vec<Task>,
    /// The curve of the true values.
    pub truth: Curve,
    /// Product's estimate of it.
    pub estimate: Curve,
    /// Model by model.
    pub models: Vec<ModelResults>,
}

/// What was found about one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelResults {
    /// The model.
    pub model: Model,
    /// How large it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// How the rules err.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Where they err equally often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossover: Option<Rates>,
    /// Every rule against every other, for each estimate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contests: Vec<ContestResults>,
}

/// The sizes of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Ordered trees.
    pub trees: String,
    /// Trees up to the order of siblings.
    pub kinds: String,
    /// Pairs of depth-1 classes.
    pub pairs: String,
    /// Depth-1 classes.
    pub classes: String,
}

/// Critical trees and error masses, the latter from enclosures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errors {
    /// Ordered trees in which the rules choose different moves.
    pub critical: String,
    /// Error mass of Minimax.
    pub minimax_error: String,
    /// Error mass of Product.
    pub product_error: String,
    /// Minimax's part of both, in percent.
    pub share_minimax_percent: Option<String>,
    /// 100 (eP - eM) / (eP + eM).
    pub difference_percent: Option<String>,
    /// 100 (eP - eM) / critical trees.
    pub per_case_percent: Option<String>,
}

/// Uniform error rates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Critical ordered trees.
    pub critical: String,
    /// Error mass of Minimax: coefficients of the powers of p, ascending, and what they are divided by.
    pub minimax_error: (Vec<String>, String),
    /// Error mass of Product.
    pub product_error: (Vec<String>, String),
    /// The thresholds between 0 and 1/2.
    pub thresholds: Vec<Threshold>,
    /// N(I1) … N(I5), at depth 2.
    pub intervals: Option<[String; 5]>,
    /// N(I2) / N(I4), at depth 2.
    pub ratio: Option<String>,
}

/// An error rate at which both rules are equally good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// As a fraction, if it is one.
    pub fraction: Option<String>,
    /// As a decimal.
    pub decimal: String,
}

/// Reads a kept number for drawing.
pub fn double(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

impl Results {
    /// Runs an experiment; `done` is called after each model.
    pub fn compute(spec: &Experiment, done: &(dyn Fn() + Sync)) -> Result<Self, (Model, MeasureError)> {
        let settings = &spec.settings;
        let truth = settings.truth.clone().unwrap_or_else(|| Curve::arctan(4));
        let estimate = settings.estimate.clone().unwrap_or_else(|| Curve::arctan(1));
        let models: Vec<&Model> = spec.models().collect();
        let curves = CurvesByLine::new(&truth, &estimate, &models);
        let estimates =
            if settings.estimates.is_empty() { std::slice::from_ref(&estimate) } else { &settings.estimates };
        let contests: Vec<CurvesByLine> =
            estimates.iter().map(|estimate| CurvesByLine::new(&truth, estimate, &models)).collect();
        let one = |&model: &&Model| {
            let contests = contests.iter().map(|curves| curves.of(model));
            let found = ModelResults::compute(spec, model, curves.of(model), contests);
            done();
            found.map_err(|error| (model.clone(), error))
        };
        let tasks =
            [Task::Enumerate, Task::Mass, Task::Contest, Task::Crossover, Task::Table1, Task::Depth3Cases];
        Ok(Self {
            id: spec.id.clone(),
            title: spec.title.clone(),
            source: spec.source.clone(),
            run: tasks.into_iter().filter(|&task| settings.asks_for(task)).collect(),
            truth,
            estimate,
            models: models.par_iter().map(one).collect::<Result<_, _>>()?,
        })
    }
}

impl ModelResults {
    fn compute<'a>(
        spec: &Experiment,
        model: &Model,
        curves: &Curves,
        contests: impl Iterator<Item = &'a Curves>,
    ) -> Result<Self, MeasureError> {
        let asks = |task| spec.settings.asks_for(task);
        let rules = spec.settings.rules.as_ref().map_or_else(|| khs_rules().to_vec(), RuleList::rules);
        let contest = |curves: &Curves| ContestResults::of(model, &rules, curves);
        Ok(Self {
            model: model.clone(),
            sizes: asks(Task::Enumerate).then(|| Sizes::of(model)),
            errors: if asks(Task::Mass) { Some(Errors::of(model, curves)?) } else { None },
            crossover: if asks(Task::Crossover) { Some(Rates::of(model, curves)?) } else { None },
            contests: if asks(Task::Contest) {
                contests.map(contest).collect::<Result<_, _>>()?
            } else {
                Vec::new()
            },
        })
    }

    /// The root, for axes.
    pub fn root(&self) -> f64 {
        f64::from(self.model.root().get())
    }

    /// The increments, e.g. `8,8`.
    pub fn increments(&self) -> String {
        self.model.increments().iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }
}

impl Sizes {
    fn of(model: &Model) -> Self {
        let plan = Plan::of(model);
        let classes: &BigUint = plan.depth_one_classes();
        Self {
            trees: plan.trees.to_string(),
            kinds: plan.kinds.to_string(),
            pairs: (classes * (classes + 1u32) / 2u32).to_string(),
            classes: classes.to_string(),
        }
    }
}

impl Errors {
    fn of(model: &Model, curves: &Curves) -> Result<Self, MeasureError> {
        let measurement = if is_deep(model) {
            // Runs to the end once begun: a report is interrupted between models.
            let interrupt = AtomicBool::new(false);
            let options = deep::Options::usual(&interrupt, &|_, _| {});
            let failed = |error: deep::DeepError| MeasureError::Deep(error.to_string());
            curves.measure_deep(model, Number::Certified, &options).map_err(failed)?
        } else {
            curves.measure(model, Number::Certified)?
        };
        let Measured::Certified(outcome) = &measurement.measured else {
            return Err(MeasureError::Irrational(curves.truth.curve().clone()));
        };
        let figures = &outcome.figures;
        let shown = |value: &prodmax_number::Enclosure| decimal(&value.middle(), PLACES);
        Ok(Self {
            critical: measurement.counts.critical.to_string(),
            minimax_error: shown(&outcome.mass.first_error),
            product_error: shown(&outcome.mass.second_error),
            share_minimax_percent: figures.share_first.as_ref().map(|share| shown(&share.scale(&100.into()))),
            difference_percent: figures.difference_percent.as_ref().map(shown),
            per_case_percent: figures.per_case_percent.as_ref().map(shown),
        })
    }
}

impl Rates {
    fn of(model: &Model, curves: &Curves) -> Result<Self, MeasureError> {
        let critical = Critical::of(model, &curves.estimate)?;
        let crossover = Crossover::of(&critical);
        let polynomial = |polynomial: &prodmax_mass::arithmetic::ErrorPolynomial| {
            let coefficients = polynomial.numerator().coefficients().iter().map(ToString::to_string);
            (coefficients.collect(), polynomial.denominator().to_string())
        };
        let threshold = |root: &prodmax_number::roots::Root| Threshold {
            fraction: root.exact().map(ToString::to_string),
            decimal: decimal(&root.middle(), PLACES),
        };
        let intervals = crossover.intervals.as_ref();
        Ok(Self {
            critical: critical.counts().critical.to_string(),
            minimax_error: polynomial(&crossover.mass.first_error),
            product_error: polynomial(&crossover.mass.second_error),
            thresholds: crossover.thresholds.iter().map(threshold).collect(),
            intervals: intervals.map(|counts| counts.all().each_ref().map(ToString::to_string)),
            ratio: intervals
                .and_then(prodmax_mass::IntervalCounts::ratio)
                .map(|ratio| decimal(&ratio, PLACES)),
        })
    }

    /// An error mass per critical tree at the rate p, in percent, for drawing.
    pub fn percent_at(&self, (coefficients, denominator): &(Vec<String>, String), p: &Fraction) -> f64 {
        let parse = |text: &String| text.parse::<BigInt>().unwrap_or_default();
        let polynomial = prodmax_number::Polynomial::new(coefficients.iter().map(parse));
        let per = parse(denominator) * parse(&self.critical);
        if per == BigInt::default() {
            return 0.0;
        }
        prodmax_number::arctan::to_f64(&(polynomial.evaluate(p) * BigInt::from(100) / per))
    }
}
