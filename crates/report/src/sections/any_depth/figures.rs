//! The drawings: difference, efficiency and threshold over depth.

use maud::html;
use prodmax_mass::khs_rules;
use prodmax_rules::Rule;

use super::{DEPTHS, ENUMERATED, ROOTS, WIDTH, Wide, inner_roots_named, mean_efficiency};
use crate::error::ReportError;
use crate::figure::{Figure, Ink};
use crate::plot::{Axis, Line, Plot, SIZE, Spread, percent};
use crate::words::extremes;

const INKS: [Ink; 6] = [Ink::Third, Ink::Fourth, Ink::Fifth, Ink::Sixth, Ink::Minimax, Ink::Product];

fn depth(value: f64) -> String {
    format!("{value:.0}")
}

fn depths() -> Axis {
    let (first, last) = (*DEPTHS.start() as f64, *DEPTHS.end() as f64);
    Axis { label: "depth".into(), range: first - 0.5..last + 0.5, ticks: 10, format: depth }
}

/// One line for each root.
fn by_root(value: impl Fn(usize, i32) -> Option<f64>) -> Vec<Line> {
    let line = |(root, ink): (i32, Ink)| Line {
        name: format!("root {root:+}"),
        ink,
        dashed: false,
        dots: true,
        points: DEPTHS.filter_map(|depth| Some((depth as f64, value(depth, root)?))).collect(),
    };
    ROOTS.into_iter().zip(INKS).map(line).collect()
}

fn ends(lines: &[Line]) -> (f64, f64) {
    extremes(lines.iter().flat_map(|line| &line.points).map(|point| point.1)).unwrap_or((0.0, 1.0))
}

pub(super) fn difference(wide: &Wide<'_>) -> Result<Figure, ReportError> {
    let name = "any-depth-difference";
    let lines = by_root(|depth, root| Some(wide.difference(depth, root)?.value));
    let spread = |(root, ink): (i32, Ink)| Spread {
        ink,
        filled: false,
        points: DEPTHS
            .filter_map(|depth| {
                let [low, high] = wide.certain(depth, root)?;
                (high > low).then_some((depth as f64, low, high))
            })
            .collect(),
    };
    let spreads: Vec<Spread> = ROOTS.into_iter().zip(INKS).map(spread).collect();
    let (least, most) = ends(&lines);
    let lowest = spreads.iter().flat_map(|spread| &spread.points).map(|point| point.1).fold(least, f64::min);
    let plot = Plot {
        x: depths(),
        y: Axis {
            label: "difference (%), below 0: Product errs less".into(),
            range: (lowest - 1.0).floor()..0.0,
            ticks: 9,
            format: percent,
        },
        lines,
        spreads,
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!(
            "The difference in percent over depths {} to {} for {} roots: between {most:.1} and {least:.1}.",
            DEPTHS.start(),
            DEPTHS.end(),
            ROOTS.len()
        ),
        caption: html! {
            "The difference with increments up to " (WIDTH) " at every level: exact up to depth " (ENUMERATED)
            ", estimates beyond; the bars are the certain bounds."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

pub(super) fn efficiency(wide: &Wide<'_>) -> Result<Figure, ReportError> {
    let name = "any-depth-efficiency";
    let line = |rule: &Rule| Line {
        name: rule.to_string(),
        ink: Ink::of_family(rule.family()),
        dashed: false,
        dots: true,
        points: DEPTHS
            .filter_map(|depth| Some((depth as f64, mean_efficiency(wide, depth, rule)?)))
            .collect(),
    };
    let lines = Vec::from(khs_rules().each_ref().map(line));
    let (least, most) = ends(&lines);
    let plot = Plot {
        x: depths(),
        y: Axis {
            label: "efficiency (%)".into(),
            range: (least - 1.0).floor()..100.0,
            ticks: 8,
            format: percent,
        },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!("The efficiency of Minimax and Product over depth, between {least:.1} and {most:.1} %."),
        caption: html! {
            "Efficiency, the mean over the roots " (inner_roots_named()) "."
        },
        size: SIZE,
        body: plot.draw(name)?,
    })
}

pub(super) fn threshold(wide: &Wide<'_>) -> Result<Figure, ReportError> {
    let name = "any-depth-threshold";
    let lines = by_root(|depth, root| Some(wide.threshold(depth, root)?.value));
    let (least, most) = ends(&lines);
    let plot = Plot {
        x: depths(),
        y: Axis {
            label: "threshold (%), below it Minimax errs less".into(),
            range: (least - 1.0).floor().max(0.0)..(most + 1.0).ceil(),
            ticks: 8,
            format: percent,
        },
        lines,
        spreads: Vec::new(),
        labels: Vec::new(),
    };
    Ok(Figure {
        name,
        alt: format!("The threshold of uniform errors over depth, between {least:.1} and {most:.1} %."),
        caption: html! { "The uniform error rate below which Minimax errs less often than Product." },
        size: SIZE,
        body: plot.draw(name)?,
    })
}
