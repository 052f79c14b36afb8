//! The best readings.

use std::cmp::Ordering;

use crate::score::Score;

/// What readings are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// The least root mean square.
    #[default]
    Rms,
    /// The most cells that round to the printed digits.
    Digits,
    /// The most cells with the printed sign.
    Signs,
    /// The most depth-2 figures that round to the printed digits.
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

/// The indices of the best readings, best first; equally good ones in the order of the grid.
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

/// The number of different results: readings with the same root mean square (nearly always) give the same table.
pub fn distinct(scores: &[Score]) -> usize {
    let mut rms: Vec<i64> = scores.iter().map(|score| (score.rms * 1e9).round() as i64).collect();
    rms.sort_unstable();
    rms.dedup();
    rms.len()
}
