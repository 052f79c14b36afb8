//! Figures by the law of values, for models of any depth.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use prodmax_enumerate::Model;
use prodmax_golden::quantity::{LawAnswer, LawFigure};
use prodmax_mass::law::{self, Bounds, Estimated, Interval, LawError, LawQuality};
use prodmax_mass::{Curve, Curves};
use prodmax_number::Fraction;
use prodmax_number::{Approximate, Figure};

/// Error rates that the search for a threshold visits are multiples of one in this number.
const RATES: i32 = 1 << 12;

/// What the law of a model gives.
#[derive(Clone)]
enum Found {
    Bounds(Box<Bounds>),
    Estimate(Box<Estimated>),
}

/// Which law: the trees, truth and estimate, the kind of answer, and steps of the grid.
type Which = (Model, [Curve; 2], LawAnswer, u32);

/// Laws that were computed.
#[derive(Default)]
pub(crate) struct Laws {
    found: Mutex<HashMap<Which, Found>>,
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
    ) -> Result<Option<Figure>, LawError> {
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
                let options =
                    law::Options { quality: true, ..law::Options::new(grid, interrupt, &|_, _| {}) };
                let found = match answer {
                    LawAnswer::Bounds => Found::Bounds(Box::new(law::bounds(model, curves, &options)?)),
                    LawAnswer::Estimate => Found::Estimate(Box::new(law::estimate(model, curves, &options)?)),
                };
                kept().insert(key, found.clone());
                found
            }
        };
        let between = |[low, high]: Interval| Figure::Between([low, high]);
        let picked = match found {
            Found::Bounds(bounds) => {
                pick(figure, bounds.figures.difference_percent, bounds.quality).map(between)
            }
            Found::Estimate(found) => {
                pick(figure, found.figures.difference_percent, found.quality).map(Figure::from)
            }
        };
        Ok(picked)
    }

    /// The uniform error rate at which Minimax becomes superior.
    pub(crate) fn threshold(
        &self,
        model: &Model,
        estimate: &Curve,
        grid: u32,
        interrupt: &AtomicBool,
    ) -> Result<Option<Figure>, LawError> {
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

fn pick<N: Copy>(figure: LawFigure, difference: Option<N>, quality: Option<LawQuality<N>>) -> Option<N> {
    match figure {
        LawFigure::DifferencePercent => difference,
        LawFigure::MinimaxEfficiency => quality?.efficiency[0],
        LawFigure::ProductEfficiency => quality?.efficiency[1],
        LawFigure::RandomWon => Some(quality?.random),
    }
}

/// The uniform error rate in percent at which the difference changes its sign from Minimax's side to Product's: found
/// between two neighbouring rates by bisection, and between these by a straight line.
fn threshold(
    model: &Model,
    estimate: &Curve,
    grid: u32,
    interrupt: &AtomicBool,
) -> Result<Option<Figure>, LawError> {
    let difference = |rate: i32| -> Result<Option<Approximate>, LawError> {
        let truth = Curve::Uniform(Fraction::new(rate.into(), RATES.into()));
        let curves = Curves::new(truth, estimate.clone(), model.line().h_max());
        let options = law::Options::new(grid, interrupt, &|_, _| {});
        Ok(law::estimate(model, &curves, &options)?.figures.difference_percent)
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
