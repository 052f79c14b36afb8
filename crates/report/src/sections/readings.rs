//! Which reading of the paper reproduces its Table II? The search as recorded in `specs/readings/`: it takes minutes,
//! so the report shows its results and how to repeat it.

use maud::html;
use prodmax_output::{Cell, Column, Table};
use prodmax_readings::SEARCH_RESULTS;
use serde_json::json;

use super::{SectionKind, table2};
use crate::error::ReportError;
use crate::exact::grouped;
use crate::run::Findings;
use crate::section::Section;

/// The number of readings shown.
const TOP: usize = 12;

/// A part of the recorded results: names of columns, and rows of fields. First come the best readings, then those
/// with the most cells within rounding, then each dimension's choices; the parts are separated by empty lines.
struct Part {
    names: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl Part {
    fn read(text: &str) -> Self {
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut records = reader.into_records().filter_map(Result::ok);
        Self { names: records.next().unwrap_or_default(), rows: records.collect() }
    }

    /// The numbers of a column.
    fn numbers(&self, name: &str) -> Vec<f64> {
        let Some(column) = self.names.iter().position(|other| other == name) else { return Vec::new() };
        self.rows.iter().filter_map(|row| row.get(column)?.parse().ok()).collect()
    }

    /// The first rows as a table, with words aligned to the left and numbers to the right.
    fn table(&self, id: &str, title: &str, most: usize) -> Table {
        let rows: Vec<Vec<Cell>> =
            self.rows.iter().take(most).map(|row| row.iter().map(Cell::from).collect()).collect();
        let column = |name: &str| {
            let is_number = self.numbers(name).len() == self.rows.len();
            if is_number { Column::right(name) } else { Column::left(name) }
        };
        let columns = self.names.iter().map(column).collect();
        Table { id: id.to_owned(), title: title.to_owned(), columns, rows, notes: Vec::new() }
    }

    /// The number of readings over all choices in one dimension: every reading has exactly one of them.
    fn readings_of(&self, dimension: &str) -> u64 {
        let of_dimension = self.rows.iter().filter(|row| row.get(0) == Some(dimension));
        of_dimension.filter_map(|row| row.get(2)?.parse::<u64>().ok()).sum()
    }
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some((_, cells)) = table2::product_ahead(findings) else { return Ok(None) };
    if findings.experiment(table2::EXPERIMENT).is_none() {
        return Ok(None);
    }
    let parts: Vec<Part> = SEARCH_RESULTS.split("\n\n").map(Part::read).collect();
    let (Some(best), Some(choices)) = (parts.first(), parts.last()) else { return Ok(None) };
    let tried = choices.readings_of("statistic");
    let (rms, within, facts) = (best.numbers("rms"), best.numbers("within"), best.numbers("facts"));
    let most_facts = facts.iter().copied().fold(0.0, f64::max);
    let most_within = within.iter().copied().fold(0.0, f64::max);
    let mut section = Section::new("readings", "Which reading reproduces Table II?");
    section.p(html! {
        "The text leaves room for interpretation: how 0 is handled, how trees are weighted, what a tie means, how a \
         node’s truth follows from its leaves, what is divided by what. " code { "prodmax readings" } " measures \
         readings of the text by the thousand. A recorded search covered " (grouped(tried)) " of them."
        @if most_within < cells as f64 {
            " Of the " (best.rows.len()) " readings closest to the table, " b { "none reproduces it" } "."
        }
        @if let (Some(rms), Some(within)) = (rms.first(), within.first()) {
            " The closest is off by " (format!("{rms:.2}")) " percentage points on average (root mean square) and \
             agrees with the printed digits in " (within) " of " (cells) " cells. It is the best of very many, \
             chosen after the fact: a description of the table, not a confirmation of anything."
        }
        " These readings reproduce at most " (most_facts) " of the figures printed for depth 2."
    });
    section.p(
        "The closest readings and their choices are listed below. The folded table shows, for every choice, how close \
         a reading with it can come when everything else is chosen as well as possible: where these distances differ \
         widely, the choice matters.",
    );
    section.table(best.table("readings-best", "The readings closest to Table II", TOP));
    let title = "Each choice with everything else at its best";
    let choices = choices.table("readings-choices", title, usize::MAX);
    section.folded_table("What each dimension contributes", choices);
    section
        .data
        .push(("readings".to_owned(), json!({ "tried": tried, "grid": "specs/readings/search-1.ron" })));
    Ok(Some(section))
}

#[cfg(test)]
mod tests {
    use prodmax_output::Align;

    use super::*;

    #[test]
    fn the_recorded_search_is_read() {
        let parts: Vec<Part> = SEARCH_RESULTS.split("\n\n").map(Part::read).collect();
        let best = parts[0].table("best", "", 1);
        assert_eq!(best.columns.len(), best.rows[0].len());
        let (numbers, words) = best.columns.split_at(6);
        assert!(numbers.iter().all(|column| column.align == Align::Right), "rank to facts");
        assert!(words.iter().all(|column| column.align == Align::Left), "choices");
        assert_eq!([parts[0].numbers("rms")[0], parts[0].numbers("within")[0]], [0.4816, 6.0]);
        let choices = &parts[parts.len() - 1];
        assert_eq!(choices.readings_of("statistic"), 487_280);
        assert_eq!(choices.readings_of("ties"), 487_280, "every reading has one choice of every dimension");
    }
}
