//! Which engine measures a model, and the arguments of the law engine.

use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prodmax_mass::{Engine, Measure, Measurement, Number, NumberKind};
use prodmax_number::Figure;

use crate::context::Context;
use crate::deep_args::DeepArgs;
use crate::effort;
use crate::error::Error;
use crate::measure_args::planned;
use crate::whole_number::whole;

/// The first grid when refining.
const FIRST_STEPS: u32 = 1 << 11;

/// The last grid when refining: one twice as fine would take more than a few gigabytes.
const MAX_STEPS: u32 = 1 << 17;

/// A run on a grid with half the step takes this many times as long.
const SLOWER: f64 = 2.2;

/// Reads the name of an engine.
fn engine() -> impl TypedValueParser<Value = Engine> {
    let named = |engine: Engine| PossibleValue::new(engine.name()).help(engine.description());
    PossibleValuesParser::new(Engine::ALL.map(named)).try_map(|text| text.parse::<Engine>())
}

/// The engine and its grid.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct LawArgs {
    /// How masses are summed [default: classes while they fit into memory, deep while it takes less than 30 minutes, else law]
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
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

impl LawArgs {
    /// A measurement on the grid that was named.
    pub(crate) fn on_grid<'a, K: NumberKind>(&self, measure: Measure<'a, K>) -> Measure<'a, K> {
        match self.grid {
            Some(steps) => measure.grid(steps),
            None => measure,
        }
    }

    /// The engine that was named.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.engine
    }

    /// Notes that a grid was named that is not used.
    pub(crate) fn note_unused(&self, context: &Context) {
        if self.grid.is_some() || self.width.is_some() {
            context
                .note("--grid and --width belong to the law engine; the classes are swept, which is exact");
        }
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

    /// Measures a model by the law of its values, on finer and finer grids if a width was asked for.
    pub(crate) fn measure<K: NumberKind>(
        &self,
        context: &Context,
        deep: &DeepArgs,
        measure: &Measure<'_, K>,
    ) -> Result<Measurement<Figure>, Error> {
        let run = |measure: Measure<'_, K>| deep.measure(context, &planned(measure)?);
        let Some(wanted) = self.width else { return run(measure.clone()) };
        let (root, increments) = effort::name(measure.model());
        let begun = Instant::now();
        let mut steps = FIRST_STEPS;
        loop {
            let this_run = Instant::now();
            let found = run(measure.clone().grid(steps))?;
            let difference = found.matches[0].figures.difference_percent.as_ref();
            let width =
                difference.and_then(Figure::margin_ends).map_or(f64::INFINITY, |[low, high]| high - low);
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
                return Ok(found);
            }
            steps *= 2;
        }
    }
}
