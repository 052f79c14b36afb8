//! Figures by the law of values, for models of any depth.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use prodmax_enumerate::Model;
use prodmax_golden::quantity::{LawAnswer, LawFigure};
use prodmax_mass::{
    Certified, Curve, Curves, Engine, Measure, MeasureError, Measurement, NumberKind, deep, law,
};
use prodmax_number::{Approximate, Figure, Fraction};

/// Error rates that the search for a threshold visits are multiples of one in this number.
const RATES: i32 = 1 << 12;

/// Which law: the trees, truth and estimate, the kind of answer, and steps of the grid.
type Which = (Model, [Curve; 2], LawAnswer, u32);

/// Laws that were computed.
#[derive(Default)]
pub(crate) struct Laws {
    found: Mutex<HashMap<Which, Measurement<Figure>>>,
    thresholds: Mutex<HashMap<(Model, u32), Option<Figure>>>,
}

impl Laws {
    /// A figure of a model with given curves.
    pub(crate) fn figure(
        &self,
        model: &Model,
        curves: &Curves,
        (figure, answer, grid): (LawFigure, LawAnswer, u32),
        interrupt: &AtomicBool,
    ) -> Result<Option<Figure>, MeasureError> {
        if figure == LawFigure::RandomWon {
            let [_, [low, high]] = law::minimax_and_random_won(model, curves);
            return Ok(Some(Figure::Between([low, high])));
        }
        let kept = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let of = [&curves.truth, &curves.estimate].map(|table| table.curve().clone());
        let key = (model.clone(), of, answer, grid);
        let known = kept().get(&key).cloned();
        let found = match known {
            Some(found) => found,
            None => {
                let law = Measure::new(model, curves).quality(true);
                let found = match answer {
                    LawAnswer::Bounds => run(law.number::<Certified>(), grid, interrupt)?,
                    LawAnswer::Estimate => run(law, grid, interrupt)?,
                };
                kept().insert(key, found.clone());
                found
            }
        };
        Ok(match figure {
            LawFigure::DifferencePercent => found.matches[0].figures.difference_percent.clone(),
            LawFigure::MinimaxEfficiency => found.quality[0].efficiency.clone(),
            LawFigure::ProductEfficiency => found.quality[1].efficiency.clone(),
            LawFigure::RandomWon => found.chances.map(|chances| chances.random),
        })
    }

    /// The uniform error rate at which Minimax becomes superior.
    pub(crate) fn threshold(
        &self,
        model: &Model,
        estimate: &Curve,
        grid: u32,
        interrupt: &AtomicBool,
    ) -> Result<Option<Figure>, MeasureError> {
        let kept = || self.thresholds.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.clone(), grid);
        if let Some(value) = kept().get(&key) {
            return Ok(value.clone());
        }
        let value = threshold(model, estimate, grid, interrupt)?;
        kept().insert(key, value.clone());
        Ok(value)
    }
}

/// Measures by the law of values.
fn run<K: NumberKind>(
    measure: Measure<'_, K>,
    grid: u32,
    interrupt: &AtomicBool,
) -> Result<Measurement<Figure>, MeasureError> {
    let plan = measure.engine(Engine::Law).grid(grid).plan()?;
    Ok(plan.run(&deep::Options::new(interrupt, &|_, _| {}))?.map(Into::into))
}

/// The uniform error rate in percent at which the difference changes its sign from Minimax's side to Product's: found
/// between two neighbouring rates by bisection, and between these by a straight line.
fn threshold(
    model: &Model,
    estimate: &Curve,
    grid: u32,
    interrupt: &AtomicBool,
) -> Result<Option<Figure>, MeasureError> {
    let difference = |rate: i32| -> Result<Option<Approximate>, MeasureError> {
        let truth = Curve::Uniform(Fraction::new(rate.into(), RATES.into()));
        let curves = Curves::new(truth, estimate.clone(), model.line().h_max());
        let options = deep::Options::new(interrupt, &|_, _| {});
        let plan = Measure::new(model, &curves).engine(Engine::Law).grid(grid).plan()?;
        Ok(plan.run(&options)?.matches[0].figures.difference_percent)
    };
    let (mut low, mut high) = (1, RATES / 2 - 1);
    let (Some(mut at_low), Some(mut at_high)) = (difference(low)?, difference(high)?) else {
        return Ok(None);
    };
    if at_low.value <= 0.0 || at_high.value >= 0.0 {
        return Ok(None);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        let Some(here) = difference(middle)? else { return Ok(None) };
        if here.value > 0.0 {
            (low, at_low) = (middle, here);
        } else {
            (high, at_high) = (middle, here);
        }
    }
    let slope = at_low.value - at_high.value;
    let percent = 100.0 / f64::from(RATES);
    let value = percent * (f64::from(low) + at_low.value / slope);
    // The line is off by far less than a hundredth of the distance between the rates.
    let error = percent * (at_low.error().max(at_high.error()) / slope + 0.01);
    Ok(Some(Approximate::estimated(value, error).into()))
}
