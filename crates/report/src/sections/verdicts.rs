//! What is reproduced and what is not: every published figure, and where the papers contradict themselves.

use prodmax_output::{Column, Table};
use serde_json::json;

use crate::error::ReportError;
use crate::html::verdict;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// The section.
pub(super) fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if findings.comparisons.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("verdicts", "What is reproduced and what is not");
    section.p(&format!(
        "Every published figure with our value of it, and figures of ours that no paper has ({}). {} is the same number, word or formula; {} rounds to the printed \
         digits; {} is another number, but the same rule is ahead; {} is none of these. Verdicts are computed, and \
         <code>prodmax check</code> fails if one changes in either direction.",
        verdict("unpublished"),
        verdict("exact"),
        verdict("within-rounding"),
        verdict("sign-only"),
        verdict("differs")
    ));
    for group in findings.comparisons.chunk_by(|a, b| a.group == b.group) {
        let Some(first) = group.first() else { continue };
        section.folded_table(&format!("{} ({} figures)", first.title, group.len()), table(first, group));
    }
    section.html += "<h3>Where the papers disagree with themselves</h3>\n";
    section.list(&INCONSISTENCIES.map(str::to_owned));
    section.data.push(("published".to_owned(), findings.comparisons.iter().map(entry).collect()));
    Ok(Some(section))
}

const INCONSISTENCIES: [&str; 9] = [
    "<b>0.50757.</b> The text gives this probability of losing at value −1 (Fig. 2). It is ½ + arctan(1/42)/π, cut \
     off, Pearl’s curve with <i>c</i> = 1. Equation (2), which the paper says is the same function for <i>c</i> = 1, gives 0.51515.",
    "<b>Footnote 7</b> says that <i>w<sub>c</sub></i> integrates to 1. A probability to win is no density; over the \
     range of values the integral is <i>h</i><sub>max</sub> = 42 for every <i>c</i>.",
    "<b>“0 otherwise” in equation (2)</b> makes a position better than +42 a certain loss: the curve is no longer \
     monotone. It does no harm here, as no tree of these experiments leaves the range.",
    "<b>The interval I<sub>2</sub>.</b> The text names P<sub>2</sub> as won; by Table I and the definition of the \
     interval it is P<sub>1</sub>.",
    "<b>N(I<sub>2</sub>) &gt; N(I<sub>4</sub>)</b> is claimed in general. It holds for the roots of Table II, but not \
     for every root: with increments up to 8 it fails from root +5 on (ratio 0.697), and on ordinary integers already at \
     root +4.",
    "<b>Levels.</b> The text says that the increments were reduced at levels 2 and 3. The rows of Table II vary them at \
     levels 1 and 2 together, and at level 3.",
    "<b>Means of Table II.</b> Row (2,4) prints −0.83, its cells give −0.18. Row (1,6) prints +1.12, its cells give \
     +1.15, which the rounding of the cells may explain. The other five agree.",
    "<b>Cell (4,2), root +1</b> of Table II, −3.1, breaks its row (−1.5 before, −0.8 after).",
    "<b>The root of the depth-2 figures</b> is not stated; no root gives them.",
];

fn table(first: &Comparison, group: &[Comparison]) -> Table {
    let recorded = group.iter().filter(|comparison| !comparison.ours.computed).count();
    let note = format!(
        "{recorded} of these take minutes and are shown as recorded; prodmax reproduce --slow computes them."
    );
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
        notes: if recorded == 0 { Vec::new() } else { vec![note] },
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
        "computed": comparison.ours.computed,
    })
}
