//! What a paper says in words, and what figures say about it: a table for its section.

use prodmax_golden::quantity::Figures;
use prodmax_golden::{Entry, Quantity, Verdict};
use prodmax_output::{Column, Table};

use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The claims of a paper, in the order of the golden files; `paper` is the first word of their names.
fn of<'a>(findings: &'a Findings, paper: &str) -> Vec<(&'a Comparison, Figures)> {
    let claims = findings.comparisons.iter().filter_map(|comparison| match &comparison.entry.quantity {
        Quantity::Claim { claim, by } if claim.split('.').next() == Some(paper) => Some((comparison, *by)),
        _ => None,
    });
    claims.collect()
}

/// Whether our figures bear a claim out, if they decide it.
pub(crate) fn holds(findings: &Findings, name: &str) -> Option<bool> {
    let found = findings.comparisons.iter().find(|comparison| {
        matches!(&comparison.entry.quantity, Quantity::Claim { claim, by: Figures::Ours } if claim == name)
    })?;
    match found.ours.verdict {
        Verdict::Holds => Some(true),
        Verdict::Fails => Some(false),
        _ => None,
    }
}

/// A table of them, if there are any.
fn table(findings: &Findings, paper: &str) -> Option<Table> {
    let claims = of(findings, paper);
    let row = |(comparison, by): &(&Comparison, Figures)| {
        let figures = match by {
            Figures::Printed => "printed".to_owned(),
            Figures::Ours if comparison.entry.reading == Entry::STATED => "ours".to_owned(),
            Figures::Ours => format!("ours, {}", comparison.entry.reading),
        };
        vec![
            comparison.entry.published.text().into(),
            comparison.entry.source.as_str().into(),
            figures.into(),
            comparison.ours.verdict.into(),
            comparison.ours.shown.as_str().into(),
        ]
    };
    (!claims.is_empty()).then(|| Table {
        id: format!("{paper}-claims"),
        title: "What the text says, in words of ours, and whether figures bear it out".to_owned(),
        columns: ["sentence", "where", "figures", "verdict", "because"].map(Column::left).to_vec(),
        rows: claims.iter().map(row).collect(),
        notes: Vec::new(),
    })
}

/// Adds the table to the section of the paper.
pub(crate) fn add(section: &mut Section, findings: &Findings, paper: &str) {
    if let Some(table) = table(findings, paper) {
        section.folded_table("What the text says in words, and whether figures bear it out", table);
    }
}
