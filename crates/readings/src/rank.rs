//! The best readings.

use std::cmp::Ordering;

use crate::score::Score;

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// The least root mean square.
    #[default]
    Rms,
    /// The most cells that would be printed as they are.
    Digits,
    /// The most cells with the printed sign.
    Signs,
    /// The most depth-2 figures that would be printed as they are.
    Facts,
}

impl RankBy {
    fn compare(self, a: &Score, b: &Score) -> Ordering {
        let matched = |score: &Score| score.facts.as_ref().map_or(0, |facts| facts.matched);
        let first = match self {
            Self::Rms => Ordering::Equal,
            Self::Digits => b.within.cmp(&a.within),
            Self::Signs => b.signs.cmp(&a.signs),
            Self::Facts => matched(b).cmp(&matched(a)),
        };
        first.then(a.rms.total_cmp(&b.rms))
    }
}

/// The numbers of the best readings, best first; among equals the first in the grid.
pub fn best(scores: &[Score], by: RankBy, top: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let compare = |&a: &usize, &b: &usize| by.compare(&scores[a], &scores[b]).then(a.cmp(&b));
    if top < order.len() {
        order.select_nth_unstable_by(top, compare);
        order.truncate(top);
    }
    order.sort_unstable_by(compare);
    order
}

/// How many different results there are: readings with the same root mean square give the same table (nearly always).
pub fn distinct(scores: &[Score]) -> usize {
    let mut rms: Vec<i64> = scores.iter().map(|score| (score.rms * 1e9).round() as i64).collect();
    rms.sort_unstable();
    rms.dedup();
    rms.len()
}
