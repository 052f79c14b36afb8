//! What the report is about, and how many of the published figures are reproduced.

use maud::{Markup, html};
use prodmax_golden::{Kind, Verdict};

use super::finding::Finding;
use super::{SectionKind, any_depth, baum, lgb, steepness, table2};
use crate::error::ReportError;
use crate::html;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::out_of;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind {
    experiments: &[steepness::TRUTHS, steepness::ESTIMATES, steepness::CURVES],
    write: section,
};

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let mut section = Section::new("summary", "At a glance");
    section.p(html! {
        "A program that cannot search a game to its end evaluates the positions at its horizon and backs the values \
         up to the move it has to choose. " b.minimax { "Minimax" } " backs up the value of the best reply. "
        b.product { "Product" } " treats values as probabilities of winning and multiplies them. Kaindl, Horacek and \
         Scheucher (KHS) asked which of the two decides better when the evaluation is imperfect, on small synthetic \
         game trees, and under which circumstances; Horacek and Kaindl (HK) gave the derivation for depth 2."
    });
    let found = [
        steepness::crossing(findings),
        steepness::safest(findings),
        any_depth::finding(findings),
        baum::finding(findings)?,
        lgb::beyond::finding()?,
    ];
    let found: Vec<Finding> = found.into_iter().flatten().collect();
    if !found.is_empty() {
        section.heading("What was found");
        section.p(html! {
            "A rule " em { "wins" } " a decision if the move that it chooses is won; ties are settled by chance. " em { "Efficiency" }
            " is what it wins beyond a random choice, in percent of what the ideal rule wins beyond it. The " em { "difference" }
            " is KHS’s measure: how much less one rule errs in the trees in which both choose different moves, relative to the errors \
             of both. " (html::var("c")) " is the steepness of a curve " i { "w" sub { "c" } } ", equation (2)."
        });
        section.figures(steepness::figure(findings)?);
        section.add(html! { ol.findings { @for finding in &found { (finding) "\n" } } });
    }
    section.heading("What the papers print, and what comes out");
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
    // What the papers do not print cannot be reproduced. What follows from other printed figures says nothing about ours, and
    // sentences are no figures: each kind has tiles of its own.
    let published: Vec<&Comparison> =
        findings.comparisons.iter().filter(|figure| is_published(figure)).collect();
    let mut groups: Vec<Vec<&Comparison>> = Vec::new();
    for kind in [Kind::Figure, Kind::Arithmetic, Kind::Claim] {
        let of_kind: Vec<&Comparison> =
            published.iter().copied().filter(|figure| figure.entry.kind() == kind).collect();
        if kind == Kind::Figure {
            let mut by_group: Vec<Vec<&Comparison>> =
                of_kind.chunk_by(|a, b| a.group == b.group).map(<[_]>::to_vec).collect();
            by_group.sort_by_key(|group| place(group));
            groups.extend(by_group);
        } else if !of_kind.is_empty() {
            groups.push(of_kind);
        }
    }
    section.add(html! { ul.cards { @for group in &groups { (card(group)) "\n" } } });
    Ok(Some(section))
}

/// Whether a paper prints it. What is printed again is counted once.
fn is_published(figure: &Comparison) -> bool {
    figure.ours.verdict != Verdict::Unpublished && figure.entry.kind() != Kind::Repeat
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
        @if let Some((product, cells)) = table2::product_errs_less(findings) {
            " With the model as the paper states it, Product errs less in critical trees in " (out_of(product, cells))
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

/// How many entries of one kind are borne out: figures reproduced, sentences that hold.
fn card(group: &[&Comparison]) -> Markup {
    let is_good = |verdict: Verdict| verdict.is_reproduced() || verdict == Verdict::Holds;
    let good = group.iter().filter(|comparison| is_good(comparison.ours.verdict)).count();
    let mut verdicts = Verdict::tally(group.iter().map(|comparison| comparison.ours.verdict)).to_vec();
    verdicts.retain(|(_, count)| *count > 0);
    let title = match group.first().map(|comparison| (comparison.entry.kind(), comparison)) {
        Some((Kind::Arithmetic, _)) => {
            "The papers’ own arithmetic: figures that follow from others they print"
        }
        Some((_, comparison)) => comparison.title.as_str(),
        None => "",
    };
    // What a paper leaves open is read in several ways; its figures count once under each.
    let mut readings: Vec<&str> = Vec::new();
    for comparison in group {
        let reading = comparison.entry.reading.as_str();
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    let under = |reading: &str| {
        let of: Vec<&&Comparison> =
            group.iter().filter(|comparison| comparison.entry.reading == reading).collect();
        (of.iter().filter(|comparison| is_good(comparison.ours.verdict)).count(), of.len())
    };
    let several = group.first().is_some_and(|first| first.entry.kind() == Kind::Figure) && readings.len() > 1;
    html! {
        li {
            @if several {
                @for reading in &readings {
                    @let (good, all) = under(reading);
                    span { (good) small { " of " (all) ", " (reading) } }
                }
            } @else {
                span.big { (good) small { " of " (group.len()) } }
            }
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
