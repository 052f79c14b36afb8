//! The results of an experiment in a form that can be stored: a stored result gives the same report as a new one, so
//! every number is read back exactly as it was written.

use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Model, Plan};
use prodmax_mass::arithmetic::ErrorPolynomial;
use prodmax_mass::{
    Certified, Contestant, Critical, Crossover, Curve, Curves, CurvesByLine, Engine, Forest, IntervalCounts,
    MassError, Measure, MeasureError, khs_rules,
};
use prodmax_number::fraction::to_f64;
use prodmax_number::roots::Root;
use prodmax_number::{Certain, Figure, Fraction, Polynomial};
use prodmax_rules::{RuleList, RulePair};
use prodmax_spec::{Experiment, Task};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::contests::ContestResults;
use crate::exact::{AsText, Decimal};
use crate::words;

/// All results of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExperimentResults {
    /// The experiment's id.
    pub id: String,
    /// The title that readers see.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// The tasks of its spec.
    pub run: Vec<Task>,
    /// The curve of the true values.
    pub truth: Curve,
    /// Product's estimate of it.
    pub estimate: Curve,
    /// The results, model by model.
    pub models: Vec<ModelResults>,
}

/// The results for one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelResults {
    /// The model.
    pub model: Model,
    /// Its sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<Sizes>,
    /// The errors of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<RuleErrors>,
    /// The error rates at which they err equally often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossover: Option<Rates>,
    /// Every rule against every other, for each estimate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contests: Vec<ContestResults>,
    /// The quality of every rule and the first two against each other, for each estimate and truth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<ContestResults>,
}

/// The sizes of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Ordered trees.
    pub trees: AsText<BigUint>,
    /// Trees up to the order of siblings.
    pub kinds: AsText<BigUint>,
    /// Multisets of depth-1 classes, one for each move of the root: pairs in a binary model.
    pub pairs: AsText<BigUint>,
    /// Depth-1 classes.
    pub classes: AsText<BigUint>,
}

/// Critical trees, and the middles of the enclosures of the error masses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleErrors {
    /// The first and the second rule, unless they are Minimax and Product.
    #[serde(default, skip_serializing_if = "RulePair::is_khs")]
    pub rules: RulePair,
    /// Ordered trees in which the rules choose different moves.
    pub critical: AsText<BigUint>,
    /// Error mass of the first rule; the keys are those of Minimax and Product, whatever the rules.
    #[serde(rename = "minimax_error")]
    pub first_error: AsText<Decimal>,
    /// Error mass of the second rule.
    #[serde(rename = "product_error")]
    pub second_error: AsText<Decimal>,
    /// The first rule's share of both, in percent.
    #[serde(rename = "share_minimax_percent")]
    pub share_first_percent: Option<AsText<Decimal>>,
    /// 100 (e2 - e1) / (e1 + e2).
    pub difference_percent: Option<AsText<Decimal>>,
    /// 100 (e2 - e1) / critical trees.
    pub per_case_percent: Option<AsText<Decimal>>,
    /// The probability, over all trees, that the move chosen by the first and by the second rule is won.
    pub won: [AsText<Decimal>; 2],
}

/// Uniform error rates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Critical ordered trees.
    pub critical: AsText<BigUint>,
    /// Error mass of the first rule; the keys are those of Minimax and Product, whatever the rules.
    #[serde(rename = "minimax_error")]
    pub first_error: RatePolynomial,
    /// Error mass of the second rule.
    #[serde(rename = "product_error")]
    pub second_error: RatePolynomial,
    /// The thresholds between 0 and 1/2.
    pub thresholds: Vec<Threshold>,
    /// N(I1) … N(I5), at depth 2.
    pub intervals: Option<[AsText<Fraction>; 5]>,
    /// N(I2) / N(I4), at depth 2.
    pub ratio: Option<AsText<Decimal>>,
}

/// A polynomial in the error rate p with rational coefficients; stored as its integer coefficients, by ascending
/// powers, and their common denominator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredPolynomial", into = "StoredPolynomial")]
pub struct RatePolynomial {
    numerator: Polynomial,
    denominator: BigInt,
}

type StoredPolynomial = (Vec<AsText<BigInt>>, AsText<BigInt>);

impl From<StoredPolynomial> for RatePolynomial {
    fn from((coefficients, AsText(denominator)): StoredPolynomial) -> Self {
        let coefficients = coefficients.into_iter().map(|AsText(coefficient)| coefficient);
        Self { numerator: Polynomial::new(coefficients), denominator }
    }
}

impl From<RatePolynomial> for StoredPolynomial {
    fn from(polynomial: RatePolynomial) -> Self {
        let coefficients = polynomial.numerator.coefficients().iter().cloned().map(AsText);
        (coefficients.collect(), AsText(polynomial.denominator))
    }
}

/// An error rate at which both rules are equally good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// As a fraction, if it is rational.
    pub fraction: Option<AsText<Fraction>>,
    /// Rounded.
    pub decimal: AsText<Decimal>,
}

impl ExperimentResults {
    /// Runs an experiment; `done` is called after each model.
    pub fn compute(spec: &Experiment, done: &(dyn Fn() + Sync)) -> Result<Self, (Model, MeasureError)> {
        let settings = &spec.settings;
        let truth = settings.truth.clone().unwrap_or_else(|| Curve::arctan(4));
        let estimate = settings.estimate.clone().unwrap_or_else(|| Curve::arctan(1));
        let models: Vec<&Model> = spec.models().collect();
        let curves = CurvesByLine::new(&truth, &estimate, &models);
        let estimates =
            if settings.estimates.is_empty() { vec![estimate.clone()] } else { settings.estimates.clone() };
        let contests: Vec<CurvesByLine> =
            estimates.iter().map(|estimate| CurvesByLine::new(&truth, estimate, &models)).collect();
        let one = |&model: &&Model| {
            let contests = contests.iter().map(|curves| curves.of(model));
            let found = ModelResults::compute(spec, model, curves.of(model), contests, &estimates);
            done();
            found.map_err(|error| (model.clone(), error))
        };
        let tasks = [
            Task::Enumerate,
            Task::Mass,
            Task::Contest,
            Task::Truths,
            Task::Crossover,
            Task::Table1,
            Task::Depth3Cases,
        ];
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

impl ExperimentResults {
    /// The models of a depth.
    pub fn of_depth(&self, depth: usize) -> impl Iterator<Item = &ModelResults> {
        self.models.iter().filter(move |model| model.model.depth() == depth)
    }

    /// The increments of all models in words.
    pub fn widths(&self) -> String {
        words::widths(self.models.iter().map(|model| &model.model))
    }
}

impl ModelResults {
    fn compute<'a>(
        spec: &Experiment,
        model: &Model,
        curves: &Curves,
        contests: impl Iterator<Item = &'a Curves>,
        estimates: &[Curve],
    ) -> Result<Self, MeasureError> {
        let asks = |task| spec.settings.asks_for(task);
        let rules = spec.settings.rules.as_ref().map_or_else(|| khs_rules().to_vec(), RuleList::rules);
        let pair = spec.settings.rules.as_ref().map_or_else(RulePair::default, RuleList::pair);
        let contest = |curves: &Curves| ContestResults::of(model, &rules, curves);
        let over_truths =
            |estimate: &Curve| ContestResults::over_truths(model, &rules, &spec.settings.truths, estimate);
        Ok(Self {
            model: model.clone(),
            sizes: asks(Task::Enumerate).then(|| Sizes::of(model)),
            errors: if asks(Task::Mass) { Some(RuleErrors::of(model, &pair, curves)?) } else { None },
            crossover: if asks(Task::Crossover) { Some(Rates::of(model, &pair, curves)?) } else { None },
            contests: if asks(Task::Contest) {
                contests.map(contest).collect::<Result<_, _>>()?
            } else {
                Vec::new()
            },
            truths: if asks(Task::Truths) {
                estimates.iter().map(over_truths).collect::<Result<Vec<_>, _>>()?.concat()
            } else {
                Vec::new()
            },
        })
    }

    /// What the first and the second rule win, in percent.
    pub fn won_percent(&self) -> Option<[f64; 2]> {
        Some(self.errors.as_ref()?.won.each_ref().map(|won| 100.0 * won.to_f64()))
    }

    /// The root as a number for axes.
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
            trees: plan.trees.clone().into(),
            kinds: plan.kinds.clone().into(),
            pairs: plan.merged_trees().into(),
            classes: classes.clone().into(),
        }
    }
}

impl RuleErrors {
    fn of(model: &Model, rules: &RulePair, curves: &Curves) -> Result<Self, MeasureError> {
        let measure = Measure::new(model, curves).number::<Certified>().rules(rules.rules());
        let measured = measure.engine(Engine::sweeping(model)).run()?;
        let middle = |certain: Certain| Figure::from(certain).middle().unwrap_or_default();
        let measured = measured.map(middle);
        let decimal = |number: &Fraction| AsText(Decimal::rounded(number));
        let pair = &measured.matches[0];
        let [first_error, second_error] = pair.errors().each_ref().map(decimal);
        let figures = &pair.figures;
        let hundred = Fraction::from_integer(100.into());
        Ok(Self {
            rules: rules.clone(),
            critical: pair.counts().map(|counts| counts.critical.clone()).unwrap_or_default().into(),
            first_error,
            second_error,
            share_first_percent: figures.share_first.as_ref().map(|share| decimal(&(share * &hundred))),
            difference_percent: figures.difference_percent.as_ref().map(decimal),
            per_case_percent: figures.per_case_percent.as_ref().map(decimal),
            won: [0, 1].map(|rule| decimal(&measured.quality[rule].won)),
        })
    }
}

impl Rates {
    fn of(model: &Model, rules: &RulePair, curves: &Curves) -> Result<Self, MeasureError> {
        let contestants = rules.rules().map(|rule| Contestant::through(rule, &curves.estimate));
        let forest = Forest::of(model).map_err(MassError::from)?;
        let critical = Critical::between(forest, contestants.each_ref())?;
        // Formula (7) is about Minimax and Product.
        let crossover = if rules.is_khs() { Crossover::of(&critical) } else { Crossover::between(&critical) };
        let polynomial = |polynomial: &ErrorPolynomial| RatePolynomial {
            numerator: polynomial.numerator().clone(),
            denominator: polynomial.denominator(),
        };
        let threshold = |root: &Root| Threshold {
            fraction: root.exact().cloned().map(AsText),
            decimal: Decimal::rounded(&root.middle()).into(),
        };
        let intervals = crossover.intervals.as_ref();
        Ok(Self {
            critical: critical.counts().critical.into(),
            first_error: polynomial(&crossover.mass.first_error),
            second_error: polynomial(&crossover.mass.second_error),
            thresholds: crossover.thresholds.iter().map(threshold).collect(),
            intervals: intervals.map(|counts| counts.all().clone().map(AsText)),
            ratio: intervals.and_then(IntervalCounts::ratio).map(|ratio| Decimal::rounded(&ratio).into()),
        })
    }

    /// An error mass per critical tree at the rate p, in percent; 0 if no tree is critical.
    pub fn percent_at(&self, mass: &RatePolynomial, p: &Fraction) -> f64 {
        let per = &mass.denominator * BigInt::from(self.critical.0.clone());
        if per == BigInt::ZERO {
            return 0.0;
        }
        to_f64(&(mass.numerator.evaluate(p) * BigInt::from(100) / per))
    }
}
