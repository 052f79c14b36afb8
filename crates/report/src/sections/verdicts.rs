//! What is reproduced and what is not: every published figure, and where the papers contradict themselves.

use maud::{Markup, html};
use prodmax_golden::{Entry, Verdict};
use prodmax_jobs::Cost;
use prodmax_mass::Curve;
use prodmax_output::{Column, Table};
use serde_json::json;

use super::model::{H_MAX, pearl_curve, printed_at_minus_one, value_at};
use super::{SectionKind, crossover, depth2, table2};
use crate::error::ReportError;
use crate::html::{indexed, n_interval, var, verdict};
use crate::plot::root;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if findings.comparisons.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("verdicts", "What is reproduced and what is not");
    section.p(html! {
        "Every published figure with our value, and figures of our own. "
        @for (place, kind) in Verdict::ALL.into_iter().enumerate() {
            @if place > 0 { "; " }
            (verdict(&kind.to_string())) " is " (meaning(kind))
        }
        ". Verdicts are computed, and " code { "prodmax check" } " fails if one changes in either direction."
    });
    for group in findings.comparisons.chunk_by(|a, b| a.group == b.group) {
        let Some(first) = group.first() else { continue };
        section.folded_table(&format!("{} ({} entries)", first.title, group.len()), table(first, group));
    }
    section.heading("Where the papers disagree with themselves");
    section.list(&inconsistencies(findings));
    section.data.push(("published".to_owned(), findings.comparisons.iter().map(entry).collect()));
    Ok(Some(section))
}

/// What a verdict says of our value.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact => "the same number, word or formula",
        Verdict::WithinRounding => {
            "a number that would be printed with these digits, rounded or, where the entry says so, cut off"
        }
        Verdict::WithinError => "a sample’s figure at most two standard errors from the printed one",
        Verdict::SignOnly => "a different number of the same sign",
        Verdict::Differs => "none of these",
        Verdict::NotComparable => "a figure that counts something else than ours can",
        Verdict::Holds => "a sentence that the figures bear out",
        Verdict::Fails => "a sentence that they refute",
        Verdict::NotDecidable => "a sentence that they do not decide",
        Verdict::Unpublished => "a figure of our own that no paper prints",
    }
}

/// Each inconsistency with what is printed and what follows from the rest of the paper.
fn inconsistencies(findings: &Findings) -> Vec<Markup> {
    let p = |index| indexed("P", index);
    let [by_pearl, by_equation_2] =
        [pearl_curve(1), Curve::arctan(1)].map(|curve| format!("{:.5}", value_at(&curve, 1)));
    let at_minus_one = printed_at_minus_one(findings).map(|printed| {
        html! {
            b { (printed.text()) "." } " The text gives this probability of losing at value −1 (Fig. 2). Pearl’s \
             curve with " (var("c")) " = 1, ½ + arctan(1/" (H_MAX) ")/π, gives " (by_pearl) ". Equation (2), which the \
             paper says is the same function for " (var("c")) " = 1, gives " (by_equation_2) "."
        }
    });
    let mut found: Vec<Markup> = at_minus_one.into_iter().collect();
    found.extend([
        html! {
            b { "Footnote 7" } " says that " i { "w" sub { "c" } } " integrates to 1. A probability of winning is not \
             a density; as the curve is symmetric about ½, its integral over the range of values is " (var("h")) sub {
            "max" }
            " = " (H_MAX) " for every " (var("c")) "."
        },
        html! {
            b { "“0 otherwise” in equation (2)" } " makes a position better than +" (H_MAX) " a certain loss: the \
             curve is no longer monotone. It does no harm here: no tree of an enumerated model can leave the range, and \
             where a simulated one does, this part of the equation is not applied."
        },
        html! {
            b { "The interval " (indexed("I", 2)) "." } " The text names " (p(2)) " as won; by Table I and the \
             definition of the interval it is " (p(1)) "."
        },
    ]);
    let crossover = findings.experiment(crossover::EXPERIMENT);
    if let Some((results, (first, ratio))) =
        crossover.and_then(|results| Some((results, crossover::text::first_root_for_i4(results)?)))
    {
        found.push(html! {
            b { (n_interval(2)) " > " (n_interval(4)) } " is claimed in general. With " (results.widths()) " it fails from root " (root(first)) " on, where the ratio is " (format!("{ratio:.3}")) "."
        });
    }
    found.push(html! {
        b { "Levels." } " The text says that the increments were reduced at levels 2 and 3. The rows of Table II \
         vary them at levels 1 and 2 together, and at level 3."
    });
    let rows = table2::rows(findings);
    if !rows.is_empty() {
        found.push(html! { b { "Means of Table II." } " " (table2::text::means(&rows)) });
        let unusual = table2::text::unusual(&rows);
        found.extend(unusual.map(|unusual| html! { b { "A cell of Table II." } " " (unusual) }));
    }
    let depth2 = depth2::enumerated(findings);
    if !depth2.is_empty() {
        found.push(html! {
            b { "The root of the depth-2 figures" } " is not stated; " (depth2::roots(&depth2)) "."
        });
    }
    found
}

fn table(first: &Comparison, group: &[Comparison]) -> Table {
    let recorded = group.iter().filter(|comparison| !comparison.ours.computed).count();
    let most = group
        .iter()
        .filter(|comparison| !comparison.ours.computed)
        .map(|comparison| comparison.entry.cost)
        .max();
    let option = if most == Some(Cost::Cluster) { "--cluster" } else { "--slow" };
    let mut notes = Entry::remarks(group.iter().map(|comparison| &comparison.entry));
    notes.extend((recorded > 0).then(|| format!(
        "{recorded} of these are slow and are shown as recorded; prodmax reproduce {option} computes them."
    )));
    Table {
        id: format!("published-{}", first.group),
        title: first.title.clone(),
        columns: vec![
            Column::left("entry"),
            Column::right("published"),
            Column::right("ours"),
            Column::left("verdict"),
            Column::left("where"),
        ],
        rows: group
            .iter()
            .map(|comparison| {
                vec![
                    comparison.entry.id.as_str().into(),
                    comparison.entry.published.text().into(),
                    comparison.ours.shown.as_str().into(),
                    comparison.ours.verdict.into(),
                    comparison.entry.source.as_str().into(),
                ]
            })
            .collect(),
        notes,
    }
}

fn entry(comparison: &Comparison) -> serde_json::Value {
    json!({
        "id": comparison.entry.id,
        "source": comparison.entry.source,
        "reading": comparison.entry.reading,
        "published": comparison.entry.published.text(),
        "ours": comparison.ours.recorded,
        "verdict": comparison.ours.verdict.to_string(),
        "remark": comparison.entry.remark(),
        "computed": comparison.ours.computed,
    })
}
