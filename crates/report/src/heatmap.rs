//! Tables of signed percentages as coloured cells on one diverging scale: blue favours Minimax or whatever comes
//! first, orange favours Product or the second.

use maud::{Markup, html};

use crate::figure::{Ink, one, text, with_minus};

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// The value that determines the colour.
    pub value: f64,
    /// The text in the cell.
    pub text: String,
    /// A smaller text below it.
    pub mark: &'static str,
}

/// A heat map.
pub struct HeatMap<'a> {
    /// The title above everything.
    pub title: &'a str,
    /// The names above the columns.
    pub columns: &'a [String],
    /// The name of each row and its cells.
    pub rows: &'a [(String, Vec<Square>)],
    /// The value with the deepest colour, the same for all maps that are compared.
    pub limit: f64,
    /// The width reserved for the names of the rows.
    pub left: f64,
    /// Whether the last column contains means and is set apart.
    pub means: bool,
    /// What the two ends of the scale say: orange and blue.
    pub ends: [String; 2],
}

const TOP: f64 = 56.0;
const CELL: (f64, f64) = (60.0, 40.0);
/// The gap between a column of means and the others.
const GAP: f64 = 8.0;
/// The opacity of the deepest colour: text must be legible on it.
const DEEPEST: f64 = 0.62;

/// The ends of a scale of percentages, orange for those below 0.
pub fn percent_ends(limit: f64, [orange, blue]: [&str; 2]) -> [String; 2] {
    [format!("\u{2212}{limit:.0} % {orange}"), format!("{blue} +{limit:.0} %")]
}

impl HeatMap<'_> {
    /// The size of the drawing.
    pub fn size(&self) -> (u32, u32) {
        let width = self.left + CELL.0 * self.columns.len() as f64 + GAP + 2.0;
        let height = TOP + CELL.1 * self.rows.len() as f64 + 56.0;
        (width.ceil() as u32, height.ceil() as u32)
    }

    /// The contents of an SVG.
    pub fn draw(&self) -> Markup {
        let middle = f64::from(self.size().0) / 2.0;
        html! {
            (text(middle, 18.0, 15, "middle", Ink::Text, self.title))
            @for (index, column) in self.columns.iter().enumerate() {
                (text(self.left(index) + CELL.0 / 2.0, TOP - 10.0, 13, "middle", Ink::Faint, column))
            }
            @for (row, (name, squares)) in self.rows.iter().enumerate() {
                @let top = TOP + CELL.1 * row as f64;
                (text(self.left - 8.0, top + 25.0, 13, "end", Ink::Faint, name))
                @for (index, square) in squares.iter().enumerate() {
                    (self.square(square, self.left(index), top))
                }
            }
            (self.scale())
        }
    }

    fn left(&self, column: usize) -> f64 {
        let gap = if self.means && column + 1 == self.columns.len() { GAP } else { 0.0 };
        self.left + CELL.0 * column as f64 + gap
    }

    fn square(&self, square: &Square, left: f64, top: f64) -> Markup {
        let (width, height) = CELL;
        let middle = left + width / 2.0;
        let line = if square.mark.is_empty() { 25.0 } else { 18.0 };
        html! {
            (self.patch(square.value, left + 1.0, top + 1.0, (width - 2.0, height - 2.0)))
            (text(middle, top + line, 14, "middle", Ink::Text, &with_minus(&square.text)))
            @if !square.mark.is_empty() {
                (text(middle, top + 33.0, 11, "middle", Ink::Text, square.mark))
            }
        }
    }

    /// A coloured rectangle.
    fn patch(&self, value: f64, x: f64, y: f64, (width, height): (f64, f64)) -> Markup {
        let ink = if value > 0.0 { Ink::Minimax } else { Ink::Product };
        let depth = (value.abs() / self.limit).min(1.0) * DEEPEST;
        html! {
            rect x=(one(x)) y=(one(y)) width=(one(width)) height=(one(height)) rx="3" fill=(ink.css())
                fill-opacity=(format!("{depth:.3}")) stroke=(Ink::Rule.css()) stroke-width="0.5" {}
            "\n"
        }
    }

    fn scale(&self) -> Markup {
        let steps = 12;
        let width = CELL.0 * 6.0 / f64::from(steps + 1);
        let top = TOP + CELL.1 * self.rows.len() as f64 + 12.0;
        let (left, right) = (self.left, self.left + CELL.0 * 6.0);
        let [orange, blue] = &self.ends;
        let limit = self.limit;
        html! {
            @for step in 0..=steps {
                @let value = limit * (2.0 * f64::from(step) / f64::from(steps) - 1.0);
                (self.patch(value, left + width * f64::from(step), top, (width - 1.0, 14.0)))
            }
            (text(left, top + 32.0, 12, "start", Ink::Faint, orange))
            (text(right, top + 32.0, 12, "end", Ink::Faint, blue))
        }
    }
}
