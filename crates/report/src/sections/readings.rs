//! Which reading of the paper reproduces its Table II? The search as recorded in `specs/readings/`: it takes minutes,
//! so the report shows what it found and how to repeat it.

use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::run::Findings;
use crate::section::Section;

/// What `prodmax readings --grid specs/readings/search-1.ron` found: the best readings, then those with most cells
/// within rounding, then each dimension's choices; the parts are separated by empty lines.
const RESULTS: &str = include_str!("../../../../specs/readings/search-1-results.csv");

/// Readings shown.
const TOP: usize = 12;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if findings.experiment("table2").is_none() {
        return Ok(None);
    }
    let parts: Vec<&str> = RESULTS.split("\n\n").collect();
    let (Some(best), Some(choices)) = (parts.first(), parts.last()) else { return Ok(None) };
    let choices =
        table("readings-choices", "Each choice with everything else at its best", choices, usize::MAX);
    let tried: u64 = readings_of(&choices, "statistic");
    let mut section = Section::new("readings", "Which reading reproduces Table II?");
    section.p(&format!(
        "The text leaves room: how 0 is handled, how trees are weighted, what a tie means, how a node’s truth follows \
         from its leaves, what is divided by what. <code>prodmax readings</code> measures readings of the text by the \
         thousand. A search over {tried} of them found <b>none that reproduces the table</b>, nor the 3,886 critical \
         cases of depth 2. The nearest is off by 0.48 percentage points on average (root mean square) and agrees with \
         the printed digits in 6 of 42 cells. It is the best of very many, chosen after the fact: a description of the \
         table, not a confirmation of anything."
    ));
    section.p(
        "What the good readings share is a jump of a node’s truth where its leaves change sign: a node with one good and \
         one bad leaf counts as wrong only if both leaves are. With independent leaves, as the paper states, no choice \
         of anything else comes below 2.4.",
    );
    section.table(table("readings-best", "The readings nearest to Table II", best, TOP));
    section.folded_table("What each dimension contributes", choices);
    section
        .data
        .push(("readings".to_owned(), json!({ "tried": tried, "grid": "specs/readings/search-1.ron" })));
    Ok(Some(section))
}

/// A part of the results as a table, words to the left and numbers to the right; its fields have no commas of their
/// own.
fn table(id: &str, title: &str, text: &str, most: usize) -> Table {
    let mut lines = text.lines().filter(|line| !line.is_empty()).map(|line| line.split(','));
    let names = lines.next().into_iter().flatten();
    let rows: Vec<Vec<Cell>> = lines.take(most).map(|fields| fields.map(Cell::from).collect()).collect();
    let is_number = |cell: &Cell| cell.text.parse::<f64>().is_ok();
    let has_numbers = |column: usize| rows.iter().all(|row| row.get(column).is_some_and(is_number));
    let column = |(index, name)| if has_numbers(index) { Column::right(name) } else { Column::left(name) };
    let columns = names.enumerate().map(column).collect();
    Table { id: id.to_owned(), title: title.to_owned(), columns, rows, notes: Vec::new() }
}

/// The readings of all choices of one dimension: every reading has exactly one of them.
fn readings_of(choices: &Table, dimension: &str) -> u64 {
    let of_dimension =
        choices.rows.iter().filter(|row| row.first().is_some_and(|cell| cell.text == dimension));
    of_dimension.filter_map(|row| row.get(2)?.text.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use prodmax_output::Align;

    use super::*;

    #[test]
    fn the_recorded_search_is_read() {
        let parts: Vec<&str> = RESULTS.split("\n\n").collect();
        let best = table("best", "", parts[0], 1);
        assert_eq!(best.columns.len(), best.rows[0].len());
        let (numbers, words) = best.columns.split_at(6);
        assert!(numbers.iter().all(|column| column.align == Align::Right), "rank to facts");
        assert!(words.iter().all(|column| column.align == Align::Left), "choices");
        assert_eq!((best.rows[0][2].text.as_str(), best.rows[0][3].text.as_str()), ("0.4816", "6"));
        let choices = table("choices", "", parts[parts.len() - 1], usize::MAX);
        assert_eq!(readings_of(&choices, "statistic"), 487_280);
        assert_eq!(readings_of(&choices, "ties"), 487_280, "every reading has one choice of every dimension");
    }
}
