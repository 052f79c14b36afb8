//! What the matches of Kalah say.

use maud::{Markup, html};
use prodmax_games::study::StudyResults;

use super::{READINGS, Reading, scored};
use crate::run::{Comparison, Findings};
use crate::words::{and, out_of};

/// The published matches, by the names in ids.
pub(super) const PAIRS: [&str; 3] = ["hints-minimax", "minimax-product", "hints-product"];

/// The golden entry of a figure.
pub(super) fn entry<'a>(
    findings: &'a Findings,
    reading: Reading,
    pair: &str,
    figure: &str,
) -> Option<&'a Comparison> {
    let id = format!("baum.{}.{pair}.{figure}", reading.ply);
    findings.published("baum").find(|comparison| comparison.entry.id == id)
}

/// Which published results are found again.
pub(super) fn outcome(findings: &Findings, study: &StudyResults) -> Markup {
    let sign = |value: f64| if value > 0.0 { 1 } else { -i32::from(value < 0.0) };
    let mut same = Vec::new();
    let mut other = Vec::new();
    for reading in READINGS {
        for pair in PAIRS {
            let Some(lead) = entry(findings, reading, pair, "lead") else { continue };
            let Some((published, ours)) = lead.published_f64().zip(lead.ours_f64()) else { continue };
            let id = format!("published-{pair}-{}", reading.ply);
            let Some((record, score)) = scored(study, &id).next() else { continue };
            let [first, second] = record.spec.players.each_ref().map(ToString::to_string);
            let share = 100.0 * score.decided_share().unwrap_or(f64::NAN);
            let told =
                format!("{first} against {second}, {} ({share:.1} % of the decided games)", reading.name);
            if sign(published) == sign(ours) { &mut same } else { &mut other }.push(told);
        }
    }
    let counts: Vec<&Comparison> = findings
        .published("baum")
        .filter(|comparison| comparison.entry.published.number().is_some())
        .collect();
    let agreeing = counts.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    html! {
        b {
            @if other.is_empty() { "Every published winner wins here, too." }
            @else if same.is_empty() { "No published winner wins here." }
            @else { "Not every published winner wins here." }
        }
        @if !same.is_empty() { " The same rule is ahead: " (and(&same)) "." }
        @if !other.is_empty() { " The other rule is ahead: " (and(&other)) "." }
        " Of the published numbers, " (out_of(agreeing, counts.len())) " lie within two standard errors of ours."
    }
}

/// The shares of the decided games over all matches with a prefix, least and greatest.
fn range(study: &StudyResults, prefix: &str, contains: &str) -> Option<(f64, f64)> {
    let shares = scored(study, prefix)
        .filter(|(record, _)| record.spec.id.contains(contains))
        .filter_map(|(_, score)| score.decided_share());
    crate::words::extremes(shares.map(|share| 100.0 * share))
}

/// Other hints and other numbers of stones.
pub(super) fn open_choices(study: &StudyResults) -> Markup {
    let between = |range: Option<(f64, f64)>| {
        range.map_or_else(|| "–".to_owned(), |(low, high)| format!("{low:.1} to {high:.1} %"))
    };
    let tuning =
        READINGS.map(|reading| (reading.name, range(study, "tuning-", &format!("-{}", reading.ply))));
    let tuned: Vec<String> =
        tuning.iter().map(|(name, range)| format!("{} with {name}", between(*range))).collect();
    let against_minimax = range(study, "stones-", "hints-minimax");
    let against_product = range(study, "stones-", "minimax-product");
    let above = |range: Option<(f64, f64)>| range.is_some_and(|(_, high)| high > 50.0);
    html! {
        "Baum tried four values of E with 400 games each and found an edge over Minimax with all of them. Here the other three \
         get " (and(&tuned)) " of the decided games against Minimax. With three, four or five stones instead of six "
        code { "hints:9/10" } " gets " (between(against_minimax)) " against Minimax"
        @if !tuning.iter().any(|(_, range)| above(*range)) && !above(against_minimax) { ": no choice tried gives an edge" }
        ", and Minimax " (between(against_product)) " against Product."
    }
}

/// Chi and Nau's claim.
pub(super) fn three_holes(study: &StudyResults) -> Markup {
    let at_two: Vec<String> = scored(study, "three-holes-")
        .filter(|(record, _)| record.spec.id.ends_with("depth-2"))
        .filter_map(|(record, score)| {
            let prodmax_games::game::Game::Kalah { stones, .. } = record.spec.game else { return None };
            let (share, error) = (100.0 * score.score, 100.0 * score.standard_error?);
            Some(format!("{share:.1} ± {error:.1} % with {stones} stones"))
        })
        .collect();
    let deeper: Vec<(usize, f64, f64)> = super::tables::by_depth(study);
    let ahead: Vec<String> = deeper
        .iter()
        .filter(|(_, share, error)| share - 0.5 > 2.0 * error)
        .map(|(depth, ..)| depth.to_string())
        .collect();
    html! {
        "Chi and Nau held Product to be better than Minimax in Kalah with three holes; Baum puts that down to their depth of \
         2. At that depth Product scores " (and(&at_two)) ". With six stones it is ahead of Minimax by more than two \
         standard errors at "
        @if ahead.is_empty() { "no depth" } @else { "depth " (and(&ahead)) }
        " of " (deeper.iter().map(|(depth, ..)| depth.to_string()).collect::<Vec<_>>().join(", ")) "."
    }
}
