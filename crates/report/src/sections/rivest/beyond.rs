//! Beyond the paper: more calls, the quality of decisions, other exponents, rules and games.

use maud::{Markup, html};
use prodmax_games::connect4::Evaluator;
use prodmax_games::penalty::Scheme;
use prodmax_games::player::{Player, Resource};
use prodmax_games::quality::{QualityResults, QualityRow};
use prodmax_games::study::StudyResults;
use prodmax_number::margin::with_error;

use super::figures::{Curve, Words, over_logarithm};
use super::{MatchReading, tables};
use crate::error::ReportError;
use crate::figure::Ink;
use crate::html::var;
use crate::section::Section;
use crate::words::and;

/// The bound at which sentences compare searches.
const CALLS: u64 = 1000;

fn calls(resource: Resource) -> Option<f64> {
    match resource {
        Resource::Calls(calls) => Some(calls as f64),
        Resource::Depth(_) | Resource::Milliseconds(_) => None,
    }
}

/// The scores of a reading over calls. Games by calls are the same every time, so of two matches one is enough.
fn scores(study: &StudyResults, reading: &MatchReading) -> Curve {
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for games in reading.matches(study).flat_map(|record| &record.results) {
        let Some((number, score)) = calls(games.resource).zip(games.games.score()) else { continue };
        if points.iter().all(|(known, ..)| *known != number) {
            points.push((number, score.score, score.standard_error.unwrap_or(0.0)));
        }
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Curve { name: reading.name(), ink: reading.ink, dashed: false, points }
}

/// The numbers of games for the bounds at which not all openings were played.
fn fewer_games(study: &StudyResults, readings: &[MatchReading]) -> Vec<String> {
    let mut found: Vec<(f64, u64)> = Vec::new();
    for record in readings.iter().flat_map(|reading| reading.matches(study)) {
        for number in record.spec.resources.iter().copied().filter_map(calls) {
            if record.spec.first_start > 0 && !found.contains(&(number, 2 * record.spec.starts)) {
                found.push((number, 2 * record.spec.starts));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(number, games)| format!("{games} games with {number} calls")).collect()
}

/// The numbers of positions for the bounds at which fewer positions were searched than with few calls.
fn fewer_positions(study: &StudyResults) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for evaluator in Evaluator::ALL {
        let all = measured_over_calls(study, evaluator);
        let usual = all.first().map_or(0, |results| results.spec.positions);
        for results in all.iter().filter(|results| results.spec.positions < usual) {
            let Some(calls) = results.spec.resources.first().copied().and_then(calls) else { continue };
            let text = format!("{} with {calls} calls", results.spec.positions);
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// The different exponents of the penalty searches among some players.
fn exponents(players: &[Player]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    for p in players.iter().filter_map(exponent) {
        if !found.contains(&p) {
            found.push(p);
        }
    }
    found
}

/// The measurements of penalty searches with an evaluator: those with one exponent, or those with several.
fn measured(study: &StudyResults, evaluator: Evaluator, several: bool) -> Vec<&QualityResults> {
    let wanted = |results: &&QualityResults| {
        let exponents = exponents(&results.spec.players).len();
        super::evaluator(&results.spec.game) == Some(evaluator) && exponents > 0 && (exponents > 1) == several
    };
    study.qualities.iter().filter(wanted).collect()
}

/// The measurements over calls with an evaluator, the one with the most positions first.
pub(super) fn measured_over_calls(study: &StudyResults, evaluator: Evaluator) -> Vec<&QualityResults> {
    let mut found = measured(study, evaluator, false);
    found.sort_by_key(|results| std::cmp::Reverse(results.spec.positions));
    found
}

fn ink(player: &Player) -> Ink {
    match player {
        Player::Penalty(penalty) if penalty.scheme == Scheme::Reverse => Ink::Fourth,
        Player::Penalty(_) => Ink::Third,
        _ => Ink::Minimax,
    }
}

/// The quality of every player over calls, over all measurements with an evaluator.
fn qualities(study: &StudyResults, evaluator: Evaluator) -> Vec<Curve> {
    let mut curves: Vec<(Player, Curve)> = Vec::new();
    for results in measured_over_calls(study, evaluator) {
        for row in &results.rows {
            let Some(number) = calls(row.resource) else { continue };
            let point = (number, row.found.share(), row.found.standard_error());
            match curves.iter_mut().find(|(player, _)| *player == row.player) {
                Some((_, curve)) => curve.points.push(point),
                None => {
                    let name = row.player.to_string();
                    let curve = Curve { name, ink: ink(&row.player), dashed: false, points: vec![point] };
                    curves.push((row.player.clone(), curve));
                }
            }
        }
    }
    curves.into_iter().map(|(_, curve)| curve).collect()
}

fn quality_words(results: &QualityResults, name: &'static str, x: &'static str) -> Words {
    let spec = &results.spec;
    Words {
        name,
        x,
        y: "best move found (%)",
        alt: format!("{}: the share of positions in which each search finds a best move.", spec.title),
        caption: html! {
            (spec.title) ". " (spec.positions) " random positions with " (spec.discs[0]) " to " (spec.discs[1])
            " discs in which nobody can win at once and not all moves are equally good. The bars are ±2 standard errors; the \
             grey line is a random move (" (format!("{:.1}", 100.0 * results.chance)) "\u{a0}%)."
        },
    }
}

/// `84.0 ± 1.8 %`.
fn share(row: &QualityRow) -> String {
    format!("{}\u{a0}%", with_error(100.0 * row.found.share(), 100.0 * row.found.standard_error()))
}

/// Scores and quality over calls.
pub(super) fn over_calls(
    section: &mut Section,
    readings: &[MatchReading],
    study: &StudyResults,
) -> Result<(), ReportError> {
    let curves: Vec<Curve> = readings.iter().map(|reading| scores(study, reading)).collect();
    let phrase = |curve: &Curve| {
        let (first, last) = (curve.points.first()?, curve.points.last()?);
        Some(format!(
            "{} from {}\u{a0}% with {} calls to {}\u{a0}% with {}",
            curve.name,
            with_error(100.0 * first.1, 100.0 * first.2),
            first.0,
            with_error(100.0 * last.1, 100.0 * last.2),
            last.0
        ))
    };
    let all: Vec<String> = curves.iter().filter_map(phrase).collect();
    section.p(html! {
        "Beyond the bounds of the paper, the score of the approximation (points per game, a draw counting half) \
         changes as follows: "
        (and(&all)) ". With many calls only openings with a first move in the centre are played: " (and(&fewer_games(study, readings)))
        " for each reading."
    });
    let used =
        readings.first().map_or_else(String::new, |reading| format!(" with p = {}", reading.penalty.p));
    let words = Words {
        name: "rivest-score-calls",
        x: "calls per move",
        y: "score of the approximation (%)",
        alt: "The score of the min/max approximation against alpha-beta over the calls per move, for two evaluators and two \
              schemes."
            .to_owned(),
        caption: html! {
            "Points per game of the approximation" (used) " against alpha-beta. The bars are ±2 standard errors over \
             starts, of which there are few with the most calls; the grey line is even. The numbers are in " code { "data/rivest.json" } "."
        },
    };
    let mut figures = vec![over_logarithm(words, &curves, 0.5)?];
    for evaluator in Evaluator::ALL {
        let Some(&results) = measured_over_calls(study, evaluator).first() else { continue };
        let name = match evaluator {
            Evaluator::Lines => "rivest-quality-lines",
            Evaluator::Squares => "rivest-quality-squares",
        };
        let words = quality_words(results, name, "calls");
        figures.push(over_logarithm(words, &qualities(study, evaluator), results.chance)?);
        let rows = results.rows.iter().filter(|row| row.resource == Resource::Calls(CALLS));
        let phrases: Vec<String> = rows.map(|row| format!("{} in {}", row.player, share(row))).collect();
        section.p(html! {
            "Against the exact solver, evaluator " (evaluator.name()) ": with " (CALLS) " calls a game-theoretically \
             best move is found by " (and(&phrases)) " of the positions."
        });
    }
    section.p(html! {
        "The longest searches are measured on fewer positions: " (and(&fewer_positions(study))) " for each evaluator."
    });
    section.figures(figures);
    Ok(())
}

/// p of a penalty player.
fn exponent(player: &Player) -> Option<f64> {
    match player {
        Player::Penalty(penalty) => Some(penalty.p),
        _ => None,
    }
}

/// Scores over p in a reading.
fn scores_over_p(study: &StudyResults, reading: &MatchReading) -> Curve {
    let [_, opponent] = &reading.spec.players;
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for record in study.matches.iter().filter(|record| record.spec.game == reading.spec.game) {
        let [Player::Penalty(penalty), other] = &record.spec.players else { continue };
        let is_new = points.iter().all(|(known, ..)| *known != penalty.p);
        let score = record.score(Resource::Calls(CALLS));
        if let (Some(score), true) =
            (score, is_new && penalty.scheme == reading.penalty.scheme && other == opponent)
        {
            points.push((penalty.p, score.score, score.standard_error.unwrap_or(0.0)));
        }
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Curve { name: reading.name(), ink: reading.ink, dashed: false, points }
}

/// Scores and quality over p.
pub(super) fn over_p(
    section: &mut Section,
    readings: &[MatchReading],
    study: &StudyResults,
) -> Result<(), ReportError> {
    let matches: Vec<Curve> = readings.iter().map(|reading| scores_over_p(study, reading)).collect();
    let (mut quality, mut chance) = (Vec::new(), 0.0);
    for reading in readings {
        let Some(&results) = measured(study, reading.evaluator, true).first() else { continue };
        chance = results.chance;
        let point = |row: &QualityRow| match &row.player {
            Player::Penalty(penalty) if penalty.scheme == reading.penalty.scheme => {
                Some((penalty.p, row.found.share(), row.found.standard_error()))
            }
            _ => None,
        };
        let points = results.rows.iter().filter_map(point).collect();
        quality.push(Curve { name: reading.name(), ink: reading.ink, dashed: false, points });
    }
    let best = |curve: &Curve| {
        let best = curve.points.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let share = with_error(100.0 * best.1, 100.0 * best.2);
        Some(format!("{} at p = {} ({share}\u{a0}%)", curve.name, best.0))
    };
    let [by_score, by_quality] =
        [&matches, &quality].map(|curves| and(&curves.iter().filter_map(best).collect::<Vec<_>>()));
    section.p(html! {
        "Over " (var("p")) ", with " (CALLS) " calls, the score against alpha-beta is greatest for " (by_score)
        "; best moves are found most often for " (by_quality) "."
    });
    let words = |name, y, caption: Markup, what: &str| Words {
        name,
        x: "p",
        y,
        alt: format!("{what} over the exponent p, for two evaluators and two schemes."),
        caption,
    };
    section.figures([
        over_logarithm(
            words(
                "rivest-score-p",
                "score of the approximation (%)",
                html! { "Points per game against alpha-beta over " (var("p")) ", " (CALLS) " calls per move; bars of ±2 standard errors." },
                "The score of the approximation against alpha-beta",
            ),
            &matches,
            0.5,
        )?,
        over_logarithm(
            words(
                "rivest-quality-p",
                "best move found (%)",
                html! { "Positions in which a best move is found over " (var("p")) ", " (CALLS) " calls; the grey line is a random move." },
                "The share of positions in which a best move is found",
            ),
            &quality,
            chance,
        )?,
    ]);
    Ok(())
}

/// Which rules and searches are ahead in which games.
pub(super) fn rules(study: &StudyResults) -> Markup {
    let mut ahead = Vec::new();
    let mut behind = Vec::new();
    let mut even = 0;
    for (record, score) in tables::games_matches(study) {
        let name = format!("{} ({})", record.spec.players[0], tables::game_name(&record.spec.game));
        let distance = (score.score - 0.5) / score.standard_error.unwrap_or(f64::INFINITY);
        match distance {
            distance if distance > 2.0 => ahead.push(name),
            distance if distance < -2.0 => behind.push(name),
            _ => even += 1,
        }
    }
    html! {
        "Other rules search full width against minimaxing to the same depth, and the penalty search plays Kalah. Those \
         that score more than half by more than two standard errors: "
        @if ahead.is_empty() { "none" } @else { (and(&ahead)) }
        "; less than half: "
        @if behind.is_empty() { "none" } @else { (and(&behind)) }
        "; " (even) " contests are too close to call with this many games."
    }
}

/// Which rules find best moves most and least often in the deepest full-width searches.
pub(super) fn rule_quality(study: &StudyResults) -> Markup {
    let phrase = |results: &QualityResults| {
        let deepest = *results.spec.resources.last()?;
        let rows = || results.rows.iter().filter(|row| row.resource == deepest);
        let by_share = |a: &&QualityRow, b: &&QualityRow| a.found.share().total_cmp(&b.found.share());
        let (least, most) = (rows().min_by(by_share)?, rows().max_by(by_share)?);
        Some(format!(
            "with evaluator {} and {deepest} from {} ({}) to {} ({})",
            tables::evaluator_name(results),
            share(least),
            least.player,
            share(most),
            most.player
        ))
    };
    let all: Vec<String> = tables::rules_measured(study).filter_map(phrase).collect();
    html! {
        "How a rule plays depends on many decisions; the exact solver judges single ones. Full-width search finds a best move "
        (and(&all)) " of the positions."
    }
}
