//! The critical trees of a model: how many there are, and what each rule's errors in them weigh.

use num_bigint::BigUint;
use prodmax_enumerate::{ClassTable, DepthOne, EnumerateError, HeuristicValue, Model};
use prodmax_number::possible::{ImpossibleFigure, Kind};
use prodmax_rules::CurveTable;
use prodmax_rules::minimax::Minimax;
use prodmax_rules::product::Product;
use thiserror::Error;

use crate::arithmetic::{Arithmetic, Field, Ring};
use crate::contest::Contest;
use crate::forest::Forest;
use crate::ranking::{Comparisons, Ranking};
use prodmax_rules::Contestant;

/// Why a mass cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MassError {
    /// The classes cannot be enumerated.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// Values that no precision tells apart and that are not equal by construction.
    #[error(
        "{comparisons} comparisons of {rule} values stay unresolved at the highest precision; \
         the figures would be a guess"
    )]
    Unresolved {
        /// The rule that gives the values.
        rule: String,
        /// The number of comparisons.
        comparisons: u64,
    },
    /// Two rules with too many different values in a model with more than two moves.
    #[error(
        "both rules have very many different values, {values} and more, and with {branching} moves everywhere that takes \
         {needed} sums; the maximum is {most}, so set one of them against a rule with few values, like minimax, or \
         use fewer moves or smaller increments"
    )]
    TooFine {
        /// The different values of the rule that has fewer.
        values: usize,
        /// Moves of every node.
        branching: usize,
        /// The number of sums it would take.
        needed: u64,
        /// The maximum number of sums.
        most: u64,
    },
    /// A figure that cannot be.
    #[error(transparent)]
    Impossible(#[from] ImpossibleFigure),
    /// More trees than doubles can hold.
    #[error(
        "the model has about 10^{digits} trees, more than doubles can hold, in which masses are summed; use certified \
         numbers, or exact ones with a uniform truth"
    )]
    BeyondDoubles {
        /// The power of ten.
        digits: u64,
    },
}

/// The ordered trees of a model, divided into three kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Each rule has a unique best move, and these differ.
    pub critical: BigUint,
    /// Each rule has a unique best move, and they are the same.
    pub agreeing: BigUint,
    /// At least one rule has no unique best move.
    pub tied: BigUint,
}

impl Counts {
    /// All trees.
    pub fn trees(&self) -> BigUint {
        &self.critical + &self.agreeing + &self.tied
    }
}

impl From<[u128; 3]> for Counts {
    /// Critical, agreeing, tied.
    fn from(counts: [u128; 3]) -> Self {
        let [critical, agreeing, tied] = counts.map(BigUint::from);
        Self { critical, agreeing, tied }
    }
}

/// The error masses over all critical ordered trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mass<N> {
    /// Σ Pr(M lost) Pr(P won): the first rule, which chooses M, errs.
    pub first_error: N,
    /// Σ Pr(M won) Pr(P lost): the second rule, which chooses P, errs.
    pub second_error: N,
}

impl<N> Mass<N> {
    /// The same after the gate; an error if a mass is impossible.
    pub(crate) fn possible<F: Field<Number = N>>(self, field: &F) -> Result<Self, ImpossibleFigure> {
        let possible = |mass: N, name: &str| {
            field
                .possible(Kind::Size, mass)
                .map_err(|reason| reason.of(format!("the error mass of the {name} rule")))
        };
        Ok(Self {
            first_error: possible(self.first_error, "first")?,
            second_error: possible(self.second_error, "second")?,
        })
    }

    /// The same with the rules exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { first_error: self.second_error, second_error: self.first_error }
    }
}

/// The trees of a model and how two rules rank them.
#[derive(Clone, Debug)]
pub struct Critical {
    forest: Forest,
    first: Ranking,
    second: Ranking,
}

impl Critical {
    /// Minimax against Product, as in KHS: enumerates a model and ranks its depth-1 classes by minimax value and by
    /// the product value under `estimate`.
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::{Critical, Curve, CurveTable};
    ///
    /// // Depth 2, increments up to 8, root -3: 28,992 of 9^6 ordered trees.
    /// let model = Model::new(-3, &[8, 8], ZeroMode::Skip, 42)?;
    /// let critical = Critical::of(&model, &CurveTable::new(Curve::arctan(1), 42))?;
    /// assert_eq!(critical.counts().critical, 28_992u32.into());
    /// assert_eq!(critical.counts().trees(), 531_441u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(model: &Model, estimate: &CurveTable) -> Result<Self, MassError> {
        Self::from_table(ClassTable::build(model)?, estimate)
    }

    /// Minimax against Product on an enumerated model, whose leaves may have been given other values.
    pub fn from_table(table: ClassTable, estimate: &CurveTable) -> Result<Self, MassError> {
        let contestants = [Minimax.into(), Product.into()].map(|rule| Contestant::through(rule, estimate));
        Self::between(Forest::from_table(table)?, [&contestants[0], &contestants[1]])
    }

    /// Any rule against any other.
    pub fn between(forest: Forest, [first, second]: [&Contestant<'_>; 2]) -> Result<Self, MassError> {
        let (first, second) = (forest.rank(first)?, forest.rank(second)?);
        Contest::new(&forest, &first, &second).check()?;
        Ok(Self { forest, first, second })
    }

    /// The trees.
    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// How the two rules rank the classes.
    pub fn rankings(&self) -> [&Ranking; 2] {
        [&self.first, &self.second]
    }

    /// The rules against each other.
    pub fn contest(&self) -> Contest<'_> {
        Contest::new(&self.forest, &self.first, &self.second)
    }

    /// The classes.
    pub fn classes(&self) -> &DepthOne {
        self.forest.classes()
    }

    /// The levels below.
    pub fn table(&self) -> &ClassTable {
        self.forest.table()
    }

    /// How both rankings were proved.
    pub fn comparisons(&self) -> Comparisons {
        let mut comparisons = self.first.comparisons();
        comparisons.merge(&self.second.comparisons());
        comparisons
    }

    /// See [`Contest::sum`].
    pub fn sum<R: Ring>(&self, ring: &R, x: &[R::Number], y: &[R::Number]) -> R::Number {
        self.contest().sum(ring, x, y)
    }

    /// See [`Contest::for_each_pair`].
    pub fn for_each_pair(&self, visit: impl FnMut(usize, usize, u128)) -> Result<(), MassError> {
        self.contest().for_each_pair(visit)
    }

    /// The leaves of a class from left to right.
    pub fn leaves(&self, class: usize) -> Vec<HeuristicValue> {
        self.forest.leaves(class)
    }

    /// See [`Contest::counts`].
    pub fn counts(&self) -> Counts {
        self.contest().counts()
    }

    /// See [`Forest::truth`].
    pub fn truth<A: Arithmetic>(&self, arithmetic: &A) -> Vec<A::Number> {
        self.forest.truth(arithmetic)
    }

    /// See [`Contest::mass`].
    pub fn mass<A: Arithmetic>(&self, arithmetic: &A, truth: &[A::Number]) -> Mass<A::Number> {
        self.contest().mass(arithmetic, truth)
    }
}
