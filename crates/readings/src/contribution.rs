//! What each choice in each dimension contributes: how close readings with it can get.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::grid::DIMENSIONS;
use crate::score::Score;
use crate::search::GridSearch;

/// The best result with one choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contribution {
    /// where the text leaves room
    pub dimension: &'static str,
    /// the choice
    pub choice: String,
    /// readings with this choice
    pub readings: usize,
    /// the least rms
    #[serde(rename = "best_rms")]
    pub rms: f64,
    /// the number of the best reading in the grid
    pub best: usize,
}

/// All choices of all dimensions, best first within each dimension.
pub fn contributions(search: &GridSearch, scores: &[Score]) -> Vec<Contribution> {
    // Per dimension and choice: how many, and the best.
    let mut found: BTreeMap<(usize, String), (usize, usize)> = BTreeMap::new();
    let mut before = 0;
    for grid in search.grids() {
        let labels: Vec<Vec<String>> = (0..DIMENSIONS.len()).map(|d| grid.labels(d)).collect();
        let own = &scores[before.min(scores.len())..(before + grid.len()).min(scores.len())];
        let mut best: Vec<Vec<Option<(usize, usize)>>> =
            labels.iter().map(|labels| vec![None; labels.len()]).collect();
        for (index, score) in own.iter().enumerate() {
            for (dimension, choice) in grid.choices(index).into_iter().enumerate() {
                let (count, at) = best[dimension][choice].get_or_insert((0, index));
                *count += 1;
                if score.rms < own[*at].rms {
                    *at = index;
                }
            }
        }
        for (dimension, (labels, best)) in labels.into_iter().zip(best).enumerate() {
            for (label, best) in labels.into_iter().zip(best) {
                let Some((count, at)) = best else { continue };
                let (total, first) = found.entry((dimension, label)).or_insert((0, before + at));
                *total += count;
                if scores[before + at].rms < scores[*first].rms {
                    *first = before + at;
                }
            }
        }
        before += grid.len();
    }
    let contribution = |((dimension, choice), (readings, best)): ((usize, String), (usize, usize))| {
        (
            dimension,
            Contribution { dimension: DIMENSIONS[dimension], choice, readings, best, rms: scores[best].rms },
        )
    };
    let mut all: Vec<(usize, Contribution)> = found.into_iter().map(contribution).collect();
    all.sort_by(|(d, a), (e, b)| d.cmp(e).then(a.rms.total_cmp(&b.rms)).then(a.choice.cmp(&b.choice)));
    all.into_iter().map(|(_, contribution)| contribution).collect()
}
