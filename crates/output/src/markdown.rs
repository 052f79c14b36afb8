//! GitHub-flavoured Markdown tables.

use super::{Align, Output, Render, Table, each_table};

/// Prints the title in bold, the table, and the notes below it.
pub(super) struct Markdown;

impl Render for Markdown {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }
}

fn table(table: &Table) -> String {
    let mut text = format!("**{}**\n\n", escape(&table.title));
    text += &line(table.columns.iter().map(|column| escape(&column.name)));
    text += &line(table.columns.iter().map(|column| match column.align {
        Align::Left => ":---".to_owned(),
        Align::Right => "---:".to_owned(),
    }));
    for row in &table.rows {
        text += &line(row.iter().map(|cell| escape(&cell.text)));
    }
    for note in &table.notes {
        text += &format!("\n{}\n", escape(note));
    }
    text
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
