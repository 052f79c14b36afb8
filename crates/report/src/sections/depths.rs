//! Beyond the paper: how the advantage moves with depth at full width, up to depth 4, and what depth 5 allows.

use prodmax_output::{Cell, Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, percent, root};
use crate::results::double;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The depths and where their figures are among the golden entries.
const DEPTHS: [(usize, &str, &str); 3] = [
    (2, "depth2.critical.", "depth2.difference."),
    (3, "beyond.depth3.", "beyond.depth3."),
    (4, "beyond.depth4.", "beyond.depth4."),
];

/// One model: its root, how many trees are critical, the difference in percent.
struct Point<'a> {
    root: i32,
    trees: String,
    critical: &'a str,
    difference: &'a str,
}

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let depths: Vec<(usize, Vec<Point<'_>>)> = DEPTHS
        .iter()
        .map(|&(depth, critical, difference)| (depth, points(findings, critical, difference)))
        .collect();
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
                    "depth": depth, "root": point.root, "trees": point.trees,
                    "critical": point.critical, "difference_percent": point.difference,
                })
            })
        })
        .collect();
    section.data.push(("depths".to_owned(), json!(data)));
    Ok(Some(section))
}

fn points<'a>(findings: &'a Findings, critical: &str, difference: &str) -> Vec<Point<'a>> {
    let named = |prefix: &str, what: &str| -> Vec<&'a Comparison> {
        let belongs = |id: &str| id.starts_with(prefix) && id.contains(what) && !id.ends_with("root0");
        findings.comparisons.iter().filter(|comparison| belongs(&comparison.entry.id)).collect()
    };
    let (critical, difference) = (named(critical, "critical"), named(difference, "difference"));
    let pair = |(critical, difference): (&'a Comparison, &'a Comparison)| {
        let model = difference.entry.quantity.model()?;
        (critical.entry.quantity.model() == Some(model)).then(|| Point {
            root: model.root().get(),
            trees: model.trees().to_string(),
            critical: critical.ours.recorded.as_str(),
            difference: difference.ours.recorded.as_str(),
        })
    };
    critical.into_iter().zip(difference).filter_map(pair).collect()
}

fn difference(depths: &[(usize, Vec<Point<'_>>)]) -> Result<Figure, ReportError> {
    let name = "depths";
    let inks = [Ink::Third, Ink::Minimax, Ink::Product];
    let line = |((depth, points), ink): (&(usize, Vec<Point<'_>>), Ink)| Line {
        name: format!("depth {depth}"),
        ink,
        dashed: false,
        dots: true,
        points: points.iter().map(|point| (f64::from(point.root), double(point.difference))).collect(),
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
            let share = 100.0 * double(point.critical) / double(&point.trees);
            vec![
                Cell::from(depth),
                format!("{:+}", point.root).into(),
                point.critical.into(),
                format!("{share:.3}").into(),
                format!("{:.6}", 50.0 - double(point.difference) / 2.0).into(),
                format!("{:.6}", double(point.difference)).into(),
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
