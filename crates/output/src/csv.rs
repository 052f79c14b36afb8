//! Comma-separated values as RFC 4180 has them, with the line ends of the platform's tools.

use std::io::{self, Write};

use super::{Cell, List, Output, Render, Table, each_table};

/// Prints a header row and the rows of each table; titles and notes are left to the other formats.
pub(super) struct Csv;

impl Render for Csv {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }

    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(head(&list.head()).as_bytes())?;
        list.rows().try_for_each(|cells| out.write_all(row(&cells).as_bytes()))
    }
}

fn table(table: &Table) -> String {
    let rows = table.rows.iter().map(|cells| row(cells));
    std::iter::once(head(table)).chain(rows).collect()
}

fn head(table: &Table) -> String {
    line(table.columns.iter().map(|column| column.name.as_str()))
}

fn row(cells: &[Cell]) -> String {
    line(cells.iter().map(|cell| cell.text.as_str()))
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
