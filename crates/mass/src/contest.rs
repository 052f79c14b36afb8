//! Two rules against each other over all trees of a model.

use std::cmp::Ordering;

use num_bigint::BigUint;
use prodmax_enumerate::EnumerateError;

use crate::arithmetic::{Arithmetic, BigCounting, Counting, Factor, Ring, Weighted};
use crate::critical::{Counts, Mass, MassError};
use crate::forest::Forest;
use crate::moves::{MoveOrders, SumMethod};
use crate::ranking::Ranking;
use crate::sweep::{Orders, Pairs};

/// The maximum number of entries of a tree of moments (`moves.rs`): some hundred megabytes of exact counts.
const MAX_MOMENTS: u64 = 1 << 22;

/// Two rankings of the same classes.
///
/// Classes, two rankings and the sums over all trees in which the rules choose different moves:
///
/// ```
/// use prodmax_enumerate::{Model, ZeroMode};
/// use prodmax_mass::arithmetic::Float;
/// use prodmax_mass::{Contest, Contestant, Curve, Curves, Forest};
///
/// let model = Model::new(1, &[8, 8], ZeroMode::Skip, 42)?;
/// let curves = Curves::new(Curve::arctan(4), Curve::arctan(1), 42);
/// let forest = Forest::of(&model)?;
/// let minimax = forest.rank(&Contestant::new("minimax".parse()?, &curves))?;
/// let product = forest.rank(&Contestant::new("product".parse()?, &curves))?;
/// let contest = Contest::new(&forest, &minimax, &product);
/// assert_eq!(contest.counts().critical, 26_896u32.into());
///
/// let truth = Float(&curves.truth);
/// let mass = contest.mass(&truth, &forest.truth(&truth));
/// let percent = 100.0 * mass.first_error / (mass.first_error + mass.second_error);
/// assert!((percent - 53.234_300).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    forest: &'a Forest,
    first: &'a Ranking,
    second: &'a Ranking,
}

/// Which class of a pair a number belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    ByFirst,
    BySecond,
}

impl<'a> Contest<'a> {
    /// Sets two rankings of one forest against each other.
    pub fn new(forest: &'a Forest, first: &'a Ranking, second: &'a Ranking) -> Self {
        Self { forest, first, second }
    }

    /// Which ranking the sweep goes along: the finer one. The choice does not depend on who is first, so that
    /// exchanging the rules exchanges their sums to the last bit.
    fn along(&self) -> Chosen {
        let key = |ranking: &Ranking| ranking.groups().len();
        let by_size = key(self.first).cmp(&key(self.second));
        if by_size.then_with(|| self.first.ranks().cmp(self.second.ranks())).is_gt() {
            Chosen::ByFirst
        } else {
            Chosen::BySecond
        }
    }

    /// Refuses two rules that have too many different values to be summed over in trees with more than two moves.
    pub fn check(&self) -> Result<(), MassError> {
        let branching = self.forest.branching();
        if branching < 3 {
            return Ok(());
        }
        let moves = self.moves();
        match moves.moments() {
            needed if moves.method() == SumMethod::Moments && needed > MAX_MOMENTS => {
                Err(MassError::TooFine {
                    values: moves.count,
                    branching: branching as usize,
                    needed,
                    most: MAX_MOMENTS,
                })
            }
            _ => Ok(()),
        }
    }

    /// The orders for trees with any number of moves.
    fn moves(&self) -> MoveOrders<'_> {
        let (ranking, groups) = match self.along() {
            Chosen::BySecond => (self.first, self.second.groups()),
            Chosen::ByFirst => (self.second, self.first.groups()),
        };
        MoveOrders {
            ranks: ranking.ranks(),
            count: ranking.groups().len(),
            groups,
            weights: self.forest.classes().multiplicities(),
            branching: self.forest.branching(),
        }
    }

    /// Σ x_M y_P over the critical ordered trees with more than two moves, for several x and y at once.
    fn many_sums<R: Weighted, const N: usize>(
        &self,
        ring: &R,
        x: [&[R::Number]; N],
        y: [&[R::Number]; N],
    ) -> [R::Number; N] {
        let moves = self.moves();
        let (x, y) = if self.along() == Chosen::BySecond { (x, y) } else { (y, x) };
        let b = BigUint::from(moves.branching);
        let places = Factor::whole(&(&b * (&b - 1u32)));
        moves.sums(ring, moves.method(), x, y).map(|sum| ring.times(&places, &sum))
    }

    /// Σ x_i y_j over pairs of classes, where the second rule strictly prefers j.
    fn bilinear<R: Ring>(&self, ring: &R, pairs: Pairs, x: &[R::Number], y: &[R::Number]) -> R::Number {
        match self.along() {
            Chosen::BySecond => {
                Orders { ranks: self.first.ranks(), groups: self.second.groups() }.sum(ring, pairs, x, y)
            }
            Chosen::ByFirst => {
                // Along the first rule, which prefers i in critical pairs and j in agreeing ones.
                let (inner, outer) = if pairs == Pairs::Critical { (y, x) } else { (x, y) };
                Orders { ranks: self.second.ranks(), groups: self.first.groups() }
                    .sum(ring, pairs, inner, outer)
            }
        }
    }

    /// Σ x_M y_P over the critical ordered trees of a binary model, in which the first rule chooses M and the second
    /// P, for numbers x and y attached to the classes. Each pair of classes occurs in two orders of the root's moves.
    pub fn sum<R: Ring>(&self, ring: &R, x: &[R::Number], y: &[R::Number]) -> R::Number {
        let once = self.bilinear(ring, Pairs::Critical, x, y);
        let mut twice = ring.zero();
        ring.add(&mut twice, &once);
        ring.add(&mut twice, &once);
        ring.total(&twice)
    }

    /// Visits every critical pair of classes: M, P and the number of ordered trees they stand for. The time is
    /// proportional to the number of pairs of classes, or of triples with more than two moves: for small models, and
    /// for figures that no sum over classes can give. An error if the number of all trees does not fit into 128 bits.
    pub fn for_each_pair(&self, mut visit: impl FnMut(usize, usize, u128)) -> Result<(), MassError> {
        let branching = self.forest.branching();
        if self.forest.trees().bits() > u128::BITS.into() {
            return Err(EnumerateError::Multiplicity { level: 0 }.into());
        }
        let mu = self.forest.classes().multiplicities();
        let first = self.first.ranks();
        // The number of ways in which the other moves are worse than M by the first rule and worse than P by the
        // second, where `before` lists the classes that the second rule ranks below P.
        let others = |m: u32, before: &[u32]| match branching {
            0..=2 => 1,
            _ => {
                let worse = before.iter().filter(|&&c| first[c as usize] < first[m as usize]);
                worse.map(|&c| mu[c as usize]).sum::<u128>().pow(branching - 2)
            }
        };
        let places = u128::from(branching) * u128::from(branching - 1);
        let mut before: Vec<u32> = Vec::with_capacity(mu.len());
        for group in self.second.groups().iter() {
            for &p in group {
                for &m in before.iter().filter(|&&m| first[m as usize] > first[p as usize]) {
                    let others = others(m, &before);
                    visit(m as usize, p as usize, places * mu[m as usize] * mu[p as usize] * others);
                }
            }
            before.extend_from_slice(group);
        }
        Ok(())
    }

    /// How many root moves with their subtrees belong to each class.
    pub(crate) fn multiplicities(&self) -> &'a [u128] {
        self.forest.classes().multiplicities()
    }

    /// The classes that the first and the second rule choose, if they choose different ones of these two.
    pub(crate) fn critical(&self, [i, j]: [usize; 2]) -> Option<[usize; 2]> {
        let order = |ranking: &Ranking| ranking.ranks()[i].cmp(&ranking.ranks()[j]);
        match (order(self.first), order(self.second)) {
            (Ordering::Greater, Ordering::Less) => Some([i, j]),
            (Ordering::Less, Ordering::Greater) => Some([j, i]),
            _ => None,
        }
    }

    /// The numbers of ordered trees that are critical, agreeing and tied.
    pub fn counts(&self) -> Counts {
        let mu = self.forest.classes().multiplicities();
        let branching = self.forest.branching();
        match branching {
            // A single move is the best one by any rule.
            1 => Counts::from([0, self.forest.total(), 0]),
            2 => {
                let agreeing = 2 * self.bilinear(&Counting, Pairs::Agreeing, mu, mu);
                Counts::from([self.sum(&Counting, mu, mu), agreeing, self.tied()])
            }
            _ => {
                let mu: Vec<BigUint> = mu.iter().map(|&mu| mu.into()).collect();
                let [critical] = self.many_sums(&BigCounting, [&mu], [&mu]);
                let agreeing = self.moves().agreeing() * branching;
                let tied = self.forest.trees() - &critical - &agreeing;
                Counts { critical, agreeing, tied }
            }
        }
    }

    /// Ordered trees of a binary model in which some rule gives both moves the same value, by inclusion and
    /// exclusion.
    fn tied(&self) -> u128 {
        let mu = self.forest.classes().multiplicities();
        let square = |sum: u128| sum * sum;
        let size = |group: &[u32]| group.iter().map(|&class| mu[class as usize]).sum::<u128>();
        let tied_by =
            |ranking: &Ranking| ranking.groups().iter().map(|group| square(size(group))).sum::<u128>();
        let first = self.first.ranks();
        let mut by_both = 0;
        for group in self.second.groups().iter() {
            if let [class] = group {
                by_both += square(mu[*class as usize]);
                continue;
            }
            let mut group = group.to_vec();
            group.sort_unstable_by_key(|&class| first[class as usize]);
            let same = |a: &u32, b: &u32| first[*a as usize] == first[*b as usize];
            by_both += group.chunk_by(same).map(|same| square(size(same))).sum::<u128>();
        }
        tied_by(self.first) + tied_by(self.second) - by_both
    }

    /// The error masses, given the probabilities that the classes are won.
    pub fn mass<A: Arithmetic>(&self, arithmetic: &A, truth: &[A::Number]) -> Mass<A::Number> {
        let weigh = |(&mu, win): (&u128, &A::Number)| {
            (arithmetic.scale(mu, win), arithmetic.scale(mu, &arithmetic.complement(win)))
        };
        let (won, lost): (Vec<_>, Vec<_>) =
            self.forest.classes().multiplicities().iter().zip(truth).map(weigh).unzip();
        let [first_error, second_error] = match self.forest.branching() {
            1 => [(); 2].map(|()| arithmetic.total(&arithmetic.zero())),
            2 => [self.sum(arithmetic, &lost, &won), self.sum(arithmetic, &won, &lost)],
            _ => self.many_sums(arithmetic, [&lost, &won], [&won, &lost]),
        };
        Mass { first_error, second_error }
    }
}
