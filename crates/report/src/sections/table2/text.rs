//! What Table II says, in sentences whose figures are computed.

use maud::{Markup, html};
use num_bigint::BigInt;
use num_traits::Signed;
use prodmax_golden::Verdict;
use prodmax_number::Fraction;
use prodmax_number::fraction::to_f64;

use super::Row;
use crate::figure::with_minus;
use crate::html::join;
use crate::results::ModelResults;
use crate::run::{Comparison, Findings};
use crate::storm::StormRun;
use crate::words::{extremes, fixed, out_of};

/// How the published table compares with ours.
pub(super) fn outcome(rows: &[Row<'_>], storm: &StormRun) -> Markup {
    let cells: Vec<&Comparison> = rows.iter().flat_map(Row::cells).collect();
    let count = |verdict| cells.iter().filter(|cell| cell.ours.verdict == verdict).count();
    let published = |sign: i8| cells.iter().filter(|cell| cell.entry.published.sign() == sign).count();
    let ours: Vec<f64> = cells.iter().filter_map(|cell| cell.ours_f64()).collect();
    let product = ours.iter().filter(|&&difference| difference < 0.0).count();
    let reproduced = cells.iter().filter(|cell| cell.ours.verdict.is_reproduced()).count();
    html! {
        "Of the published cells, " (published(1)) " favour Minimax and " (published(-1)) " Product. In the model as \
         stated Product errs less in critical trees in " (out_of(product, cells.len())) " cells"
        @if let Some((low, high)) = extremes(ours.iter().copied()) {
            ", with differences from " (fixed(low, 1)) " to " (fixed(high, 1)) " percent"
        }
        ". To the printed digit " (reproduced) " cells agree, " (count(Verdict::SignOnly)) " agree in sign only, "
        (count(Verdict::Differs)) " not even in that. Our figures are certified by interval arithmetic, tests \
         compare the enumeration tree by tree with slow, naive versions, and an independent probabilistic model \
         checker gave the same numbers for " (out_of(storm.agreeing(), storm.cases.len())) " models that were checked with \
         it."
        @if reproduced < cells.len() {
            " Why printed figures are different is not known; other readings of the paper are tried below."
        }
    }
}

/// What both rules win over all trees, beside a difference that is relative to their errors.
pub(super) fn won(findings: &Findings) -> Markup {
    let Some(results) = findings.experiment(super::EXPERIMENT) else { return html! {} };
    let all: Vec<[f64; 2]> = results.models.iter().filter_map(ModelResults::won_percent).collect();
    let more = all.iter().filter(|won| won[1] > won[0]).count();
    let leads = extremes(all.iter().map(|won| won[1] - won[0]));
    html! {
        @if let Some((least, most)) = leads {
            "Product also wins more of its decisions over all trees in " (out_of(more, all.len())) " cells, by "
            (fixed(least, 2)) " to " (fixed(most, 2)) " percentage points: the difference is relative to the errors in critical trees, \
             so it looks larger than what is gained. Both hold for the truth w" sub { "4" } " with the estimate w" sub { "1" }
            "; " a href="#summary" { "other curves" } " change who leads."
        }
    }
}

/// The mean of the printed cells of a row, and how far it may be off because they are rounded.
fn mean_of_cells(row: &Row<'_>) -> Option<(Fraction, Fraction)> {
    let count = BigInt::from(row.cells().count());
    if count == BigInt::ZERO {
        return None;
    }
    let mut sums = [Fraction::default(), Fraction::default()];
    for cell in row.cells() {
        sums[0] += cell.entry.published.number()?;
        sums[1] += cell.entry.published.half_unit();
    }
    let [sum, spread] = sums;
    Some((sum / &count, spread / count))
}

/// Which of the printed means are the means of the printed cells.
pub(in crate::sections) fn means(rows: &[Row<'_>]) -> Markup {
    let (mut means, mut agreeing, mut others) = (0, 0, Vec::new());
    for row in rows {
        let Some(mean) = row.mean() else { continue };
        let (Some(printed), Some((ours, spread))) = (mean.entry.published.number(), mean_of_cells(row))
        else {
            continue;
        };
        means += 1;
        let distance = (&printed - &ours).abs();
        let half_unit = mean.entry.published.half_unit();
        if distance <= half_unit {
            agreeing += 1;
            continue;
        }
        others.push(html! {
            "Row " (row.name) " prints " (with_minus(mean.entry.published.text())) " where its cells give "
            (with_minus(&format!("{:+.2}", to_f64(&ours))))
            @if distance <= half_unit + spread { ", which the rounding of the cells may explain" }
            "."
        });
    }
    html! {
        "Of the printed means, " (out_of(agreeing, means)) " are those of the printed cells."
        @if !others.is_empty() { " " (join(&others, " ")) }
    }
}

/// A printed cell below both of its neighbours: how far below the lower one, and the three.
type Valley<'a> = (Fraction, [&'a Comparison; 3]);

/// The valleys of a row.
fn valleys<'a>(row: &Row<'a>) -> Vec<Valley<'a>> {
    let cells: Vec<&Comparison> = row.cells().collect();
    let valley = |window: &[&'a Comparison]| {
        let &[before, cell, after] = window else { return None };
        let [low, middle, high] = [before, cell, after].map(|cell| cell.entry.published.number());
        let depth = low?.min(high?) - middle?;
        depth.is_positive().then_some((depth, [before, cell, after]))
    };
    cells.windows(3).filter_map(valley).collect()
}

/// The cell that lies furthest below both of its neighbours, if only one row has such cells: the others rise and fall.
pub(in crate::sections) fn unusual(rows: &[Row<'_>]) -> Option<Markup> {
    let mut with_valleys = rows.iter().map(|row| (row, valleys(row))).filter(|(_, found)| !found.is_empty());
    let (Some((row, found)), None) = (with_valleys.next(), with_valleys.next()) else { return None };
    let (_, [before, cell, after]) = found.into_iter().max_by(|a, b| a.0.cmp(&b.0))?;
    let text = |cell: &Comparison| with_minus(cell.entry.published.text());
    let root = with_minus(&cell.entry.quantity.model()?.root().to_string());
    Some(html! {
        "In row " (row.name) " the cell at root " (root) ", " (text(cell)) ", lies below both of its neighbours, "
        (text(before)) " and " (text(after)) ", as no cell of another row does; it may be a misprint."
    })
}
