//! Comma-separated values according to RFC 4180, with the line ends of the platform's tools.

use std::io::{self, Write};

use super::{Cell, List, Output, Render, Table, each_table};

/// Prints a header row and the rows of each table; titles and notes are only in the other formats.
pub(super) struct Csv;

impl Render for Csv {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }

    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        write(out, &list.head(), list.rows())
    }
}

fn table(table: &Table) -> String {
    let mut bytes = Vec::new();
    // Writing to a vector cannot fail.
    write(&mut bytes, table, table.rows.iter())
        .map_or_else(|error| error.to_string(), |()| String::from_utf8_lossy(&bytes).into_owned())
}

fn write(
    out: &mut dyn Write,
    head: &Table,
    rows: impl Iterator<Item = impl AsRef<[Cell]>>,
) -> io::Result<()> {
    // Rows may be shorter than the header if the last columns are empty.
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    writer.write_record(head.columns.iter().map(|column| &column.name)).map_err(io_error)?;
    for row in rows {
        writer.write_record(row.as_ref().iter().map(|cell| &cell.text)).map_err(io_error)?;
    }
    writer.flush()
}

/// What the system said: a closed pipe must be known as one.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
