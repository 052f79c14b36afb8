//! Single critical trees: those that weigh most, and some that are drawn by weight.

use std::cmp::Ordering;

use prodmax_jobs::stop;

use crate::contest::Contest;

/// Seconds to examine one pair of classes.
const PAIR_SECONDS: f64 = 2e-9;

/// A little more than the relative rounding error of a weight.
const ROUNDED_UP: f64 = 1.0 + 1e-14;

/// Critical trees that differ only in the order of siblings, or in leaves that no rule distinguishes: M and P belong to
/// the same classes in all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heavy {
    /// The class that the first rule chooses.
    pub m: usize,
    /// The class that the second rule chooses.
    pub p: usize,
    /// The number of ordered trees.
    pub trees: u128,
    /// The error mass of the first rule in them: the number times Pr(M lost) Pr(P won).
    pub first_error: f64,
    /// The error mass of the second rule in them: the number times Pr(M won) Pr(P lost).
    pub second_error: f64,
}

impl Heavy {
    /// The error mass of both rules, by which trees are ordered.
    pub fn weight(&self) -> f64 {
        self.first_error + self.second_error
    }

    /// The heaviest first; of equal ones that with the lower classes.
    fn order(&self, other: &Self) -> Ordering {
        let by_weight = other.weight().total_cmp(&self.weight());
        by_weight.then_with(|| (self.m, self.p).cmp(&(other.m, other.p)))
    }
}

/// An upper bound on the seconds that [`Contest::heaviest`] takes: usually it examines only a few of the pairs of
/// classes.
pub fn seconds(classes: f64) -> f64 {
    classes * classes / 2.0 * PAIR_SECONDS
}

impl Contest<'_> {
    /// The `count` critical trees of a binary model with the greatest error mass of both rules, given the probabilities
    /// that the classes are won; each stands for all trees of the same two classes.
    ///
    /// Classes are visited from the most frequent to the rarest, until no later pair can enter the list (`Bounds`).
    ///
    /// ```
    /// use prodmax_enumerate::{Model, ZeroMode};
    /// use prodmax_mass::arithmetic::Float;
    /// use prodmax_mass::{Critical, Curve, CurveTable};
    ///
    /// let model = Model::new(-3, &[8, 8], ZeroMode::Skip, 42)?;
    /// let critical = Critical::of(&model, &CurveTable::new(Curve::arctan(1), 42))?;
    /// let truth = critical.truth(&Float(&CurveTable::new(Curve::arctan(4), 42)));
    /// // All of them: together they are the 28,992 critical trees.
    /// let all = critical.contest().heaviest(&truth, 28_992);
    /// assert_eq!(all.iter().map(|heavy| heavy.trees).sum::<u128>(), 28_992);
    /// assert!(all.is_sorted_by(|heavier, lighter| heavier.weight() >= lighter.weight()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heaviest(&self, truth: &[f64], count: usize) -> Vec<Heavy> {
        let mu = self.multiplicities();
        let mut order: Vec<usize> = (0..mu.len()).collect();
        order.sort_by(|&a, &b| mu[b].cmp(&mu[a]).then(a.cmp(&b)));
        let bounds = Bounds::new(&order, mu, truth);
        let mut best: Vec<Heavy> = Vec::new();
        if count == 0 {
            return best;
        }
        for (place, &i) in order.iter().enumerate() {
            stop::check();
            let least = |best: &[Heavy]| best.get(count - 1).map_or(0.0, Heavy::weight);
            if bounds.of_all_from(place) < least(&best) {
                break;
            }
            for (step, &j) in order[..place].iter().enumerate() {
                if bounds.of_pairs(place, step) < least(&best) {
                    break;
                }
                let Some([m, p]) = self.critical([i, j]) else { continue };
                let heavy = self.heavy(truth, m, p);
                let at = best.partition_point(|other| other.order(&heavy) == Ordering::Less);
                if at < count {
                    best.truncate(count - 1);
                    best.insert(at, heavy);
                }
            }
        }
        best
    }

    /// The trees in which the first rule chooses a move of class m and the second one of class p.
    fn heavy(&self, truth: &[f64], m: usize, p: usize) -> Heavy {
        let mu = self.multiplicities();
        let trees = 2 * mu[m] * mu[p];
        let first_error = trees as f64 * ((1.0 - truth[m]) * truth[p]);
        let second_error = trees as f64 * (truth[m] * (1.0 - truth[p]));
        Heavy { m, p, trees, first_error, second_error }
    }
}

/// Draws critical trees of a binary model with probabilities proportional to their weights.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    contest: Contest<'a>,
    truth: &'a [f64],
    /// The cumulative multiplicities of the classes.
    sums: Vec<u128>,
}

impl<'a> Draw<'a> {
    /// Prepares draws from the critical trees of `contest`, given the probabilities that the classes are won.
    pub fn new(contest: Contest<'a>, truth: &'a [f64]) -> Self {
        let mut sum = 0;
        let add = |mu: &u128| {
            // The total is the number of root moves, whose square fits.
            sum += mu;
            sum
        };
        Self { contest, truth, sums: contest.multiplicities().iter().map(add).collect() }
    }

    /// Picks a tree uniformly at random, using 64-bit numbers from `random`, and returns it if it is critical, with the
    /// probability that a rule errs in it. So trees are drawn in proportion to their weight.
    pub fn attempt(&self, mut random: impl FnMut() -> u64) -> Option<Heavy> {
        let pair = [(); 2].map(|()| self.class(&mut random));
        let [m, p] = self.contest.critical(pair)?;
        let heavy = self.contest.heavy(self.truth, m, p);
        // 53 bits: all doubles between 0 and 1 that are equally far apart.
        let chance = (random() >> 11) as f64 / (1u64 << 53) as f64;
        (chance < heavy.weight() / heavy.trees as f64).then_some(heavy)
    }

    /// A random class, with a probability proportional to its multiplicity.
    fn class(&self, random: &mut impl FnMut() -> u64) -> usize {
        let total = self.sums.last().copied().unwrap_or(0).max(1);
        let limit = u128::MAX - u128::MAX % total;
        let number = loop {
            let number = u128::from(random()) << 64 | u128::from(random());
            if number < limit {
                break number % total;
            }
        };
        self.sums.partition_point(|&sum| sum <= number)
    }
}

/// Upper bounds on the weight of pairs of classes that have not been visited. With x = Pr(M lost) and y = Pr(P lost)
/// the errors are x(1 - y) + y(1 - x), which is at most 1 and at most x + y; the same holds with won for lost.
struct Bounds {
    /// How frequent the classes are, the most frequent first.
    frequencies: Vec<f64>,
    /// The same times the probability that the class is lost, and that it is won.
    parts: [Vec<f64>; 2],
    /// The suffix maxima of both.
    greatest: [Vec<f64>; 2],
}

impl Bounds {
    fn new(order: &[usize], mu: &[u128], truth: &[f64]) -> Self {
        let frequencies: Vec<f64> = order.iter().map(|&class| mu[class] as f64).collect();
        let part = |chance: &dyn Fn(usize) -> f64| -> Vec<f64> {
            order.iter().zip(&frequencies).map(|(&class, frequency)| frequency * chance(class)).collect()
        };
        let parts = [part(&|class| 1.0 - truth[class]), part(&|class| truth[class])];
        let greatest = parts.each_ref().map(|part| {
            let mut greatest = part.clone();
            for place in (1..greatest.len()).rev() {
                greatest[place - 1] = greatest[place - 1].max(greatest[place]);
            }
            greatest
        });
        Self { frequencies, parts, greatest }
    }

    /// The bound for pairs of the class at `place` with any class from `step` on.
    fn of_pairs(&self, place: usize, step: usize) -> f64 {
        let (a, b) = (self.frequencies[place], self.frequencies[step]);
        let least = (0..2).map(|kind| self.parts[kind][place] * b + a * self.greatest[kind][step]);
        ROUNDED_UP * 2.0 * least.fold(a * b, f64::min)
    }

    /// The bound for all pairs with a class from `place` on.
    fn of_all_from(&self, place: usize) -> f64 {
        let (a, b) = (self.frequencies[place], self.frequencies[0]);
        let least = (0..2).map(|kind| self.greatest[kind][place] * b + a * self.greatest[kind][0]);
        ROUNDED_UP * 2.0 * least.fold(a * b, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn a_tree_weighs_what_both_rules_err_in_it() {
        let heavy = Heavy { m: 0, p: 1, trees: 8, first_error: 2.0, second_error: 3.0 };
        assert_eq!(heavy.weight(), 5.0);
    }

    #[test]
    fn at_most_every_pair_is_looked_at() {
        assert_relative_eq!(seconds(1e6), 1e6 * 1e6 / 2.0 * PAIR_SECONDS, max_relative = 1e-12);
    }

    /// Classes that occur 8, 4 and 2 times and are lost with 1/8, 1/4 and 1/2: lost 1 time each, won 7, 3 and 1 times.
    #[test]
    fn bounds_are_the_least_of_three() {
        let bounds = Bounds::new(&[0, 1, 2], &[8, 4, 2], &[0.875, 0.75, 0.5]);
        // Lost: 1 · 8 + 4 · 1; won: 3 · 8 + 4 · 7; together: 4 · 8.
        assert_relative_eq!(bounds.of_pairs(1, 0), 2.0 * 12.0, max_relative = 1e-12);
        assert_relative_eq!(bounds.of_all_from(1), 2.0 * 12.0, max_relative = 1e-12);
        // 1 · 4 + 2 · 1 and 1 · 8 + 2 · 1; not less than that, whatever is rounded.
        assert_relative_eq!(bounds.of_pairs(2, 1), 2.0 * 6.0, max_relative = 1e-12);
        assert_relative_eq!(bounds.of_all_from(2), 2.0 * 10.0, max_relative = 1e-12);
        assert!(bounds.of_pairs(2, 1) > 12.0 && bounds.of_all_from(2) > 20.0);
        // The probability of an error is at most 1.
        let sure = Bounds::new(&[0, 1], &[3, 2], &[0.5, 0.5]);
        assert_relative_eq!(sure.of_pairs(1, 0), 2.0 * 6.0, max_relative = 1e-12);
    }
}
