//! LaTeX: a tabular with the rules of the booktabs package.

use std::io::{self, Write};

use super::{Align, Cell, Column, List, Output, Render, Table, each_table};

/// Prints each table as a bare tabular, to be put into a float of your own; title and notes are comments.
pub(super) struct Latex;

impl Render for Latex {
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
    let align = |align| match align {
        Align::Left => 'l',
        Align::Right => 'r',
    };
    let columns: String = table.columns.iter().map(|column| align(column.align)).collect();
    let mut text = comment(&format!("{}: {}", table.id, table.title));
    text += &format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    let name = |column: &Column| column.latex.clone().unwrap_or_else(|| escape(&column.name));
    text += &line(table.columns.iter().map(name));
    text + "\\midrule\n"
}

fn row(cells: &[Cell]) -> String {
    line(cells.iter().map(cell))
}

fn foot(table: &Table) -> String {
    let notes = table.notes.iter().map(|note| comment(note)).collect::<String>();
    format!("\\bottomrule\n\\end{{tabular}}\n{notes}")
}

fn comment(text: &str) -> String {
    format!("% {}\n", text.replace(['\n', '\r'], " "))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(" & ") + " \\\\\n"
}

fn cell(cell: &Cell) -> String {
    cell.latex.clone().unwrap_or_else(|| escape(&cell.text))
}

fn escape(text: &str) -> String {
    // A number with a sign needs a minus, not a hyphen.
    if let Some(digits) = text.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    {
        return format!("$-${digits}");
    }
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '\\' => escaped += "\\textbackslash{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '[' | ']' => escaped.extend(['{', character, '}']),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
