//! Baum's tournament of Kalah: the published matches, and how all rules fare in a real game.

mod matches;
mod ratings;
mod tables;
mod tournament;

use maud::{Markup, html};
use prodmax_check::{matches as recorded_games, recorded};
use prodmax_games::position::Side;
use prodmax_games::study::StudyResults;
use prodmax_golden::Quantity;
use prodmax_golden::quantity::MatchFigure;
use serde_json::json;

use self::tournament::{Played, READINGS, Tournament};
use super::SectionKind;
use super::finding::Finding;
use crate::claims;
use crate::error::ReportError;
use crate::exact::grouped;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::words::and;

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    let study = recorded::study().map_err(ReportError::Study)?;
    let Some(tournament) = Tournament::of(findings, &study) else { return Ok(None) };
    let mut section = Section::new("baum", "Baum: a rule for imperfect players in Kalah");
    section.p(introduction(findings, &tournament));
    section.p(matches::outcome(findings, &tournament));
    section.table(tables::published(findings, &tournament));
    section.heading("What the text leaves open");
    section.p(matches::precision(findings, &tournament));
    section.p(matches::open_choices(&tournament));
    section.table(tables::choices(&tournament));
    section.heading("Fewer holes");
    section.p(matches::fewer_holes(&tournament));
    section.table(tables::fewer_holes(&tournament));
    section.heading("All rules against each other");
    ratings::add(&mut section, findings, &tournament)?;
    section.heading("One game");
    section.add(game(findings)?);
    section.p(theory(findings));
    claims::add(&mut section, findings, "baum");
    section.p(provenance(&study));
    section.data.push((
        "baum".to_owned(),
        json!({
            "figures": findings.published("baum").map(Comparison::data).collect::<Vec<_>>(),
            "study": study,
        }),
    ));
    Ok(Some(section))
}

/// Whether Kalah ranks rules like the model.
pub(super) fn finding(findings: &Findings) -> Result<Option<Finding>, ReportError> {
    let study = recorded::study().map_err(ReportError::Study)?;
    Ok(Tournament::of(findings, &study).and_then(|tournament| ratings::finding(findings, &tournament)))
}

/// What the published matches are said to have given.
fn said(findings: &Findings, tournament: &Tournament<'_>) -> Vec<String> {
    let phrase = |pair: Vec<&Played<'_>>| {
        let played = *pair.first()?;
        let printed = |figure| Some(played.entry(findings, figure)?.entry.published.text());
        let (won, lost) = (printed(MatchFigure::Wins)?, printed(MatchFigure::Losses)?);
        let [first, second] = played.names();
        Some(format!("{first} won {won} games and lost {lost} against {second}"))
    };
    tournament.pairs().into_iter().filter_map(phrase).collect()
}

fn introduction(findings: &Findings, tournament: &Tournament<'_>) -> Markup {
    let said = said(findings, tournament);
    html! {
        "Baum’s formula (2.6) values a node by what an imperfect player, who will know a little more when the node is \
         reached, is expected to get from it. With useless hints it is minimaxing, with perfect ones product \
         propagation. "
        @if let Some((played, games)) = tournament.published.first() {
            "It was tried in Kalah"
            @if let Some(depth) = played.depth() { ", with searches to depth " (depth) }
            " from " (grouped(games / 2)) " random openings with both colours: " (and(&said)) ". "
        }
        "The text says neither how many stones there are nor whether the extra move that a player gets for sowing the \
         last stone into their own store is a ply of its own. Here "
        @if let Some((holes, stones)) = tournament.published.first().and_then(|(played, _)| played.board()) {
            "there are " (stones) " stones in each of " (holes) " holes, and "
        }
        "a ply is read in " (READINGS.len()) " ways. Every sowing is one; or all sowings of a turn belong to one \
         ply, but each is a node of its own, so that (2.6) is applied several times within a turn; or a turn is a single move, \
         so that the positions after complete turns are the children of one node."
    }
}

/// The beginning and the end of a recorded game.
fn game(findings: &Findings) -> Result<Markup, ReportError> {
    let recorded = findings.published("baum").find_map(|comparison| match &comparison.entry.quantity {
        Quantity::GamesAgain(id) => Some(id),
        _ => None,
    });
    let Some(id) = recorded else { return Ok(html! {}) };
    let unreadable = |error: prodmax_check::QuantityError| ReportError::RecordedGames(error.to_string());
    let games = recorded_games::recorded(id).map_err(unreadable)?;
    let drawn = games.replay(1).transpose().map_err(|error| ReportError::RecordedGames(error.to_string()))?;
    let drawn = drawn.unwrap_or_default();
    let opening = drawn.iter().filter(|position| position.opening).count().saturating_sub(1);
    let [first, second] = games.spec.players.each_ref().map(ToString::to_string);
    // The moves of one turn are listed together.
    let mut turns: Vec<(Side, Vec<String>)> = Vec::new();
    for (side, hole) in drawn.iter().skip(opening + 1).filter_map(|position| position.by) {
        match turns.last_mut() {
            Some((last, holes)) if *last == side => holes.push(hole.to_string()),
            _ => turns.push((side, vec![hole.to_string()])),
        }
    }
    let phrase = |(side, holes): &(Side, Vec<String>)| {
        let who = if *side == Side::First { &first } else { &second };
        format!("{who} {}", holes.join("-"))
    };
    let turns: Vec<String> = turns.iter().map(phrase).collect();
    Ok(html! {
        p {
            "Game 1 of " code { (games.spec.id) } ", " (first) " below and " (second) " above, each row from right to left for \
             the player above; the stores are at the ends. On the left the position after the random opening, on the right the \
             end. In between, by the number of the hole: " (turns.join(", ")) "."
        }
        div.figures {
            @for position in [drawn.get(opening), drawn.last()].into_iter().flatten() { pre { (position.board) } }
        }
    })
}

/// What holds of the theory behind the rule.
fn theory(findings: &Findings) -> Markup {
    let says = |name: &str| match claims::holds(findings, name) {
        Some(true) => Some("holds"),
        Some(false) => Some("is refuted"),
        None => None,
    };
    let (reduction, exact) = (says("baum.reduction"), says("baum.exact-in-schruefers-model"));
    html! {
        @if let Some((reduction, exact)) = reduction.zip(exact) {
            "Of the theory, the reduction of (3.3) to (2.6) for two revised estimates of each move " (reduction) "; that (2.6) \
             with the hints (3.5) to (3.8) is exact in Schruefer’s model " (exact) ". Both formulas suppose that moves are \
             independent and that the later search replaces the earlier one. There (2.6) is exact; in Schruefer’s model, where \
             of the moves of a won position exactly n win, it is another matter. "
        }
        code { "prodmax formulas --baum" } " derives everything in fractions, and shows for which errors of the leaves a deeper \
         search is certain to get better, and for which worse."
    }
}

fn provenance(study: &StudyResults) -> Markup {
    html! {
        "All results were recorded by prodmax " (study.prodmax) "; " code { "make record-kalah" } " plays what is \
         missing from the record, and " code { "prodmax play --spec specs/play/kalah-…" } " plays a whole match. Some \
         games are played again, move by move, in every check. Product is backed up as odds, which do not vanish in \
         rounding errors as products of many probabilities do."
    }
}
