//! One value for each of several names: a dot on a line, with the number next to it.

use maud::{Markup, html};

use crate::figure::{Figure, Ink, one, text};
use crate::scale;

const WIDTH: u32 = 480;
const ROW: f64 = 26.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 48.0;
/// Space for the numbers next to the dots.
const RIGHT: f64 = 76.0;
/// The approximate width of a letter.
const LETTER: f64 = 7.4;
const SIZE: u32 = 14;

/// A name and its value.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Printed on the left.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// Where the dot is; `None` if there is no value.
    pub value: Option<f64>,
}

/// Dots in groups.
#[derive(Clone, Debug)]
pub struct DotChart {
    /// The file name without its extension.
    pub name: &'static str,
    /// A description of the drawing, for readers who cannot see it.
    pub title: String,
    /// What is measured, with its unit.
    pub label: String,
    /// The greatest possible value, where the axis ends.
    pub most: f64,
    /// Decimals of the printed numbers.
    pub places: usize,
    /// The groups, each with a heading, which may be empty.
    pub groups: Vec<(String, Vec<Dot>)>,
}

impl DotChart {
    /// The drawing.
    pub fn figure(&self) -> Figure {
        let heads = self.groups.iter().filter(|(head, _)| !head.is_empty()).count();
        let rows = heads + self.dots().count();
        let height = TOP + ROW * rows as f64 + BOTTOM;
        Figure {
            name: self.name,
            alt: self.describe(),
            caption: html! {},
            size: (WIDTH, height.ceil() as u32),
            body: self.draw(TOP + ROW * rows as f64),
        }
    }

    fn dots(&self) -> impl Iterator<Item = &Dot> {
        self.groups.iter().flat_map(|(_, dots)| dots)
    }

    fn draw(&self, bottom: f64) -> Markup {
        let longest = self.dots().map(|dot| dot.name.chars().count()).max().unwrap_or(0);
        let left = (longest as f64 * LETTER + 16.0).min(f64::from(WIDTH) / 2.0);
        let right = f64::from(WIDTH) - RIGHT;
        let mut range = scale::around(self.dots().filter_map(|dot| dot.value).chain([self.most]));
        range.end = self.most;
        let place = |value: f64| left + (value - range.start) / (range.end - range.start) * (right - left);
        let step = scale::step(range.end - range.start, 5);
        let ticks = scale::ticks(&range, 5);
        let mut y = TOP;
        let mut next = || {
            y += ROW;
            y - ROW / 2.0
        };
        html! {
            @for &tick in &ticks {
                line x1=(one(place(tick))) y1=(one(TOP)) x2=(one(place(tick))) y2=(one(bottom + 5.0))
                    stroke=(Ink::Rule.css()) {} "\n"
                (text(place(tick), bottom + 20.0, SIZE, "middle", Ink::Faint, &scale::label(tick, step)))
            }
            line x1=(one(left)) y1=(one(bottom)) x2=(one(right)) y2=(one(bottom)) stroke=(Ink::Faint.css()) {} "\n"
            (text((left + right) / 2.0, bottom + 41.0, SIZE, "middle", Ink::Text, &self.label))
            @for (head, dots) in &self.groups {
                @if !head.is_empty() {
                    (text(8.0, next() + 5.0, SIZE, "start", Ink::Faint, head))
                }
                @for dot in dots {
                    @let middle = next();
                    (text(left - 8.0, middle + 5.0, SIZE, "end", Ink::Text, &dot.name))
                    @if let Some(value) = dot.value {
                        line x1=(one(left)) y1=(one(middle)) x2=(one(place(value))) y2=(one(middle))
                            stroke=(dot.ink.css()) stroke-width="2" {} "\n"
                        circle cx=(one(place(value))) cy=(one(middle)) r="5" fill=(dot.ink.css()) {} "\n"
                        (text(f64::from(WIDTH) - 6.0, middle + 5.0, SIZE, "end", Ink::Text, &format!("{value:.*}", self.places)))
                    }
                }
            }
        }
    }

    fn describe(&self) -> String {
        let dot = |dot: &Dot| {
            let value =
                dot.value.map_or_else(|| "nothing".to_owned(), |value| format!("{value:.*}", self.places));
            format!("{} {value}", dot.name)
        };
        let group = |(head, dots): &(String, Vec<Dot>)| {
            let words: Vec<String> = dots.iter().map(dot).collect();
            if head.is_empty() { words.join(", ") } else { format!("{head}: {}", words.join(", ")) }
        };
        let groups: Vec<String> = self.groups.iter().map(group).collect();
        format!("{}. {}.", self.title, groups.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[Option<f64>]) -> DotChart {
        let dot = |(place, &value): (usize, &Option<f64>)| Dot {
            name: format!("rule:{place}"),
            ink: Ink::Third,
            value,
        };
        DotChart {
            name: "efficiency",
            title: "Efficiencies".to_owned(),
            label: "efficiency (%)".to_owned(),
            most: 100.0,
            places: 2,
            groups: vec![("root +1".to_owned(), values.iter().enumerate().map(dot).collect())],
        }
    }

    #[test]
    fn greater_values_lie_further_right_and_are_printed() {
        let file = chart(&[Some(91.158), Some(99.99), None]).figure().file();
        let places: Vec<f64> = file
            .split("<circle cx=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert!(places.len() == 2 && places[0] < places[1], "{places:?}");
        assert!(file.contains(">91.16<") && file.contains(">99.99<"), "{file}");
        assert!(
            file.contains("Efficiencies. root +1: rule:0 91.16, rule:1 99.99, rule:2 nothing."),
            "{file}"
        );
    }

    #[test]
    fn everything_lies_within_the_drawing() {
        for values in [vec![], vec![Some(100.0)], vec![Some(-30.0), Some(99.9)], vec![Some(99.999_999)]] {
            let figure = chart(&values).figure();
            let number = |text: &str| text.split('"').next().and_then(|text| text.parse::<f64>().ok());
            let body = figure.body.0.clone();
            for (attribute, most) in
                [(" x1=\"", figure.size.0), (" cx=\"", figure.size.0), (" y=\"", figure.size.1)]
            {
                for value in body.split(attribute).skip(1).filter_map(number) {
                    assert!((0.0..=f64::from(most)).contains(&value), "{attribute}{value}: {body}");
                }
            }
        }
    }
}
