//! Which trees of a run are finished: ranges of their numbers, however many there are.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A set of tree numbers, as ascending ranges [first, end) that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Finished(Vec<(u64, u64)>);

/// Why ranges are not a set of trees.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FinishedError {
    /// An empty range, or one that does not lie behind the one before it.
    #[error("the range {0} to {1} of finished trees is empty or out of order")]
    Order(u64, u64),
    /// A tree that is there already.
    #[error("tree {0} is there already; it would be counted twice")]
    Twice(u64),
}

impl TryFrom<Vec<(u64, u64)>> for Finished {
    type Error = FinishedError;

    fn try_from(ranges: Vec<(u64, u64)>) -> Result<Self, FinishedError> {
        let mut before = None;
        for &(first, end) in &ranges {
            if first >= end || before.is_some_and(|before| first <= before) {
                return Err(FinishedError::Order(first, end));
            }
            before = Some(end);
        }
        Ok(Self(ranges))
    }
}

impl From<Finished> for Vec<(u64, u64)> {
    fn from(finished: Finished) -> Self {
        finished.0
    }
}

impl Finished {
    /// How many trees.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(first, end)| end - first).sum()
    }

    /// The first tree outside a range, if any.
    pub fn beyond(&self, range: &Range<u64>) -> Option<u64> {
        let first = self.0.first().map(|range| range.0).filter(|first| !range.contains(first));
        let last = self.0.last().map(|range| range.1 - 1).filter(|last| !range.contains(last));
        first.or(last)
    }

    /// The ranges [first, end) of trees inside a range that are not finished.
    pub fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut next = range.start;
        for &(first, end) in self.0.iter().filter(|(_, end)| *end > range.start) {
            if next < first.min(range.end) {
                gaps.push(next..first.min(range.end));
            }
            next = next.max(end);
        }
        if next < range.end {
            gaps.push(next..range.end);
        }
        gaps
    }

    /// Adds a range of trees, none of which may be in the set.
    pub fn insert(&mut self, trees: Range<u64>) -> Result<(), FinishedError> {
        let Range { start: first, end } = trees;
        // Those before end before `first` or touch it.
        let at = self.0.partition_point(|range| range.1 <= first);
        if let Some(next) = self.0.get(at)
            && next.0 < end
        {
            return Err(FinishedError::Twice(first.max(next.0)));
        }
        let joins_next = self.0.get(at).is_some_and(|next| next.0 == end);
        let joins_last = at > 0 && self.0[at - 1].1 == first;
        match (joins_last, joins_next) {
            (true, true) => self.0[at - 1].1 = self.0.remove(at).1,
            (true, false) => self.0[at - 1].1 = end,
            (false, true) => self.0[at].0 = first,
            (false, false) => self.0.insert(at, (first, end)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_of_trees_is_what_a_set_of_numbers_is(trees in prop::collection::vec(0u64..40, 0..40)) {
            let (mut set, mut twin) = (Finished::default(), BTreeSet::new());
            for tree in trees {
                prop_assert_eq!(set.insert(tree..tree + 1).is_ok(), twin.insert(tree));
            }
            prop_assert_eq!(set.count(), twin.len() as u64);
            let missing: Vec<u64> = set.gaps(3..37).into_iter().flatten().collect();
            prop_assert_eq!(missing, (3..37).filter(|tree| !twin.contains(tree)).collect::<Vec<_>>());
            prop_assert!(Finished::try_from(Vec::from(set.clone())) == Ok(set));
        }

        #[test]
        fn ranges_are_joined_in_any_order(lengths in prop::collection::vec(1u64..5, 1..20), seed in any::<u64>()) {
            let mut end = 0;
            let mut ranges: Vec<Range<u64>> = lengths
                .iter()
                .map(|length| {
                    end += length;
                    end - length..end
                })
                .collect();
            ranges.sort_by_key(|range| (range.start ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut all = Finished::default();
            ranges.into_iter().for_each(|range| all.insert(range).unwrap());
            prop_assert_eq!(Vec::from(all), vec![(0, end)]);
        }
    }

    #[test]
    fn ranges_out_of_order_and_trees_in_both_are_refused() {
        let refused = |ranges: &[(u64, u64)]| Finished::try_from(ranges.to_vec()).unwrap_err().to_string();
        assert_eq!(refused(&[(3, 3)]), "the range 3 to 3 of finished trees is empty or out of order");
        assert_eq!(refused(&[(0, 2), (2, 4)]), "the range 2 to 4 of finished trees is empty or out of order");
        let mut set = Finished::try_from(vec![(0, 4)]).unwrap();
        assert_eq!(
            set.insert(3..9).unwrap_err().to_string(),
            "tree 3 is there already; it would be counted twice"
        );
        assert_eq!(set.beyond(&(0..4)), None);
        assert_eq!((set.beyond(&(1..4)), set.beyond(&(0..3))), (Some(0), Some(3)));
    }
}
