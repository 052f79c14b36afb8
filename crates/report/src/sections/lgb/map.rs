//! The map of pathological regions.

use maud::html;
use prodmax_pathology::Values;
use prodmax_pathology::regions::Region;
use prodmax_pathology::study::Beyond;

use crate::figure::{Figure, with_minus};
use crate::heatmap::{HeatMap, Square};
use crate::section::Section;
use crate::sections::finding::Finding;
use crate::words::{and, extremes, out_of};

/// The deepest colour, in percent.
const LIMIT: f64 = 50.0;

pub(super) fn map(section: &mut Section, record: &Beyond) {
    const NAMES: [[&str; 4]; 2] = [
        ["lgb-map-dependent-1", "lgb-map-dependent-2", "lgb-map-dependent-3", "lgb-map-dependent-real"],
        [
            "lgb-map-independent-1",
            "lgb-map-independent-2",
            "lgb-map-independent-3",
            "lgb-map-independent-real",
        ],
    ];
    section.heading("Where is minimax pathological?");
    let count = |values: Values, real: bool| {
        let of =
            record.map.iter().filter(|region| region.values == values && region.grains.is_none() == real);
        let of: Vec<&Region> = of.collect();
        let worse = of.iter().filter(|region| region.change().is_some_and(|change| change > 0.0)).count();
        out_of(worse, of.len())
    };
    section.p(html! {
        "The map shows by how many percent the move error changes from depth 1 to depth " (record.spec.map.d_max) ", over the \
         branching factor and the noise; orange is pathological. Of dependent real values " (count(Values::Dependent, true))
        " points are, of dependent values with grains " (count(Values::Dependent, false)) "; of independent real values "
        (count(Values::Independent, true)) ", of independent values with grains " (count(Values::Independent, false))
        ". A dash means that hardly any error is left, or that the two errors are equal to within their accuracy."
    });
    let spec = &record.spec.map;
    let mut figures = Vec::new();
    for (values, names) in Values::ALL.into_iter().zip(NAMES) {
        let counts = spec.grains.iter().copied().map(Some).take(3).chain([None]);
        for (grains, name) in counts.zip(names.into_iter().skip(3usize.saturating_sub(spec.grains.len()))) {
            figures.push(panel(record, values, grains, name));
        }
    }
    section.figures(figures);
}

/// How often deeper search makes decisions worse, with real values.
pub(super) fn finding(record: &Beyond) -> Option<Finding> {
    let of = |values: Values, real: bool| {
        let all = record
            .map
            .iter()
            .filter(move |region| region.values == values && region.grains.is_none() == real);
        all.collect::<Vec<&Region>>()
    };
    let changes = |values| of(values, true).into_iter().filter_map(Region::change).collect::<Vec<f64>>();
    let (dependent, independent) = (changes(Values::Dependent), changes(Values::Independent));
    let worse = |all: &[f64]| all.iter().filter(|change| **change > 0.0).count();
    let range = |all: &[f64]| {
        extremes(all.iter().map(|change| 100.0 * change))
            .map(|(least, most)| format!("{} to {}", signed(least), signed(most)))
    };
    let grained = |values: Values| {
        let all = of(values, false);
        let worse = all.iter().filter(|region| region.change().is_some_and(|change| change > 0.0)).count();
        out_of(worse, all.len())
    };
    let points = of(Values::Dependent, true).len();
    Some(Finding {
        sentence: html! {
            "Deeper search improves Minimax’s moves in " (out_of(dependent.len() - worse(&dependent), points))
            " settings in which values depend on their parent’s, and worsens them in " (out_of(worse(&independent), of(Values::Independent, true).len()))
            " in which they do not (LGB’s model with real values, move error at depth " (record.spec.map.d_max) " against depth 1)."
        },
        holds_for: html! {
            "Branching factors " (and(&record.spec.map.b)) " and noise " (and(&record.spec.map.sigma_e))
            " standard deviations of a step; the error changes by " (range(&dependent)?) "\u{a0}% with dependent values (normal \
             steps), by " (range(&independent)?) "\u{a0}% with independent ones (uniform)."
        },
        otherwise: html! {
            "With values in " (and(&record.spec.map.grains)) " grains deeper search is worse in " (grained(Values::Dependent))
            " settings with dependent and " (grained(Values::Independent)) " with independent values."
        },
        command: format!("prodmax pathology map --d-max {}", record.spec.map.d_max),
        more: "lgb",
    })
}

fn signed(value: f64) -> String {
    with_minus(&format!("{value:+.1}"))
}

fn panel(record: &Beyond, values: Values, grains: Option<u32>, name: &'static str) -> Figure {
    let spec = &record.spec.map;
    let columns: Vec<String> = spec.b.iter().map(|b| format!("b = {b}")).collect();
    let square = |b: u32, sigma_e: f64| {
        let found = record.map.iter().find(|region| {
            (region.values, region.grains, region.b) == (values, grains, b) && region.sigma_e == sigma_e
        });
        match found.and_then(Region::change) {
            // Orange is the side of negative values.
            Some(change) => {
                let percent = 100.0 * change;
                let places = usize::from(percent < 100.0);
                Square { value: -percent, text: with_minus(&format!("{percent:+.places$}")), mark: "" }
            }
            None => Square { value: 0.0, text: "–".to_owned(), mark: "" },
        }
    };
    let rows: Vec<(String, Vec<Square>)> = spec
        .sigma_e
        .iter()
        .map(|sigma_e| (format!("σe = {sigma_e}"), spec.b.iter().map(|b| square(*b, *sigma_e)).collect()))
        .collect();
    let kind = grains.map_or("real values".to_owned(), |grains| format!("{grains} grains"));
    let title = format!("{}, {kind}", values.name());
    let map = HeatMap {
        title: &title,
        columns: &columns,
        rows: &rows,
        limit: LIMIT,
        left: 76.0,
        means: false,
        ends: [format!("+{LIMIT:.0} % or more: worse"), format!("better: \u{2212}{LIMIT:.0} % or less")],
    };
    let words: Vec<String> = rows
        .iter()
        .map(|(name, squares)| {
            let texts: Vec<&str> = squares.iter().map(|square| square.text.as_str()).collect();
            format!("{name}: {}", texts.join(", "))
        })
        .collect();
    Figure {
        name,
        alt: format!(
            "Change of the move error in percent, {title}. Columns: {}. Rows: {}.",
            columns.join(", "),
            words.join("; ")
        ),
        caption: html! { (title) ": change of the move error in percent." },
        size: map.size(),
        body: map.draw(),
    }
}
