//! The arguments of every command that measures models: curves, ties and the kind of numbers.

use clap::{Args, ValueEnum};
use prodmax_enumerate::Model;
use prodmax_jobs::Effort;
use prodmax_mass::answer::{CurveKeys, MassAnswer};
use prodmax_mass::deep::Options;
use prodmax_mass::{
    Certified, Curve, Curves, CurvesByLine, Doubles, Engine, Exact, Measure, MeasureError, MeasurePlan,
    Measurement, Number, NumberKind,
};
use prodmax_number::Figure;
use prodmax_rules::{RuleList, RulePair};
use rayon::prelude::*;

use crate::context::Context;
use crate::deep_args::{self, DeepArgs};
use crate::effort;
use crate::error::Error;
use crate::files::Files;
use crate::guard;
use crate::law_args::LawArgs;
use crate::model_args::Models;
use crate::shard::plan::WorkPlan;

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

impl MeasureArgs {
    /// The files that these arguments name.
    pub(crate) fn files(&self, files: Files) -> Files {
        self.deep.files(files)
    }

    /// Whether rules were named.
    pub(crate) fn names_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The rules, if they were named here or in the spec.
    fn rules(&self, models: &Models) -> Option<RulePair> {
        self.rules.clone().or_else(|| models.settings().rules.as_ref().map(RuleList::pair))
    }

    fn engine(&self, model: &Model, most_seconds: f64) -> Engine {
        self.law.engine().unwrap_or_else(|| Engine::of(model, most_seconds))
    }

    /// What is asked of a model. Quality is measured if asked for, with named rules where it costs little, and always by a law.
    fn ask<'a, K: NumberKind>(
        &self,
        model: &'a Model,
        curves: &'a Curves,
        Asked { rules, quality, most_seconds }: Asked<'_>,
    ) -> Measure<'a, K> {
        let engine = self.engine(model, most_seconds);
        let quality = match engine {
            Engine::Classes => quality || rules.is_some(),
            Engine::Deep => quality,
            Engine::Law => true,
        };
        let rules = rules.cloned().unwrap_or_default().rules();
        let measure = Measure::new(model, curves).number::<K>().rules(rules).quality(quality);
        self.law.on_grid(measure).engine(engine).within(most_seconds)
    }

    /// What the sweeps of all deep models take in this many shards.
    pub(crate) fn plan(&self, models: &Models, quality: bool, shards: u32) -> Result<WorkPlan, Error> {
        self.with_deep::<Doubles, _>(models, quality, |plans| deep_args::work_plan(plans, shards))
    }

    /// Computes a shard of every deep model.
    pub(crate) fn share(&self, context: &Context, models: &Models, quality: bool) -> Result<(), Error> {
        match self.number {
            Number::Certified => self.share_in::<Certified>(context, models, quality),
            Number::Exact => self.share_in::<Exact>(context, models, quality),
            _ => self.share_in::<Doubles>(context, models, quality),
        }
    }

    fn share_in<K: NumberKind>(
        &self,
        context: &Context,
        models: &Models,
        quality: bool,
    ) -> Result<(), Error> {
        self.with_deep::<K, _>(models, quality, |plans| self.deep.share(context, plans))
    }

    /// The plans of all models that are swept block by block; none takes too long then.
    fn with_deep<K: NumberKind, T>(
        &self,
        models: &Models,
        quality: bool,
        work: impl FnOnce(&[MeasurePlan<'_, K>]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let all: Vec<&Model> = models.iter().collect();
        let (truth, estimate) = self.curves.choose(models);
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let rules = self.rules(models);
        let asked = Asked { rules: rules.as_ref(), quality, most_seconds: f64::INFINITY };
        let mut plans = Vec::new();
        for model in all {
            if self.engine(model, asked.most_seconds) == Engine::Deep {
                plans.push(planned(self.ask::<K>(model, curves.of(model), asked))?);
            }
        }
        work(&plans)
    }

    /// Measures all models: those by a law and the deep ones one after the other, each on all threads, the others in parallel.
    /// The results do not depend on the number of threads.
    pub(crate) fn measure(
        &self,
        context: &Context,
        models: &Models,
        quality: bool,
    ) -> Result<Vec<MassAnswer>, Error> {
        let (truth, estimate) = self.curves.choose(models);
        let rules = self.rules(models);
        let asked = Asked { rules: rules.as_ref(), quality, most_seconds: self.deep.most_seconds(context) };
        let all: Vec<&Model> = models.iter().collect();
        let curves = CurvesByLine::new(&truth, &estimate, &all);
        let found = match self.number {
            Number::Certified => self.measure_in::<Certified>(context, &all, &curves, asked)?,
            Number::Exact => self.measure_in::<Exact>(context, &all, &curves, asked)?,
            _ => self.measure_in::<Doubles>(context, &all, &curves, asked)?,
        };
        let names = rules.clone().unwrap_or_default().names().map(str::to_owned);
        let curves = CurveKeys::new(&truth, &estimate, self.number);
        let answer =
            |(model, measured): (&Model, _)| MassAnswer::new(model, curves.clone(), names.clone(), measured);
        Ok(all.into_iter().zip(found).map(answer).collect())
    }

    fn measure_in<'m, K: NumberKind>(
        &self,
        context: &Context,
        models: &[&'m Model],
        curves: &'m CurvesByLine,
        asked: Asked<'_>,
    ) -> Result<Vec<Measurement<Figure>>, Error> {
        self.law.check(self.number)?;
        // All models are planned before the first is measured, so that a refusal comes at once.
        let plan = |&model: &&'m Model| -> Result<(Measure<'m, K>, MeasurePlan<'m, K>), Error> {
            let measure = self.ask::<K>(model, curves.of(model), asked);
            if self.engine(model, asked.most_seconds) != Engine::Law {
                effort::check(model)?;
            }
            Ok((measure.clone(), planned(measure)?))
        };
        let plans = models.iter().map(plan).collect::<Result<Vec<_>, Error>>()?;
        self.note(context, &plans, asked)?;
        let mut found: Vec<Option<Measurement<Figure>>> = plans.iter().map(|_| None).collect();
        let of =
            |engine: Engine| plans.iter().enumerate().filter(move |(_, (_, plan))| plan.engine() == engine);
        for (place, (measure, _)) in of(Engine::Law) {
            found[place] = Some(self.law.measure(context, &self.deep, measure)?);
        }
        let small: Vec<(usize, &MeasurePlan<'_, K>)> =
            of(Engine::Classes).map(|(place, (_, plan))| (place, plan)).collect();
        let (places, small): (Vec<usize>, Vec<_>) = small.into_iter().unzip();
        for (place, measured) in places.into_iter().zip(measure_in_memory(context, &small)?) {
            found[place] = Some(measured);
        }
        for (place, (_, plan)) in of(Engine::Deep) {
            found[place] = Some(self.deep.measure(context, plan)?);
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Says what is not as one might expect, and refuses one checkpoint for several models.
    fn note<K: NumberKind>(
        &self,
        context: &Context,
        plans: &[(Measure<'_, K>, MeasurePlan<'_, K>)],
        asked: Asked<'_>,
    ) -> Result<(), Error> {
        let of = |engine: Engine| plans.iter().filter(move |(_, plan)| plan.engine() == engine);
        for models in [of(Engine::Law).count(), of(Engine::Deep).count()] {
            if models > 1 && self.deep.keeps() {
                return Err(Error::OneCheckpoint { models });
            }
        }
        match of(Engine::Law).next() {
            None => self.law.note_unused(context),
            Some((_, plan)) if self.law.engine().is_none() => {
                let (root, increments) = effort::name(plan.model());
                context.note(&format!(
                    "root {root}, increments {increments}: too many depth-1 classes to sweep in {}, so {} by the law of values \
                     (--engine law)",
                    if plan.model().is_binary() { "30 minutes" } else { "memory" },
                    if self.number == Number::Certified { "bounds" } else { "estimates" }
                ));
            }
            Some(_) => {}
        }
        if of(Engine::Deep).next().is_some() {
            if asked.rules.is_some() && !asked.quality {
                context.note(
                    "the efficiency of the rules is left out where classes do not fit into memory: it needs a second \
                     sweep; add --quality to measure it",
                );
            }
        } else if of(Engine::Classes).next().is_some() {
            self.deep.note_unused(context);
        }
        Ok(())
    }
}

/// What is asked of all models.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// The rules, if they were named.
    rules: Option<&'a RulePair>,
    quality: bool,
    /// The longest that a sweep block by block may take.
    most_seconds: f64,
}

/// The plan of a measurement, or why there is none.
pub(crate) fn planned<'a, K: NumberKind>(measure: Measure<'a, K>) -> Result<MeasurePlan<'a, K>, Error> {
    let model = measure.model();
    measure.plan().map_err(|source| failed(model, source))
}

/// Measures models in memory, all at once.
pub(crate) fn measure_in_memory<K: NumberKind>(
    context: &Context,
    plans: &[&MeasurePlan<'_, K>],
) -> Result<Vec<Measurement<Figure>>, Error> {
    let efforts = plans.iter().map(|plan| plan.effort(0, 1));
    let effort = Effort::in_parallel(efforts, rayon::current_num_threads());
    let models: Vec<&Model> = plans.iter().map(|plan| plan.model()).collect();
    let instead = "use doubles (--number f64), smaller increments or --engine deep";
    let _meter = guard::admit(context, &effort::names(&models), effort, instead)?;
    let options = Options::new(context.interrupt(), &|_, _| {});
    let one = |plan: &&MeasurePlan<'_, K>| {
        Ok(plan.run(&options).map_err(|source| failed(plan.model(), source))?.map(Into::into))
    };
    plans.par_iter().map(one).collect()
}

pub(crate) fn failed(model: &Model, source: MeasureError) -> Error {
    let (root, increments) = effort::name(model);
    Error::Measure { root, increments, source }
}
