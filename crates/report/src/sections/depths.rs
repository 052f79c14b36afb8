//! Beyond the paper: how the advantage moves with depth at full width, up to depth 4, and what depth 5 allows.

use num_bigint::{BigInt, BigUint};
use prodmax_enumerate::{Model, Zero};
use prodmax_golden::Quantity;
use prodmax_number::arctan::to_f64;
use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, percent, root};
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The greatest increment at every level.
const WIDTH: i32 = 8;
/// The depths that are compared.
const DEPTHS: [usize; 3] = [2, 3, 4];

/// One model: its root, how many trees it has, how many of them are critical, the difference in percent.
struct Point<'a> {
    root: i32,
    trees: BigUint,
    critical: &'a Comparison,
    difference: &'a Comparison,
}

impl Point<'_> {
    fn difference_percent(&self) -> Option<f64> {
        self.difference.ours_f64()
    }

    /// The part of all trees that is critical, in percent.
    fn critical_percent(&self) -> Option<f64> {
        let critical = self.critical.ours.number.as_deref()?;
        Some(100.0 * to_f64(&(critical / BigInt::from(self.trees.clone()))))
    }
}

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let depths: Vec<(usize, Vec<Point<'_>>)> =
        DEPTHS.iter().map(|&depth| (depth, points(findings, depth))).collect();
    if depths.iter().any(|(_, points)| points.is_empty()) {
        return Ok(None);
    }
    let mut section = Section::new("depths", "Beyond the paper: how the advantage moves with depth");
    section.p(
        "Depth 4 with increments up to 8 at every level has 9<sup>30</sup>, about 4.2·10<sup>28</sup>, trees a root. \
         Merged, they are pairs of 231 million depth-1 classes, which are swept block by block without ever being held \
         together: counts are exact, error masses have a proven bound. At the same roots Product’s lead is about the \
         same at depths 2 and 3 and half as large again or more at depth 4. So the turn in favour of Minimax that the \
         paper sees from depth 2 to depth 3 is not found when all increments keep their full width.",
    );
    let kept = findings.published("beyond").any(|comparison| !comparison.ours.computed);
    if kept {
        section.p(
            "The depth-4 figures shown are the recorded ones; <code>prodmax check --slow</code> computes them anew, in \
             less than a minute a root.",
        );
    }
    section.figures([difference(&depths)?]);
    section.table(table(&depths));
    section.p(
        "Depth 5 is limited by the number of class pairs, not by memory: with increments up to 2 it has \
         3.2·10<sup>8</sup> of them, a minute or two; with (3, 3, 3, 3, 2) ten times as many. With increments up to 8 \
         level 2 alone would have 350 million classes.",
    );
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

/// The models of a depth whose critical trees and difference are golden entries.
fn points(findings: &Findings, depth: usize) -> Vec<Point<'_>> {
    let all = || ["depth2", "beyond"].into_iter().flat_map(|group| findings.published(group));
    let is_wide = |model: &Model| {
        model.depth() == depth
            && model.line().zero() == Zero::Skip
            && model.increments().iter().all(|&increment| increment == WIDTH)
    };
    let mut points = Vec::new();
    for critical in all() {
        let Quantity::Critical(model) = &critical.entry.quantity else { continue };
        let is_difference =
            |other: &&Comparison| other.entry.quantity == Quantity::DifferencePercent(model.clone());
        if let (true, Some(difference)) = (is_wide(model), all().find(is_difference)) {
            points.push(Point { root: model.root().get(), trees: model.trees(), critical, difference });
        }
    }
    points
}

fn difference(depths: &[(usize, Vec<Point<'_>>)]) -> Result<Figure, ReportError> {
    let name = "depths";
    let inks = [Ink::Third, Ink::Minimax, Ink::Product];
    let line = |((depth, points), ink): (&(usize, Vec<Point<'_>>), Ink)| Line {
        name: format!("depth {depth}"),
        ink,
        dashed: false,
        dots: true,
        points: points
            .iter()
            .filter_map(|point| Some((f64::from(point.root), point.difference_percent()?)))
            .collect(),
    };
    let plot = Plot {
        x: Axis { label: "root value", range: -4.5..2.5, ticks: 7, format: root },
        y: Axis {
            label: "difference (%), below 0: Product ahead",
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
        alt: "The difference in percent over the roots of Table II at depths 2, 3 and 4 with increments up to 8: below \
              zero everywhere, between -5 and -9 at depths 2 and 3, between -10 and -16 at depth 4."
            .to_owned(),
        caption: "The difference with increments up to 8 at every level. Below 0 Product is ahead.".to_owned(),
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
        title: "Increments up to 8 at every level: depths 2, 3 and 4".to_owned(),
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
