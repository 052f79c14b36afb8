//! Rivest's min/max approximation against alpha-beta in Connect-Four, and how well both decide.

mod beyond;
mod figures;
mod tables;
mod time;
mod tree;

use maud::{Markup, html};
use prodmax_check::matches::{self, PublishedMatch, PublishedResource};
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::game::Game;
use prodmax_games::penalty::{Penalty, Scheme};
use prodmax_games::play::MatchSpec;
use prodmax_games::player::Player;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_golden::Quantity;
use prodmax_golden::quantity::MatchFigure;
use serde_json::json;

use super::SectionKind;
use crate::claims;
use crate::error::ReportError;
use crate::figure::Ink;
use crate::html::var;
use crate::run::{Comparison, Findings};
use crate::section::Section;
use crate::study;
use crate::words::{and, out_of};

/// What the review leaves open, as it is read here: a match of the approximation against alpha-beta.
#[derive(Clone, Debug)]
struct MatchReading {
    /// The match that golden entries are computed from.
    spec: MatchSpec,
    evaluator: Evaluator,
    penalty: Penalty,
    ink: Ink,
}

const INKS: [Ink; 4] = [Ink::Third, Ink::Fourth, Ink::Sixth, Ink::Fifth];

impl MatchReading {
    /// All readings that golden entries are about, in their order.
    fn all(findings: &Findings) -> Result<Vec<Self>, ReportError> {
        let mut ids: Vec<&str> = Vec::new();
        for comparison in findings.published("rivest") {
            if let Quantity::Match { spec, .. } = &comparison.entry.quantity
                && !ids.contains(&spec.as_str())
            {
                ids.push(spec);
            }
        }
        let mut readings = Vec::new();
        for (id, ink) in ids.into_iter().zip(INKS.into_iter().cycle()) {
            let spec = matches::spec(id).map_err(|error| ReportError::RecordedGames(error.to_string()))?;
            if let (Some(evaluator), Player::Penalty(penalty)) = (evaluator(&spec.game), &spec.players[0]) {
                readings.push(Self { evaluator, penalty: *penalty, ink, spec });
            }
        }
        Ok(readings)
    }

    fn name(&self) -> String {
        let scheme = match self.penalty.scheme {
            Scheme::Means => "means",
            Scheme::Reverse => "reverse",
        };
        format!("{}, {scheme}", self.evaluator.name())
    }

    /// The golden entry of a figure with one bound, or with all.
    fn entry<'a>(
        &self,
        findings: &'a Findings,
        bound: Option<u64>,
        wanted: MatchFigure,
    ) -> Option<&'a Comparison> {
        findings.published("rivest").find(|comparison| match &comparison.entry.quantity {
            Quantity::Match { spec, calls, figure } => {
                *spec == self.spec.id && (*calls, *figure) == (bound, wanted)
            }
            _ => false,
        })
    }

    /// Our wins minus losses.
    fn lead(&self, findings: &Findings, bound: Option<u64>) -> Option<f64> {
        self.entry(findings, bound, MatchFigure::Lead)?.ours_f64()
    }

    /// The recorded matches of the same players in the same game, whatever they may use.
    fn matches<'a>(&self, study: &'a StudyResults) -> impl Iterator<Item = &'a MatchRecord> {
        study
            .matches
            .iter()
            .filter(|record| record.spec.game == self.spec.game && record.spec.players == self.spec.players)
    }
}

/// How positions of Connect-Four are evaluated; `None` for other games.
fn evaluator(game: &Game) -> Option<Evaluator> {
    game.is::<Connect4>().then(|| Evaluator::named(game.evaluator()))
}

/// Wins of the approximation, of alpha-beta, and ties over all bounds of a resource.
fn totals(rows: &[PublishedMatch], resource: PublishedResource) -> [u64; 3] {
    let sum = |of: fn(&PublishedMatch) -> u64| {
        rows.iter().filter(|row| row.resource == resource).map(of).sum::<u64>()
    };
    [sum(|row| row.approximation), sum(|row| row.alpha_beta), sum(|row| row.ties)]
}

/// The section.
pub(super) const SECTION: SectionKind = SectionKind { experiments: &[], write: section };

fn section(findings: &Findings) -> Result<Option<Section>, ReportError> {
    if findings.published("rivest").next().is_none() {
        return Ok(None);
    }
    let (published, study) = (PublishedMatch::table()?, study::recorded()?);
    let readings = MatchReading::all(findings)?;
    let mut section = Section::new("rivest", "Rivest: min/max approximation");
    introduce(&mut section, &published);
    section.p(outcome(findings, &readings, &published));
    section.table(tables::by_bound(findings, &readings, &published));
    section.p(time::paragraph(&readings, &published, &study));
    section.table(time::table(&readings, &published, &study));
    section.heading("More calls, and better decisions");
    beyond::over_calls(&mut section, &readings, &study)?;
    section.heading("The exponent p, other rules and another game");
    beyond::over_p(&mut section, &readings, &study)?;
    section.p(beyond::rules(&study));
    section.table(tables::games(&study));
    if let Some(table) = tables::rule_quality(&study) {
        section.p(beyond::rule_quality(&study));
        section.table(table);
    }
    section.heading("Where the calls go");
    tree::add(&mut section, &study)?;
    claims::add(&mut section, findings, "rivest");
    section.p(provenance(findings, &study));
    section.data.push((
        "rivest".to_owned(),
        json!({
            "figures": findings.published("rivest").map(Comparison::data).collect::<Vec<_>>(),
            "study": study,
        }),
    ));
    Ok(Some(section))
}

fn introduce(section: &mut Section, published: &[PublishedMatch]) {
    let bounds = published.iter().filter(|row| row.resource == PublishedResource::Calls);
    let per_bound = published.first().map_or(0, |row| row.approximation + row.alpha_beta + row.ties);
    let [calls, time] =
        [PublishedResource::Calls, PublishedResource::Seconds].map(|of| totals(published, of));
    section.p(html! {
        "Rivest approximates the greatest of a node’s values by the generalised mean " (var("M")) sub { (var("p")) } " and \
         the least by " (var("M")) sub { "−" (var("p")) } ". Means have derivatives, so it can be said to which tip of the \
         tree the value of the root is most sensitive; that tip is expanded next. Alpha-beta searches every line equally deep. \
         In Connect-Four the two met in " (per_bound / 2) " openings with both colours and " (bounds.count()) " bounds on the \
         calls of the move routine per move: the approximation won " (calls[0]) " games, alpha-beta " (calls[1]) ", and "
        (calls[2]) " were tied. With bounds on processor time alpha-beta won " (time[1]) ", the approximation " (time[0])
        ", and " (time[2]) " were tied."
    });
    section.p(html! {
        "The review of the paper prints neither the static evaluator nor " (var("p")) ". So the games by calls are played with \
         two evaluators, " em { "lines" } " (lines of four that are still open, by their discs) and " em { "squares" } " (the \
         lines through each disc’s square), and with both of Rivest’s schemes: " em { "means" } " backed up, and " em { "reverse" }
        ", where the true minimum and maximum are backed up and means serve only to choose the tip. A call is one position \
         generated, in both searches. The games by calls are deterministic: they are the same to the last move every time."
    });
}

/// Who is ahead in which reading.
fn outcome(findings: &Findings, readings: &[MatchReading], published: &[PublishedMatch]) -> Markup {
    let calls: Vec<&PublishedMatch> =
        published.iter().filter(|row| row.resource == PublishedResource::Calls).collect();
    let sign = |lead: f64| if lead > 0.0 { 1 } else { -i32::from(lead < 0.0) };
    let [wins, losses, _] = totals(published, PublishedResource::Calls);
    let published_sign = sign(wins as f64 - losses as f64);
    let with_lead = readings.iter().filter_map(|reading| Some((reading, reading.lead(findings, None)?)));
    let (same, other): (Vec<_>, Vec<_>) = with_lead.partition(|(_, lead)| sign(*lead) == published_sign);
    let phrase = |(reading, lead): &(&MatchReading, f64)| {
        let bounds = calls.iter().filter(|row| {
            let ours = reading.lead(findings, Some(row.bound)).map(sign);
            ours == Some(sign(row.approximation as f64 - row.alpha_beta as f64))
        });
        let games = lead.abs();
        let who = if *lead > 0.0 { "the approximation" } else { "alpha-beta" };
        format!(
            "{} ({who} by {games:.0} games, and the published leader at {} bounds)",
            reading.name(),
            out_of(bounds.count(), calls.len())
        )
    };
    let [with_same, with_other] =
        [&same, &other].map(|readings| readings.iter().map(phrase).collect::<Vec<_>>());
    let all_counts: Vec<&Comparison> = findings
        .published("rivest")
        .filter(|comparison| comparison.entry.published.number().is_some())
        .collect();
    let agreeing = all_counts.iter().filter(|comparison| comparison.ours.verdict.is_reproduced()).count();
    let evaluators = |readings: &[(&MatchReading, f64)], evaluator: Evaluator| {
        readings.iter().any(|(reading, _)| reading.evaluator == evaluator)
    };
    let by_evaluator = Evaluator::ALL
        .into_iter()
        .all(|evaluator| evaluators(&same, evaluator) != evaluators(&other, evaluator));
    html! {
        b {
            @if other.is_empty() { "The published leader is confirmed in every reading." }
            @else if same.is_empty() { "The published leader is not confirmed in any reading." }
            @else if by_evaluator { "Who wins more games depends on the evaluator." }
            @else { "Who wins more games depends on what the review leaves open." }
        }
        @if !with_same.is_empty() {
            " Over all bounds, the same player as in the paper wins more games with " (and(&with_same)) "."
        }
        @if !with_other.is_empty() { " It is the other player with " (and(&with_other)) "." }
        " Of the counts and leads in the table, " (out_of(agreeing, all_counts.len())) " published ones lie within two standard \
         errors of ours, those of the binomial distribution."
    }
}

fn provenance(findings: &Findings, study: &StudyResults) -> Markup {
    // The largest board whose value others have published.
    let solved = findings.published("rivest").filter_map(|comparison| match &comparison.entry.quantity {
        Quantity::Connect4Value { columns, rows, moves } if !comparison.entry.published.is_none() => {
            Some((*columns, *rows, moves, comparison))
        }
        _ => None,
    });
    let solved = solved.max_by_key(|(columns, rows, ..)| columns * rows);
    html! {
        "The table by bound is checked by " code { "prodmax check --slow" } "; some of its games are recorded and played again, \
         move by move, in every check. Everything else was recorded by prodmax " (study.prodmax) "; "
        code { "make record-games" } " plays and measures it again, and a part of it is compared in every test."
        @if let Some((columns, rows, moves, solved)) = solved {
            " The solver that judges decisions is exact: tests compare it with plain minimax where that is possible, \
             and it finds the board of " (columns) " columns and " (rows) " rows " (solved.ours.recorded) " for the \
             first player"
            @if !moves.is_empty() { " (columns that were played before: " (moves) ")" }
            @if solved.ours.verdict.is_reproduced() { ", as published." }
            @else { "; published: " (solved.entry.published.text()) "." }
        }
    }
}
