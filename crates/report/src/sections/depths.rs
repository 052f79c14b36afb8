//! Beyond the paper: how the advantage changes with depth at full width, up to depth 4, and what is possible at depth
//! 5.

use maud::{Markup, html};
use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Line, Model, Plan, ZeroMode};
use prodmax_golden::Quantity;
use prodmax_number::fraction::to_f64;
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::exact::{count_to_f64, grouped};
use crate::figure::{Figure, Ink};
use crate::html::join;
use crate::plot::{Axis, Line as PlotLine, Plot, SIZE, percent, root};
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::{and, extremes, scientific};

/// The greatest increment at every level.
const WIDTH: i32 = 8;
/// The depths that are compared.
const DEPTHS: [usize; 3] = [2, 3, 4];

/// The root of the models of depth 5, which are only counted.
const ROOT: i64 = 1;

/// One model: its root, how many trees it has, how many of them are critical, the difference in percent.
struct Point<'a> {
    root: i32,
    model: &'a Model,
    trees: BigUint,
    critical: &'a Comparison,
    difference: &'a Comparison,
}

impl Point<'_> {
    fn difference_percent(&self) -> Option<f64> {
        self.difference.ours_f64()
    }

    /// The share of all trees that is critical, in percent.
    fn critical_percent(&self) -> Option<f64> {
        let critical = self.critical.ours.number()?;
        Some(100.0 * to_f64(&(critical / BigInt::from(self.trees.clone()))))
    }
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let depths: Vec<(usize, Vec<Point<'_>>)> =
        DEPTHS.iter().map(|&depth| (depth, points(findings, depth))).collect();
    if depths.iter().any(|(_, points)| points.is_empty()) {
        return Ok(None);
    }
    let mut section = Section::new("depths", "Beyond the paper: how the difference changes with depth");
    section.p(introduction(&depths));
    if depths.iter().flat_map(|(_, points)| points).any(|point| !point.difference.ours.computed) {
        section.p(html! {
            "The figures of slow models are shown as recorded; " code { "prodmax check --slow" } " recomputes them."
        });
    }
    section.figures([difference(&depths)?]);
    section.table(table(&depths));
    section.p(depth_five());
    let data: Vec<_> = depths
        .iter()
        .flat_map(|(depth, points)| {
            points.iter().map(move |point| {
                json!({
                    "depth": depth, "root": point.root, "trees": point.trees.to_string(),
                    "critical": point.critical.ours.recorded,
                    "difference_percent": point.difference.ours.recorded,
                })
            })
        })
        .collect();
    section.data.push(("depths".to_owned(), json!(data)));
    Ok(Some(section))
}

/// How large depth 4 is, and how Product's lead changes with depth.
fn introduction(depths: &[(usize, Vec<Point<'_>>)]) -> Markup {
    let deepest = depths.last().and_then(|(_, points)| points.first()).map(|point| point.model);
    let lead = |(depth, points): &(usize, Vec<Point<'_>>)| {
        let leads: Vec<f64> = points.iter().filter_map(Point::difference_percent).map(|lead| -lead).collect();
        (*depth, leads.iter().sum::<f64>() / leads.len() as f64)
    };
    let leads: Vec<(usize, f64)> = depths.iter().map(lead).collect();
    let all_ahead = depths
        .iter()
        .flat_map(|(_, points)| points)
        .all(|point| point.difference_percent().is_some_and(|difference| difference < 0.0));
    let phrases: Vec<String> =
        leads.iter().map(|(depth, lead)| format!("{lead:.1}\u{a0}% at depth {depth}")).collect();
    html! {
        @if let Some(model) = deepest {
            @let plan = Plan::of(model);
            @let inner: u32 = (1..=model.depth()).map(|level| 1 << level).sum();
            "Depth " (model.depth()) " with increments up to " (WIDTH) " at every level has " (WIDTH + 1)
            sup { (inner) } ", about " (about(&plan.trees)) ", trees per root. Merged, they are pairs of "
            (grouped(plan.depth_one_classes())) " depth-1 classes, which are swept block by block and never held in \
             memory all at once: counts are exact, error masses have a proven bound. "
        }
        "With truth w" sub { "4" } " and estimate w" sub { "1" } ", on average over the same roots, the difference favours Product by "
        (and(&phrases)) " of the errors in critical trees."
        @if let [(first, one), (second, other), ..] = leads[..] {
            @let points = format!("{:.1}", (other - one).abs());
            @if other < one {
                " From depth " (first) " to depth " (second) " it shrinks by " (points) " points: the shift in favour of Minimax \
                 that the paper sees there appears when all increments keep their full width, too"
                @if all_ahead { ", but Product errs less at every root and depth tried" }
                "."
            } @else {
                " From depth " (first) " to depth " (second) " it grows by " (points) " points: the shift in favour of Minimax \
                 that the paper sees there does not appear when all increments keep their full width."
            }
        }
        " With steeper truths it is otherwise: see " a href="#summary" { "what was found" } "."
    }
}

/// A large number as 4.2·10²⁸.
fn about(number: &BigUint) -> Markup {
    let (mantissa, exponent) = scientific(count_to_f64(number.clone()));
    html! { (mantissa) "·10" sup { (exponent) } }
}

/// How many classes some models of depth 5 have.
fn depth_five() -> Markup {
    let plan = |increments: [i64; 5]| {
        Model::new(ROOT, &increments, ZeroMode::Skip, Line::DEFAULT_H_MAX).ok().map(|model| Plan::of(&model))
    };
    let depth_one = |increments: [i64; 5]| {
        let classes = plan(increments)?.depth_one_classes().clone();
        let names = increments.map(|increment| increment.to_string()).join(",\u{a0}");
        Some(html! { (about(&classes)) " with (" (names) ")" })
    };
    let small: Vec<Markup> = [[2, 2, 2, 2, 2], [3, 3, 3, 3, 2]].into_iter().filter_map(depth_one).collect();
    let widest = plan([WIDTH.into(); 5])
        .and_then(|plan| Some(plan.levels.into_iter().find(|level| level.level == 2)?.classes));
    html! {
        "Depth 5 is limited by the number of depth-1 classes, the pairs of classes one level deeper"
        @if !small.is_empty() {
            ": at root +" (ROOT) " there are " (join(&small, " and ")) " as the greatest increments"
        }
        "."
        @if let Some(classes) = widest {
            " With increments up to " (WIDTH) " level 2 alone would have " (about(&classes)) " classes."
        }
    }
}

/// The models of a depth whose critical trees and difference are golden entries.
fn points(findings: &Findings, depth: usize) -> Vec<Point<'_>> {
    let all = || ["depth2", "beyond"].into_iter().flat_map(|group| findings.published(group));
    let is_wide = |model: &Model| {
        model.depth() == depth
            && model.line().zero() == ZeroMode::Skip
            && model.increments().iter().all(|&increment| increment == WIDTH)
    };
    let mut points = Vec::new();
    for critical in all() {
        let Quantity::Critical(model) = &critical.entry.quantity else { continue };
        let is_difference =
            |other: &&Comparison| other.entry.quantity == Quantity::DifferencePercent(model.clone());
        if let (true, Some(difference)) = (is_wide(model), all().find(is_difference)) {
            points.push(Point {
                root: model.root().get(),
                model,
                trees: model.trees(),
                critical,
                difference,
            });
        }
    }
    points
}

fn difference(depths: &[(usize, Vec<Point<'_>>)]) -> Result<Figure, ReportError> {
    let name = "depths";
    let inks = [Ink::Third, Ink::Minimax, Ink::Product];
    let line = |((depth, points), ink): (&(usize, Vec<Point<'_>>), Ink)| PlotLine {
        name: format!("depth {depth}"),
        ink,
        dashed: false,
        dots: true,
        points: points
            .iter()
            .filter_map(|point| Some((f64::from(point.root), point.difference_percent()?)))
            .collect(),
    };
    let range = |(depth, points): &(usize, Vec<Point<'_>>)| {
        let (least, most) = extremes(points.iter().filter_map(Point::difference_percent))?;
        Some(format!("between {least:.1} and {most:.1} at depth {depth}"))
    };
    let ranges: Vec<String> = depths.iter().filter_map(range).collect();
    let plot = Plot {
        x: Axis { label: "root value".into(), range: -4.5..2.5, ticks: 7, format: root },
        y: Axis {
            label: "difference (%), below 0: Product errs less".into(),
            range: -17.0..0.0,
            ticks: 9,
            format: percent,
        },
        lines: depths.iter().zip(inks).map(line).collect(),
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "The difference in percent for the roots of Table II with increments up to {WIDTH}: {}.",
            ranges.join("; ")
        ),
        caption: html! { "The difference with increments up to " (WIDTH) " at every level, truth w" sub { "4" } ", estimate w" sub { "1" } ". Below 0 Product errs less in critical trees." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

fn table(depths: &[(usize, Vec<Point<'_>>)]) -> Table {
    let rows = depths.iter().flat_map(|(depth, points)| {
        points.iter().map(move |point| {
            let number = |number: Option<f64>, places: usize| -> Cell {
                number.map_or_else(|| "".into(), |number| format!("{number:.places$}").into())
            };
            let difference = point.difference_percent();
            vec![
                Cell::from(depth),
                format!("{:+}", point.root).into(),
                point.critical.ours.recorded.as_str().into(),
                number(point.critical_percent(), 3),
                number(difference.map(|difference| 50.0 - difference / 2.0), 6),
                number(difference, 6),
            ]
        })
    });
    Table {
        id: "depths".to_owned(),
        title: format!("Increments up to {WIDTH} at every level: depths {}", and(&DEPTHS)),
        columns: [
            "depth",
            "root",
            "critical trees",
            "critical (%)",
            "Minimax’s share of errors (%)",
            "difference (%)",
        ]
        .map(Column::right)
        .to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
