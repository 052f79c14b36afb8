//! The sum over all critical pairs without visiting pairs.
//!
//! A pair (M, P) of depth-1 classes is critical if one rule prefers M and the other prefers P. Sorted by the value of
//! the latter, the partners of P are among the classes before it; a tree of partial sums over the former's ranks
//! (Fenwick) adds up those that it prefers to P. So Σ x_M y_P over all critical pairs takes n log n steps for any x
//! and y: multiplicities give the number of critical trees, multiplicities times probabilities the error masses.

use prodmax_jobs::stop;

use crate::arithmetic::Ring;

/// How two rules order the classes: by rank in the order of one rule, and in groups of equal value, ascending, of the
/// other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders<'a> {
    /// The rank of each class by the first rule; equal values have equal ranks.
    pub(crate) ranks: &'a [u32],
    /// Classes grouped by equal value of the other rule, ascending: the order of the sweep.
    pub(crate) groups: &'a Groups,
}

/// Classes in groups, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    classes: Vec<u32>,
    /// Where each group ends in `classes`.
    ends: Vec<u32>,
}

impl Groups {
    /// Appends a group.
    pub(crate) fn push(&mut self, group: &[u32]) {
        self.classes.extend_from_slice(group);
        self.ends.push(self.classes.len() as u32);
    }

    /// Appends a group.
    pub(crate) fn extend(&mut self, group: impl IntoIterator<Item = u32>) {
        self.classes.extend(group);
        self.ends.push(self.classes.len() as u32);
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The groups in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.classes[start as usize..end as usize])
    }
}

/// Which pairs are summed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// The ranks strictly prefer x's class, the groups strictly prefer y's.
    Critical,
    /// Both strictly prefer y's class.
    Agreeing,
}

impl Orders<'_> {
    /// Σ x_i y_j over all pairs (i, j) of the wanted kind.
    pub(crate) fn sum<R: Ring>(&self, ring: &R, pairs: Pairs, x: &[R::Number], y: &[R::Number]) -> R::Number {
        let count = self.ranks.iter().max().map_or(0, |&highest| highest as usize + 1);
        // A Fenwick tree sums over ranks below a bound: for critical pairs ranks count from the top.
        let place = |class: u32| match pairs {
            Pairs::Critical => count - 1 - self.ranks[class as usize] as usize,
            Pairs::Agreeing => self.ranks[class as usize] as usize,
        };
        let mut before = Fenwick { ring, nodes: vec![ring.zero(); count + 1] };
        let mut total = ring.zero();
        for group in self.groups.iter() {
            stop::check();
            for &class in group {
                let partners = before.below(place(class));
                ring.add(&mut total, &ring.mul(&ring.total(&partners), &y[class as usize]));
            }
            for &class in group {
                before.add(place(class), &x[class as usize]);
            }
        }
        ring.total(&total)
    }
}

struct Fenwick<'a, R: Ring> {
    ring: &'a R,
    /// Node i holds the sum over the ranks from i minus its lowest bit to i - 1.
    nodes: Vec<R::Sum>,
}

impl<R: Ring> Fenwick<'_, R> {
    fn add(&mut self, rank: usize, number: &R::Number) {
        let mut node = rank + 1;
        while node < self.nodes.len() {
            self.ring.add(&mut self.nodes[node], number);
            node += node & node.wrapping_neg();
        }
    }

    /// The sum over all ranks below `rank`.
    fn below(&self, rank: usize) -> R::Sum {
        let mut sum = self.ring.zero();
        let mut node = rank;
        while node > 0 {
            self.ring.merge(&mut sum, &self.nodes[node]);
            node &= node - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arithmetic::Counting;

    proptest! {
        #[test]
        fn agrees_with_visiting_all_pairs(
            classes in prop::collection::vec((0u32..6, 0u32..6, 0u128..9, 0u128..9), 0..40)
        ) {
            let mut groups = Groups::default();
            for value in 0..6 {
                let group = (0..classes.len() as u32).filter(|&i| classes[i as usize].1 == value);
                groups.push(&group.collect::<Vec<_>>());
            }
            let ranks: Vec<u32> = classes.iter().map(|c| c.0).collect();
            let orders = Orders { ranks: &ranks, groups: &groups };
            let (x, y): (Vec<_>, Vec<_>) = classes.iter().map(|c| (c.2, c.3)).unzip();
            let (mut critical, mut agreeing) = (0, 0);
            for i in &classes {
                for j in classes.iter().filter(|j| i.1 < j.1) {
                    critical += if i.0 > j.0 { i.2 * j.3 } else { 0 };
                    agreeing += if i.0 < j.0 { i.2 * j.3 } else { 0 };
                }
            }
            prop_assert_eq!(orders.sum(&Counting, Pairs::Critical, &x, &y), critical);
            prop_assert_eq!(orders.sum(&Counting, Pairs::Agreeing, &x, &y), agreeing);
        }
    }
}
