//! Which engine measures a model, and the arguments of the law engine.

use std::time::{Duration, Instant};

use std::path::Path;

use clap::Args;
use prodmax_enumerate::Model;
use prodmax_mass::law::{self, Bounds, Estimated, LawError};
use prodmax_mass::{Curves, Number};
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;
use prodmax_rules::{Rule, RulePair};

use crate::context::Context;
use crate::effort;
use crate::engine::{Engine, default_steps};
use crate::error::Error;
use crate::guard;
use crate::signals::{kept_in, set_exit_message};
use crate::whole_number::whole;

/// The first grid when refining.
const FIRST_STEPS: u32 = 1 << 11;

/// The last grid when refining: one twice as fine would take more than a few gigabytes.
const MAX_STEPS: u32 = 1 << 17;

/// A run on a grid with half the step takes this many times as long.
const SLOWER: f64 = 2.2;

/// The engine and its grid.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct LawArgs {
    /// How masses are summed [default: classes while they fit into memory, deep while it takes less than 30 minutes, else law]
    #[arg(long, value_enum, value_name = "ENGINE")]
    engine: Option<Engine>,

    /// For the law: steps of the grid per unit of -ln p, a power of two from 16 to 1048576 [default: 4096 for
    /// estimates, 8192 for certified numbers]
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    grid: Option<u32>,

    /// For the law and certified numbers: halve the step until the interval of the difference is narrower than W points
    #[arg(long, value_name = "W", conflicts_with = "grid")]
    width: Option<f64>,

    /// With --width: start no grid with which everything would take longer than this
    #[arg(long, value_name = "SECONDS", requires = "width", default_value_t = 600.0)]
    time_limit: f64,
}

/// What the law engine found.
pub(crate) enum Answer {
    Estimate(Estimated),
    Bounds(Bounds),
}

/// An answer and the grid it comes from.
pub(crate) struct LawMeasurement {
    pub(crate) steps: u32,
    pub(crate) answer: Answer,
}

/// What to measure.
#[derive(Clone, Copy)]
pub(crate) struct LawRequest<'a> {
    pub(crate) number: Number,
    /// Where finished sums are kept.
    pub(crate) checkpoint: Option<&'a Path>,
}

/// Two rules whose law factorises.
#[derive(Clone, Debug)]
pub(crate) struct LawRules {
    pub(crate) rules: RulePair,
    /// Whether the rule that is not Minimax is the ideal one: Product on the truth.
    pub(crate) ideal: bool,
    /// Whether Minimax is the second rule.
    pub(crate) swapped: bool,
}

impl LawRules {
    /// Refuses all rules but these.
    pub(crate) fn of(rules: RulePair) -> Result<Self, Error> {
        let minimax = Rule::from(Minimax);
        let [first, second] = rules.rules();
        let swapped = first != minimax;
        let other = if swapped { &first } else { &second };
        let ideal = *other == Rule::from(Ideal);
        let known = ideal || *other == Rule::from(Product);
        if !known || (swapped && second != minimax) {
            let [first, second] = rules.names().map(str::to_owned);
            return Err(Error::LawRules { first, second });
        }
        Ok(Self { rules, ideal, swapped })
    }
}

impl LawArgs {
    /// The engine for a model.
    pub(crate) fn engine(&self, model: &Model, force: bool) -> Engine {
        self.engine.unwrap_or_else(|| Engine::of(model, force, rayon::current_num_threads()))
    }

    /// Notes that a grid was named that is not used.
    pub(crate) fn note_unused(&self, context: &Context) {
        if self.grid.is_some() || self.width.is_some() {
            context
                .note("--grid and --width belong to the law engine; the classes are swept, which is exact");
        }
    }

    /// Whether the engine was named.
    pub(crate) fn is_named(&self) -> bool {
        self.engine.is_some()
    }

    /// Refuses a refinement that never ends, or that is not a refinement.
    pub(crate) fn check(&self, number: Number) -> Result<(), Error> {
        match (self.width, number) {
            (Some(width), _) if !(width > 0.0 && width.is_finite()) => Err(Error::LawWidth { width }),
            (Some(_), Number::F64 | Number::Exact) => Err(Error::LawWidthOfEstimate),
            _ if self.time_limit.is_nan() || self.time_limit < 0.0 => {
                Err(Error::LawTime { seconds: self.time_limit })
            }
            _ => Ok(()),
        }
    }

    /// Measures a model by the law of its values.
    pub(crate) fn measure(
        &self,
        context: &Context,
        curves: &Curves,
        model: &Model,
        request: &LawRequest<'_>,
    ) -> Result<LawMeasurement, Error> {
        let LawRequest { number, checkpoint } = *request;
        let (root, increments) = effort::name(model);
        let failed = |source: LawError| {
            let (root, increments) = (root.clone(), increments.clone());
            match source {
                LawError::Interrupted if checkpoint.is_some() => Error::LawContinued { root, increments },
                source => Error::Law { root, increments, source },
            }
        };
        if let Some(path) = checkpoint {
            set_exit_message(kept_in(path));
        }
        if number == Number::Exact {
            return Err(Error::LawExact { root, increments });
        }
        let interrupt = context.interrupt();
        let threads = rayon::current_num_threads();
        let run = |steps: u32| {
            let what = format!("root {root}, increments {increments}, grid {steps}");
            let effort = law::effort(model, steps, threads);
            let meter = guard::admit(context, &what, effort, "use a coarser grid")?;
            let progress = |done, all| meter.show(done, all);
            let options =
                law::Options { quality: true, checkpoint, ..law::Options::new(steps, interrupt, &progress) };
            Ok::<_, Error>(if number == Number::Certified {
                Answer::Bounds(law::bounds(model, curves, &options).map_err(failed)?)
            } else {
                Answer::Estimate(law::estimate(model, curves, &options).map_err(failed)?)
            })
        };
        let Some(wanted) = self.width else {
            let steps = self.grid.unwrap_or_else(|| default_steps(number));
            return Ok(LawMeasurement { steps, answer: run(steps)? });
        };
        let begun = Instant::now();
        let mut steps = FIRST_STEPS;
        loop {
            let this_run = Instant::now();
            let answer = run(steps)?;
            let width = if let Answer::Bounds(bounds) = &answer { bounds.width() } else { 0.0 };
            let next = this_run.elapsed().mul_f64(SLOWER);
            let late = begun.elapsed() + next
                > Duration::try_from_secs_f64(self.time_limit).unwrap_or(Duration::MAX);
            if width > wanted && (late || steps >= MAX_STEPS) {
                context.note(&format!(
                    "root {root}, increments {increments}: the interval of the difference is {width:.3} points wide, not {wanted}; {}",
                    if late { "a finer grid would take too long (--time-limit)" } else { "no finer grid is used" }
                ));
            }
            if width <= wanted || late || steps >= MAX_STEPS {
                return Ok(LawMeasurement { steps, answer });
            }
            steps *= 2;
        }
    }
}
