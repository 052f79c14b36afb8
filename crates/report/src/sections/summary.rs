//! What the report is about, and how many of the published figures are reproduced.

use maud::{Markup, html};
use prodmax_golden::Verdict;

use super::{SectionKind, table2};
use crate::error::ReportError;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::out_of;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let mut section = Section::new("summary", "At a glance");
    section.p(html! {
        "A program that cannot search a game to its end evaluates the positions at its horizon and backs the values \
         up to the move it has to choose. " b.minimax { "Minimax" } " backs up the value of the best reply. "
        b.product { "Product" } " treats values as probabilities of winning and multiplies them. Kaindl, Horacek and \
         Scheucher (KHS) asked which of the two decides better when the evaluation is imperfect, on small synthetic \
         game trees; Horacek and Kaindl (HK) gave the derivation for depth 2."
    });
    section.p(html! {
        "This report recomputes their figures, exactly or with certified error bounds, by enumerating " em { "all" }
        " trees of their model. It follows the order of the journal paper, so it can be read alongside it."
        (outcome(findings))
    });
    if !findings.simulations.is_empty() {
        section.p(html! {
            "The simulation study of the paper (Tables III and IV, Fig. 6) is repeated with many more trees, under \
             several readings of what the paper leaves open; see " a href="#simulation" { "whole games" } "."
        });
    }
    // What the papers do not print cannot be reproduced.
    let published: Vec<&Comparison> =
        findings.comparisons.iter().filter(|figure| is_published(figure)).collect();
    let mut groups: Vec<&[&Comparison]> = published.chunk_by(|a, b| a.group == b.group).collect();
    groups.sort_by_key(|group| place(group));
    section.add(html! { ul.cards { @for group in groups { (card(group)) "\n" } } });
    Ok(Some(section))
}

fn is_published(figure: &Comparison) -> bool {
    figure.ours.verdict != Verdict::Unpublished
}

/// What is reproduced, in two sentences.
fn outcome(findings: &Findings) -> Markup {
    let counts = |groups: [&str; 2]| {
        let of_groups = || {
            groups
                .into_iter()
                .flat_map(|group| findings.published(group))
                .filter(|figure| is_published(figure))
        };
        (of_groups().filter(|figure| figure.ours.verdict.is_reproduced()).count(), of_groups().count())
    };
    let [derived, computed] = [["table1", "formulas"], ["depth2", "table2"]].map(counts);
    html! {
        @if derived.1 > 0 {
            " Of the figures that the paper derives by reasoning, " (out_of(derived.0, derived.1)) " are \
             confirmed as printed."
        }
        @if computed.1 > 0 {
            " Of the comparisons with figures that its authors computed by program, " (out_of(computed.0, computed.1))
            " agree to the printed digits."
        }
        @if let Some((product, cells)) = table2::product_ahead(findings) {
            " With the model as the paper states it, Product is ahead in " (out_of(product, cells))
            " cells of Table II."
        }
    }
}

/// The place of a golden file in the order of the paper; unknown files come last.
fn place(group: &[&Comparison]) -> usize {
    let order = ["table1", "formulas", "depth2", "table2"];
    let name = group.first().map_or("", |comparison| comparison.group.as_str());
    order.iter().position(|&other| other == name).unwrap_or(order.len())
}

/// How many figures of a golden file are reproduced; `group` is those of them that are published.
fn card(group: &[&Comparison]) -> Markup {
    let reproduced = group.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    let mut verdicts = Verdict::tally(group.iter().map(|comparison| comparison.ours.verdict)).to_vec();
    verdicts.retain(|(_, count)| *count > 0);
    let title = group.first().map_or("", |comparison| comparison.title.as_str());
    html! {
        li {
            span.big { (reproduced) small { " of " (group.len()) } }
            span.what { (title) }
            span.bar aria-hidden="true" {
                @for (verdict, count) in &verdicts {
                    i class=(verdict.to_string()) style={ "flex-grow:" (count) } {}
                }
            }
            small {
                @for (index, (verdict, count)) in verdicts.iter().enumerate() {
                    @if index > 0 { ", " }
                    (count) "\u{a0}" (verdict.to_string())
                }
            }
        }
    }
}
