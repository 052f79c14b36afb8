//! Comma-separated values as RFC 4180 has them, with the line ends of the platform's tools.

use super::{Output, Render, Table, each_table};

/// Prints a header row and the rows of each table; titles and notes are left to the other formats.
pub(super) struct Csv;

impl Render for Csv {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }
}

fn table(table: &Table) -> String {
    let header = line(table.columns.iter().map(|column| column.name.as_str()));
    let rows = table.rows.iter().map(|row| line(row.iter().map(|cell| cell.text.as_str())));
    std::iter::once(header).chain(rows).collect()
}

fn line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    fields.map(field).collect::<Vec<_>>().join(",") + "\n"
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
