//! Which columns of a table are printed next to each other, and how wide they are.

use std::collections::BTreeSet;

use super::{Align, Cell, Column, Table};

/// The text between two columns.
const GAP: &str = "  ";

/// A column of words is not made narrower than this.
const MIN_WORDS: usize = 24;

/// The same for lists that are too long to be held in memory: the second block of such a list would be far below.
const MIN_LISTED: usize = 12;

/// A table and the widths that its columns need.
pub(super) struct Layout<'a> {
    table: &'a Table,
    widths: Vec<usize>,
    /// The number of leading columns that tell the rows apart.
    names: usize,
    /// A column of words is not made narrower than this.
    min_words: usize,
}

/// Columns that are printed next to each other: their numbers and widths.
pub(super) struct Block(Vec<(usize, usize)>);

impl<'a> Layout<'a> {
    /// As wide as the heads of the columns, for a list of which only the head is known.
    pub(super) fn of(table: &'a Table) -> Self {
        let widths = table.columns.iter().map(|column| length(name(column))).collect();
        Self { table, widths, names: 1, min_words: MIN_LISTED }
    }

    /// Widens the columns for a row.
    pub(super) fn widen(&mut self, row: &[Cell]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = length(text(cell)).max(*width);
        }
    }

    /// For a table with all its rows. The rows are named by the shortest run of leading columns in which no two rows
    /// are alike.
    pub(super) fn of_rows(table: &'a Table) -> Self {
        let mut layout = Self::of(table);
        table.rows.iter().for_each(|row| layout.widen(row));
        let tell_apart = |columns: &usize| {
            let name =
                |row: &'a Vec<Cell>| row.iter().take(*columns).map(|cell| cell.text.as_str()).collect();
            let names: BTreeSet<Vec<&str>> = table.rows.iter().map(name).collect();
            names.len() == table.rows.len()
        };
        let names = (1..table.columns.len()).find(tell_apart).unwrap_or(1);
        Self { names, min_words: MIN_WORDS, ..layout }
    }

    /// One block with all columns, or several narrow ones so that no line is longer than `most`.
    pub(super) fn blocks(&self, most: Option<usize>) -> Vec<Block> {
        let natural: Vec<(usize, usize)> = self.widths.iter().copied().enumerate().collect();
        match most {
            Some(most) if line_length(&natural) > most => match self.narrowed(most) {
                Some(block) => vec![block],
                None => self.divided(most),
            },
            _ => vec![Block(natural)],
        }
    }

    /// All columns in one block, with long texts broken into lines; `None` if that is not enough.
    fn narrowed(&self, most: usize) -> Option<Block> {
        let is_words = |&(index, width): &(usize, usize)| {
            self.table.columns[index].align == Align::Left && width > self.min_words
        };
        let mut columns: Vec<(usize, usize)> = self.widths.iter().copied().enumerate().collect();
        let (mut words, others): (Vec<_>, Vec<_>) = columns.iter().copied().partition(is_words);
        let gaps = GAP.len() * self.widths.len().saturating_sub(1);
        let taken = gaps + others.iter().map(|(_, width)| width).sum::<usize>();
        let mut room = most.checked_sub(taken)?;
        if words.is_empty() || room < self.min_words * words.len() {
            return None;
        }
        // The narrowest first: what it does not need is left for the others.
        words.sort_by_key(|&(_, width)| width);
        let count = words.len();
        for (place, (index, width)) in words.into_iter().enumerate() {
            columns[index].1 = width.min(room / (count - place));
            room -= columns[index].1;
        }
        Some(Block(columns))
    }

    /// Several blocks, each with the columns that name the rows.
    fn divided(&self, most: usize) -> Vec<Block> {
        let mut names: Vec<(usize, usize)> = Vec::new();
        for column in self.widths.iter().copied().enumerate().take(self.names) {
            // At least a third of the line is left for the other columns.
            let longer: Vec<_> = names.iter().copied().chain([column]).collect();
            if line_length(&longer) > most * 2 / 3 && !names.is_empty() {
                break;
            }
            names = longer;
        }
        for (_, width) in &mut names {
            *width = (*width).min(most * 2 / 3);
        }
        let room = most.saturating_sub(line_length(&names) + GAP.len()).max(1);
        let others: Vec<(usize, usize)> =
            (names.len()..self.widths.len()).map(|index| (index, self.widths[index].min(room))).collect();
        let mut blocks = Vec::new();
        let mut columns = names.clone();
        // A column with a short head is only understood next to the one before it.
        for group in others.chunk_by(|_, &(next, _)| self.table.columns[next].terminal.is_some()) {
            let whole: Vec<_> = columns.iter().chain(group).copied().collect();
            let is_too_long = line_length(&whole) > most;
            for (place, &column) in group.iter().enumerate() {
                let longer: Vec<_> = columns.iter().copied().chain([column]).collect();
                if columns.len() > names.len() && (line_length(&longer) > most || is_too_long && place == 0) {
                    blocks.push(Block(std::mem::replace(&mut columns, names.clone())));
                }
                columns.push(column);
            }
        }
        blocks.push(Block(columns));
        blocks
    }
}

/// The length of a line with these columns.
fn line_length(columns: &[(usize, usize)]) -> usize {
    let widths: usize = columns.iter().map(|(_, width)| width).sum();
    widths + GAP.len() * columns.len().saturating_sub(1)
}

impl Block {
    /// The names of the columns, underlined.
    pub(super) fn head(&self, table: &Table) -> String {
        let names: Vec<&str> = table.columns.iter().map(name).collect();
        let rules: Vec<String> = self.0.iter().map(|&(_, width)| "-".repeat(width)).collect();
        self.lines(table, &names) + &format!("{}\n", rules.join(GAP))
    }

    /// A row, in as many lines as its longest text needs.
    pub(super) fn row(&self, table: &Table, row: &[Cell]) -> String {
        let texts: Vec<&str> = row.iter().map(text).collect();
        self.lines(table, &texts)
    }

    fn lines(&self, table: &Table, texts: &[&str]) -> String {
        let cells: Vec<(Vec<String>, usize, Align)> = self
            .0
            .iter()
            .filter_map(|&(index, width)| {
                Some((wrapped(texts.get(index)?, width), width, table.columns[index].align))
            })
            .collect();
        let height = cells.iter().map(|(lines, ..)| lines.len()).max().unwrap_or(0);
        let line = |number: usize| {
            let padded = cells.iter().map(|(lines, width, align)| {
                pad(lines.get(number).map_or("", String::as_str), *width, *align)
            });
            format!("{}\n", padded.collect::<Vec<_>>().join(GAP).trim_end())
        };
        (0..height).map(line).collect()
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

/// A text in lines of at most `width` characters, at least one. Lines end between words; a word that is too long is
/// cut.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    if length(text) <= width {
        return vec![text.to_owned()];
    }
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            // The list is never empty.
            let Some(line) = lines.last_mut() else { return lines };
            let used = length(line);
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= width {
                line.extend(std::iter::repeat_n(' ', gap));
                line.extend(word);
                break;
            }
            if used == 0 {
                line.extend(word.drain(..width));
            }
            lines.push(String::new());
        }
    }
    lines
}
