//! GitHub-flavoured Markdown tables.

use std::io::{self, Write};

use super::{Align, Cell, List, Output, Render, Table, each_table};

/// Prints the title in bold, the table, and the notes below it.
pub(super) struct Markdown;

impl Render for Markdown {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }

    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()> {
        let table = list.head();
        out.write_all(head(&table).as_bytes())?;
        list.rows().try_for_each(|cells| out.write_all(row(&cells).as_bytes()))?;
        out.write_all(foot(&table).as_bytes())
    }
}

fn table(table: &Table) -> String {
    let rows = table.rows.iter().map(|cells| row(cells));
    std::iter::once(head(table)).chain(rows).chain([foot(table)]).collect()
}

fn head(table: &Table) -> String {
    let mut text = format!("**{}**\n\n", escape(&table.title));
    text += &line(table.columns.iter().map(|column| escape(&column.name)));
    text += &line(table.columns.iter().map(|column| match column.align {
        Align::Left => ":---".to_owned(),
        Align::Right => "---:".to_owned(),
    }));
    text
}

fn row(cells: &[Cell]) -> String {
    line(cells.iter().map(|cell| escape(&cell.text)))
}

fn foot(table: &Table) -> String {
    table.notes.iter().map(|note| format!("\n{}\n", escape(note))).collect()
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Keeps a text within its cell and free of accidental markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
