//! The critical trees of a model: how many there are, and what each rule's errors in them weigh.

use prodmax_enumerate::{ClassTable, DepthOne, EnumerateError, HeuristicValue, Model};
use thiserror::Error;

use crate::arithmetic::{Arithmetic, Counting, Ring};
use crate::curve::CurveTable;
use crate::order::{Comparisons, ProductOrder, pairs};
use crate::rule::{BackupRule, Minimax};
use crate::sweep::{Orders, Pairs};

/// Why a mass cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MassError {
    /// The classes cannot be enumerated.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// Product values that no precision tells apart and that are not equal by construction.
    #[error(
        "{0} comparisons of product values stay unresolved at the highest precision; \
         the figures would be a guess"
    )]
    Unresolved(u64),
}

/// All depth-1 classes of a model in the order of both rules.
pub struct Critical {
    classes: DepthOne,
    table: ClassTable,
    minimax: Vec<HeuristicValue>,
    orders: Orders,
    comparisons: Comparisons,
}

/// Where the ordered trees of a model belong; together they are all of its trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The rules choose different moves.
    pub critical: u128,
    /// Both strictly prefer the same move.
    pub agreeing: u128,
    /// At least one rule values both moves the same.
    pub tied: u128,
}

/// The error masses over all critical ordered trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mass<N> {
    /// Σ Pr(M lost) Pr(P won): Minimax errs.
    pub minimax_error: N,
    /// Σ Pr(M won) Pr(P lost): Product errs.
    pub product_error: N,
}

impl Critical {
    /// Enumerates a model and orders its depth-1 classes by minimax value and by product value of `estimate`.
    pub fn of(model: &Model, estimate: &CurveTable) -> Result<Self, MassError> {
        Self::from_table(ClassTable::build(model)?, estimate)
    }

    /// Orders the depth-1 classes of an enumerated model, whose leaves may have been given other values.
    pub fn from_table(table: ClassTable, estimate: &CurveTable) -> Result<Self, MassError> {
        let classes = table.depth_one()?;
        let total = classes.total()?;
        // Every sum of the sweep is bounded by the number of trees.
        total.checked_mul(total).ok_or(EnumerateError::Multiplicity { level: 0 })?;
        let minimax = Minimax.depth_one_values(&table, &classes);
        let mut comparisons = Comparisons::default();
        let second = ProductOrder::new(&table, estimate).sort(&pairs(&classes), &mut comparisons);
        if comparisons.unresolved > 0 {
            return Err(MassError::Unresolved(comparisons.unresolved));
        }
        let orders = Orders { first: ranks(&minimax), second };
        Ok(Self { classes, table, minimax, orders, comparisons })
    }

    /// The classes.
    pub fn classes(&self) -> &DepthOne {
        &self.classes
    }

    /// The levels below.
    pub fn table(&self) -> &ClassTable {
        &self.table
    }

    /// The minimax value of each class.
    pub fn minimax(&self) -> &[HeuristicValue] {
        &self.minimax
    }

    /// How the rules order the classes.
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// How the order by product value was proved.
    pub fn comparisons(&self) -> Comparisons {
        self.comparisons
    }

    /// Σ x_M y_P over the critical ordered trees, for numbers x and y attached to the classes. Each pair of
    /// classes is met by two orders of the root's moves.
    pub fn sum<R: Ring>(&self, ring: &R, x: &[R::Number], y: &[R::Number]) -> R::Number {
        let once = self.orders.sum(ring, Pairs::Critical, x, y);
        let mut twice = ring.zero();
        ring.add(&mut twice, &once);
        ring.add(&mut twice, &once);
        ring.total(&twice)
    }

    /// Visits every critical pair of classes: M, P and the number of ordered trees they stand for. Takes as long
    /// as there are pairs of classes: for small models, and for what no sum over classes can give.
    pub fn for_each_pair(&self, mut visit: impl FnMut(usize, usize, u128)) {
        let mu = self.classes.multiplicities();
        let mut before: Vec<u32> = Vec::with_capacity(self.classes.len());
        for group in self.orders.second.iter() {
            for &p in group {
                for &m in
                    before.iter().filter(|&&m| self.orders.first[m as usize] > self.orders.first[p as usize])
                {
                    visit(m as usize, p as usize, 2 * mu[m as usize] * mu[p as usize]);
                }
            }
            before.extend_from_slice(group);
        }
    }

    /// The leaves of a class from left to right.
    pub fn leaves(&self, class: usize) -> Vec<HeuristicValue> {
        self.table.leaves(&self.classes, class)
    }

    /// How many ordered trees are critical, agreeing, tied.
    pub fn counts(&self) -> Counts {
        let mu = self.classes.multiplicities();
        let agreeing = 2 * self.orders.sum(&Counting, Pairs::Agreeing, mu, mu);
        Counts { critical: self.sum(&Counting, mu, mu), agreeing, tied: self.tied() }
    }

    /// Ordered trees with equal minimax values or equal product values, by inclusion and exclusion.
    fn tied(&self) -> u128 {
        let mu = self.classes.multiplicities();
        let square = |sum: u128| sum * sum;
        let by_minimax = |classes: &mut dyn Iterator<Item = u32>| {
            let mut sums = vec![0u128; self.classes.len()];
            for class in classes {
                sums[self.orders.first[class as usize] as usize] += mu[class as usize];
            }
            sums.into_iter().map(square).sum::<u128>()
        };
        let all = 0..self.classes.len() as u32;
        let minimax_tied = by_minimax(&mut all.into_iter());
        let (mut product_tied, mut both_tied) = (0, 0);
        for group in self.orders.second.iter() {
            product_tied += square(group.iter().map(|&class| mu[class as usize]).sum());
            both_tied += match group[..] {
                [class] => square(mu[class as usize]),
                _ => by_minimax(&mut group.iter().copied()),
            };
        }
        minimax_tied + product_tied - both_tied
    }

    /// The probability that each class is won, from independent leaves.
    pub fn truth<A: Arithmetic>(&self, arithmetic: &A) -> Vec<A::Number> {
        let node = |mover, a: &A::Number, b: &A::Number| arithmetic.node(mover, a, b);
        self.classes.back_up(&self.table.back_up(|h| arithmetic.leaf(h), node), node)
    }

    /// The error masses for given probabilities that the classes are won.
    pub fn mass<A: Arithmetic>(&self, arithmetic: &A, truth: &[A::Number]) -> Mass<A::Number> {
        let weigh = |(&mu, win): (&u128, &A::Number)| {
            (arithmetic.scale(mu, win), arithmetic.scale(mu, &arithmetic.complement(win)))
        };
        let (won, lost): (Vec<_>, Vec<_>) =
            self.classes.multiplicities().iter().zip(truth).map(weigh).unzip();
        Mass {
            minimax_error: self.sum(arithmetic, &lost, &won),
            product_error: self.sum(arithmetic, &won, &lost),
        }
    }
}

/// Ranks from 0 with equal ranks for equal values.
fn ranks(values: &[HeuristicValue]) -> Vec<u32> {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    values.iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect()
}
