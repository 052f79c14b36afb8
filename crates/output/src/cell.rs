//! The heads and entries of tables.

use std::fmt;
use std::sync::Arc;

/// What a double has to tell.
const DOUBLE_DIGITS: f64 = 15.0;

/// Rows are sorted by so many decimals.
const SORTED_DECIMALS: usize = 20;

/// The head of a column.
#[derive(Clone, Debug)]
pub struct Column {
    /// What stands above it.
    pub name: String,
    /// How LaTeX writes it, if not as the escaped name.
    pub latex: Option<String>,
    /// What the terminal shows for it, if not the name: a short head, understood beside the column before it.
    pub terminal: Option<String>,
    /// Where programs find its figures in JSON, if not under its name in small letters.
    pub path: Option<Vec<String>>,
    /// Where its cells stand.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn left(name: impl Into<String>) -> Self {
        Self { name: name.into(), latex: None, terminal: None, path: None, align: Align::Left }
    }

    /// A column of numbers.
    pub fn right(name: impl Into<String>) -> Self {
        Self { name: name.into(), latex: None, terminal: None, path: None, align: Align::Right }
    }

    /// A column whose head LaTeX typesets in its own way, e.g. `$p^{2}$`.
    pub fn with_latex(self, latex: impl Into<String>) -> Self {
        Self { latex: Some(latex.into()), ..self }
    }

    /// A column with a short head on the terminal, where its neighbours tell what it belongs to.
    pub fn with_terminal(self, terminal: impl Into<String>) -> Self {
        Self { terminal: Some(terminal.into()), ..self }
    }

    /// A column whose figures stand at this path in the JSON of an element.
    pub fn at<S: Into<String>>(self, path: impl IntoIterator<Item = S>) -> Self {
        Self { path: Some(path.into_iter().map(Into::into).collect()), ..self }
    }

    /// Where its figures stand in JSON: `difference %` is `difference_percent`.
    pub fn path(&self) -> Vec<String> {
        self.path.clone().unwrap_or_else(|| {
            let words = self.name.to_lowercase().replace('%', "percent");
            vec![
                words
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .collect::<Vec<_>>()
                    .join("_"),
            ]
        })
    }
}

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A figure, written with so many decimals.
type Figure = Arc<dyn Fn(usize) -> String + Send + Sync>;

/// One entry of a table.
#[derive(Clone)]
pub struct Cell {
    /// As plain text.
    pub text: String,
    /// How LaTeX writes it, if not as the escaped text.
    pub latex: Option<String>,
    /// What the terminal shows for it, if not the text.
    pub terminal: Option<String>,
    /// The figure that is shown, if it has decimals.
    figure: Option<Figure>,
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, latex, terminal, figure: _ } = self;
        f.debug_struct("Cell")
            .field("text", text)
            .field("latex", latex)
            .field("terminal", terminal)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Cell {
    /// Whether both are printed alike.
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.latex, &self.terminal) == (&other.text, &other.latex, &other.terminal)
    }
}

impl Eq for Cell {}

impl Cell {
    /// A figure with so many decimals, unless the reader wants more or fewer: `show` writes it with any number of them.
    pub fn figure(places: usize, show: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self { text: show(places), latex: None, terminal: None, figure: Some(Arc::new(show)) }
    }

    /// A double with so many decimals, unless the reader wants more (up to 15 digits: beyond them a double has nothing to
    /// tell) or fewer.
    pub fn decimal(value: f64, places: usize) -> Self {
        let before_the_point = if value == 0.0 { 0.0 } else { value.abs().log10().floor() + 1.0 };
        let most = (DOUBLE_DIGITS - before_the_point).clamp(0.0, 300.0) as usize;
        Self::figure(places, move |wanted| format!("{value:.*}", wanted.min(most.max(places))))
    }

    /// Shows a figure with so many decimals; anything else stays as it is.
    pub fn set_decimals(&mut self, places: usize) {
        if let Some(show) = &self.figure {
            let text = show(places);
            // What is typeset as it is printed, stays so.
            if let Some(latex) = &mut self.latex {
                *latex = latex.replace(&self.text, &text);
            }
            self.text = text;
        }
    }

    /// The text with more decimals than are printed, where there are any: what rows are sorted by.
    pub(crate) fn precise(&self) -> String {
        self.figure.as_ref().map_or_else(|| self.text.clone(), |show| show(SORTED_DECIMALS))
    }

    /// A cell that LaTeX typesets in its own way, e.g. `$p/q$`.
    pub fn with_latex(text: impl Into<String>, latex: impl Into<String>) -> Self {
        Self { latex: Some(latex.into()), ..Self::from(text.into()) }
    }

    /// The same cell, typeset by LaTeX in its own way if there is one.
    pub fn typeset(self, latex: Option<String>) -> Self {
        Self { latex, ..self }
    }

    /// A cell that is drawn on the terminal, e.g. as a branch of a tree, or left out there.
    pub fn with_terminal(text: impl Into<String>, terminal: impl Into<String>) -> Self {
        Self { terminal: Some(terminal.into()), ..Self::from(text.into()) }
    }
}

impl<T: ToString> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.to_string(), latex: None, terminal: None, figure: None }
    }
}
