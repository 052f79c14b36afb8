//! Aligned columns for the terminal.

use super::{Align, Output, Render, Table, each_table};

/// Prints the title, the columns two spaces apart, and the notes below them.
pub(super) struct Plain;

impl Render for Plain {
    fn render(&self, output: &Output) -> String {
        each_table(&output.tables, table)
    }
}

fn table(table: &Table) -> String {
    let header: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let mut lines = vec![header];
    lines.extend(table.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()));
    let width = |index: usize| lines.iter().filter_map(|line| line.get(index)).map(|text| length(text)).max();
    let widths: Vec<usize> = (0..table.columns.len()).filter_map(width).collect();
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    lines.insert(1, rule.iter().map(String::as_str).collect());

    let mut text = format!("{}\n\n", table.title);
    for line in &lines {
        let cells = line.iter().zip(&widths).zip(&table.columns);
        let padded: Vec<_> = cells.map(|((cell, &width), column)| pad(cell, width, column.align)).collect();
        text += padded.join("  ").trim_end();
        text.push('\n');
    }
    if !table.notes.is_empty() {
        text.push('\n');
    }
    for note in &table.notes {
        text += note;
        text.push('\n');
    }
    text
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
