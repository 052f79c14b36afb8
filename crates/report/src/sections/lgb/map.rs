//! The map of pathological regions.

use maud::html;
use prodmax_pathology::Values;
use prodmax_pathology::regions::Region;
use prodmax_pathology::study::Beyond;

use crate::figure::Figure;
use crate::heatmap::{HeatMap, Square};
use crate::section::Section;
use crate::words::out_of;

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
                Square { value: -100.0 * change, text: format!("{:+.1}", 100.0 * change), mark: "" }
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
        ends: ["deeper is worse", "deeper is better"],
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
