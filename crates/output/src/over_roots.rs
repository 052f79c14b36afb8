//! Lines over the root value, with axes that fit any values.

use std::ops::RangeInclusive;

use maud::html;

use crate::figure::{Figure, Ink, with_minus};
use crate::plot::{Axis, DrawError, Line, Plot, SIZE, Spread};
use crate::scale;

/// The approximate number of labels that there is space for.
const TICKS: usize = 8;

/// Blue and orange stand for the two rules, so other series use the other colours first.
const INKS: [Ink; 6] = [Ink::Third, Ink::Fourth, Ink::Fifth, Ink::Sixth, Ink::Minimax, Ink::Product];

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Its colour; `None` for the next free one.
    pub ink: Option<Ink>,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Roots and values, in the order of the roots.
    pub points: Vec<(i32, f64)>,
    /// Roots and the intervals in which the values lie, where they are wide enough to be seen.
    pub intervals: Vec<(i32, f64, f64)>,
}

/// Several lines.
#[derive(Clone, Debug)]
pub struct OverRoots {
    /// The file name without its extension.
    pub name: &'static str,
    /// A description of the drawing, for readers who cannot see it.
    pub title: String,
    /// What is measured, with its unit.
    pub label: String,
    /// The range from the first to the last root, whether or not they have points.
    pub roots: RangeInclusive<i32>,
    /// A value that the axis must include; a line is drawn across at it.
    pub level: Option<f64>,
    /// The greatest possible value, where the axis ends.
    pub most: Option<f64>,
    /// The lines.
    pub series: Vec<Series>,
}

impl OverRoots {
    /// The drawing.
    pub fn figure(&self) -> Result<Figure, DrawError> {
        let values = || {
            self.series.iter().flat_map(|series| {
                let ends = series.intervals.iter().flat_map(|&(_, low, high)| [low, high]);
                series.points.iter().map(|&(_, value)| value).chain(ends)
            })
        };
        let mut range = scale::around(values().chain(self.level).chain(self.most));
        if let Some(level) = self.level.filter(|&level| values().all(|value| value >= level)) {
            range.start = level;
        }
        if let Some(most) = self.most {
            range.end = most + (range.end - range.start) * 0.02;
        }
        let (first, last) = (*self.roots.start(), *self.roots.end());
        let across = f64::from(first) - 0.5..f64::from(last) + 0.5;
        let level = self.level.map(|level| Line {
            name: String::new(),
            ink: Ink::Faint,
            dashed: false,
            dots: false,
            points: vec![(across.start, level), (across.end, level)],
        });
        let step = scale::step(range.end - range.start, TICKS);
        let has_zero = self.series.iter().any(|series| series.points.iter().any(|&(root, _)| root == 0));
        let plot = Plot {
            x: Axis {
                label: "root value".into(),
                range: across.clone(),
                ticks: usize::try_from(last.saturating_sub(first).saturating_add(1))
                    .unwrap_or(1)
                    .clamp(1, 2 * TICKS),
                format: if has_zero { root_or_zero } else { root },
            },
            y: Axis { label: self.label.clone().into(), range, ticks: TICKS, format: decimals(step) },
            lines: level.into_iter().chain(self.lines()).collect(),
            spreads: self.spreads().collect(),
            labels: Vec::new(),
        };
        Ok(Figure {
            name: self.name,
            alt: self.describe(),
            caption: html! {},
            size: SIZE,
            body: plot.draw(self.name)?,
        })
    }

    fn ink(&self, place: usize) -> Ink {
        self.series[place].ink.unwrap_or(INKS[place % INKS.len()])
    }

    fn lines(&self) -> impl Iterator<Item = Line> {
        self.series.iter().enumerate().map(|(place, series)| Line {
            name: series.name.clone(),
            ink: self.ink(place),
            // When all colours are used up, they are used again, dashed.
            dashed: series.dashed || series.ink.is_none() && place >= INKS.len(),
            dots: true,
            points: series.points.iter().map(|&(root, value)| (f64::from(root), value)).collect(),
        })
    }

    fn spreads(&self) -> impl Iterator<Item = Spread> {
        let wide = self.series.iter().enumerate().filter(|(_, series)| !series.intervals.is_empty());
        wide.map(|(place, series)| Spread {
            ink: self.ink(place),
            filled: false,
            points: series.intervals.iter().map(|&(root, low, high)| (f64::from(root), low, high)).collect(),
        })
    }

    /// The title, and the first and last value of each line.
    fn describe(&self) -> String {
        let words = self.series.iter().map(|series| {
            let at = |point: Option<&(i32, f64)>| {
                point.map(|(root, value)| format!("{value:.2} at root {root:+}"))
            };
            match (at(series.points.first()), at(series.points.last())) {
                (Some(first), Some(last)) if series.points.len() > 1 => {
                    format!("{}: from {first} to {last}", series.name)
                }
                (Some(only), _) => format!("{}: {only}", series.name),
                _ => format!("{}: nothing", series.name),
            }
        });
        format!("{}. {}.", self.title, words.collect::<Vec<_>>().join("; "))
    }
}

/// Whole numbers with their sign; nothing for numbers between them.
fn root_or_zero(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        _ if value.fract() == 0.0 => with_minus(&format!("{value:+.0}")),
        _ => String::new(),
    }
}

/// The same without 0, which is not a root.
fn root(value: f64) -> String {
    if value == 0.0 { String::new() } else { root_or_zero(value) }
}

/// A formatter with as many decimals as it takes to tell ticks at this distance apart.
fn decimals(step: f64) -> fn(f64) -> String {
    match step {
        _ if step >= 0.999 => |value| scale::label(value, 1.0),
        _ if step >= 0.0999 => |value| scale::label(value, 0.1),
        _ if step >= 0.00999 => |value| scale::label(value, 0.01),
        _ if step >= 0.000_999 => |value| scale::label(value, 0.001),
        _ => |value| scale::label(value, 0.000_01),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(points: Vec<(i32, f64)>) -> OverRoots {
        let series = Series {
            name: "8,8".to_owned(),
            ink: None,
            dashed: false,
            points,
            intervals: vec![(1, -7.0, -6.0)],
        };
        OverRoots {
            name: "difference",
            title: "Differences".to_owned(),
            label: "difference (%)".to_owned(),
            roots: -1..=1,
            level: Some(0.0),
            most: None,
            series: vec![series],
        }
    }

    #[test]
    fn a_file_says_what_it_shows() {
        let figure = drawing(vec![(-1, -7.18), (1, -6.47)]).figure().unwrap();
        let file = figure.file();
        assert!(
            file.contains("aria-label=\"Differences. 8,8: from -7.18 at root -1 to -6.47 at root +1.\""),
            "{file}"
        );
        for text in ["root value", "difference (%)", "8,8", "\u{2212}1", "+1"] {
            assert!(file.contains(text), "{text}: {file}");
        }
        assert!(file.contains(Ink::Third.hex()) && !file.contains("var("), "{file}");
        assert_eq!(file, drawing(vec![(-1, -7.18), (1, -6.47)]).figure().unwrap().file());
    }

    #[test]
    fn whatever_the_points_there_is_a_drawing() {
        for points in
            [vec![], vec![(3, 2.0)], vec![(0, 0.0), (10_000, 1e-9)], vec![(-1, f64::NAN), (1, 1e300)]]
        {
            assert!(drawing(points).figure().is_ok());
        }
    }

    #[test]
    fn roots_are_whole() {
        assert_eq!([root(-3.0), root(0.0), root(0.5), root_or_zero(0.0)], ["\u{2212}3", "", "", "0"]);
    }
}
