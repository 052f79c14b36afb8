//! The columns of independent values in Tables 10 and 11, with a threshold that moves.

use maud::html;
use prodmax_output::{Cell, Column, Table};
use prodmax_pathology::tables::threshold::{Moving, moving_threshold};

use super::{Cited, is_independent};
use crate::error::ReportError;
use crate::section::Section;
use crate::words::{extremes, fixed};

/// Adds a paragraph and a table.
pub(super) fn add(section: &mut Section, cited: &[Cited<'_>]) -> Result<(), ReportError> {
    let all = moving_threshold().map_err(|error| ReportError::Samples(error.to_string()))?;
    let furthest = all.iter().map(|figure| (figure.ours - figure.published).abs()).fold(0.0, f64::max);
    let by_median = cited.iter().filter(|cited| [10, 11].contains(&cited.table) && is_independent(cited));
    let by_median = by_median
        .filter_map(|cited| Some((cited.comparison.ours_f64()? - cited.comparison.published_f64()?).abs()));
    section.p(html! {
        "Instead of the median the threshold may move: each tree is judged by the value that another tree’s root has when it is \
         searched to depth 0 (its true value plus noise). With it the furthest of the " (all.len()) " figures of independent \
         values in Tables 10 and 11 is off by " (fixed(furthest, 4))
        @if let Some((_, most)) = extremes(by_median) { ", with the median by " (fixed(most, 4)) }
        ". That was found after the fact, from the figures of Table 10, so it describes the columns and explains nothing. The \
         verdicts are those of the text."
    });
    section.folded_table("Tables 10 and 11, independent values, with a moving threshold", table(&all));
    Ok(())
}

fn table(all: &[Moving]) -> Table {
    let columns = [(10, "two_value_error"), (10, "static_two_value_error"), (11, "two_value_error")];
    let mut depths: Vec<usize> = all.iter().map(|figure| figure.d).collect();
    depths.sort_unstable();
    depths.dedup();
    let row = |d: &usize| {
        let figures = columns.iter().flat_map(|(table, quantity)| {
            let found = all
                .iter()
                .find(|figure| (figure.table, figure.quantity.as_str(), figure.d) == (*table, *quantity, *d));
            match found {
                Some(figure) => [Cell::decimal(figure.published, 4), Cell::decimal(figure.ours, 4)],
                None => ["-".into(), "-".into()],
            }
        });
        std::iter::once(Cell::from(*d)).chain(figures).collect()
    };
    Table {
        id: "lgb-moving-threshold".to_owned(),
        title: "Independent values with a moving threshold".to_owned(),
        columns: [
            "d",
            "Table 10, root",
            "ours",
            "Table 10, static",
            "ours: static",
            "Table 11",
            "ours: Table 11",
        ]
        .map(Column::right)
        .to_vec(),
        rows: depths.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
