//! What the report is about, and how many published figures are reproduced.

use prodmax_golden::Verdict;

use crate::error::ReportError;
use crate::html::escape;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let mut section = Section::new("summary", "At a glance");
    section.p(
        "A program that cannot search a game to its end evaluates the positions at its horizon and backs the values \
         up to the move it has to choose. <b class=\"minimax\">Minimax</b> backs up the value of the best reply. \
         <b class=\"product\">Product</b> takes values for probabilities of winning and multiplies them. Kaindl, \
         Horacek and Scheucher (KHS) asked which of the two decides better when the evaluation is imperfect, on \
         small synthetic game trees; Horacek and Kaindl (HK) gave the derivation for depth 2.",
    );
    section.p(
        "This report recomputes their figures, exactly or with certified error bounds, by enumerating <em>all</em> \
         trees of their model. It follows the order of the journal paper, so it can be read beside it. What the \
         paper derives by reasoning comes out exactly as printed. What it computed by program does not: with the \
         model as the paper states it, Product is ahead in every cell of Table II.",
    );
    if !findings.simulations.is_empty() {
        section.p(
            "The simulation study of the paper (Tables III and IV, Fig. 6) is repeated with many more trees, under \
             several readings of what the paper leaves open; see <a href=\"#simulation\">whole games</a>.",
        );
    }
    section.html += "<ul class=\"cards\">\n";
    let mut groups: Vec<&[Comparison]> = findings.comparisons.chunk_by(|a, b| a.group == b.group).collect();
    // What the papers do not print cannot be reproduced.
    groups.retain(|group| group.iter().any(|comparison| comparison.ours.verdict != Verdict::Unpublished));
    groups.sort_by_key(|group| place(group));
    section.html += &groups.into_iter().map(card).collect::<String>();
    section.html += "</ul>\n";
    Ok(Some(section))
}

/// The place of a golden file in the order of the paper; those that are not known come last.
fn place(group: &[Comparison]) -> usize {
    let order = ["table1", "formulas", "depth2", "table2"];
    let name = group.first().map_or("", |comparison| comparison.group.as_str());
    order.iter().position(|&other| other == name).unwrap_or(order.len())
}

fn card(group: &[Comparison]) -> String {
    let count = |verdict| group.iter().filter(|comparison| comparison.ours.verdict == verdict).count();
    let reproduced = group.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    let bars: String = Verdict::ALL
        .into_iter()
        .filter(|&verdict| count(verdict) > 0)
        .map(|verdict| format!("<i class=\"{verdict}\" style=\"flex-grow:{}\"></i>", count(verdict)))
        .collect();
    let parts: Vec<String> = Verdict::ALL
        .into_iter()
        .filter(|&verdict| count(verdict) > 0)
        .map(|verdict| format!("{}&nbsp;{verdict}", count(verdict)))
        .collect();
    let title = group.first().map_or("", |comparison| comparison.title.as_str());
    format!(
        "<li><span class=\"big\">{reproduced}<small> of {}</small></span>\n<span class=\"what\">{}</span>\n\
         <span class=\"bar\" aria-hidden=\"true\">{bars}</span>\n<small>{}</small></li>\n",
        group.len(),
        escape(title),
        parts.join(", ")
    )
}
