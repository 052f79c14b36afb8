//! Measures one model: its critical trees and error masses in the kind of number asked for.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use num_bigint::BigUint;
use prodmax_enumerate::{Model, Plan};
use prodmax_number::possible::{ImpossibleFigure, Kind};
use prodmax_number::{Enclosure, Fraction};
use prodmax_rules::Rule;
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;
use prodmax_rules::{Curve, CurveTable};
use thiserror::Error;

use crate::arithmetic::{Certified, Exact, Field, Float};
use crate::contest::Contest;
use crate::contestant::Contestant;
use crate::critical::{Counts, Mass, MassError};
use crate::deep::{self, DeepError, DeepMass, DeepWon};
use crate::figures::Figures;
use crate::forest::Forest;
use crate::quality::{Chances, Quality, won};
use crate::ranking::{Comparisons, Ranking};

/// Binary places of certified figures: their widths are some 10^-40 of the figures.
pub(crate) const CERTIFIED_BITS: u32 = 160;

/// Up to this number of depth-1 classes, all are held in memory at once; more are swept block by block.
pub(crate) const MAX_IN_MEMORY: u32 = 1 << 21;

/// Whether a model has too many depth-1 classes for [`Curves::measure`], so that [`Curves::answer_deep`] has to be used.
pub fn is_deep(model: &Model) -> bool {
    model.depth() > 1 && *Plan::of(model).depth_one_classes() > BigUint::from(MAX_IN_MEMORY)
}

/// Doubles reach 2^1024. No sum exceeds the number of trees; percentages take a little more.
const MAX_BITS: u64 = 1000;

/// Refuses models with more trees than doubles can hold, if masses are summed in doubles.
pub(crate) fn check_doubles(model: &Model, number: Number) -> Result<(), MassError> {
    let trees = model.trees();
    if number != Number::F64 || trees.bits() <= MAX_BITS {
        return Ok(());
    }
    Err(MassError::BeyondDoubles { digits: trees.to_string().len() as u64 - 1 })
}

/// The numbers in which masses are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Number {
    /// Doubles with compensated sums.
    #[default]
    F64,
    /// Enclosures.
    Certified,
    /// Fractions, for a rational truth curve.
    Exact,
}

impl FromStr for Number {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "f64" => Ok(Self::F64),
            "certified" => Ok(Self::Certified),
            "exact" => Ok(Self::Exact),
            _ => Err(format!("`{text}` is not a kind of number; use f64, certified or exact")),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F64 => "f64",
            Self::Certified => "certified",
            Self::Exact => "exact",
        })
    }
}

/// Why a measurement fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The critical trees cannot be found.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// A deep model failed.
    #[error(transparent)]
    Deep(Box<DeepError>),
    /// Fractions were asked for with an irrational curve.
    #[error(
        "exact fractions need a rational truth curve (uniform:P), not {0}; use certified numbers for this one"
    )]
    Irrational(Curve),
}

impl From<DeepError> for MeasureError {
    fn from(error: DeepError) -> Self {
        Self::Deep(Box::new(error))
    }
}

/// Error masses and what follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MassFigures<N> {
    /// The masses.
    pub mass: Mass<N>,
    /// The percentages.
    pub figures: Figures<N>,
    /// What each rule wins over all trees, ties included.
    pub won: Won<N>,
    /// How well each of the two rules decides, if asked for.
    pub quality: Option<PairQuality<N>>,
}

/// What two rules win. A difference in percent of the errors leaves ties out, so the two measures can disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Won<N> {
    /// Mean over all ordered trees of the probability that the move chosen by the first and by the second rule is won.
    pub rules: [N; 2],
    /// What ties contribute to won of the first rule minus won of the second; the rest is (e2 - e1) / trees. In percentage
    /// points.
    pub ties_points: N,
}

impl<N: Clone> Won<N> {
    fn of<F: Field<Number = N>>(
        field: &F,
        rules: [N; 2],
        mass: &Mass<N>,
        trees: &BigUint,
    ) -> Result<Self, ImpossibleFigure> {
        let name = ["what the first rule wins", "what the second rule wins"];
        let checked = |place: usize| {
            field.possible(Kind::Probability, rules[place].clone()).map_err(|reason| reason.of(name[place]))
        };
        let rules = [checked(0)?, checked(1)?];
        let lead = field.sub(&rules[0], &rules[1]);
        let critical = field.sub(&mass.second_error, &mass.first_error);
        let critical = field.div(&critical, &field.whole(trees)).unwrap_or_else(|| field.integer(0));
        let ties_points = field.scale(100, &field.sub(&lead, &critical));
        Ok(Self { rules, ties_points })
    }
}

/// The quality of two rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairQuality<N> {
    /// The quality of the first and of the second rule.
    pub rules: [Quality<N>; 2],
    /// What can be won.
    pub chances: Chances<N>,
}

impl<N: Clone> Chances<N> {
    /// The quality of two rules that win so much.
    fn of_pair<F: Field<Number = N>>(
        self,
        field: &F,
        [first, second]: [N; 2],
    ) -> Result<PairQuality<N>, ImpossibleFigure> {
        Ok(PairQuality { rules: [self.quality(field, first)?, self.quality(field, second)?], chances: self })
    }
}

/// The rules of KHS: Minimax against Product.
pub fn khs_rules() -> [Rule; 2] {
    [Minimax.into(), Product.into()]
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first rule, which chooses M, and the second, which chooses P.
    pub rules: [Rule; 2],
    /// The numbers in which masses are summed.
    pub number: Number,
    /// Whether to measure the quality of each rule, too. It takes one more ranking.
    pub quality: bool,
}

impl Request {
    /// Minimax against Product without their quality.
    pub fn khs(number: Number) -> Self {
        Self { rules: khs_rules(), number, quality: false }
    }
}

/// The figures in the numbers asked for. Not `#[non_exhaustive]`: whoever shows results must show them in every kind of
/// number, and the compiler should say where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    /// Doubles.
    F64(MassFigures<f64>),
    /// Enclosures.
    Certified(MassFigures<Enclosure>),
    /// Fractions.
    Exact(MassFigures<Fraction>),
}

/// All results for one model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement {
    /// Depth-1 classes.
    pub classes: u64,
    /// The kinds of ordered trees.
    pub counts: Counts,
    /// How the order by product value was proved.
    pub comparisons: Comparisons,
    /// The error masses.
    pub measured: Measured,
    /// A proven bound on the error of each mass, where they were summed block by block in doubles.
    pub bound: Option<f64>,
}

/// The curves on one line: what is true and what Product believes. They are shared by many models.
#[derive(Debug)]
pub struct Curves {
    /// The probability that a leaf is won.
    pub truth: CurveTable,
    /// Product's estimate of it, f'.
    pub estimate: CurveTable,
}

impl Curves {
    /// Both curves on the line with this end.
    pub fn new(truth: Curve, estimate: Curve, h_max: i32) -> Self {
        Self { truth: CurveTable::new(truth, h_max), estimate: CurveTable::new(estimate, h_max) }
    }

    /// Measures a model on the same line: Minimax against Product.
    ///
    /// The model of KHS at depth 2 with root +1; Storm, a model checker, finds the same difference:
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::{Curve, Curves, Measured, Number};
    ///
    /// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
    /// // The truth is w_4, and Product believes w_1 (eq. 2).
    /// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    /// let measurement = curves.measure(&model, Number::F64)?;
    /// assert_eq!(measurement.counts.critical, 26_896u32.into());
    /// let Measured::F64(outcome) = measurement.measured else { return Err("no doubles".into()) };
    /// let difference = outcome.figures.difference_percent.ok_or("no tree is critical")?;
    /// assert!((difference - -6.468_599_539).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measure(&self, model: &Model, number: Number) -> Result<Measurement, MeasureError> {
        self.answer(model, &Request::khs(number))
    }

    /// The arithmetic of fractions, if the truth is rational.
    pub(crate) fn exact(&self) -> Result<Exact, MeasureError> {
        match self.truth.curve() {
            Curve::Uniform(error) => Ok(Exact { error: error.clone() }),
            irrational => Err(MeasureError::Irrational(irrational.clone())),
        }
    }

    /// The arithmetic of enclosures.
    pub(crate) fn certified(&self) -> Certified<'_> {
        Certified { curve: &self.truth, bits: CERTIFIED_BITS }
    }

    /// Measures a model on the same line.
    pub fn answer(&self, model: &Model, request: &Request) -> Result<Measurement, MeasureError> {
        // Refuse before the work starts.
        let exact = (request.number == Number::Exact).then(|| self.exact()).transpose()?;
        check_doubles(model, request.number)?;
        let forest = Forest::of(model).map_err(MassError::from)?;
        let [first, second] = request.rules.clone().map(|rule| Contestant::new(rule, self));
        let rankings = [forest.rank(&first)?, forest.rank(&second)?];
        let ideal = request.quality.then(|| forest.rank(&Contestant::new(Ideal.into(), self))).transpose()?;
        let mut comparisons = rankings[0].comparisons();
        comparisons.merge(&rankings[1].comparisons());
        let sweep = Sweep { forest, rankings, ideal };
        sweep.contest().check()?;
        let counts = sweep.contest().counts();
        let measured = match (request.number, exact) {
            (Number::Exact, Some(exact)) => Measured::Exact(sweep.outcome(&exact, &counts)?),
            (Number::Certified, _) => Measured::Certified(sweep.outcome(&self.certified(), &counts)?),
            _ => Measured::F64(sweep.outcome(&Float(&self.truth), &counts)?),
        };
        let classes = sweep.forest.classes().len() as u64;
        Ok(Measurement { classes, counts, comparisons, measured, bound: None })
    }

    /// Measures a model on the same line, in memory if its classes fit, otherwise block by block.
    pub fn answer_any(
        &self,
        model: &Model,
        request: &Request,
        options: &deep::Options<'_>,
    ) -> Result<Measurement, MeasureError> {
        if is_deep(model) {
            Ok(self.answer_deep(model, request, options)?)
        } else {
            self.answer(model, request)
        }
    }

    /// Measures a model whose depth-1 classes do not fit into memory, block by block. Its masses are doubles with a
    /// proven bound; as certified numbers they are the intervals that follow from it. The quality of the rules takes
    /// a second sweep, along the ideal rule; its checkpoint is next to that of the first one, with `.ideal` added to
    /// its name.
    ///
    /// Block by block although it is small: the cell of row (1, 3) and root -1 in Table II, with Storm's difference.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::deep::Options;
    /// use prodmax_mass::{Curve, Curves, Measured, Number, Request};
    ///
    /// let model = Model::new(-1, &[1, 1, 3], ZeroMode::Skip, 42)?;
    /// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    /// let interrupt = AtomicBool::new(false);
    /// let options = Options::new(&interrupt, &|_done, _all| {});
    /// let measurement = curves.answer_deep(&model, &Request::khs(Number::F64), &options)?;
    /// assert!(measurement.bound.is_some_and(|bound| bound < 1e-6));
    /// let Measured::F64(outcome) = measurement.measured else { return Err("no doubles".into()) };
    /// let difference = outcome.figures.difference_percent.ok_or("no tree is critical")?;
    /// assert!((difference - -4.440_829_252).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_deep(
        &self,
        model: &Model,
        request: &Request,
        options: &deep::Options<'_>,
    ) -> Result<Measurement, DeepError> {
        deep::check_model(model)?;
        if request.number == Number::Exact {
            return Err(DeepError::Exact);
        }
        let [first, second] = &request.rules;
        // The sweep goes along the second rule; Minimax against it is the same contest from the other side.
        let swapped = *second == Rule::from(Minimax);
        let along = if swapped { first } else { second };
        deep::check_rules([first, second])?;
        let mut deep = deep::mass(model, &self.truth, &Contestant::new(along.clone(), self), options)?;
        let mut ideal = None;
        if request.quality {
            let best = Rule::from(Ideal);
            let is_ideal = *along == best;
            ideal = Some(if is_ideal { deep.won.clone() } else { self.sweep(model, &best, options)?.won });
        }
        if swapped {
            deep.mass = deep.mass.swapped();
            deep.won.rules.reverse();
        }
        let trees = model.trees();
        let measured = if request.number == Number::Certified {
            let field = self.certified();
            let enclose = |bound: f64| move |won| deep::within(bound, won, CERTIFIED_BITS);
            let won = deep.won.rules.map(enclose(deep.won.bound));
            let mut outcome = outcome(&field, deep.certified(CERTIFIED_BITS), &deep.counts, won, &trees)?;
            let quality = ideal.map(|ideal| {
                let bound = deep.won.bound.max(ideal.bound);
                deep_quality(&field, &deep.won, &ideal, enclose(bound))
            });
            outcome.quality = quality.transpose()?;
            Measured::Certified(outcome)
        } else {
            let field = Float(&self.truth);
            let mut outcome = outcome(&field, deep.mass.clone(), &deep.counts, deep.won.rules, &trees)?;
            let quality = ideal.map(|ideal| deep_quality(&field, &deep.won, &ideal, |won| won));
            outcome.quality = quality.transpose()?;
            Measured::F64(outcome)
        };
        let DeepMass { counts, comparisons, pairs, bound, .. } = deep;
        Ok(Measurement { classes: pairs, counts, comparisons, measured, bound: Some(bound) })
    }
}

impl Curves {
    /// Sweeps a model along a rule, with its own checkpoint: the rule's name is added to that of the file.
    pub(crate) fn sweep(
        &self,
        model: &Model,
        rule: &Rule,
        options: &deep::Options<'_>,
    ) -> Result<DeepMass, DeepError> {
        let own = options.checkpoint.map(|path| {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            let suffix: String = rule.to_string().chars().map(plain).collect();
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{suffix}"));
            PathBuf::from(name)
        });
        let options = deep::Options { checkpoint: own.as_deref(), ..*options };
        deep::mass(model, &self.truth, &Contestant::new(rule.clone(), self), &options)
    }
}

/// The quality of two rules from a sweep along one of them and a sweep along the ideal rule.
fn deep_quality<F: Field>(
    field: &F,
    won: &DeepWon,
    ideal: &DeepWon,
    number: impl Fn(f64) -> F::Number,
) -> Result<PairQuality<F::Number>, MassError> {
    let chances = Chances::new(field, number(ideal.rules[1]), number(ideal.random))?;
    Ok(chances.of_pair(field, won.rules.map(number))?)
}

/// A model in memory with all rankings that a request needs.
struct Sweep {
    forest: Forest,
    rankings: [Ranking; 2],
    ideal: Option<Ranking>,
}

impl Sweep {
    fn contest(&self) -> Contest<'_> {
        Contest::new(&self.forest, &self.rankings[0], &self.rankings[1])
    }

    fn outcome<F: Field>(&self, field: &F, counts: &Counts) -> Result<MassFigures<F::Number>, MassError> {
        let truth = self.forest.truth(field);
        let rules = self.rankings.each_ref().map(|ranking| won(field, &self.forest, ranking, &truth));
        let quality = self
            .ideal
            .as_ref()
            .map(|ideal| Chances::of(field, &self.forest, ideal, &truth)?.of_pair(field, rules.clone()));
        let quality = quality.transpose()?;
        let mass = self.contest().mass(field, &truth);
        Ok(MassFigures { quality, ..outcome(field, mass, counts, rules, &self.forest.trees())? })
    }
}

/// The same curves on every line that some of the models lie on.
#[derive(Debug)]
pub struct CurvesByLine(Vec<Curves>);

impl CurvesByLine {
    /// Both curves for all these models.
    pub fn new(truth: &Curve, estimate: &Curve, models: &[&Model]) -> Self {
        let mut lines: Vec<i32> = models.iter().map(|model| model.line().h_max()).collect();
        lines.sort_unstable();
        lines.dedup();
        let on_line = |h_max| Curves::new(truth.clone(), estimate.clone(), h_max);
        Self(lines.into_iter().map(on_line).collect())
    }

    /// The curves on the line of a model.
    ///
    /// # Panics
    /// For a model on a line that none of the given models has.
    pub fn of(&self, model: &Model) -> &Curves {
        let h_max = model.line().h_max();
        &self.0[self.0.partition_point(|curves| curves.truth.h_max() < h_max)]
    }
}

fn outcome<F: Field>(
    field: &F,
    mass: Mass<F::Number>,
    counts: &Counts,
    won: [F::Number; 2],
    trees: &BigUint,
) -> Result<MassFigures<F::Number>, MassError> {
    let mass = mass.possible(field)?;
    let figures = Figures::of(field, &mass, &counts.critical)?;
    let won = Won::of(field, won, &mass, trees)?;
    Ok(MassFigures { mass, figures, won, quality: None })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use approx::assert_relative_eq;
    use num_traits::Zero as _;
    use prodmax_enumerate::ZeroMode;
    use prodmax_number::fraction::to_f64;

    use super::*;

    fn model(root: i64, increments: &[i64]) -> Model {
        Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
    }

    fn curves(truth: &str) -> Curves {
        Curves::new(truth.parse().unwrap(), Curve::arctan(1), 42)
    }

    #[test]
    fn only_what_does_not_fit_into_memory_is_deep() {
        assert!(is_deep(&model(1, &[8, 8, 8, 8])), "231 million classes");
        assert!(
            !is_deep(&model(1, &[8, 8, 8]))
                && !is_deep(&model(1, &[4, 4, 4, 4]))
                && !is_deep(&model(1, &[8]))
        );
    }

    #[test]
    fn numbers_are_named() {
        for name in ["f64", "certified", "exact"] {
            assert_eq!(name.parse::<Number>().unwrap().to_string(), name);
        }
        assert_eq!(
            "f32".parse::<Number>().unwrap_err(),
            "`f32` is not a kind of number; use f64, certified or exact"
        );
    }

    /// Storm also finds -6.468599539 for this model.
    #[test]
    fn figures_are_in_the_numbers_asked_for() {
        let known = -6.468_599_539;
        let model = model(1, &[8, 8]);
        let curves = curves("arctan:4");
        let measured = |number| curves.measure(&model, number).map(|measurement| measurement.measured);
        let Ok(Measured::F64(doubles)) = measured(Number::F64) else { panic!("no doubles") };
        assert_relative_eq!(doubles.figures.difference_percent.unwrap(), known, epsilon = 1e-9);
        let Ok(Measured::Certified(certified)) = measured(Number::Certified) else { panic!("no enclosures") };
        let difference = to_f64(&certified.figures.difference_percent.unwrap().middle());
        assert_relative_eq!(difference, known, epsilon = 1e-9);
        assert!(
            matches!(measured(Number::Exact), Err(MeasureError::Irrational(curve)) if curve == Curve::arctan(4))
        );
    }

    #[test]
    fn fractions_are_exact_for_a_rational_truth() {
        let measured = curves("uniform:1/35").measure(&model(-3, &[8, 8]), Number::Exact).unwrap().measured;
        let Measured::Exact(outcome) = measured else { panic!("no fractions") };
        assert!(outcome.figures.difference_percent.unwrap().is_zero(), "1/35 is the threshold");
    }

    #[test]
    fn deep_figures_are_doubles_or_enclosures_of_them() {
        let (model, curves, interrupt) = (model(-1, &[2, 1, 2]), curves("arctan:4"), AtomicBool::new(false));
        let options = deep::Options::new(&interrupt, &|_, _| {});
        let measured =
            |number| curves.answer_deep(&model, &Request::khs(number), &options).map(|deep| deep.measured);
        let Ok(Measured::F64(doubles)) = measured(Number::F64) else { panic!("no doubles") };
        let Ok(Measured::Certified(certified)) = measured(Number::Certified) else { panic!("no enclosures") };
        let middle = to_f64(&certified.mass.first_error.middle());
        assert_relative_eq!(doubles.mass.first_error, middle, max_relative = 1e-12);
        assert!(matches!(measured(Number::Exact), Err(DeepError::Exact)));
    }

    #[test]
    fn every_model_gets_the_curves_of_its_line() {
        let models = [42, 9, 20].map(|h_max| Model::new(1, &[2, 2], ZeroMode::Skip, h_max).unwrap());
        let all: Vec<&Model> = models.iter().collect();
        let curves = CurvesByLine::new(&Curve::arctan(4), &Curve::arctan(1), &all);
        for model in &models {
            assert_eq!(curves.of(model).truth.h_max(), model.line().h_max());
            assert_eq!(curves.of(model).estimate.h_max(), model.line().h_max());
        }
    }
}
