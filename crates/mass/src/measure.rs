//! The one entry to the engines: what to measure on a model, what it takes, and the measurement.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use num_bigint::BigUint;
use prodmax_enumerate::{Model, Plan};
use prodmax_jobs::Effort;
use prodmax_law::{self as law, LawError, Laws};
use prodmax_number::possible::ImpossibleFigure;
use prodmax_rules::ideal::Ideal;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;
use prodmax_rules::{Contestant, Curve, Curves, Leaves, Percentages, Rule};
use rayon::prelude::*;
use thiserror::Error;

use crate::contest::Contest;
use crate::critical::{Counts, Mass, MassError};
use crate::deep::{self, DeepError, DeepMass, Estimate, PAIRS_PER_SECOND, SweepPlan};
use crate::effort::{MeasureWork, NumberCost, in_memory};
use crate::engine::{CHOOSING_THREADS, Engine, default_steps, is_deep};
use crate::figures::{percentages, ties_points};
use crate::forest::Forest;
use crate::kind::{Doubles, NumberKind};
use crate::quality::{Chances, Quality, qualities, won};
use crate::ranking::{Comparisons, Ranking};

/// Doubles reach 2^1024. No sum exceeds the number of trees; percentages take a little more.
const MAX_BITS: u64 = 1000;

/// The kinds of numbers by their names: what [`NumberKind`]s are for programs that learn the kind when they run.
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
    /// A sweep block by block failed.
    #[error(transparent)]
    Deep(Box<DeepError>),
    /// The law of values failed.
    #[error(transparent)]
    Law(#[from] LawError),
    /// Fractions were asked for with an irrational curve.
    #[error(
        "exact fractions need a rational truth curve (uniform:P), not {0}; use certified numbers for this one"
    )]
    Irrational(Curve),
    /// Too many classes for memory, and the engine was named.
    #[error(
        "the model has too many depth-1 classes to hold them all in memory; use --engine deep or --engine law"
    )]
    TooDeepForMemory,
    /// Rules whose law does not factorise.
    #[error(
        "the law engine measures minimax against product or ideal, not {0}: only the laws of products factorise on its grid; \
         use a smaller model and the engine classes"
    )]
    LawRules(String),
    /// Fractions of a law.
    #[error("the law of values has no exact fractions; use certified numbers")]
    LawExact,
}

impl From<DeepError> for MeasureError {
    fn from(error: DeepError) -> Self {
        Self::Deep(Box::new(error))
    }
}

impl From<ImpossibleFigure> for MeasureError {
    fn from(error: ImpossibleFigure) -> Self {
        Self::Mass(error.into())
    }
}

/// The rules of KHS: Minimax against Product.
pub fn khs_rules() -> [Rule; 2] {
    [Minimax.into(), Product.into()]
}

/// Which rules are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Every rule with every other.
    All,
    /// Minimax with every other rule.
    WithMinimax,
    /// Only the first two rules.
    FirstTwo,
}

/// What to measure on a model: rules against each other, in numbers of one kind.
///
/// The model of KHS at depth 2 with root +1; Storm, a model checker, finds the same difference:
///
/// ```
/// use prodmax_enumerate::{Model, ZeroMode};
/// use prodmax_mass::{Certified, Curve, Curves, Measure};
///
/// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
/// // The truth is w_4, and Product believes w_1 (eq. 2).
/// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
/// let measured = Measure::new(&model, &curves).number::<Certified>().run()?;
/// let pair = &measured.matches[0];
/// assert_eq!(pair.counts().ok_or("no counts")?.critical, 26_896u32.into());
/// let difference = pair.figures.difference_percent.clone().ok_or("no tree is critical")?;
/// assert_eq!(prodmax_number::Figure::from(difference).beside(9), "-6.468599539");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Measure<'a, K = Doubles> {
    model: &'a Model,
    curves: &'a Curves,
    rules: Vec<Rule>,
    pairs: Pairs,
    quality: bool,
    engine: Option<Engine>,
    steps: Option<u32>,
    most_seconds: f64,
    kind: PhantomData<K>,
}

// By hand, because the kind of numbers is only a name.
impl<K> Clone for Measure<'_, K> {
    fn clone(&self) -> Self {
        let Self { model, curves, ref rules, pairs, quality, engine, steps, most_seconds, kind } = *self;
        Self { model, curves, rules: rules.clone(), pairs, quality, engine, steps, most_seconds, kind }
    }
}

impl<'a> Measure<'a> {
    /// Minimax against Product in doubles, without their quality.
    pub fn new(model: &'a Model, curves: &'a Curves) -> Self {
        Self {
            model,
            curves,
            rules: khs_rules().to_vec(),
            pairs: Pairs::All,
            quality: false,
            engine: None,
            steps: None,
            most_seconds: f64::INFINITY,
            kind: PhantomData,
        }
    }
}

impl<'a, K: NumberKind> Measure<'a, K> {
    /// Two rules: the first one chooses M and the second one P.
    #[must_use]
    pub fn rules(self, rules: [Rule; 2]) -> Self {
        Self { rules: rules.to_vec(), ..self }
    }

    /// Any number of rules and the quality of each.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::{Curve, Curves, Measure};
    /// use prodmax_rules::RuleList;
    ///
    /// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
    /// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
    /// let rules: RuleList = "minimax,product,ideal".parse()?;
    /// let measured = Measure::new(&model, &curves).contest(rules.rules()).run()?;
    /// // Three pairs; the first is Minimax against Product.
    /// assert_eq!(measured.matches.len(), 3);
    /// // The ideal rule wins all that can be won.
    /// assert_eq!(measured.quality[2].efficiency.map(|part| part.value), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contest(self, rules: Vec<Rule>) -> Self {
        Self { rules, quality: true, ..self }
    }

    /// Which pairs of the rules are compared. Block by block it is only Minimax with the others.
    #[must_use]
    pub fn pairs(self, pairs: Pairs) -> Self {
        Self { pairs, ..self }
    }

    /// Whether to measure how much of what can be won each rule wins, too. It takes one more ranking or sweep; the law of values
    /// gives what rules win only with it.
    #[must_use]
    pub fn quality(self, quality: bool) -> Self {
        Self { quality, ..self }
    }

    /// The kind of numbers.
    #[must_use]
    pub fn number<L: NumberKind>(self) -> Measure<'a, L> {
        let Self { model, curves, rules, pairs, quality, engine, steps, most_seconds, .. } = self;
        Measure { model, curves, rules, pairs, quality, engine, steps, most_seconds, kind: PhantomData }
    }

    /// The engine. By default it follows from the model (see [`Engine::of`]).
    #[must_use]
    pub fn engine(self, engine: Engine) -> Self {
        Self { engine: Some(engine), ..self }
    }

    /// For the law: steps of the grid per unit of -ln p. By default 4096 for estimates, 8192 for bounds.
    #[must_use]
    pub fn grid(self, steps: u32) -> Self {
        Self { steps: Some(steps), ..self }
    }

    /// Refuses sweeps block by block that would take longer than this on two threads; without an engine, the law of values
    /// takes their place. By default they may take any time.
    #[must_use]
    pub fn within(self, most_seconds: f64) -> Self {
        Self { most_seconds, ..self }
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Chooses the engine and refuses what cannot be measured; computes nothing.
    pub fn plan(self) -> Result<MeasurePlan<'a, K>, MeasureError> {
        let engine = self.engine.unwrap_or_else(|| Engine::of(self.model, self.most_seconds));
        match engine {
            Engine::Classes => {
                if is_deep(self.model) {
                    // Other engines are for two moves.
                    self.check_blocks()?;
                    return Err(MeasureError::TooDeepForMemory);
                }
                K::field(self.curves)?;
                self.check_doubles()?;
            }
            Engine::Deep => {
                self.check_blocks()?;
                if K::enclosing(0.0, 0.0).is_none() {
                    return Err(DeepError::Exact.into());
                }
            }
            Engine::Law => {
                LawRules::of(&self.rules)?;
                if K::NUMBER == Number::Exact {
                    return Err(MeasureError::LawExact);
                }
            }
        }
        Ok(MeasurePlan { measure: self, engine })
    }

    /// Refuses models and rules that cannot be swept block by block, and what would take too long.
    fn check_blocks(&self) -> Result<(), MeasureError> {
        deep::check_model(self.model)?;
        match &self.rules[..] {
            [first, second] => drop(deep::check_rules([first, second])?),
            rules => deep::check_tournament(rules)?,
        }
        let sweeps = deep::sweeps(&self.rules, self.quality).len();
        let estimate = Estimate::of(self.model, CHOOSING_THREADS, PAIRS_PER_SECOND);
        Ok(estimate.check(self.most_seconds / sweeps as f64)?)
    }

    /// Refuses models with more trees than doubles can hold, if masses are summed in doubles.
    fn check_doubles(&self) -> Result<(), MassError> {
        let trees = self.model.trees();
        if K::NUMBER != Number::F64 || trees.bits() <= MAX_BITS {
            return Ok(());
        }
        Err(MassError::BeyondDoubles { digits: trees.to_string().len() as u64 - 1 })
    }

    /// Measures at once, without progress or interruption.
    pub fn run(self) -> Result<Measurement<K::Number>, MeasureError> {
        let never = AtomicBool::new(false);
        self.plan()?.run(&deep::Options::new(&never, &|_, _| {}))
    }

    /// Measures with each of several truths instead of the one of the curves. In memory, rules that do not see the truth are
    /// ranked once.
    pub fn run_over(self, truths: &[Curve]) -> Result<Vec<Measurement<K::Number>>, MeasureError> {
        let plan = self.plan()?;
        let Measure { model, curves, .. } = plan.measure;
        let with =
            |truth: &Curve| Curves::new(truth.clone(), curves.estimate.curve().clone(), curves.truth.h_max());
        let measure = &plan.measure;
        if plan.engine != Engine::Classes {
            let one = |truth: &Curve| Measure { curves: &with(truth), ..measure.clone() }.run();
            return truths.iter().map(one).collect();
        }
        let forest = Forest::of(model).map_err(MassError::from)?;
        let rank = |rule: &Rule, curves: &Curves| forest.rank(&Contestant::new(rule.clone(), curves));
        let blind = |rule: &Rule| (rule.leaves() != Leaves::Truth).then(|| rank(rule, curves)).transpose();
        let known = measure.rules.iter().map(blind).collect::<Result<Vec<_>, _>>()?;
        let one = |truth: &Curve| {
            let curves = with(truth);
            let ideal = rank(&Ideal.into(), &curves)?;
            let of = |(rule, known): (&Rule, &Option<Ranking>)| match known {
                Some(ranking) => Ok(ranking.clone()),
                None if *rule == Rule::from(Ideal) => Ok(ideal.clone()),
                None => rank(rule, &curves),
            };
            let rankings = measure.rules.iter().zip(&known).map(of).collect::<Result<Vec<_>, _>>()?;
            let ideal = measure.quality.then_some(&ideal);
            K::sums(&Measure { curves: &curves, ..measure.clone() }, &forest, &rankings, ideal)
        };
        truths.iter().map(one).collect()
    }
}

/// Two rules whose law factorises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LawRules {
    /// Whether the rule that is not Minimax is the ideal one: Product on the truth.
    ideal: bool,
    /// Whether Minimax is the second rule.
    swapped: bool,
}

impl LawRules {
    fn of(rules: &[Rule]) -> Result<Self, MeasureError> {
        let (minimax, product, ideal) = (Rule::from(Minimax), Rule::from(Product), Rule::from(Ideal));
        let (other, swapped) = match rules {
            [first, second] if *first == minimax => (second, false),
            [first, second] if *second == minimax => (first, true),
            _ => return Err(Self::refused(rules)),
        };
        if *other != product && *other != ideal {
            return Err(Self::refused(rules));
        }
        Ok(Self { ideal: *other == ideal, swapped })
    }

    fn refused(rules: &[Rule]) -> MeasureError {
        let names: Vec<String> = rules.iter().map(ToString::to_string).collect();
        MeasureError::LawRules(names.join(" against "))
    }
}

/// A measurement that can be made: which engine makes it, and what it takes.
#[derive(Clone, Debug)]
pub struct MeasurePlan<'a, K> {
    measure: Measure<'a, K>,
    engine: Engine,
}

impl<K: NumberKind> MeasurePlan<'_, K> {
    /// The model.
    pub fn model(&self) -> &Model {
        self.measure.model
    }

    /// The engine.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// What it takes on this number of threads, with this much memory for blocks.
    pub fn effort(&self, memory_bytes: u64, threads: usize) -> Effort {
        let Measure { model, curves, rules, quality, .. } = &self.measure;
        match self.engine {
            Engine::Classes => {
                let work = MeasureWork {
                    rankings: rules.len() + usize::from(*quality),
                    contests: self.measure.compared().len() + usize::from(*quality),
                    numbers: NumberCost::of(K::NUMBER, curves.truth.curve()),
                };
                in_memory(model, &Plan::of(model), &work)
            }
            Engine::Deep => {
                let sweep = Estimate::of(model, threads, PAIRS_PER_SECOND).effort(memory_bytes);
                sweep.times(self.sweeps().len() as f64)
            }
            Engine::Law => law::effort(model, self.steps(), threads),
        }
    }

    /// What each of its sweeps takes in this many shards; none if nothing is swept block by block.
    pub fn shards(&self, shards: u32) -> Vec<SweepPlan> {
        match self.engine {
            Engine::Deep => vec![SweepPlan::of(self.measure.model, shards); self.sweeps().len()],
            Engine::Classes | Engine::Law => Vec::new(),
        }
    }

    /// The rules along which the model is swept.
    fn sweeps(&self) -> Vec<Rule> {
        deep::sweeps(&self.measure.rules, self.measure.quality)
    }

    /// For a law: the steps of the grid per unit.
    pub fn steps(&self) -> u32 {
        self.measure.steps.unwrap_or_else(|| default_steps(K::NUMBER))
    }

    /// Measures. A sweep block by block or a law keeps what it has finished in the checkpoint of the options.
    pub fn run(&self, options: &deep::Options<'_>) -> Result<Measurement<K::Number>, MeasureError> {
        match self.engine {
            Engine::Classes => self.measure.in_memory(),
            Engine::Deep => self.measure.in_blocks(options),
            Engine::Law => self.measure.by_law(self.steps(), options),
        }
    }

    /// Sweeps a shard of the model and keeps its blocks in the part that the options name. The figures come from merging all
    /// parts.
    pub fn share(&self, options: &deep::Options<'_>) -> Result<(), MeasureError> {
        let Measure { model, curves, .. } = &self.measure;
        for rule in self.sweeps() {
            deep::sweep(model, &curves.truth, &Contestant::new(rule, curves), options)?;
        }
        Ok(())
    }
}

impl<K: NumberKind> Measure<'_, K> {
    /// The pairs of rules that are compared, in the order of the rules.
    fn compared(&self) -> Vec<[usize; 2]> {
        let minimax = Rule::from(Minimax);
        let count = self.rules.len();
        (0..count)
            .flat_map(|first| (first + 1..count).map(move |second| [first, second]))
            .filter(|pair| match self.pairs {
                Pairs::All => true,
                Pairs::WithMinimax => pair.iter().any(|&place| self.rules[place] == minimax),
                Pairs::FirstTwo => *pair == [0, 1],
            })
            .collect()
    }

    /// All classes at once.
    fn in_memory(&self) -> Result<Measurement<K::Number>, MeasureError> {
        let forest = Forest::of(self.model).map_err(MassError::from)?;
        let rank = |rule: &Rule| forest.rank(&Contestant::new(rule.clone(), self.curves));
        let (rankings, ideal) = rayon::join(
            || self.rules.par_iter().map(rank).collect::<Result<Vec<_>, _>>(),
            || self.quality.then(|| rank(&Ideal.into())).transpose(),
        );
        K::sums(self, &forest, &rankings?, ideal?.as_ref())
    }

    /// All classes at once, in the order of each rule and, for the quality, of the ideal one.
    pub(crate) fn of_rankings(
        &self,
        forest: &Forest,
        rankings: &[Ranking],
        ideal: Option<&Ranking>,
    ) -> Result<Measurement<K::Number>, MeasureError> {
        let field = K::field(self.curves)?;
        let mut comparisons = Comparisons::default();
        rankings.iter().for_each(|ranking| comparisons.merge(&ranking.comparisons()));
        let pairs = self.compared();
        let contest =
            |&[first, second]: &[usize; 2]| Contest::new(forest, &rankings[first], &rankings[second]);
        pairs.iter().try_for_each(|pair| contest(pair).check())?;
        let truth = forest.truth(&field);
        let chances = ideal.map(|ideal| Chances::of(&field, forest, ideal, &truth)).transpose()?;
        let won = rankings.par_iter().map(|ranking| won(&field, forest, ranking, &truth)).collect();
        let quality = qualities(&field, &self.rules, won, chances.as_ref())?;
        let trees = forest.trees();
        let play = |pair: &[usize; 2]| {
            let counts = contest(pair).counts();
            let mass = contest(pair).mass(&field, &truth);
            Match::of::<K>(&field, *pair, Swept { counts, mass, bound: None }, &quality, &trees)
        };
        let matches = pairs.par_iter().map(play).collect::<Result<_, _>>()?;
        Ok(Measurement {
            engine: Engine::Classes,
            classes: Some(forest.classes().len() as u64),
            comparisons: Some(comparisons),
            steps: None,
            matches,
            quality: quality.into_iter().map(|quality| quality.map(K::of)).collect(),
            chances: chances.map(|chances| chances.map(K::of)),
        })
    }

    /// Block by block: one sweep along each rule except Minimax and one along the ideal rule. A checkpoint has the name of the
    /// first sweep; those of further ones are next to it, with the names of their rules added.
    fn in_blocks(&self, options: &deep::Options<'_>) -> Result<Measurement<K::Number>, MeasureError> {
        let (minimax, best) = (Rule::from(Minimax), Rule::from(Ideal));
        let along = deep::sweeps(&self.rules, self.quality);
        let mut swept: Vec<DeepMass> = Vec::new();
        for (place, rule) in along.iter().enumerate() {
            let own = options.checkpoint.filter(|_| place > 0).map(|path| {
                let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let suffix: String = rule.to_string().chars().map(plain).collect();
                let mut name = path.as_os_str().to_owned();
                name.push(format!(".{suffix}"));
                PathBuf::from(name)
            });
            let checkpoint = own.as_deref().or(options.checkpoint);
            let options = deep::Options { checkpoint, ..*options };
            let contestant = Contestant::new(rule.clone(), self.curves);
            swept.push(deep::mass(self.model, &self.curves.truth, &contestant, &options)?);
        }
        let of = |rule: &Rule| along.iter().position(|other| other == rule).map(|place| &swept[place]);
        let field = K::field(self.curves)?;
        let number = |double: f64, bound: f64| K::enclosing(double, bound).ok_or(DeepError::Exact);
        let chances = match of(&best).filter(|_| self.quality) {
            Some(ideal) => {
                let won = &ideal.won;
                let [ideal, random] = [number(won.rules[1], won.bound)?, number(won.random, won.bound)?];
                Some(Chances::new(&field, ideal, random)?)
            }
            None => None,
        };
        let won = |rule: &Rule| {
            // What Minimax wins comes with every sweep.
            let (sweep, place) = of(rule).map_or((&swept[0], 0), |sweep| (sweep, 1));
            number(sweep.won.rules[place], sweep.won.bound)
        };
        let won = self.rules.iter().map(won).collect::<Result<_, _>>()?;
        let quality = qualities(&field, &self.rules, won, chances.as_ref())?;
        let trees = self.model.trees();
        let mut matches = Vec::new();
        let mut comparisons = Comparisons::default();
        let at = self.rules.iter().position(|rule| *rule == minimax).unwrap_or_default();
        for (place, rule) in self.rules.iter().enumerate() {
            let Some(sweep) = of(rule) else { continue };
            comparisons.merge(&sweep.comparisons);
            let mass = Mass {
                first_error: number(sweep.mass.first_error, sweep.bound)?,
                second_error: number(sweep.mass.second_error, sweep.bound)?,
            };
            let mass = if at < place { mass } else { mass.swapped() };
            let sums = Swept { counts: sweep.counts.clone(), mass, bound: Some(sweep.bound) };
            matches.push(Match::of::<K>(&field, [at.min(place), at.max(place)], sums, &quality, &trees)?);
        }
        Ok(Measurement {
            engine: Engine::Deep,
            classes: swept.iter().map(|sweep| sweep.pairs).max(),
            comparisons: Some(comparisons),
            steps: None,
            matches,
            quality: quality.into_iter().map(|quality| quality.map(K::of)).collect(),
            chances: chances.map(|chances| chances.map(K::of)),
        })
    }

    /// By the law of values.
    fn by_law(
        &self,
        steps: u32,
        options: &deep::Options<'_>,
    ) -> Result<Measurement<K::Number>, MeasureError> {
        let LawRules { ideal, swapped } = LawRules::of(&self.rules)?;
        let on_truth;
        let curves = if ideal {
            on_truth = law::ideal_curves(self.curves);
            &on_truth
        } else {
            self.curves
        };
        let options = law::Options {
            quality: self.quality,
            swapped,
            checkpoint: options.checkpoint,
            ..law::Options::new(steps, options.interrupt, options.progress)
        };
        let Laws { shares, figures, quality, ties_points } = K::law(self.model, curves, &options)?;
        let sums =
            Sums::Shares { critical: shares.critical, errors: [shares.first_error, shares.second_error] };
        let (quality, chances) = quality.map_or((Vec::new(), None), |quality| {
            let rules = quality.won.into_iter().zip(quality.efficiency);
            let rules = rules.map(|(won, efficiency)| Quality { won, efficiency }).collect();
            (rules, Some(Chances { ideal: quality.ideal, random: quality.random }))
        });
        Ok(Measurement {
            engine: Engine::Law,
            classes: None,
            comparisons: None,
            steps: Some(steps),
            matches: vec![Match { rules: [0, 1], sums, figures, ties_points, bound: None }],
            quality,
            chances,
        })
    }
}

/// What was measured on a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measurement<N> {
    /// The engine that measured it.
    pub engine: Engine,
    /// Depth-1 classes, if they were counted.
    pub classes: Option<u64>,
    /// How the orders by the rules were proved.
    pub comparisons: Option<Comparisons>,
    /// For a law: the steps of the grid per unit.
    pub steps: Option<u32>,
    /// Two rules against each other, in the order of the rules.
    pub matches: Vec<Match<N>>,
    /// What each rule wins over all trees, ties included, and its efficiency if it was asked for. A law gives it only then.
    pub quality: Vec<Quality<N>>,
    /// What can be won, if it was asked for.
    pub chances: Option<Chances<N>>,
}

impl<N> Measurement<N> {
    /// The same in other numbers.
    pub fn map<T>(self, to: impl Fn(N) -> T) -> Measurement<T> {
        Measurement {
            engine: self.engine,
            classes: self.classes,
            comparisons: self.comparisons,
            steps: self.steps,
            matches: self.matches.into_iter().map(|game| game.map(&to)).collect(),
            quality: self.quality.into_iter().map(|quality| quality.map(&to)).collect(),
            chances: self.chances.map(|chances| chances.map(&to)),
        }
    }
}

/// Two rules against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Match<N> {
    /// The places of the two rules in the list of all.
    pub rules: [usize; 2],
    /// Sums over the critical trees.
    pub sums: Sums<N>,
    /// The percentages.
    pub figures: Percentages<N>,
    /// What ties contribute to won of the first rule minus won of the second, in percentage points; the rest is (e2 - e1) /
    /// trees. A difference in percent of the errors leaves ties out, so the two measures can disagree. `None` if what the rules
    /// win was not measured.
    pub ties_points: Option<N>,
    /// A proved bound on the error of each mass, where they were summed block by block in doubles.
    pub bound: Option<f64>,
}

/// Sums over the trees in which two rules choose different moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Sums<N> {
    /// Over the trees themselves.
    Counted {
        /// The kinds of ordered trees.
        counts: Counts,
        /// The error masses of the two rules.
        errors: [N; 2],
    },
    /// As shares of all trees.
    Shares {
        /// The critical trees.
        critical: N,
        /// The error masses of the two rules.
        errors: [N; 2],
    },
}

impl<N> Match<N> {
    /// The kinds of ordered trees, unless only shares are known.
    pub fn counts(&self) -> Option<&Counts> {
        match &self.sums {
            Sums::Counted { counts, .. } => Some(counts),
            Sums::Shares { .. } => None,
        }
    }

    /// The error masses of the two rules, over all trees or as shares of them.
    pub fn errors(&self) -> &[N; 2] {
        match &self.sums {
            Sums::Counted { errors, .. } | Sums::Shares { errors, .. } => errors,
        }
    }

    fn map<T>(self, to: impl Fn(N) -> T) -> Match<T> {
        Match {
            rules: self.rules,
            sums: match self.sums {
                Sums::Counted { counts, errors } => Sums::Counted { counts, errors: errors.map(&to) },
                Sums::Shares { critical, errors } => {
                    Sums::Shares { critical: to(critical), errors: errors.map(&to) }
                }
            },
            figures: self.figures.map(&to),
            ties_points: self.ties_points.map(&to),
            bound: self.bound,
        }
    }
}

/// What a sum over critical trees gives; `bound` is that of masses in doubles.
struct Swept<N> {
    counts: Counts,
    mass: Mass<N>,
    bound: Option<f64>,
}

impl<N> Match<N> {
    /// The figures of two rules after the gate; an error if one of them is impossible.
    fn of<K: NumberKind<Number = N>>(
        field: &K::Field<'_>,
        rules: [usize; 2],
        swept: Swept<K::Sum>,
        quality: &[Quality<K::Sum>],
        trees: &BigUint,
    ) -> Result<Self, ImpossibleFigure> {
        let Swept { counts, mass, bound } = swept;
        let mass = mass.possible(field)?;
        let figures = percentages(field, &mass, &counts.critical)?.map(K::of);
        let ties = K::of(ties_points(field, rules.map(|rule| &quality[rule].won), &mass, trees));
        let error =
            |sum: K::Sum| bound.map_or_else(|| K::of(sum.clone()), |bound| K::within(sum.clone(), bound));
        let errors = [mass.first_error, mass.second_error].map(error);
        Ok(Self { rules, sums: Sums::Counted { counts, errors }, figures, ties_points: Some(ties), bound })
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

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use num_traits::Zero as _;
    use prodmax_enumerate::ZeroMode;
    use prodmax_number::Figure;

    use super::*;
    use crate::kind::{Certified, Exact};

    fn model(root: i64, increments: &[i64]) -> Model {
        Model::new(root, increments, ZeroMode::Skip, 42).unwrap()
    }

    fn curves(truth: &str) -> Curves {
        Curves::new(truth.parse().unwrap(), Curve::arctan(1), 42)
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

    fn difference<N: Into<Figure>>(measured: Result<Measurement<N>, MeasureError>) -> f64 {
        let [game] = <[_; 1]>::try_from(measured.unwrap().matches).ok().unwrap();
        game.figures.difference_percent.unwrap().into().double()
    }

    /// Storm also finds -6.468599539 for this model.
    #[test]
    fn figures_are_in_the_numbers_asked_for() {
        let known = -6.468_599_539;
        let (model, curves) = (model(1, &[8, 8]), curves("arctan:4"));
        let measure = || Measure::new(&model, &curves);
        assert_relative_eq!(difference(measure().run()), known, epsilon = 1e-9);
        assert_relative_eq!(difference(measure().number::<Certified>().run()), known, epsilon = 1e-9);
        let irrational = measure().number::<Exact>().run();
        assert!(matches!(irrational, Err(MeasureError::Irrational(curve)) if curve == Curve::arctan(4)));
    }

    #[test]
    fn fractions_are_exact_for_a_rational_truth() {
        let (model, curves) = (model(-3, &[8, 8]), curves("uniform:1/35"));
        let measured = Measure::new(&model, &curves).number::<Exact>().run().unwrap();
        let difference = measured.matches[0].figures.difference_percent.clone().unwrap();
        assert!(difference.is_zero(), "1/35 is the threshold");
    }

    #[test]
    fn deep_figures_are_doubles_or_enclosures_of_them() {
        let (model, curves) = (model(-1, &[2, 1, 2]), curves("arctan:4"));
        let measure = || Measure::new(&model, &curves).engine(Engine::Deep);
        let doubles = measure().run().unwrap().matches[0].errors()[0];
        assert!(doubles.uncertainty.amount().is_some_and(|bound| bound < 1e-6));
        let certified = measure().number::<Certified>().run().unwrap().matches[0].errors()[0].clone();
        assert_relative_eq!(doubles.value, Figure::from(certified).double(), max_relative = 1e-12);
        let exact = measure().number::<Exact>().run();
        assert!(matches!(exact, Err(MeasureError::Deep(error)) if matches!(*error, DeepError::Exact)));
    }

    /// The cell of row (1, 3) and root -1 in Table II, with Storm's difference, by each engine.
    #[test]
    fn engines_agree() {
        let (model, curves) = (model(-1, &[1, 1, 3]), curves("arctan:4"));
        for (engine, tolerance) in [(Engine::Classes, 1e-9), (Engine::Deep, 1e-9), (Engine::Law, 1e-6)] {
            let measured = Measure::new(&model, &curves).engine(engine).run();
            assert_relative_eq!(difference(measured), -4.440_829_252, epsilon = tolerance);
        }
    }

    /// Ranking the rules once gives what a measurement for each truth gives, to the last bit.
    #[test]
    fn truths_one_by_one() {
        let rules = ["minimax", "product", "average:1/2", "ideal"].map(|rule| rule.parse::<Rule>().unwrap());
        let truths = ["arctan:1", "arctan:16", "pearl:4"].map(|truth| truth.parse::<Curve>().unwrap());
        let model = model(-1, &[3, 2, 3]);
        let with = |truth: &Curve| Curves::new(truth.clone(), Curve::arctan(2), 42);
        for engine in [Engine::Classes, Engine::Deep] {
            fn contest<'a>(
                model: &'a Model,
                curves: &'a Curves,
                rules: &[Rule],
                engine: Engine,
            ) -> Measure<'a> {
                Measure::new(model, curves).contest(rules.to_vec()).engine(engine)
            }
            let curves = with(&Curve::arctan(4));
            let found = contest(&model, &curves, &rules, engine).run_over(&truths).unwrap();
            let expected = |truth| contest(&model, &with(truth), &rules, engine).run().unwrap();
            assert_eq!(found, truths.iter().map(expected).collect::<Vec<_>>());
        }
    }

    /// A match the other way round has the signs of the other side.
    #[test]
    fn rules_change_places_in_every_engine() {
        let (model, curves) = (model(-1, &[2, 1, 2]), curves("arctan:4"));
        for engine in Engine::ALL {
            let [first, second] = khs_rules();
            let of = |rules| {
                let measure = Measure::new(&model, &curves).rules(rules).engine(engine).quality(true);
                measure.run().unwrap().map(|number| number.value)
            };
            let (there, back) = (of(khs_rules()), of([second, first]));
            let (one, other) = (&there.matches[0], &back.matches[0]);
            assert_eq!(one.errors()[0].to_bits(), other.errors()[1].to_bits(), "{engine}");
            assert_eq!(one.figures.difference_percent, other.figures.difference_percent.map(|lead| -lead));
            assert_relative_eq!(one.ties_points.unwrap(), -other.ties_points.unwrap(), epsilon = 1e-11);
            assert_eq!(there.quality[0], back.quality[1]);
            assert_eq!(there.chances, back.chances);
        }
    }

    #[test]
    fn what_an_engine_cannot_do_is_refused_before_the_work() {
        let (model, curves) = (model(1, &[2, 2]), curves("uniform:1/20"));
        let message = |rules: &str, engine| {
            let rules = rules.split(',').map(|rule| rule.parse().unwrap()).collect();
            Measure::new(&model, &curves).contest(rules).engine(engine).plan().unwrap_err().to_string()
        };
        assert!(message("product,mean:2", Engine::Deep).contains("not product against mean:2"));
        assert!(message("product,mean:2,ideal", Engine::Deep).contains("set against minimax only"));
        assert!(message("minimax,mean:2", Engine::Law).contains("not minimax against mean:2"));
        assert!(message("minimax,product,ideal", Engine::Law).contains("product against ideal"));
        let exact = Measure::new(&model, &curves).number::<Exact>();
        assert!(matches!(exact.engine(Engine::Law).plan(), Err(MeasureError::LawExact)));
        let large = Model::new(1, &[8, 8, 8, 8], ZeroMode::Skip, 42).unwrap();
        let classes = Measure::new(&large, &curves).engine(Engine::Classes).plan();
        assert!(matches!(classes, Err(MeasureError::TooDeepForMemory)));
        let slow = Measure::new(&large, &curves).engine(Engine::Deep).within(1.0).plan();
        assert!(
            matches!(slow, Err(MeasureError::Deep(error)) if matches!(*error, DeepError::Hopeless { .. }))
        );
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
