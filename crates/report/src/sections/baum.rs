//! Baum's tournament of Kalah: the published matches, and how all rules fare in a real game.

mod matches;
mod ratings;
mod tables;

use maud::{Markup, html};
use prodmax_check::{matches as recorded_games, recorded};
use prodmax_games::play::Score;
use prodmax_games::study::{MatchRecord, StudyResults};
use serde_json::json;

use super::SectionKind;
use crate::error::ReportError;
use crate::run::{Comparison, Findings};
use crate::section::Section;

/// What the text leaves open: whether a move again is a ply of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    /// As it stands in ids.
    ply: &'static str,
    name: &'static str,
}

const READINGS: [Reading; 3] = [
    Reading { ply: "move", name: "every sowing a ply" },
    Reading { ply: "turn", name: "a turn a ply" },
    Reading { ply: "whole", name: "a turn a single move" },
];

/// The score of a match with its only resource.
fn score(record: &MatchRecord) -> Option<Score> {
    record.results.first()?.games.score()
}

/// The matches whose ids begin with a prefix, with their scores.
fn scored<'a>(
    study: &'a StudyResults,
    prefix: &'a str,
) -> impl Iterator<Item = (&'a MatchRecord, Score)> + 'a {
    let found = study.matches.iter().filter(move |record| record.spec.id.starts_with(prefix));
    found.filter_map(|record| Some((record, score(record)?)))
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if findings.published("baum").next().is_none() {
        return Ok(None);
    }
    let study = recorded::study().map_err(ReportError::Study)?;
    let mut section = Section::new("baum", "Baum: a rule for imperfect players in Kalah");
    section.p(introduction());
    section.p(matches::outcome(findings, &study));
    section.table(tables::published(findings, &study));
    section.heading("What the text leaves open");
    section.p(matches::open_choices(&study));
    section.table(tables::choices(&study));
    section.heading("Three holes");
    section.p(matches::three_holes(&study));
    section.table(tables::three_holes(&study));
    section.heading("All rules against each other");
    ratings::add(&mut section, findings, &study)?;
    section.heading("One game");
    section.add(game()?);
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

fn introduction() -> Markup {
    html! {
        "Baum’s formula (2.6) values a node by what an imperfect player, who will know a little more when the node is reached, \
         is expected to get from it. With hints that say nothing it is minimaxing, with perfect ones product propagation. In \
         Kalah, searching to depth 6 from 10,000 random openings with both colours, it is said to win more games than it loses \
         against Minimax, and far more against Product, as Minimax does. The text says neither how many stones there are nor \
         whether a move again, which a player gets for sowing the last stone into the own store, is a ply of its own: here \
         are six stones in each of six holes, and three readings of ply. Every sowing is one; or all sowings of a turn belong to one \
         ply, but each is a node of its own, so that (2.6) is applied several times within a turn; or a turn is a single move, \
         so that the positions after complete turns are the children of one node."
    }
}

/// The beginning and the end of a recorded game.
fn game() -> Result<Markup, ReportError> {
    const MATCH: &str = "kalah-hints-minimax-move";
    let unreadable = |error: prodmax_check::QuantityError| ReportError::RecordedGames(error.to_string());
    let games = recorded_games::recorded(MATCH).map_err(unreadable)?;
    let drawn = games.replay(1).transpose().map_err(|error| ReportError::RecordedGames(error.to_string()))?;
    let drawn = drawn.unwrap_or_default();
    let opening = drawn.iter().filter(|position| position.opening).count().saturating_sub(1);
    let [first, second] = games.spec.players.each_ref().map(ToString::to_string);
    let moves = drawn.iter().skip(opening + 1).filter_map(|position| {
        let (side, hole) = position.by?;
        let who = if side == prodmax_games::Side::First { &first } else { &second };
        Some(format!("{who} {hole}"))
    });
    // Moves again are told together.
    let mut turns: Vec<String> = Vec::new();
    for text in moves {
        let (who, hole) = text.split_once(' ').unwrap_or((&text, ""));
        match turns.last_mut() {
            Some(last) if last.starts_with(&format!("{who} ")) => {
                last.push('-');
                last.push_str(hole);
            }
            _ => turns.push(text),
        }
    }
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

fn provenance(study: &StudyResults) -> Markup {
    html! {
        "All results were recorded by prodmax " (study.prodmax) "; " code { "make record-kalah" } " plays what the record lacks, and \
         " code { "prodmax play --spec specs/play/kalah-…" } " plays a whole match. Some games are played again, move by move, in \
         every check. Product is backed up as odds, which do not vanish in rounding errors as products of many probabilities do. \
         " code { "prodmax formulas --baum" } " derives and verifies the theory of the rule."
    }
}
