//! Line plots, drawn by plotters.
//!
//! plotters writes fixed colours. Each [`Ink`] is therefore drawn in a placeholder colour, which is then replaced
//! with a variable of the page's style sheet.

use std::borrow::Cow;
use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use thiserror::Error;

use crate::figure::Ink;

/// The size of every plot: narrow, so that its text can be read on a phone.
pub const SIZE: (u32, u32) = (480, 340);

/// plotters draws in whole units, which must be much smaller than a pixel, or curves would have kinks.
const FINE: u32 = 20;
/// plotters divides sizes by 1.24 when it writes SVG.
const LETTERS: f64 = 14.0 * 1.24 * FINE as f64;
const LEGEND_ROW: u32 = 20;
const DOT: u32 = 3 * FINE;
/// Half the width of the ends of an error bar.
const CAP: i32 = 4 * FINE as i32;
/// The opacity of a shaded area.
const SHADE: f64 = 0.2;

/// Why there is no drawing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the figure {name} cannot be drawn: {reason}")]
pub struct DrawError {
    /// The name of the figure.
    pub name: String,
    /// What the drawing library said.
    pub reason: String,
}

/// One axis.
pub struct Axis {
    /// What is measured, with its unit.
    pub label: Cow<'static, str>,
    /// The values shown.
    pub range: Range<f64>,
    /// The approximate number of labels.
    pub ticks: usize,
    /// How to write a label.
    pub format: fn(f64) -> String,
}

/// A line, or dots.
pub struct Line {
    /// The name in the legend; not in the legend if empty.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Whether every point has a dot.
    pub dots: bool,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// The uncertainty of a line: an interval at each point.
pub struct Spread {
    /// Its colour.
    pub ink: Ink,
    /// A shaded area; otherwise an error bar at every point.
    pub filled: bool,
    /// x, the lower and the upper end.
    pub points: Vec<(f64, f64, f64)>,
}

/// A text in the plot.
pub struct Label {
    /// The position of its start.
    pub at: (f64, f64),
    /// Its colour.
    pub ink: Ink,
    /// The text.
    pub text: String,
}

/// A plot.
pub struct Plot {
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis on the left.
    pub y: Axis,
    /// The lines.
    pub lines: Vec<Line>,
    /// The uncertainties, drawn behind the lines.
    pub spreads: Vec<Spread>,
    /// The texts.
    pub labels: Vec<Label>,
}

impl Plot {
    /// The contents of an SVG of size [`SIZE`].
    pub fn draw(&self, name: &str) -> Result<Markup, DrawError> {
        let mut svg = String::new();
        self.draw_into(&mut svg)
            .map_err(|reason| DrawError { name: name.to_owned(), reason: reason.to_string() })?;
        let scale = format!("scale({})", 1.0 / f64::from(FINE));
        Ok(html! { g transform=(scale) { "\n" (PreEscaped(recolour(&svg))) } "\n" })
    }

    fn draw_into(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(svg, (SIZE.0 * FINE, SIZE.1 * FINE)).into_drawing_area();
        let named: Vec<&Line> = self.lines.iter().filter(|line| !line.name.is_empty()).collect();
        let rows = named.len().div_ceil(2) as u32;
        for (index, line) in named.iter().enumerate() {
            let (column, row) = (index as i32 % 2, index as i32 / 2);
            let (x, y) = (64 + column * 212, 12 + row * LEGEND_ROW as i32);
            let at = |shift: i32| ((x + shift) * FINE as i32, y * FINE as i32);
            area.draw(&PathElement::new(vec![at(0), at(22)], line.style()))?;
            if line.dots {
                area.draw(&Circle::new(at(11), DOT, colour(line.ink, false).filled()))?;
            }
            area.draw(&Text::new(line.name.clone(), at(28), letters(Ink::Text)))?;
        }
        let mut chart = ChartBuilder::on(&area)
            .margin_top((rows * LEGEND_ROW + 10) * FINE)
            .margin_right(18 * FINE)
            .margin_left(2 * FINE)
            .margin_bottom(2 * FINE)
            .x_label_area_size(46 * FINE)
            .y_label_area_size(62 * FINE)
            .build_cartesian_2d(self.x.range.clone(), self.y.range.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(0)
            .bold_line_style(colour(Ink::Rule, false).stroke_width(FINE))
            .axis_style(colour(Ink::Faint, false).stroke_width(FINE))
            .set_all_tick_mark_size(5 * FINE)
            .label_style(letters(Ink::Faint).pos(Pos::default()))
            .axis_desc_style(letters(Ink::Text).pos(Pos::default()))
            .x_desc(self.x.label.as_ref())
            .y_desc(self.y.label.as_ref())
            .x_labels(self.x.ticks)
            .y_labels(self.y.ticks)
            .x_label_formatter(&|x| (self.x.format)(*x))
            .y_label_formatter(&|y| (self.y.format)(*y))
            .draw()?;
        for spread in &self.spreads {
            if spread.filled {
                chart.draw_series([Polygon::new(spread.outline(), colour(spread.ink, false).mix(SHADE))])?;
                continue;
            }
            let stroke = colour(spread.ink, false).stroke_width(FINE + FINE / 2);
            let bar = |&(x, low, high): &(f64, f64, f64)| PathElement::new(vec![(x, low), (x, high)], stroke);
            chart.draw_series(spread.points.iter().map(bar))?;
            // The end caps have a fixed width in units of the drawing, wherever the point is.
            let ends = spread.points.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
            let end = |at| EmptyElement::at(at) + PathElement::new(vec![(-CAP, 0), (CAP, 0)], stroke);
            chart.draw_series(ends.map(end))?;
        }
        for line in &self.lines {
            chart.draw_series(LineSeries::new(line.points.iter().copied(), line.style()))?;
            if line.dots {
                let dot = |&at: &(f64, f64)| Circle::new(at, DOT, colour(line.ink, false).filled());
                chart.draw_series(line.points.iter().map(dot))?;
            }
        }
        for label in &self.labels {
            chart.draw_series([Text::new(label.text.clone(), label.at, letters(label.ink))])?;
        }
        area.present()?;
        Ok(())
    }
}

impl Spread {
    /// Forwards along the lower ends, back along the upper ones.
    fn outline(&self) -> Vec<(f64, f64)> {
        let forwards = self.points.iter().map(|&(x, low, _)| (x, low));
        let back = self.points.iter().rev().map(|&(x, _, high)| (x, high));
        forwards.chain(back).collect()
    }
}

impl Line {
    fn style(&self) -> ShapeStyle {
        colour(self.ink, self.dashed).stroke_width(2 * FINE)
    }
}

fn letters(ink: Ink) -> TextStyle<'static> {
    let style = ("sans-serif", LETTERS).into_font().color(&colour(ink, false));
    style.pos(Pos::new(HPos::Left, VPos::Center))
}

/// The placeholder colour of an ink.
fn colour(ink: Ink, dashed: bool) -> RGBColor {
    let number = Ink::ALL.iter().position(|&other| other == ink).unwrap_or(0) as u8;
    RGBColor(number, u8::from(dashed), 1)
}

/// Takes the drawing out of its `svg` element and replaces the placeholder colours with the variables of the inks.
fn recolour(svg: &str) -> String {
    let body = svg.split_once(">\n").map_or("", |(_, body)| body);
    let mut body = body.trim_end().trim_end_matches("</svg>").replace(" opacity=\"1\"", "");
    for ink in Ink::ALL {
        for dashed in [false, true] {
            let RGBColor(red, green, blue) = colour(ink, dashed);
            let dashes = if dashed { " stroke-dasharray=\"120 80\"" } else { "" };
            for attribute in ["stroke", "fill"] {
                let (old, new) = (
                    format!("{attribute}=\"#{red:02X}{green:02X}{blue:02X}\""),
                    format!("{attribute}=\"{}\"", ink.css()),
                );
                body = body.replace(&old, &(new + dashes));
            }
        }
    }
    body.replace(" font-family=\"sans-serif\"", "")
}

/// An integer with its sign; empty at 0, which is not a root.
pub fn root(value: f64) -> String {
    if value == 0.0 { String::new() } else { crate::figure::with_minus(&format!("{value:+.0}")) }
}

/// A percentage, without a decimal that is 0.
pub fn percent(value: f64) -> String {
    let text = format!("{value:.1}");
    crate::figure::with_minus(text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_uses_only_inks_and_is_always_the_same() {
        let axis =
            |label: &'static str| Axis { label: label.into(), range: 0.0..1.0, ticks: 5, format: percent };
        let line = Line {
            name: "a".into(),
            ink: Ink::Product,
            dashed: true,
            dots: true,
            points: vec![(0.0, 0.0), (1.0, 1.0)],
        };
        let spread =
            |filled| Spread { ink: Ink::Third, filled, points: vec![(0.2, 0.1, 0.3), (0.8, 0.7, 0.9)] };
        let spreads = vec![spread(true), spread(false)];
        let plot = Plot { x: axis("x"), y: axis("y"), lines: vec![line], spreads, labels: Vec::new() };
        let drawn = plot.draw("test").unwrap().into_string();
        assert_eq!(drawn, plot.draw("test").unwrap().into_string());
        assert!(drawn.contains("stroke=\"var(--product)\" stroke-dasharray"), "{drawn}");
        assert!(drawn.contains("<polygon opacity=\"0.2\" fill=\"var(--third)\""), "{drawn}");
        assert!(drawn.contains("stroke=\"var(--third)\""), "{drawn}");
        assert!(!drawn.contains("=\"#"), "{drawn}");
        assert!(!drawn.contains("<svg") && !drawn.contains("</svg"), "{drawn}");
    }
}
