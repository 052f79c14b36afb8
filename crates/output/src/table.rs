//! Aligned columns for the terminal.

use std::io::{self, Write};

use super::layout::{Block, Layout, wrapped};
use super::{List, Output, Render, Table, each_table};

/// Prints the title, the columns two spaces apart, and the notes below them.
#[derive(Default)]
pub(super) struct Plain {
    /// No line is longer than this number of characters: long texts continue on the next line, and columns that do
    /// not fit next to the others are printed in a block of their own below them.
    pub(super) width: Option<usize>,
}

impl Render for Plain {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, |table| self.table(table))
    }

    /// Goes through the rows once for the widths of the columns and once for each block.
    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        let table = list.head();
        let mut layout = Layout::of(&table);
        list.rows().for_each(|row| layout.widen(&row));
        out.write_all(self.title(&table).as_bytes())?;
        for (number, block) in layout.blocks(self.width).iter().enumerate() {
            out.write_all(if number > 0 { b"\n" } else { b"" })?;
            out.write_all(block.head(&table).as_bytes())?;
            list.rows().try_for_each(|row| out.write_all(block.row(&table, &row).as_bytes()))?;
        }
        out.write_all(self.foot(&table).as_bytes())
    }
}

impl Plain {
    fn table(&self, table: &Table) -> String {
        let block = |block: &Block| {
            let rows: String = table.rows.iter().map(|row| block.row(table, row)).collect();
            block.head(table) + &rows
        };
        let blocks: Vec<String> = Layout::of_rows(table).blocks(self.width).iter().map(block).collect();
        self.title(table) + &blocks.join("\n") + &self.foot(table)
    }

    fn title(&self, table: &Table) -> String {
        format!("{}\n", self.paragraph(&table.title))
    }

    fn foot(&self, table: &Table) -> String {
        let notes: String = table.notes.iter().map(|note| self.paragraph(note)).collect();
        if notes.is_empty() { notes } else { format!("\n{notes}") }
    }

    fn paragraph(&self, text: &str) -> String {
        match self.width {
            Some(width) => wrapped(text, width).iter().map(|line| format!("{line}\n")).collect(),
            None => format!("{text}\n"),
        }
    }
}
