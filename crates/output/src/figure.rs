//! Figures: SVG that takes its colours from the page that contains it, and the same with fixed colours as a file.

use maud::{Markup, PreEscaped, Render, html};

/// A colour by its meaning. Blue and orange stand for the two rules everywhere; all are from the palette of Okabe
/// and Ito, whose colours colour-blind readers can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The colour of the surrounding text.
    Text,
    /// Axes and grids.
    Rule,
    /// Less important text.
    Faint,
    /// Minimax.
    Minimax,
    /// Product.
    Product,
    /// A third series.
    Third,
    /// A fourth series.
    Fourth,
    /// A fifth series.
    Fifth,
    /// A sixth series.
    Sixth,
    /// The background of the drawing.
    Card,
}

impl Ink {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Text,
        Self::Rule,
        Self::Faint,
        Self::Minimax,
        Self::Product,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Card,
    ];

    /// The colour of the family of rules with this number: Minimax is 0, Product 1. Families with greater numbers than there
    /// are colours share the last one.
    pub fn of_family(number: usize) -> Self {
        const FAMILIES: [Ink; 6] =
            [Ink::Minimax, Ink::Product, Ink::Fifth, Ink::Third, Ink::Fourth, Ink::Sixth];
        FAMILIES.get(number).copied().unwrap_or(Self::Faint)
    }

    /// The colour as CSS that refers to the page's style sheet.
    pub fn css(self) -> &'static str {
        match self {
            Self::Text => "currentColor",
            Self::Rule => "var(--rule)",
            Self::Faint => "var(--faint)",
            Self::Minimax => "var(--minimax)",
            Self::Product => "var(--product)",
            Self::Third => "var(--third)",
            Self::Fourth => "var(--fourth)",
            Self::Fifth => "var(--fifth)",
            Self::Sixth => "var(--sixth)",
            Self::Card => "var(--card)",
        }
    }

    /// The colour on white paper.
    pub fn hex(self) -> &'static str {
        match self {
            Self::Text => "#1d2126",
            Self::Rule => "#d0d5db",
            Self::Faint => "#5b6570",
            Self::Minimax => "#0072b2",
            Self::Product => "#d55e00",
            Self::Third => "#009e73",
            Self::Fourth => "#cc79a7",
            Self::Fifth => "#56b4e9",
            Self::Sixth => "#b58900",
            Self::Card => "#ffffff",
        }
    }
}

/// A drawing with its description and its caption.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The file name without its extension.
    pub name: &'static str,
    /// For readers who cannot see it: what is drawn and what it shows.
    pub alt: String,
    /// The text below it.
    pub caption: Markup,
    /// Its size in units of the drawing.
    pub size: (u32, u32),
    /// The contents of the `svg` element, with [`Ink::css`] colours.
    pub body: Markup,
}

impl Render for Figure {
    /// The element for the page.
    fn render(&self) -> Markup {
        html! {
            figure id={ "fig-" (self.name) } {
                (self.svg(&self.body, false))
                figcaption { (self.caption) }
            }
        }
    }
}

impl Figure {
    /// A separate file: on white paper, for programs that do not support style sheets.
    pub fn file(&self) -> String {
        let mut body = self.body.0.clone();
        for ink in Ink::ALL {
            body = body.replace(ink.css(), ink.hex());
        }
        let body = html! {
            rect width="100%" height="100%" fill=(Ink::Card.hex()) {} "\n"
            (PreEscaped(body))
        };
        self.svg(&body, true).into_string()
    }

    fn svg(&self, body: &Markup, is_file: bool) -> Markup {
        let (width, height) = self.size;
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } role="img"
                aria-label=(self.alt) width=[is_file.then_some(width)] height=[is_file.then_some(height)]
                font-family=[is_file.then_some("Helvetica, Arial, sans-serif")] {
                "\n" (body)
            }
            "\n"
        }
    }
}

/// A text in a drawing; `anchor` is `start`, `middle` or `end`.
pub fn text(x: f64, y: f64, size: u32, anchor: &str, ink: Ink, content: &str) -> Markup {
    html! {
        text x=(one(x)) y=(one(y)) font-size=(size) text-anchor=(anchor) fill=(ink.css()) { (content) } "\n"
    }
}

/// A coordinate, to one decimal.
pub fn one(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

/// A number with a minus sign instead of a hyphen.
pub fn with_minus(number: &str) -> String {
    match number.strip_prefix('-') {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => format!("\u{2212}{digits}"),
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_fixed_colours() {
        let body = text(1.0, 2.0, 12, "start", Ink::Minimax, "a < b");
        let figure = Figure { name: "f", alt: "\"f\"".into(), caption: html! {}, size: (3, 4), body };
        let inline = figure.render().into_string();
        assert!(inline.contains("var(--minimax)") && inline.contains("a &lt; b"), "{inline}");
        assert!(!figure.file().contains("var(") && figure.file().contains(Ink::Minimax.hex()));
        assert!(figure.file().contains("aria-label=\"&quot;f&quot;\""));
    }

    #[test]
    fn only_numbers_get_a_minus() {
        assert_eq!(with_minus("-3.9"), "\u{2212}3.9");
        assert_eq!(with_minus("-"), "-");
        assert_eq!(with_minus("+0.0"), "+0.0");
    }
}
