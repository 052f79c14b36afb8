//! Aligned columns for the terminal.

use std::io::{self, Write};

use super::{Align, Cell, Column, List, Output, Render, Table, each_table};

/// Prints the title, the columns two spaces apart, and the notes below them.
pub(super) struct Plain;

impl Render for Plain {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }

    /// The rows are gone through twice: the first time for the widths of the columns.
    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        let table = list.head();
        let mut layout = Layout::of(&table);
        list.rows().for_each(|row| layout.widen(&row));
        out.write_all(layout.head().as_bytes())?;
        list.rows().try_for_each(|row| out.write_all(layout.row(&row).as_bytes()))?;
        out.write_all(layout.foot().as_bytes())
    }
}

fn table(table: &Table) -> String {
    let mut layout = Layout::of(table);
    table.rows.iter().for_each(|row| layout.widen(row));
    let rows: String = table.rows.iter().map(|row| layout.row(row)).collect();
    layout.head() + &rows + &layout.foot()
}

/// A table and the widths of its columns.
struct Layout<'a> {
    table: &'a Table,
    widths: Vec<usize>,
}

impl<'a> Layout<'a> {
    /// As wide as the heads of the columns.
    fn of(table: &'a Table) -> Self {
        Self { table, widths: table.columns.iter().map(|column| length(name(column))).collect() }
    }

    /// Makes room for a row.
    fn widen(&mut self, row: &[Cell]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = length(text(cell)).max(*width);
        }
    }

    fn head(&self) -> String {
        let names = self.line(self.table.columns.iter().map(name));
        let rules: Vec<String> = self.widths.iter().map(|&width| "-".repeat(width)).collect();
        format!("{}\n\n{names}{}", self.table.title, self.line(rules.iter().map(String::as_str)))
    }

    fn row(&self, row: &[Cell]) -> String {
        self.line(row.iter().map(text))
    }

    fn line<'b>(&self, cells: impl Iterator<Item = &'b str>) -> String {
        let columns = self.widths.iter().zip(&self.table.columns);
        let padded: Vec<_> =
            cells.zip(columns).map(|(cell, (&width, column))| pad(cell, width, column.align)).collect();
        format!("{}\n", padded.join("  ").trim_end())
    }

    fn foot(&self) -> String {
        let notes: String = self.table.notes.iter().map(|note| format!("{note}\n")).collect();
        if notes.is_empty() { notes } else { format!("\n{notes}") }
    }
}

fn name(column: &Column) -> &str {
    column.terminal.as_deref().unwrap_or(&column.name)
}

fn text(cell: &Cell) -> &str {
    cell.terminal.as_deref().unwrap_or(&cell.text)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, width: usize, align: Align) -> String {
    let space = " ".repeat(width.saturating_sub(length(text)));
    match align {
        Align::Left => format!("{text}{space}"),
        Align::Right => format!("{space}{text}"),
    }
}
