//! The heads and entries of tables.

use std::fmt;
use std::sync::Arc;

/// The significant digits of a double.
const DOUBLE_DIGITS: f64 = 15.0;

/// Doubles from here on have no decimals.
const LARGE_DOUBLE: f64 = 1e15;

/// The number of decimals that rows are sorted by.
const SORTED_DECIMALS: usize = 20;

/// The head of a column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The text above the column.
    pub name: String,
    /// The LaTeX form, if it is not the escaped name.
    pub latex: Option<String>,
    /// What the terminal shows instead of the name: a short head that is understood next to the column before it.
    pub terminal: Option<String>,
    /// Where its figures are in the JSON, if not under its name in lower case.
    pub path: Option<Vec<String>>,
    /// How its cells are aligned.
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

    /// A column with a short head on the terminal, where its neighbours show what it belongs to.
    pub fn with_terminal(self, terminal: impl Into<String>) -> Self {
        Self { terminal: Some(terminal.into()), ..self }
    }

    /// A column whose figures are at this path in the JSON of an element.
    pub fn at<S: Into<String>>(self, path: impl IntoIterator<Item = S>) -> Self {
        Self { path: Some(path.into_iter().map(Into::into).collect()), ..self }
    }

    /// Where its figures are in the JSON: `difference %` is `difference_percent`.
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

/// How the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A figure, as a function that writes it with the given number of decimals.
type Figure = Arc<dyn Fn(usize) -> String + Send + Sync>;

/// One entry of a table.
#[derive(Clone)]
pub struct Cell {
    /// As plain text.
    pub text: String,
    /// The LaTeX form, if it is not the escaped text.
    pub latex: Option<String>,
    /// What the terminal shows instead of the text.
    pub terminal: Option<String>,
    /// The figure behind the text, if it has decimals.
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
    /// Whether both are printed the same.
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.latex, &self.terminal) == (&other.text, &other.latex, &other.terminal)
    }
}

impl Eq for Cell {}

impl Cell {
    /// A figure with `places` decimals, unless the reader wants more or fewer: `show` writes it with any number of
    /// decimals.
    pub fn figure(places: usize, show: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self { text: show(places), latex: None, terminal: None, figure: Some(Arc::new(show)) }
    }

    /// A double with `places` decimals, unless the reader wants more or fewer (at most 15 digits: a double has no
    /// more).
    pub fn decimal(value: f64, places: usize) -> Self {
        let before_the_point = if value == 0.0 { 0.0 } else { value.abs().log10().floor() + 1.0 };
        let most = (DOUBLE_DIGITS - before_the_point).clamp(0.0, 300.0) as usize;
        Self::figure(places, move |wanted| format!("{value:.*}", wanted.min(most.max(places))))
    }

    /// A figure with `places` decimals, unless the reader wants more or fewer; a dash if there is none. What is known of it is not
    /// shown, but an enclosed figure has no digits that are not certain.
    pub fn of(figure: Option<&prodmax_number::Figure>, places: u32) -> Self {
        use prodmax_number::Figure;
        let Some(figure) = figure else { return Self::dash() };
        if let Figure::Between(_) | Figure::Approximate(_) = figure
            && figure.double().abs() < LARGE_DOUBLE
        {
            return Self::decimal(figure.double(), places as usize);
        }
        let figure = figure.clone();
        Self::figure(places as usize, move |places| figure.places(places as u32))
    }

    /// A part of 1 in percent; a dash if there is none.
    pub fn percent(figure: Option<&prodmax_number::Figure>, places: u32) -> Self {
        figure.map_or_else(Self::dash, |figure| Self::decimal(100.0 * figure.double(), places as usize))
    }

    /// The cell of a missing figure.
    pub fn dash() -> Self {
        Self::with_latex("-", "--")
    }

    /// Shows a figure with `places` decimals; anything else is left unchanged.
    pub fn set_decimals(&mut self, places: usize) {
        if let Some(show) = &self.figure {
            let text = show(places);
            // Where the LaTeX form contains the text, it changes with it.
            if let Some(latex) = &mut self.latex {
                *latex = latex.replace(&self.text, &text);
            }
            self.text = text;
        }
    }

    /// The text, with more decimals than are printed if it has any: the sort key.
    pub(crate) fn precise(&self) -> String {
        self.figure.as_ref().map_or_else(|| self.text.clone(), |show| show(SORTED_DECIMALS))
    }

    /// A cell that LaTeX typesets in its own way, e.g. `$p/q$`.
    pub fn with_latex(text: impl Into<String>, latex: impl Into<String>) -> Self {
        Self { latex: Some(latex.into()), ..Self::from(text.into()) }
    }

    /// The same cell with this LaTeX form, if there is one.
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
