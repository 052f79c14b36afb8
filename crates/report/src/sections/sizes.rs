//! How many trees each enumeration had, and how many are left after each reduction.

use maud::{Markup, html};
use num_bigint::BigUint;
use prodmax_output::{Cell, Column, Table};

use super::SectionKind;
use crate::error::ReportError;
use crate::exact::{AsText, count_to_f64};
use crate::figure::{Figure, Ink, one, text};
use crate::results::{ModelResults, Sizes};
use crate::run::Findings;
use crate::section::Section;

/// What is counted, and in which colour.
const COUNTS: [(&str, Ink); 4] = [
    ("ordered trees", Ink::Faint),
    ("kinds", Ink::Third),
    ("pairs of classes", Ink::Fourth),
    ("classes", Ink::Text),
];

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    // The line of values is the same everywhere, so sizes depend only on the increments: one root stands for all.
    let mut models: Vec<(&ModelResults, &Sizes)> = Vec::new();
    for model in findings.experiments.iter().flat_map(|results| &results.models) {
        let known = models.iter().any(|(other, _)| other.model.increments() == model.model.increments());
        if let (Some(sizes), false) = (&model.sizes, known) {
            models.push((model, sizes));
        }
    }
    if models.is_empty() {
        return Ok(None);
    }
    models.sort_by(|(_, a), (_, b)| a.trees.cmp(&b.trees));
    let mut section = Section::new("sizes", "How large the enumerations are");
    section.p(html! {
        "Trees that differ only in the order of siblings are one " em { "kind" } ". Subtrees that are equal are one "
        em { "class" } " wherever they occur; a tree is then a pair of depth-1 classes, weighted by the number of \
         ordered trees it stands for. Sums over pairs do not visit them: the classes are sorted by one rule’s value \
         and swept in the order of the other’s, so that the work grows only with the number of classes. The bars are \
         logarithmic: each gridline is a hundred times the one before."
    });
    section.figures([bars(&models)]);
    section.folded_table("Sizes in numbers", table(&models));
    Ok(Some(section))
}

fn counts(sizes: &Sizes) -> [&AsText<BigUint>; 4] {
    [&sizes.trees, &sizes.kinds, &sizes.pairs, &sizes.classes]
}

fn to_f64(count: &AsText<BigUint>) -> f64 {
    count_to_f64(count.0.clone())
}

fn bars(models: &[(&ModelResults, &Sizes)]) -> Figure {
    const LEFT: f64 = 62.0;
    const RIGHT: f64 = 466.0;
    const TOP: f64 = 52.0;
    const BAR: f64 = 8.0;
    const GROUP: f64 = 42.0;
    let greatest = models.iter().map(|(_, sizes)| to_f64(&sizes.trees).log10()).fold(1.0, f64::max);
    let decades = (greatest / 2.0).ceil() * 2.0;
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value.log10().max(0.0) / decades;
    let bottom = TOP + GROUP * models.len() as f64;
    let gridlines = (0..=decades as u32).step_by(2);
    let svg = html! {
        @for (index, (name, ink)) in COUNTS.into_iter().enumerate() {
            @let (left, top) = (LEFT + 200.0 * (index % 2) as f64, 4.0 + 20.0 * (index / 2) as f64);
            rect x=(left) y=(top) width="20" height="9" fill=(ink.css()) {} "\n"
            (text(left + 26.0, top + 10.0, 13, "start", Ink::Text, name))
        }
        @for decade in gridlines {
            @let at = x(10f64.powi(decade as i32));
            line x1=(one(at)) y1=(TOP) x2=(one(at)) y2=(bottom) stroke=(Ink::Rule.css()) {} "\n"
            (power(at, bottom + 18.0, decade))
        }
        @for (index, (model, sizes)) in models.iter().enumerate() {
            @let top = TOP + GROUP * index as f64 + 5.0;
            (text(LEFT - 8.0, top + 21.0, 13, "end", Ink::Text, &model.increments()))
            @for (bar, (count, (_, ink))) in counts(sizes).into_iter().zip(COUNTS).enumerate() {
                rect x=(LEFT) y=(one(top + BAR * bar as f64)) width=(one(x(to_f64(count)) - LEFT)) height=(BAR - 1.0)
                    fill=(ink.css()) {}
                "\n"
            }
        }
        (text((LEFT + RIGHT) / 2.0, bottom + 40.0, 13, "middle", Ink::Text, "number (logarithmic scale)"))
    };
    let words: Vec<String> = models
        .iter()
        .map(|(model, sizes)| {
            let [trees, kinds, pairs, classes] = counts(sizes);
            format!("{}: {trees} trees, {kinds} kinds, {pairs} pairs, {classes} classes", model.increments())
        })
        .collect();
    Figure {
        name: "sizes",
        alt: format!("Logarithmic bars of the sizes of each model. {}.", words.join("; ")),
        caption: html! {
            "Each group is one list of greatest increments, e.g. 8,8,8 for increments up to 8 at three levels."
        },
        size: (480, (bottom + 50.0) as u32),
        body: svg,
    }
}

/// 10 to a power, below the axis.
fn power(x: f64, y: f64, exponent: u32) -> Markup {
    html! {
        text x=(one(x)) y=(one(y)) font-size="13" text-anchor="middle" fill=(Ink::Faint.css()) {
            "10" tspan dy="-5" font-size="10" { (exponent) }
        }
        "\n"
    }
}

fn table(models: &[(&ModelResults, &Sizes)]) -> Table {
    let row = |(model, sizes): &(&ModelResults, &Sizes)| {
        let mut row: Vec<Cell> = vec![model.increments().into()];
        row.extend(counts(sizes).map(|count| count.to_string().into()));
        row
    };
    let mut columns = vec![Column::left("increments")];
    columns.extend(COUNTS.map(|(name, _)| Column::right(name)));
    Table {
        id: "sizes".to_owned(),
        title: "Trees, kinds, pairs of depth-1 classes, and classes".to_owned(),
        columns,
        rows: models.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
