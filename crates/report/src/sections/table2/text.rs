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
use crate::run::Comparison;
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
        "Of the published cells, " (published(1)) " favour Minimax and " (published(-1)) " Product. The model as \
         stated has Product ahead in " (out_of(product, cells.len())) " cells"
        @if let Some((low, high)) = extremes(ours.iter().copied()) {
            ", with differences from " (fixed(low, 1)) " to " (fixed(high, 1)) " percent"
        }
        ". To the printed digit " (reproduced) " cells agree, " (count(Verdict::SignOnly)) " agree in sign only, "
        (count(Verdict::Differs)) " not even in that. Our figures are certified by interval arithmetic, tests \
         compare the enumeration tree by tree with slow, naive versions, and an independent probabilistic model \
         checker gave the same numbers for " (out_of(storm.agreeing(), storm.cases.len())) " models that were checked with \
         it. Why the printed figures are different is not known; other readings of the paper are tried below."
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

/// The cell that looks like a misprint: row (4,2), root +1.
const UNUSUAL: ([i32; 3], i32) = ([4, 4, 2], 1);

/// The unusual cell and its neighbours in the row; `None` if its value lies between theirs.
pub(in crate::sections) fn unusual(rows: &[Row<'_>]) -> Option<Markup> {
    let is_unusual = |cell: &Comparison| {
        let model = cell.entry.quantity.model();
        model.is_some_and(|model| (model.increments(), model.root().get()) == (&UNUSUAL.0[..], UNUSUAL.1))
    };
    let (row, [before, cell, after]) = rows.iter().find_map(|row| {
        let cells: Vec<&Comparison> = row.cells().collect();
        let found = cells.windows(3).find(|window| is_unusual(window[1]))?;
        Some((row, [found[0], found[1], found[2]]))
    })?;
    let number = |cell: &Comparison| cell.entry.published.number();
    let (low, middle, high) = (number(before)?, number(cell)?, number(after)?);
    let is_between = low.clone().min(high.clone()) <= middle && middle <= low.max(high);
    let text = |cell: &Comparison| with_minus(cell.entry.published.text());
    let root = with_minus(&cell.entry.quantity.model()?.root().to_string());
    (!is_between).then(|| {
        html! {
            "In row " (row.name) " the cell at root " (root) ", " (text(cell)) ", does not lie between its neighbours "
            (text(before)) " and " (text(after)) "; it may be a misprint."
        }
    })
}
