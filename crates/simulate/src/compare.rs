//! Tables III and IV in the paper's layout, ours next to the published ones, and Fig. 6.

use prodmax_jobs::ron_file::RonError;
use prodmax_mass::Curve;
use prodmax_number::Fraction;
use prodmax_number::tails::{chi_square_tail, normal_tail};
use serde::Serialize;

use crate::counts::{DepthCounts, TreeCounts};
use crate::published::{PUBLISHED_TREES, Probabilities, PublishedRow};
use crate::results::SimulationResults;
use crate::statistics::{Ratio, sign_test};

/// One of our figures and the published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Ours, as a fraction.
    pub ours: Ratio,
    /// The published fraction, if the table has this depth.
    pub published: Option<f64>,
}

impl Cell {
    /// Published minus ours in standard errors (of the three published trees and of ours combined); `None` if all our
    /// trees are alike, so that there is no standard error.
    pub fn deviation(&self) -> Option<f64> {
        let deviation = self.ours.deviation(self.published?, PUBLISHED_TREES);
        deviation.is_finite().then_some(deviation)
    }

    /// Whether the published figure lies within 2 standard errors.
    pub fn agrees(&self) -> Option<bool> {
        self.deviation().map(|deviation| deviation.abs() <= 2.0)
    }
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The depth of all searches.
    pub d: usize,
    /// "Total game pairs".
    pub pairs: u64,
    /// Critical pairs won by the first rule ("Wins by Minimax").
    pub first_wins: u64,
    /// Critical pairs won by the second rule ("Wins by Product").
    pub second_wins: u64,
    /// Critical pairs among all pairs; `None` with fewer than two trees.
    pub critical: Option<Cell>,
    /// The share of the critical pairs that the first rule wins ("Minimax % wins critical"); `None` with fewer than
    /// two trees or without critical pairs.
    pub share: Option<Cell>,
    /// The published row.
    pub published: Option<PublishedRow>,
}

impl Row {
    /// "Critical game pairs".
    pub fn critical_pairs(&self) -> u64 {
        self.first_wins + self.second_wins
    }

    /// The share of all games that the first rule wins ("Minimax % wins total"): in a pair that is not critical each
    /// side wins one game.
    pub fn total_share(&self) -> f64 {
        0.5 + (self.first_wins as f64 - self.second_wins as f64) / (2 * self.pairs) as f64
    }

    /// "Significance" as published: the sign test, which treats all pairs as independent.
    pub fn significance(&self) -> Option<f64> {
        sign_test(self.first_wins, self.second_wins)
    }

    /// The significance by the standard error over trees.
    pub fn clustered_significance(&self) -> Option<f64> {
        let share = self.share?.ours;
        (share.standard_error > 0.0).then(|| normal_tail((share.value - 0.5).abs() / share.standard_error))
    }
}

/// How far a published table is from ours as a whole.
///
/// The cells of one triple of trees are as dependent as the published ones, so that the triples need no assumption.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// the sum of the squared deviations
    pub chi_square: f64,
    /// the number of figures
    pub cells: usize,
    /// the probability of a sum at least as large if they were independent and normal
    pub significance: f64,
    /// how many disjoint triples of our own trees there are
    pub triples: usize,
    /// how many of them are at least as far from the expected figures as the published table, which is of three trees
    pub triples_beyond: usize,
}

/// One table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableComparison {
    /// Which table.
    pub probabilities: Probabilities,
    /// One row per depth.
    pub rows: Vec<Row>,
    /// `None` if no cell can be compared.
    pub fit: Option<Fit>,
}

impl TableComparison {
    /// Both tables of a run, compared with the published ones if the run has their model: Minimax against Product,
    /// depth 18, increments 0..8, h_max 42, c = 16 for the truth.
    pub fn both(results: &SimulationResults) -> Result<[Self; 2], RonError> {
        let spec = &results.spec;
        let steepness = match &spec.truth {
            Curve::Arctan(c) | Curve::Pearl(c) => Some(c),
            _ => None,
        };
        let is_published = spec.rules.is_khs()
            && (spec.tree_depth, spec.increment, spec.h_max) == (18, 8, 42)
            && steepness == Some(&Fraction::from_integer(16.into()));
        let one = |probabilities: Probabilities| -> Result<Self, RonError> {
            let published = if is_published { probabilities.published()? } else { Vec::new() };
            Ok(Self::new(results, probabilities, &published))
        };
        let [estimated, actual] = Probabilities::ALL.map(one);
        Ok([estimated?, actual?])
    }

    /// The table of a run compared with a published one (which is empty for models that are not in the paper).
    pub fn new(
        results: &SimulationResults,
        probabilities: Probabilities,
        published: &[PublishedRow],
    ) -> Self {
        let rows: Vec<Row> = results
            .totals()
            .iter()
            .enumerate()
            .map(|(index, total)| row(results, probabilities, published, index, total))
            .collect();
        let fit = fit(results, probabilities, &rows);
        Self { probabilities, rows, fit }
    }
}

/// The fractions (critical, pairs) and (wins of the first rule, critical) of some counts.
fn parts(probabilities: Probabilities, counts: &DepthCounts) -> [(u64, u64); 2] {
    let contest = probabilities.pairs(counts);
    [(contest.critical(), counts.pairs), (contest.first_wins, contest.critical())]
}

fn row(
    results: &SimulationResults,
    probabilities: Probabilities,
    published: &[PublishedRow],
    index: usize,
    total: &DepthCounts,
) -> Row {
    let published = published.iter().find(|row| row.d == total.d);
    let cell = |part: usize, published: Option<f64>| {
        let trees = results.trees.iter().map(|tree| parts(probabilities, &tree.depths[index])[part]);
        Ratio::of(&trees.collect::<Vec<_>>()).map(|ours| Cell { ours, published })
    };
    let contest = probabilities.pairs(total);
    Row {
        d: total.d,
        pairs: total.pairs,
        first_wins: contest.first_wins,
        second_wins: contest.second_wins,
        critical: cell(0, published.map(|row| row.critical as f64 / row.pairs as f64)),
        share: cell(1, published.map(|row| row.minimax_wins as f64 / row.critical as f64)),
        published: published.cloned(),
    }
}

fn fit(results: &SimulationResults, probabilities: Probabilities, rows: &[Row]) -> Option<Fit> {
    // Depths at which both figures can be compared.
    let compared: Vec<(usize, [Cell; 2])> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| Some((index, [row.critical?, row.share?])))
        .filter(|(_, cells)| cells.iter().all(|cell| cell.deviation().is_some()))
        .collect();
    if compared.is_empty() {
        return None;
    }
    let cells = || compared.iter().flat_map(|(_, cells)| cells);
    let chi_square: f64 = cells().filter_map(Cell::deviation).map(|deviation| deviation * deviation).sum();
    let of_triple = |trees: &[TreeCounts]| -> Option<f64> {
        let mut sum = 0.0;
        for (index, cells) in &compared {
            let mut total = DepthCounts::default();
            trees.iter().for_each(|tree| total.add(&tree.depths[*index]));
            for (cell, (part, whole)) in cells.iter().zip(parts(probabilities, &total)) {
                if whole == 0 {
                    return None;
                }
                let deviation = cell.ours.deviation(part as f64 / whole as f64, PUBLISHED_TREES);
                sum += deviation * deviation;
            }
        }
        Some(sum)
    };
    let triples: Vec<f64> = results.trees.chunks_exact(PUBLISHED_TREES).filter_map(of_triple).collect();
    Some(Fit {
        chi_square,
        cells: cells().count(),
        significance: chi_square_tail(chi_square, cells().count()),
        triples: triples.len(),
        triples_beyond: triples.iter().filter(|&&triple| triple >= chi_square).count(),
    })
}

/// One depth of Fig. 6: how often each player chooses a losing move when the other move wins, among all decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionErrors {
    /// The search depth.
    pub d: usize,
    /// The first and the second rule with estimated probabilities (Minimax and Product-est).
    pub estimated: [Ratio; 2],
    /// The first and the second rule with actual probabilities (Minimax again, and Product-actual).
    pub actual: [Ratio; 2],
    /// By how much the first rule errs more often than the second, with estimated and with actual probabilities: its
    /// standard error is that of the difference in the same trees.
    pub excess: [Ratio; 2],
}

/// The curves of Fig. 6 with standard errors; empty with fewer than two trees.
pub fn decision_errors(results: &SimulationResults) -> Vec<DecisionErrors> {
    let at = |(index, &d): (usize, &usize)| {
        let ratio = |probabilities: Probabilities, rule: usize| {
            let trees = results.trees.iter().map(|tree| &tree.depths[index]);
            let errors = trees.map(|counts| (probabilities.errors(counts)[rule], counts.pairs));
            Ratio::of(&errors.collect::<Vec<_>>())
        };
        let both = |probabilities| Some([ratio(probabilities, 0)?, ratio(probabilities, 1)?]);
        let excess = |probabilities: Probabilities| {
            let trees = results.trees.iter().map(|tree| &tree.depths[index]);
            let differences = trees.map(|counts| {
                let [first, second] = probabilities.errors(counts);
                Some((i64::try_from(i128::from(first) - i128::from(second)).ok()?, counts.pairs))
            });
            Ratio::signed(&differences.collect::<Option<Vec<_>>>()?)
        };
        Some(DecisionErrors {
            d,
            estimated: both(Probabilities::Estimated)?,
            actual: both(Probabilities::Actual)?,
            excess: [excess(Probabilities::Estimated)?, excess(Probabilities::Actual)?],
        })
    };
    results.spec.depths.iter().enumerate().filter_map(at).collect()
}
