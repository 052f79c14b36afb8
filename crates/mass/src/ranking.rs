//! The exact order of classes by the values of a rule.
//!
//! Comparing two nearly equal values in doubles is a guess. Here a comparison is *proved*: by doubles with an error
//! bound if they are far enough apart (`order.rs`), otherwise by enclosures of increasing precision (`settle.rs`),
//! and equality by the identity of rational functions (`identity.rs`). All kinds of numbers share this order, so the
//! set of critical trees never depends on rounding.

mod identity;
mod order;
mod settle;
mod sorting;
mod subtrees;

use prodmax_enumerate::{ClassTable, DepthOne};

use crate::sweep::Groups;
use prodmax_rules::Contestant;

pub(crate) use order::{Names, RuleOrder};
pub use subtrees::compare_subtrees;

/// Binary places of the enclosures that are tried one after the other, in addition to those that a rule needs for its
/// powers.
const STAGES: [u32; 3] = [160, 320, 640];

/// Binary places of the enclosures that functions carry along.
const FUNCTION_BITS: u32 = 320;

/// How the comparisons of neighbours in an order were settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// Neighbours compared: one fewer than there are classes.
    pub total: u64,
    /// Those that doubles could not settle.
    pub escalated: u64,
    /// Those that nothing could settle. A result that has any is refused.
    pub unresolved: u64,
}

impl Comparisons {
    /// Adds the other counts.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.total += other.total;
        self.escalated += other.escalated;
        self.unresolved += other.unresolved;
    }
}

/// The depth-1 classes of a model in the order of one rule.
#[derive(Clone, Debug)]
pub struct Ranking {
    ranks: Vec<u32>,
    groups: Groups,
    comparisons: Comparisons,
}

impl Ranking {
    /// Ranks the depth-1 classes of a table. Comparisons that nothing can settle are counted in
    /// [`Ranking::comparisons`].
    pub(crate) fn of(table: &ClassTable, classes: &DepthOne, contestant: &Contestant<'_>) -> Self {
        let mut comparisons = Comparisons::default();
        let (width, flat) = classes.nodes().names();
        let names = Names { width, flat: &flat };
        let groups = RuleOrder::new(table, contestant).sort(names, &mut comparisons);
        let mut ranks = vec![0; classes.len()];
        for (rank, group) in groups.iter().enumerate() {
            group.iter().for_each(|&class| ranks[class as usize] = rank as u32);
        }
        Self { ranks, groups, comparisons }
    }

    /// The rank of each class, from 0; equal values have equal ranks.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The classes in groups of equal value, ascending.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// How the order was proved.
    pub fn comparisons(&self) -> Comparisons {
        self.comparisons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_added() {
        let mut sum = Comparisons { total: 10, escalated: 3, unresolved: 1 };
        sum.merge(&Comparisons { total: 5, escalated: 2, unresolved: 7 });
        assert_eq!(sum, Comparisons { total: 15, escalated: 5, unresolved: 8 });
    }
}
