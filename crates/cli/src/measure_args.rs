//! The arguments of every command that measures models: curves, ties and the kind of numbers.

use clap::{Args, ValueEnum};
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_mass::deep::{SweepPlan, sweeps};
use prodmax_mass::effort::{MeasureWork, NumberCost, in_memory};
use prodmax_mass::{Curve, Curves, CurvesByLine, MeasureError, Measurement, Number, Request, is_deep};
use prodmax_rules::{RuleList, RulePair};
use rayon::prelude::*;

use crate::context::Context;
use crate::deep_args::DeepArgs;
use crate::effort;
use crate::engine::Engine;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::law_args::{LawArgs, LawMeasurement, LawRequest, LawRules};
use crate::model_args::Models;
use crate::shard::plan::WorkPlan;

/// Why there is nothing to divide.
pub(crate) const NOT_DEEP: &str = "only models that are swept block by block can be divided (--engine deep, or \
                                   more than 2 million depth-1 classes), and there is none here";

/// The curves.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Curves")]
pub(crate) struct CurveArgs {
    /// The probability that a leaf is won: arctan:C is eq. (2), pearl:C the same without its normalisation,
    /// uniform:P an error rate that is the same everywhere [default: arctan:4, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    truth: Option<Curve>,

    /// Product's estimate of that probability [default: arctan:1, or what the spec says]
    #[arg(long, value_name = "CURVE")]
    estimate: Option<Curve>,
}

impl CurveArgs {
    /// The curves from the flags, else from the spec, else those of KHS's Table II.
    pub(crate) fn choose(&self, models: &Models) -> (Curve, Curve) {
        let settings = models.settings();
        let pick = |flag: &Option<Curve>, spec: &Option<Curve>, default| {
            flag.clone().or_else(|| spec.clone()).unwrap_or_else(|| Curve::arctan(default))
        };
        (pick(&self.truth, &settings.truth, 4), pick(&self.estimate, &settings.estimate, 1))
    }
}

/// Both curves in a sentence.
pub(crate) fn curves(truth: &Curve, estimate: &Curve) -> String {
    format!("truth {truth}, estimate {estimate}")
}

/// Curves and numbers.
#[derive(Clone, Debug, Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    curves: CurveArgs,

    /// The numbers in which masses are summed: f64; certified (every figure with an interval that is certain to
    /// contain it); exact (fractions, for --truth uniform:P)
    #[arg(long, value_name = "KIND", default_value_t)]
    number: Number,

    /// What equal values mean: with strict, a pair of moves with equal minimax values or equal product values is
    /// not critical
    #[arg(long, value_enum, value_name = "RULE", default_value_t)]
    ties: Ties,

    /// The two rules, the one that chooses M first [default: minimax,product, or those of the spec]; see prodmax rules. The efficiency of each
    /// is measured, too
    #[arg(long, value_name = "FIRST,SECOND")]
    rules: Option<RulePair>,

    #[command(flatten)]
    deep: DeepArgs,

    #[command(flatten)]
    law: LawArgs,
}

/// How ties count.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Ties {
    /// A tie is not critical.
    #[default]
    Strict,
}

/// The measured models and the curves they were measured with.
pub(crate) struct Measure {
    pub(crate) truth: Curve,
    pub(crate) estimate: Curve,
    pub(crate) number: Number,
    /// The rules.
    pub(crate) rules: RulePair,
    /// Whether the rules were named, so that the results use their names.
    pub(crate) named: bool,
    /// In the order of the models.
    pub(crate) measurements: Vec<(Model, Measurement)>,
}

/// Models measured by the law of their values.
pub(crate) struct LawMeasure {
    pub(crate) truth: Curve,
    pub(crate) estimate: Curve,
    pub(crate) number: Number,
    /// The rules.
    pub(crate) rules: LawRules,
    /// Whether the rules were named, so that the results use their names.
    pub(crate) named: bool,
    /// In the order of the models.
    pub(crate) measurements: Vec<(Model, LawMeasurement)>,
}

impl MeasureArgs {
    /// The files that these arguments name.
    pub(crate) fn files(&self, files: Files) -> Files {
        self.deep.files(files)
    }

    /// Whether rules were named.
    pub(crate) fn names_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The curves of truth and estimate.
    pub(crate) fn curves(&self, models: &Models) -> (Curve, Curve) {
        self.curves.choose(models)
    }

    /// The rules, if they were named here or in the spec.
    pub(crate) fn rules(&self, models: &Models) -> Option<RulePair> {
        self.rules.clone().or_else(|| models.settings().rules.as_ref().map(RuleList::pair))
    }

    /// The engine that measures a model.
    pub(crate) fn engine(&self, context: &Context, model: &Model) -> Engine {
        self.law.engine(model, self.deep.force() || context.is_divided())
    }

    /// The models of which shards are swept. Deep ones take any time then.
    fn deep<'a>(&self, models: &'a Models) -> Vec<&'a Model> {
        models.iter().filter(|model| self.law.engine(model, true) == Engine::Deep).collect()
    }

    /// What the sweeps of all deep models take in this many shards.
    pub(crate) fn plan(&self, models: &Models, quality: bool, shards: u32) -> Result<WorkPlan, Error> {
        let deep = self.deep(models);
        if deep.is_empty() {
            return Err(Error::DividedCommand { reason: NOT_DEEP.to_owned() });
        }
        let rules = self.rules(models).unwrap_or_default().rules();
        let count = sweeps(&rules, quality).len();
        let plans = deep.iter().flat_map(|model| vec![SweepPlan::of(model, shards); count]);
        Ok(WorkPlan::of_sweeps(&plans.collect::<Vec<_>>()))
    }

    /// Computes a shard of every deep model.
    pub(crate) fn share(&self, context: &Context, models: &Models, quality: bool) -> Result<(), Error> {
        let (truth, estimate) = self.curves.choose(models);
        let rules = self.rules(models).unwrap_or_default().rules();
        let request = Request { rules, number: self.number, quality };
        let deep = self.deep(models);
        for model in &deep {
            self.deep.check(context, model, &request)?;
        }
        let along = sweeps(&request.rules, quality);
        for model in &deep {
            let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
            self.deep.share(context, &curves, model, &along)?;
        }
        if deep.is_empty() { Err(Error::NotDivided { why: NOT_DEEP }) } else { Ok(()) }
    }

    /// Measures models by the law of their values; `None` if there are none.
    pub(crate) fn measure_by_law(
        &self,
        context: &Context,
        models: &Models,
    ) -> Result<Option<LawMeasure>, Error> {
        self.law.check(self.number)?;
        let Some(first) = models.iter().next() else {
            self.law.note_unused(context);
            return Ok(None);
        };
        let named = self.rules(models);
        let is_named = named.is_some();
        let rules = LawRules::of(named.unwrap_or_default())?;
        let checkpoint = self.deep.checkpoint();
        if checkpoint.is_some() && models.iter().count() > 1 {
            return Err(Error::OneCheckpoint { models: models.iter().count() });
        }
        if !self.law.is_named() {
            let (root, increments) = effort::name(first);
            context.note(&format!(
                "root {root}, increments {increments}: too many depth-1 classes to sweep in {}, so {} by the law of values \
                 (--engine law)",
                if first.is_binary() { "30 minutes" } else { "memory" },
                if self.number == Number::Certified { "bounds" } else { "estimates" }
            ));
        }
        let (truth, estimate) = self.curves.choose(models);
        let mut measurements = Vec::new();
        for model in models.iter() {
            let values = if rules.ideal { &truth } else { &estimate };
            let curves = Curves::new(truth.clone(), values.clone(), model.line().h_max());
            let request = LawRequest { number: self.number, checkpoint };
            measurements.push((model.clone(), self.law.measure(context, &curves, model, &request)?));
        }
        Ok(Some(LawMeasure { truth, estimate, number: self.number, rules, named: is_named, measurements }))
    }

    /// Measures all models: the deep ones one after the other, each on all threads, the others in parallel. The
    /// results do not depend on the number of threads.
    pub(crate) fn measure(
        &self,
        context: &Context,
        models: &Models,
        quality: bool,
    ) -> Result<Measure, Error> {
        let (truth, estimate) = self.curves.choose(models);
        let named = self.rules(models);
        let is_named = named.is_some();
        let rules = named.unwrap_or_default();
        let request = Request { rules: rules.rules(), number: self.number, quality: quality || is_named };
        let engines: Vec<Engine> = models.iter().map(|model| self.engine(context, model)).collect();
        // All models are checked before the first is measured, so that a refusal comes at once.
        for (model, engine) in models.iter().zip(&engines) {
            effort::check(model)?;
            match engine {
                Engine::Classes if is_deep(model) => {
                    // The other engines are for two moves.
                    self.deep.check(context, model, &request)?;
                    let (root, increments) = effort::name(model);
                    return Err(Error::TooDeepForMemory { root, increments });
                }
                Engine::Deep => self.deep.check(context, model, &Request { quality, ..request.clone() })?,
                _ => {}
            }
        }
        let is_swept = |engine: &Engine| *engine == Engine::Deep;
        let chosen = |swept: bool| {
            let of_kind = models.iter().zip(&engines).filter(move |(_, engine)| is_swept(engine) == swept);
            of_kind.map(|(model, _)| model).collect::<Vec<_>>()
        };
        let (deep, small) = (chosen(true), chosen(false));
        if deep.len() > 1 && self.deep.keeps() {
            return Err(Error::OneCheckpoint { models: deep.len() });
        }
        if deep.is_empty() {
            self.deep.note_unused(context);
        } else if request.quality && !quality {
            context.note(
                "the efficiency of the rules is left out where classes do not fit into memory: it needs a second \
                 sweep; add --quality to measure it",
            );
        }
        let deep_request = Request { quality, ..request.clone() };
        let mut small = measure(context, &small, &truth, &estimate, &request)?.into_iter();
        let mut measurements = Vec::new();
        for (model, engine) in models.iter().zip(&engines) {
            if is_swept(engine) {
                let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
                measurements
                    .push((model.clone(), self.deep.measure(context, &curves, model, &deep_request)?));
            } else {
                measurements.extend(small.next());
            }
        }
        Ok(Measure { truth, estimate, number: self.number, rules, named: is_named, measurements })
    }
}

/// Measures models in memory with the same curves.
pub(crate) fn measure(
    context: &Context,
    models: &[&Model],
    truth: &Curve,
    estimate: &Curve,
    request: &Request,
) -> Result<Vec<(Model, Measurement)>, Error> {
    let quality = usize::from(request.quality);
    let work = MeasureWork {
        rankings: 2 + quality,
        contests: 1 + quality,
        numbers: NumberCost::of(request.number, truth),
    };
    let efforts = models.iter().map(|model| in_memory(model, &Plan::of(model), &work));
    let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
    let instead = "use doubles (--number f64), smaller increments or --engine deep";
    let _meter = guard::admit(context, &effort::names(models), effort, instead)?;
    let curves = CurvesByLine::new(truth, estimate, models);
    let one = |&model: &&Model| {
        let measurement = curves.of(model).answer(model, request).map_err(|source| failed(model, source))?;
        Ok((model.clone(), measurement))
    };
    models.par_iter().map(one).collect()
}

fn failed(model: &Model, source: MeasureError) -> Error {
    let (root, increments) = effort::name(model);
    Error::Measure { root, increments, source }
}
