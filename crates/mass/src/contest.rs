//! Two rules against each other over all trees of a model.

use crate::arithmetic::{Arithmetic, Counting, Ring};
use crate::critical::{Counts, Mass};
use crate::forest::Forest;
use crate::ranking::Ranking;
use crate::sweep::{Orders, Pairs};

/// Two rankings of the same classes.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    forest: &'a Forest,
    first: &'a Ranking,
    second: &'a Ranking,
}

/// Which of a pair of classes a number belongs to.
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

    /// Σ x_M y_P over the critical ordered trees, in which the first rule chooses M and the second P, for numbers x
    /// and y attached to the classes. Each pair of classes is met by two orders of the root's moves.
    pub fn sum<R: Ring>(&self, ring: &R, x: &[R::Number], y: &[R::Number]) -> R::Number {
        let once = self.bilinear(ring, Pairs::Critical, x, y);
        let mut twice = ring.zero();
        ring.add(&mut twice, &once);
        ring.add(&mut twice, &once);
        ring.total(&twice)
    }

    /// Visits every critical pair of classes: M, P and the number of ordered trees they stand for. Takes as long
    /// as there are pairs of classes: for small models, and for what no sum over classes can give.
    pub fn for_each_pair(&self, mut visit: impl FnMut(usize, usize, u128)) {
        let mu = self.forest.classes().multiplicities();
        let first = self.first.ranks();
        let mut before: Vec<u32> = Vec::with_capacity(mu.len());
        for group in self.second.groups().iter() {
            for &p in group {
                for &m in before.iter().filter(|&&m| first[m as usize] > first[p as usize]) {
                    visit(m as usize, p as usize, 2 * mu[m as usize] * mu[p as usize]);
                }
            }
            before.extend_from_slice(group);
        }
    }

    /// How many ordered trees are critical, agreeing, tied.
    pub fn counts(&self) -> Counts {
        let mu = self.forest.classes().multiplicities();
        let agreeing = 2 * self.bilinear(&Counting, Pairs::Agreeing, mu, mu);
        Counts { critical: self.sum(&Counting, mu, mu), agreeing, tied: self.tied() }
    }

    /// Ordered trees in which a rule values both moves the same, by inclusion and exclusion.
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

    /// The error masses for given probabilities that the classes are won.
    pub fn mass<A: Arithmetic>(&self, arithmetic: &A, truth: &[A::Number]) -> Mass<A::Number> {
        let weigh = |(&mu, win): (&u128, &A::Number)| {
            (arithmetic.scale(mu, win), arithmetic.scale(mu, &arithmetic.complement(win)))
        };
        let (won, lost): (Vec<_>, Vec<_>) =
            self.forest.classes().multiplicities().iter().zip(truth).map(weigh).unzip();
        Mass {
            first_error: self.sum(arithmetic, &lost, &won),
            second_error: self.sum(arithmetic, &won, &lost),
        }
    }
}
