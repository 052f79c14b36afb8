//! Computing what golden entries ask for.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;
use num_bigint::BigInt;
use prodmax_cases::depth2::{Formulas, Interval, Position, cases};
use prodmax_cases::depth3::Analysis;
use prodmax_enumerate::{Line, Model, ModelError, ZeroMode};
use prodmax_games::game::GameError;
use prodmax_games::play::LogError;
use prodmax_golden::quantity::{ContestFigure, Equation9Figure, Formula, Side};
use prodmax_golden::reading::How;
use prodmax_golden::{Entry, Finding, GoldenError, GoldenFile, Quantity, Reading};
use prodmax_jobs::RonError;
use prodmax_mass::{
    Certified, Critical, Crossover, Curve, Curves, Engine, Exact, IntervalCounts, MassError, Measure,
    MeasureError, Measurement, deep, khs_rules,
};
use prodmax_number::possible::ImpossibleFigure;
use prodmax_number::{Approximate, Certain, Enclosure, Figure, Fraction, Polynomial};
use prodmax_pathology::tables::{Equation9, TableError};
use prodmax_readings::{ReadingError, ReadingFile};
use prodmax_rules::{Percentages, Rule, RulePair};
use prodmax_simulate::{SimulationError, SimulationResults};
use thiserror::Error;

use crate::claims;
use crate::law::Laws;
use crate::lgb;
use crate::matches::{self, Matches};
use crate::recorded::{self, RecordedError};
use crate::simulation::{self, Simulated, Simulations};

/// The precision of a single value of a curve.
const CURVE_BITS: u32 = 100;

/// Why a quantity cannot be computed.
#[derive(Debug, Error)]
pub enum QuantityError {
    /// The model cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// One of the models is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model does not have depth 2.
    #[error("thresholds by formula (7) exist only at depth 2, not at depth {0}")]
    NotDepthTwo(usize),
    /// The reading does not exist, or cannot measure the model.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// A figure that is not defined under a reading.
    #[error(
        "the reading `{reading}` has no such figure; the readings of specs/readings have percentage differences, those \
         of simulations the figures of Tables III and IV, and all other figures need one of the others"
    )]
    NotUnderReading {
        /// The reading.
        reading: String,
    },
    /// There is no such simulation.
    #[error("there is no simulation `{0}` in specs/simulate")]
    NoSimulation(String),
    /// A claim is about an entry that does not exist.
    #[error("there is no golden entry `{0}`, which a claim is about")]
    NoEntry(String),
    /// There is no such claim.
    #[error("there is no claim `{0}`; the claims are {all}", all = claims::names().join(", "))]
    NoClaim(String),
    /// The golden files of this version cannot be read.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The published tables of simulations cannot be read.
    #[error(transparent)]
    Tables(#[from] RonError),
    /// No such recorded match, or none of its figure.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// No such row.
    #[error("the simulation has no row for search depth {0}")]
    NoRow(usize),
    /// A match.
    #[error(transparent)]
    Games(#[from] LogError),
    /// A board or moves that are not possible.
    #[error(transparent)]
    Board(#[from] GameError),
    /// No such match.
    #[error("there is no match `{0}`; the matches are {all}", all = matches::names())]
    NoMatch(String),
    /// Recorded games that do not belong to their match.
    #[error(
        "the recorded games of `{0}` are of another match; record them again with prodmax play --game-log"
    )]
    OtherGames(String),
    /// A table of real-valued minimax.
    #[error(transparent)]
    Lgb(#[from] TableError),
    /// A figure that cannot be.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// Stopped before all games were played or a board was solved.
    #[error("interrupted before the figure was computed")]
    Interrupted,
    /// No such case.
    #[error("there is no case of Table I with interval {interval} and the errors {errors:?}")]
    NoCase {
        /// The given interval.
        interval: usize,
        /// The given errors.
        errors: Vec<String>,
    },
}

impl From<MassError> for QuantityError {
    fn from(error: MassError) -> Self {
        Self::Measure(error.into())
    }
}

/// Called with the progress of a deep model: the model, blocks done, all blocks.
pub type Watch<'a> = &'a (dyn Fn(&Model, u64, u64) + Sync);

/// What to measure for a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct MassRequest {
    rules: [Rule; 2],
    quality: bool,
}

impl MassRequest {
    /// The errors of Minimax and Product.
    fn khs() -> Self {
        Self { rules: khs_rules(), quality: false }
    }
}

/// Computes quantities: with the model as the papers state it (truth w_4, estimate w_1), unless a reading is named.
/// Keeps the curves of the papers' line, its measurements and the simulation.
pub struct Calculator<'a> {
    papers_curves: Curves,
    simulations: Simulations,
    measured: Mutex<HashMap<(Model, MassRequest), Measurement<Certain>>>,
    matches: Matches,
    laws: Laws,
    lgb: lgb::Tables,
    golden: OnceLock<HashMap<String, Entry>>,
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
    /// A calculator whose long computations can be interrupted and watched.
    pub fn new(interrupt: &'a AtomicBool, watch: Watch<'a>) -> Self {
        let papers_curves = stated(Line::DEFAULT_H_MAX as i32);
        Self {
            papers_curves,
            simulations: Simulations::default(),
            measured: Mutex::default(),
            matches: Matches::default(),
            laws: Laws::default(),
            lgb: lgb::Tables::default(),
            golden: OnceLock::new(),
            interrupt,
            watch,
        }
    }

    /// Uses a finished simulation instead of playing it again, if it is one that quantities are computed from.
    pub fn with_simulation(self, results: &SimulationResults) -> Result<Self, QuantityError> {
        self.simulations.keep(results)?;
        Ok(self)
    }

    /// Does the work that entries share before they are computed in parallel: simulations and matches, which would
    /// otherwise be played once for each.
    pub fn prepare<'e>(&self, entries: impl IntoIterator<Item = &'e Entry>) -> Result<(), QuantityError> {
        for entry in entries {
            match &entry.quantity {
                Quantity::Match { spec, .. } => drop(self.matches.games(spec, self.interrupt)?),
                Quantity::Lgb { table, .. } => drop(self.lgb.table(*table)?),
                // One after the other, each on all threads: several at once would take too much memory. What claims
                // are about is kept.
                Quantity::Law { .. }
                | Quantity::LawThresholdPercent { .. }
                | Quantity::Simulated { .. }
                | Quantity::Contested { .. }
                | Quantity::Claim { .. } => {
                    drop(self.entry(entry)?);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Computes what an entry asks for; an error if the figure is impossible.
    pub fn entry(&self, entry: &Entry) -> Result<Finding, QuantityError> {
        let value = self.ungated(entry)?;
        Ok(value.possible(entry.quantity.kind()).map_err(|reason| reason.of("the figure"))?)
    }

    fn ungated(&self, entry: &Entry) -> Result<Finding, QuantityError> {
        match (&entry.quantity, Reading::named(&entry.reading).map(|reading| reading.how)) {
            (Quantity::Simulated { table, d, figure }, Some(How::Simulation(id))) => {
                Ok(simulation::figure(&self.simulation(id)?.tables, *table, *d, *figure)?.into())
            }
            (Quantity::Contested { trees, tree_depth, d, figure }, Some(How::Simulation(id))) => {
                let simulated = self.simulations.get(id, Some(*tree_depth), self.interrupt)?;
                Ok(simulation::contested(&simulated, *trees, *d, *figure)?.into())
            }
            (Quantity::Claim { claim, by }, _) => claims::decide(claim, *by, &entry.reading, self),
            (quantity, Some(How::Choices)) => under_reading(&entry.reading, quantity),
            (quantity, Some(How::Quantity)) => self.compute(quantity),
            (_, Some(How::Simulation(_)) | None) => {
                Err(QuantityError::NotUnderReading { reading: entry.reading.clone() })
            }
        }
    }

    /// A simulation of this version by its id, played once.
    pub(crate) fn simulation(&self, id: &str) -> Result<Arc<Simulated>, QuantityError> {
        self.simulations.get(id, None, self.interrupt)
    }

    /// A figure of LGB's tables as computed, with its own error.
    pub(crate) fn lgb(
        &self,
        table: usize,
        figure: (&str, &str, usize),
    ) -> Result<Option<Approximate>, QuantityError> {
        Ok(self.lgb.computed(table, figure)?)
    }

    /// A golden entry of this version by its id.
    pub(crate) fn golden(&self, id: &str) -> Result<&Entry, QuantityError> {
        let read =
            || GoldenFile::built_in().map(|files| files.into_iter().flat_map(|file| file.golden.entries));
        let entries = match self.golden.get() {
            Some(entries) => entries,
            None => {
                let read = read()?.map(|entry| (entry.id.clone(), entry)).collect();
                self.golden.get_or_init(|| read)
            }
        };
        entries.get(id).ok_or_else(|| QuantityError::NoEntry(id.to_owned()))
    }

    /// Computes a quantity, exactly or with an enclosure.
    pub fn compute(&self, quantity: &Quantity) -> Result<Finding, QuantityError> {
        match quantity {
            Quantity::DifferencePercent(model) => self.compute_difference(model),
            Quantity::PerCasePercent(model) => self
                .certified(model, &MassRequest::khs(), |measured| pair(measured).per_case_percent.as_ref()),
            Quantity::ShareMinimaxPercent(model) => {
                Ok(self.share_first(model)?.map(|share| Figure::Enclosed(share.scale(&100.into()))).into())
            }
            Quantity::ShareProductPercent(model) => {
                let percent = |share: Enclosure| Figure::Enclosed(share.complement().scale(&100.into()));
                Ok(self.share_first(model)?.map(percent).into())
            }
            Quantity::ErrorProbability { errs, rules, model, truth, estimate } => {
                let curves = Curves::new(truth.clone(), estimate.clone(), model.line().h_max());
                error_probability(*errs, rules, model, &curves)
            }
            Quantity::Contest { figure, rules, model } => {
                let request = MassRequest { rules: rules.rules(), quality: false };
                match figure {
                    ContestFigure::Critical => self.critical(model, &request),
                    ContestFigure::DifferencePercent => {
                        self.certified(model, &request, |measured| pair(measured).difference_percent.as_ref())
                    }
                }
            }
            Quantity::Efficiency { rule, model } => self.efficiency(rule, model),
            Quantity::MeanDifferencePercent { roots, increments } => self.mean(roots, increments),
            Quantity::Critical(model) => self.critical(model, &MassRequest::khs()),
            Quantity::ThresholdPercent(model) => {
                let threshold = self.intervals(model)?.threshold();
                Ok(threshold
                    .map_or(Finding::Nothing, |p| Finding::Figure(Figure::Fraction(p * BigInt::from(100)))))
            }
            Quantity::IntervalRatio(model) => Ok(self.intervals(model)?.ratio().map(Figure::Fraction).into()),
            Quantity::Table1Case { interval, errors } => table1_case(*interval, errors),
            Quantity::Table1Count(side) => {
                let count =
                    cases().filter(|case| case.decision().is_critical() && case.decision().name() == side);
                Ok(Finding::Figure(Figure::Integer(count.count().into())))
            }
            Quantity::Table1Cases => Ok(Finding::Figure(Figure::Integer(cases().count().into()))),
            Quantity::Depth3Cases => {
                Ok(Finding::Figure(Figure::Integer(Analysis::compute().summary().cases.into())))
            }
            Quantity::CurveValue { curve, h } => Ok(Finding::Figure(Figure::Enclosed(curve.enclose(
                *h,
                Line::DEFAULT_H_MAX as i32,
                CURVE_BITS,
            )))),
            Quantity::Formula(formula) => Ok(Finding::Formula(polynomial(*formula))),
            // Which simulation is part of the reading.
            Quantity::Simulated { .. } | Quantity::Contested { .. } => {
                Err(QuantityError::NotUnderReading { reading: Entry::STATED.to_owned() })
            }
            Quantity::Claim { claim, by } => claims::decide(claim, *by, Entry::STATED, self),
            Quantity::GamePairs { trees, tree_depth, d } => Ok(game_pairs(*trees, *tree_depth, *d)),
            Quantity::SignTest { wins, losses } => {
                Ok(prodmax_simulate::sign_test(*wins, *losses).map(Approximate::unstated).into())
            }
            Quantity::TotalSharePercent { wins, losses, pairs } => {
                let [wins, losses, pairs] = [wins, losses, pairs].map(|&count| BigInt::from(count));
                let half = Fraction::new(BigInt::from(100) * (&wins - &losses + &pairs), pairs * 2);
                Ok(Finding::Figure(Figure::Fraction(half)))
            }
            Quantity::Match { spec, calls, figure } => {
                Ok(matches::figure(&*self.matches.games(spec, self.interrupt)?, *calls, *figure))
            }
            Quantity::RecordedMatch { id, games, figure } => {
                Ok(recorded::figure(id, *games, *figure)?.into())
            }
            Quantity::Law { figure, answer, curves, grid, model } => {
                let request = (*figure, *answer, *grid);
                let figure = |curves: &Curves| self.laws.figure(model, curves, request, self.interrupt);
                Ok(match curves {
                    None => self.with_curves(model, figure)?.into(),
                    Some([truth, estimate]) => {
                        figure(&Curves::new(truth.clone(), estimate.clone(), model.line().h_max()))?.into()
                    }
                })
            }
            Quantity::LawThresholdPercent { grid, model } => {
                let estimate = self.papers_curves.estimate.curve();
                Ok(self.laws.threshold(model, estimate, *grid, self.interrupt)?.into())
            }
            Quantity::Lgb { table, series, figure, row } => {
                Ok(self.lgb.figure(*table, (series, figure, *row))?.into())
            }
            Quantity::LgbEquation9(figure) => Ok(Finding::Figure(Figure::Enclosed(equation_9(*figure)?))),
            Quantity::Connect4Value { columns, rows, moves } => {
                matches::connect4_value([*columns, *rows], moves, self.interrupt)
            }
            Quantity::GamesAgain(id) => matches::replayed_games(id, self.interrupt),
        }
    }

    /// Runs `work` with the curves on a model's line.
    fn with_curves<T>(&self, model: &Model, work: impl FnOnce(&Curves) -> T) -> T {
        let h_max = model.line().h_max();
        if h_max == self.papers_curves.truth.h_max() {
            work(&self.papers_curves)
        } else {
            work(&stated(h_max))
        }
    }

    /// The certified measurement of a model, computed once.
    fn measurement(
        &self,
        model: &Model,
        request: &MassRequest,
    ) -> Result<Measurement<Certain>, QuantityError> {
        let kept = || self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.clone(), request.clone());
        if let Some(measurement) = kept().get(&key) {
            return Ok(measurement.clone());
        }
        let MassRequest { rules, quality } = request.clone();
        let measurement = self.with_curves(model, |curves| {
            let progress = |done, all| (self.watch)(model, done, all);
            let options = deep::Options::new(self.interrupt, &progress);
            let measure = Measure::new(model, curves).number::<Certified>().rules(rules).quality(quality);
            measure.engine(Engine::sweeping(model)).plan()?.run(&options)
        })?;
        kept().insert(key, measurement.clone());
        Ok(measurement)
    }

    fn certified(
        &self,
        model: &Model,
        request: &MassRequest,
        pick: impl FnOnce(&Measurement<Certain>) -> Option<&Certain>,
    ) -> Result<Finding, QuantityError> {
        Ok(pick(&self.measurement(model, request)?).cloned().map(Figure::from).into())
    }

    /// Minimax's share of the errors.
    fn share_first(&self, model: &Model) -> Result<Option<Enclosure>, QuantityError> {
        let measured = self.measurement(model, &MassRequest::khs())?;
        Ok(pair(&measured).share_first.as_ref().and_then(Certain::enclosed).cloned())
    }

    fn critical(&self, model: &Model, request: &MassRequest) -> Result<Finding, QuantityError> {
        let measured = self.measurement(model, request)?;
        let critical = measured.matches[0].counts().map(|counts| counts.critical.clone());
        Ok(critical.map(|critical| Figure::Integer(critical.into())).into())
    }

    /// The efficiency of a rule, measured against Minimax so that models of any size can be swept.
    fn efficiency(&self, rule: &Rule, model: &Model) -> Result<Finding, QuantityError> {
        let [minimax, product] = khs_rules();
        let is_minimax = *rule == minimax;
        let other = if is_minimax { product } else { rule.clone() };
        let request = MassRequest { rules: [minimax, other], quality: true };
        let place = usize::from(!is_minimax);
        self.certified(model, &request, |measured| measured.quality[place].efficiency.as_ref())
    }

    fn mean(&self, roots: &[i64], increments: &[i64]) -> Result<Finding, QuantityError> {
        let mut sum: Option<Enclosure> = None;
        for &root in roots {
            let model = Model::new(root, increments, ZeroMode::Skip, Line::DEFAULT_H_MAX)?;
            let Finding::Figure(Figure::Enclosed(difference)) = self.compute_difference(&model)? else {
                return Ok(Finding::Nothing);
            };
            sum = Some(sum.map_or_else(|| difference.clone(), |sum| sum.add(&difference)));
        }
        Ok(sum.map_or(Finding::Nothing, |sum| {
            Finding::Figure(Figure::Enclosed(sum.div_integer(roots.len() as u32)))
        }))
    }

    fn compute_difference(&self, model: &Model) -> Result<Finding, QuantityError> {
        self.certified(model, &MassRequest::khs(), |measured| pair(measured).difference_percent.as_ref())
    }

    fn intervals(&self, model: &Model) -> Result<IntervalCounts, QuantityError> {
        let critical = self.with_curves(model, |curves| Critical::of(model, &curves.estimate))?;
        let crossover = Crossover::of(&critical);
        crossover.intervals.ok_or(QuantityError::NotDepthTwo(model.depth()))
    }
}

/// A formula, derived from the case analysis.
fn polynomial(formula: Formula) -> Polynomial {
    let formulas = Formulas::derive();
    let common = formulas.common_factor();
    match formula {
        Formula::Five => formulas.formula5(),
        Formula::Six => formulas.formula6(),
        Formula::CommonFactor => common.factor,
        Formula::CofactorFive => common.cofactors[0].clone(),
        Formula::CofactorSix => common.cofactors[1].clone(),
    }
}

/// The percentages of the two rules that were measured.
fn pair(measured: &Measurement<Certain>) -> &Percentages<Certain> {
    &measured.matches[0].figures
}

/// One game pair from every node at levels 0 to tree depth - d of each tree.
fn game_pairs(trees: u64, tree_depth: u32, d: u32) -> Finding {
    let levels = tree_depth.saturating_sub(d) + 1;
    Finding::Figure(Figure::Integer(BigInt::from(trees) * (BigInt::from(2).pow(levels) - 1)))
}

/// A figure under a reading: the reading's statistic, summed in doubles.
fn under_reading(name: &str, quantity: &Quantity) -> Result<Finding, QuantityError> {
    let choices = ReadingFile::load(name)?.choices;
    let statistic = |model: &Model| Ok::<_, QuantityError>(choices.measure(model)?.statistic);
    let figure = match quantity {
        Quantity::DifferencePercent(model) => statistic(model)?,
        Quantity::MeanDifferencePercent { roots, increments } => {
            let of = |&root| statistic(&Model::new(root, increments, ZeroMode::Skip, Line::DEFAULT_H_MAX)?);
            let cells: Option<Vec<f64>> = roots.iter().map(of).collect::<Result<_, _>>()?;
            cells.map(|cells| cells.iter().sum::<f64>() / roots.len() as f64)
        }
        _ => return Err(QuantityError::NotUnderReading { reading: name.to_owned() }),
    };
    Ok(figure.map(Approximate::unstated).into())
}

fn error_probability(
    errs: Side,
    rules: &RulePair,
    model: &Model,
    curves: &Curves,
) -> Result<Finding, QuantityError> {
    let measure = Measure::new(model, curves).number::<Exact>().rules(rules.rules());
    let measured = measure.engine(Engine::Classes).run()?;
    let [first, second] = measured.matches[0].errors();
    let mass = match errs {
        Side::First => first,
        Side::Second => second,
    };
    Ok(Finding::Figure(Figure::Fraction(mass / BigInt::from(model.trees()))))
}

fn equation_9(figure: Equation9Figure) -> Result<Enclosure, TableError> {
    let fit = Equation9::fitted()?;
    Ok(match figure {
        Equation9Figure::Factor => fit.factor,
        Equation9Figure::Base => fit.base,
        Equation9Figure::Constant => fit.constant,
        Equation9Figure::Grains { b } => fit.grains(b),
    })
}

fn table1_case(interval: usize, errors: &[String]) -> Result<Finding, QuantityError> {
    let unknown = || QuantityError::NoCase { interval, errors: errors.to_vec() };
    let leaf = |name: &String| Position::ALL.into_iter().find(|position| position.name() == name);
    let wrong = errors.iter().map(leaf).collect::<Option<_>>().ok_or_else(unknown)?;
    let interval = Interval::ALL.into_iter().find(|known| known.number() == interval).ok_or_else(unknown)?;
    let case = cases().find(|case| case.interval == interval && case.errors == wrong).ok_or_else(unknown)?;
    Ok(Finding::Word(case.decision().name().to_owned()))
}
