//! Which reading of the paper reproduces its Table II? The search as recorded in `specs/readings/`: it takes minutes,
//! so the report shows its results and how to repeat it.

use maud::{Markup, html};
use prodmax_golden::{Reading, Verdict};
use prodmax_output::{Cell, Column, Table};
use prodmax_readings::SEARCH_RESULTS;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::table2::Row;
use super::{SectionKind, table2};
use crate::error::ReportError;
use crate::exact::grouped;
use crate::figure::with_minus;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::extremes;

/// The number of readings shown.
const TOP: usize = 12;

/// A reading as the search recorded it.
#[derive(Debug, Deserialize)]
struct Found {
    rank: usize,
    reading: u64,
    /// The root mean square of the distances from the printed cells.
    rms: f64,
    /// Cells that agree with the printed digits.
    within: usize,
    /// Cells with the printed sign.
    signs: usize,
    /// Figures of depth 2 that agree.
    facts: usize,
    /// Its choice in every dimension.
    choices: Vec<String>,
}

/// A choice in a dimension, with everything else as good as possible.
#[derive(Debug, Deserialize)]
struct Choice {
    dimension: String,
    choice: String,
    /// The number of readings with it.
    readings: u64,
    /// The distance of the closest of them, and which that is.
    least_rms: f64,
    of_reading: u64,
}

/// The recorded search.
struct Search {
    /// The dimensions, and the readings closest to the table.
    dimensions: Vec<String>,
    best: Vec<Found>,
    /// All choices, dimension by dimension.
    choices: Vec<Choice>,
}

/// The names of the columns and the rows of a table.
fn rows<T: DeserializeOwned>(text: &str) -> Result<(csv::StringRecord, Vec<T>), csv::Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers()?.clone();
    // Columns belong to fields by their order.
    let rows = reader.records().map(|record| record?.deserialize(None)).collect::<Result<_, _>>()?;
    Ok((names, rows))
}

impl Search {
    /// Of the three tables in the file the first has the closest readings and the last the choices; they are separated by
    /// empty lines.
    fn read(text: &str) -> Result<Self, ReportError> {
        let failed = |error: csv::Error| ReportError::Search(error.to_string());
        let mut tables = text.split("\n\n");
        let best = tables.next().unwrap_or_default();
        let (names, best) = rows::<Found>(best).map_err(failed)?;
        let (_, choices) = rows(tables.last().unwrap_or_default()).map_err(failed)?;
        let chosen = best.first().map_or(0, |found| found.choices.len());
        let dimensions = names.iter().skip(names.len() - chosen).map(str::to_owned).collect();
        Ok(Self { dimensions, best, choices })
    }

    /// The number of readings: every one has exactly one choice of a dimension.
    fn tried(&self) -> u64 {
        let first = self.choices.first().map(|choice| &choice.dimension);
        let of_first = self.choices.iter().filter(|choice| Some(&choice.dimension) == first);
        of_first.map(|choice| choice.readings).sum()
    }

    fn best_table(&self) -> Table {
        let row = |found: &Found| -> Vec<Cell> {
            let numbers: [Cell; 6] = [
                found.rank.into(),
                found.reading.into(),
                format!("{:.4}", found.rms).into(),
                found.within.into(),
                found.signs.into(),
                found.facts.into(),
            ];
            numbers.into_iter().chain(found.choices.iter().map(|choice| choice.as_str().into())).collect()
        };
        let numbers = ["rank", "reading", "rms", "within", "signs", "facts"].map(Column::right);
        Table {
            id: "readings-best".to_owned(),
            title: "The readings closest to Table II".to_owned(),
            columns: numbers.into_iter().chain(self.dimensions.iter().map(Column::left)).collect(),
            rows: self.best.iter().take(TOP).map(row).collect(),
            notes: Vec::new(),
        }
    }

    fn choices_table(&self) -> Table {
        let row = |choice: &Choice| -> Vec<Cell> {
            vec![
                choice.dimension.as_str().into(),
                choice.choice.as_str().into(),
                choice.readings.into(),
                format!("{:.4}", choice.least_rms).into(),
                choice.of_reading.into(),
            ]
        };
        let words = ["dimension", "choice"].map(Column::left);
        let numbers = ["readings", "least rms", "of reading"].map(Column::right);
        Table {
            id: "readings-choices".to_owned(),
            title: "Each choice with everything else at its best".to_owned(),
            columns: words.into_iter().chain(numbers).collect(),
            rows: self.choices.iter().map(row).collect(),
            notes: Vec::new(),
        }
    }
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let Some((_, cells)) = table2::product_errs_less(findings) else { return Ok(None) };
    if findings.experiment(table2::EXPERIMENT).is_none() {
        return Ok(None);
    }
    let search = Search::read(SEARCH_RESULTS)?;
    let tried = search.tried();
    let most_facts = search.best.iter().map(|found| found.facts).max().unwrap_or(0);
    let most_within = search.best.iter().map(|found| found.within).max().unwrap_or(0);
    let mut section = Section::new("readings", "Which reading reproduces Table II?");
    section.p(html! {
        "The text leaves room for interpretation: how 0 is handled, how trees are weighted, what a tie means, how a \
         node’s truth follows from its leaves, what is divided by what. " code { "prodmax readings" } " measures \
         readings of the text by the thousand. A recorded search covered " (grouped(tried)) " of them."
        @if most_within < cells {
            " Of the " (search.best.len()) " readings closest to the table, " b { "none reproduces it" } "."
        }
        @if let Some(Found { rms, within, .. }) = search.best.first() {
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
    let named = named(findings);
    if !named.is_empty() {
        section.p(in_words(&named));
    }
    section.table(search.best_table());
    section.folded_table("What each dimension contributes", search.choices_table());
    if !named.is_empty() {
        section.folded_table("Table II under the named readings", named_table(&named));
    }
    section
        .data
        .push(("readings".to_owned(), json!({ "tried": tried, "grid": "specs/readings/search-1.ron" })));
    Ok(Some(section))
}

/// The readings with a name whose figures are golden entries, and what they give for Table II.
fn named(findings: &Findings) -> Vec<(&str, Vec<Row<'_>>)> {
    let mut names: Vec<&str> = Vec::new();
    for comparison in findings.published("readings") {
        if !names.contains(&comparison.entry.reading.as_str()) {
            names.push(&comparison.entry.reading);
        }
    }
    let rows = |name: &str| {
        table2::rows_of(findings.published("readings").filter(|comparison| comparison.entry.reading == name))
    };
    names.into_iter().map(|name| (name, rows(name))).collect()
}

/// How many cells each named reading gives.
fn in_words(named: &[(&str, Vec<Row<'_>>)]) -> Markup {
    let phrase = |(name, rows): &(&str, Vec<Row<'_>>)| {
        let cells: Vec<&Comparison> = rows.iter().flat_map(Row::cells).collect();
        let within = cells.iter().filter(|cell| cell.ours.verdict.is_reproduced()).count();
        let signs = within + cells.iter().filter(|cell| cell.ours.verdict == Verdict::SignOnly).count();
        let says = Reading::named(name).map(|reading| format!(" ({})", reading.says)).unwrap_or_default();
        let range = extremes(cells.iter().filter_map(|cell| cell.ours_f64()));
        let range = range.map_or_else(String::new, |(low, high)| {
            with_minus(&format!(", with differences from {low:+.2} to {high:+.2}"))
        });
        format!("{name}{says} {signs} of {} cells, {within} of them to the printed digit{range}", cells.len())
    };
    let phrases: Vec<String> = named.iter().map(phrase).collect();
    html! { "Some readings have names. Which rule errs less in a cell is as printed under " (phrases.join("; under ")) "." }
}

fn named_table(named: &[(&str, Vec<Row<'_>>)]) -> Table {
    let columns = named.first().map_or_else(Vec::new, |(_, rows)| table2::columns(rows));
    let lines = |(name, rows): &(&str, Vec<Row<'_>>)| {
        let line = |row: &Row<'_>| -> Vec<Cell> {
            let cell = |cell: &&Comparison| -> [Cell; 2] {
                let ours =
                    cell.ours_f64().map_or_else(|| cell.ours.shown.clone(), |ours| format!("{ours:+.2}"));
                [cell.entry.published.text().into(), ours.into()]
            };
            [(*name).into(), row.name.as_str().into()]
                .into_iter()
                .chain(row.cells.iter().flat_map(cell))
                .collect()
        };
        rows.iter().map(line).collect::<Vec<_>>()
    };
    Table {
        id: "readings-named".to_owned(),
        title: "Table II under the named readings: printed, and ours".to_owned(),
        columns: ["reading", "increments"]
            .map(Column::left)
            .into_iter()
            .chain(columns.iter().flat_map(|name| [Column::right(name.as_str()), Column::right("ours")]))
            .collect(),
        rows: named.iter().flat_map(lines).collect(),
        notes: vec![
            "Each reading by its own statistic, in percent; positive: Minimax errs less. The last two columns are the printed \
             mean of a row and that of our cells."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use prodmax_output::Align;

    use super::*;

    #[test]
    fn the_recorded_search_is_read() {
        let search = Search::read(SEARCH_RESULTS).unwrap();
        let best = search.best_table();
        assert_eq!(best.columns.len(), best.rows[0].len());
        let (numbers, words) = best.columns.split_at(6);
        assert!(numbers.iter().all(|column| column.align == Align::Right), "rank to facts");
        assert_eq!(words.first().map(|column| column.name.as_str()), Some("estimate"));
        assert_eq!((search.best[0].rms, search.best[0].within), (0.4816, 6));
        assert_eq!(search.tried(), 487_280);
        let of = |dimension: &str| -> u64 {
            let of_dimension = search.choices.iter().filter(|choice| choice.dimension == dimension);
            of_dimension.map(|choice| choice.readings).sum()
        };
        for dimension in &search.dimensions {
            assert_eq!(
                of(dimension),
                487_280,
                "every reading has one choice of every dimension: {dimension}"
            );
        }
    }

    #[test]
    fn a_damaged_search_is_refused() {
        let damaged = SEARCH_RESULTS.replacen("0.4816", "near", 1);
        let message = Search::read(&damaged).map(|_| ()).unwrap_err().to_string();
        assert!(message.starts_with("specs/readings/search-1-results.csv: "), "{message}");
    }
}
