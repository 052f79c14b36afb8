//! Figures as tables and values, the formats they are printed in (one file per format behind [`Render`]), and drawings
//! as SVG, for the report and for `--format svg`. Nothing here knows what a figure means.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`answer`] | the answer of a command, of which JSON, tables and drawings are views |
//! | [`large`] | large exact numbers |
//! | [`sort`] | sorting rows by a column |
//! | [`junit`] | checks for CI systems |
//! | [`figure`] | a drawing with its description, on the page and as a file, and the colours |
//! | [`plot`] | line plots, drawn by plotters |
//! | [`over_roots`] | lines over the root value, with axes that fit |
//! | [`dots`] | one value for each of several names |
//! | [`scale`] | ticks of axes |

pub mod answer;
mod cell;
mod csv;
pub mod dots;
mod drawing;
pub mod figure;
mod json;
pub mod junit;
pub mod large;
mod latex;
mod layout;
mod markdown;
pub mod over_roots;
pub mod plot;
pub mod scale;
pub mod sort;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use serde_json::Value;

pub use cell::{Align, Cell, Column};
pub use dots::{Dot, DotChart};
pub use drawing::Drawing;
pub use figure::{Figure, Ink};
pub use over_roots::{OverRoots, Series};
pub use plot::DrawError;

/// The result of a command.
pub enum CommandResult {
    /// Figures, printed in the format the user asked for.
    Figures(Output),
    /// A list too long to be held in memory, printed row by row in the format the user asked for.
    List(Box<dyn List>),
    /// A text that has only one format (a completion script, a manual page).
    Text(String),
}

/// Figures in two forms, and whether everything that was checked holds.
#[derive(Clone, Debug)]
pub struct Output {
    /// For programs: all figures, exact.
    pub value: Value,
    /// For readers: the figures as tables.
    pub tables: Vec<Table>,
    /// Decides between exit status 0 and 1.
    pub holds: bool,
    /// For CI systems, if the figures are checks.
    pub junit: Option<junit::Suite>,
    /// A drawing of the figures, if there is something to draw.
    pub drawing: Option<Drawing>,
}

impl Output {
    /// Figures that are not checks.
    pub fn figures(value: Value, tables: Vec<Table>) -> Self {
        Self { value, tables, holds: true, junit: None, drawing: None }
    }

    /// Gives every figure in the tables `places` decimals; counts and fractions are left unchanged.
    pub fn set_decimals(&mut self, places: usize) {
        let cells = self.tables.iter_mut().flat_map(|table| &mut table.rows).flatten();
        cells.for_each(|cell| cell.set_decimals(places));
    }

    /// The same figures with a drawing of them.
    pub fn drawn(self, drawing: Drawing) -> Self {
        Self { drawing: Some(drawing), ..self }
    }

    /// The text in a format; `None` for JUnit if nothing was checked, and for drawings, which are not text.
    pub fn render(&self, format: Format) -> Option<String> {
        self.render_within(format, None)
    }

    /// The same for a terminal with this number of columns.
    pub fn render_within(&self, format: Format, width: Option<usize>) -> Option<String> {
        match format.renderer(width) {
            Some(renderer) => Some(renderer.render(self)),
            None if format == Format::Svg => None,
            None => self.junit.as_ref().map(junit::render),
        }
    }
}

/// A table for readers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A short name, usable as a file name or label.
    pub id: String,
    /// The title above it.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<Column>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

/// A table whose rows are computed when they are printed.
pub trait List {
    /// The table without its rows.
    fn head(&self) -> Table;
    /// For readers, from the beginning: a format that aligns columns asks for the rows twice.
    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_>;
    /// For programs: a value for each row.
    fn values(&self) -> Box<dyn Iterator<Item = Value> + '_>;
}

/// A format that figures can be printed in.
pub trait Render {
    /// The whole text, with a newline at its end.
    fn render(&self, output: &Output) -> String;

    /// Writes a list, row by row.
    fn stream(&self, list: &dyn List, out: &mut dyn Write) -> io::Result<()>;
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for the terminal.
    Table,
    /// All figures, exact, for programs.
    Json,
    /// Comma-separated values (RFC 4180); tables are separated by an empty line.
    Csv,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// A tabular that needs the booktabs package.
    Latex,
    /// JUnit XML, only for checks.
    Junit,
    /// A drawing, if there is one.
    Svg,
}

impl Format {
    /// The renderer for this format, for a terminal with this number of columns if it is one; `None` for JUnit and
    /// drawings, which not all figures have.
    pub fn renderer(self, width: Option<usize>) -> Option<Box<dyn Render>> {
        match self {
            Self::Table => Some(Box::new(table::Plain { width })),
            Self::Json => Some(Box::new(json::Json)),
            Self::Csv => Some(Box::new(csv::Csv)),
            Self::Markdown => Some(Box::new(markdown::Markdown)),
            Self::Latex => Some(Box::new(latex::Latex)),
            Self::Junit | Self::Svg => None,
        }
    }
}

/// Renders tables one after another with an empty line between them.
fn each_table(tables: &[Table], render: impl Fn(&Table) -> String) -> String {
    tables.iter().map(render).collect::<Vec<_>>().join("\n")
}
