//! Vectors of exact multiplicities over node values, and how a move from the level above reaches them.

use prodmax_rules::Mover;

use crate::model::Model;

/// Vectors over consecutive node values, one per class, stored end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Vectors {
    /// The position of each vector's first entry.
    starts: Vec<i32>,
    /// Where each vector ends in `entries`; it begins where the previous one ends.
    ends: Vec<usize>,
    entries: Vec<u128>,
}

impl Vectors {
    pub(crate) fn push(&mut self, start: i32, entries: impl IntoIterator<Item = u128>) {
        self.starts.push(start);
        self.entries.extend(entries);
        self.ends.push(self.entries.len());
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let shift = self.entries.len();
        self.starts.extend_from_slice(&other.starts);
        self.entries.extend_from_slice(&other.entries);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// The number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    pub(crate) fn get(&self, class: usize) -> (i32, &[u128]) {
        let begin = if class == 0 { 0 } else { self.ends[class - 1] };
        (self.starts[class], &self.entries[begin..self.ends[class]])
    }

    /// From the multiplicities per value of the class's own node (the first at position `start`) to the number of
    /// ways per value of the node above: a windowed sum over the increments of the move between them.
    pub(crate) fn push_sums(&mut self, model: &Model, level: usize, start: i32, ways: &[u128]) -> Option<()> {
        let end = start + ways.len() as i32 - 1;
        let [first, last] = reaching_values(model, level, [start, end]);
        let increment = model.increment(level);
        let window = |from: i32| {
            let [low, high] = Mover::at(level - 1).reached(from, increment);
            let [low, high] = [low.max(start) - start, high.min(end) - start];
            sum(ways[low as usize..=high as usize].iter().copied())
        };
        let sums = (first..=last).map(window).collect::<Option<Vec<_>>>()?;
        self.push(first, sums);
        Some(())
    }
}

/// The positions of the nodes of level - 1 from which some move leads into the given positions of `level`.
pub(crate) fn reaching_values(model: &Model, level: usize, [start, end]: [i32; 2]) -> [i32; 2] {
    let increment = model.increment(level);
    let [low, high] = model.position_range(level - 1);
    let [first, last] = Mover::at(level - 1).origins([start, end], increment);
    [low.max(first), high.min(last)]
}

/// The node values that two vectors share, and their entries from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common<'a> {
    /// The position of the first common value.
    pub(crate) start: i32,
    /// The rest of each vector from there on; one may be longer.
    pub(crate) ways: [&'a [u128]; 2],
}

impl<'a> Common<'a> {
    /// `None` if they have no value in common.
    #[inline]
    pub(crate) fn of((b_start, b): (i32, &'a [u128]), (c_start, c): (i32, &'a [u128])) -> Option<Self> {
        let start = b_start.max(c_start);
        let b = b.get((start - b_start) as usize..).filter(|rest| !rest.is_empty())?;
        let c = c.get((start - c_start) as usize..).filter(|rest| !rest.is_empty())?;
        Some(Self { start, ways: [b, c] })
    }

    /// The entries at the common node values.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u128, u128)> + use<'a> {
        let [b, c] = self.ways;
        b.iter().copied().zip(c.iter().copied())
    }
}

pub(crate) fn sum(terms: impl IntoIterator<Item = u128>) -> Option<u128> {
    sum_checked(terms.into_iter().map(Some))
}

pub(crate) fn sum_checked(terms: impl IntoIterator<Item = Option<u128>>) -> Option<u128> {
    terms.into_iter().try_fold(0u128, |sum, term| sum.checked_add(term?))
}

#[cfg(test)]
mod tests {
    use prodmax_rules::ZeroMode;

    use super::*;

    #[test]
    fn a_window_sum_beyond_128_bits_is_detected() {
        let model = Model::new(1, &[1, 1], ZeroMode::Skip, 42).unwrap();
        let mut vectors = Vectors::default();
        assert_eq!(vectors.push_sums(&model, 1, 0, &[u128::MAX, 1]), None);
        assert_eq!(vectors.push_sums(&model, 1, 0, &[u128::MAX - 1, 1]), Some(()));
        assert_eq!(vectors.get(0), (0, &[u128::MAX][..]));
    }

    #[test]
    fn vectors_meet_only_where_both_have_entries() {
        let meet = |b, c| Common::of(b, c).map(|common| common.iter().collect::<Vec<_>>());
        assert_eq!(meet((0, &[1, 2, 3]), (1, &[5, 6, 7])), Some(vec![(2, 5), (3, 6)]));
        assert_eq!(meet((0, &[1, 2]), (2, &[5])), None);
        assert_eq!(meet((2, &[5]), (0, &[1, 2])), None);
    }
}
