//! What is found for an entry: a figure, a word, a formula, or what figures say about a sentence.

use prodmax_number::possible::{Impossible, Kind};
use prodmax_number::{Approximate, Figure, Fraction, Polynomial};

/// What is found for an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A number, and what is known of it.
    Figure(Figure),
    /// A word.
    Word(String),
    /// A polynomial in p.
    Formula(Polynomial),
    /// What figures say about a sentence of a paper.
    Claim {
        /// Whether they bear it out; `None` if they do not decide it.
        truth: Option<bool>,
        /// The figures that decide it, in words.
        because: String,
    },
    /// Undefined (a division by a mass of 0).
    Nothing,
}

impl From<Figure> for Finding {
    fn from(figure: Figure) -> Self {
        Self::Figure(figure)
    }
}

impl From<Approximate> for Finding {
    fn from(approximate: Approximate) -> Self {
        Self::Figure(approximate.into())
    }
}

impl From<Option<Approximate>> for Finding {
    fn from(approximate: Option<Approximate>) -> Self {
        approximate.map(Figure::from).into()
    }
}

impl From<Option<Figure>> for Finding {
    fn from(figure: Option<Figure>) -> Self {
        figure.map_or(Self::Nothing, Self::Figure)
    }
}

impl Finding {
    /// The figure, if it is one.
    pub fn figure(&self) -> Option<&Figure> {
        if let Self::Figure(figure) = self { Some(figure) } else { None }
    }

    /// The gate: see [`Figure::possible`].
    pub fn possible(self, kind: Kind) -> Result<Self, Impossible> {
        Ok(match self {
            Self::Figure(figure) => Self::Figure(figure.possible(kind)?),
            words => words,
        })
    }

    /// How it is recorded in a golden file.
    pub fn recorded(&self) -> String {
        match self {
            Self::Figure(figure) => figure.recorded(),
            Self::Word(text) => text.clone(),
            Self::Formula(polynomial) => polynomial.to_string(),
            Self::Claim { because, .. } => because.clone(),
            Self::Nothing => "none".to_owned(),
        }
    }

    /// How it is shown next to what is published: see [`Figure::beside`].
    pub fn shown(&self, places: u32) -> String {
        self.figure().map_or_else(|| self.recorded(), |figure| figure.beside(places))
    }

    /// Whether the recorded text still matches: see [`Figure::is_recorded_as`].
    pub fn is_recorded_as(&self, recorded: &str) -> bool {
        self.figure().map_or_else(|| self.recorded() == recorded, |figure| figure.is_recorded_as(recorded))
    }

    /// Between which two numbers it lies: see [`Figure::ends`].
    pub fn ends(&self) -> Option<[Fraction; 2]> {
        self.figure()?.ends()
    }

    /// The sign, if it is certain: -1, 0 or 1.
    pub fn sign(&self) -> Option<i8> {
        self.figure()?.sign()
    }
}
