//! The tables of Rivest's study.

use prodmax_check::matches::{PublishedMatch, PublishedResource};
use prodmax_games::game::Game;
use prodmax_games::play::Score;
use prodmax_games::player::{Player, Resource};
use prodmax_games::quality::QualityResults;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_output::{Cell, Column, Table};

use super::{READINGS, Reading, totals};
use crate::run::Findings;

/// The match by calls: published, and ours in every reading.
pub(super) fn by_bound(findings: &Findings, published: &[PublishedMatch]) -> Table {
    let mut rows = Vec::new();
    let calls: Vec<&PublishedMatch> =
        published.iter().filter(|row| row.resource == PublishedResource::Calls).collect();
    let bounds = calls.iter().map(|row| (Some(row.bound), [row.approximation, row.alpha_beta, row.ties]));
    for (bound, counts) in bounds.chain([(None, totals(published, PublishedResource::Calls))]) {
        let name = bound.map_or_else(|| "all".to_owned(), |bound| bound.to_string());
        let mut row: Vec<Cell> = vec![name.into(), "published".into()];
        row.extend(counts.map(Cell::from));
        row.extend([format!("{:+}", counts[0] as i64 - counts[1] as i64).into(), "".into(), "".into()]);
        rows.push(row);
        rows.extend(READINGS.into_iter().filter_map(|reading| ours(findings, bound, reading)));
    }
    Table {
        id: "rivest-calls".to_owned(),
        title: "Min/max approximation against alpha-beta in Connect-Four, by calls per move: games won".to_owned(),
        columns: vec![
            Column::right("calls"),
            Column::left(""),
            Column::right("approximation"),
            Column::right("alpha-beta"),
            Column::right("ties"),
            Column::right("lead"),
            Column::right("s.e."),
            Column::left("verdict"),
        ],
        rows,
        notes: vec![
            "lead: games won by the approximation minus games won by alpha-beta; s.e.: its standard error if games were \
             independent; verdict: the published lead beside ours, within-error if they are at most two standard errors apart, \
             sign-only if only the leader is the same."
                .to_owned(),
        ],
    }
}

fn ours(findings: &Findings, bound: Option<u64>, reading: Reading) -> Option<Vec<Cell>> {
    let count = |figure: &str| reading.entry(findings, bound, figure)?.ours_f64();
    let lead = reading.entry(findings, bound, "lead")?;
    let error = lead.ours.recorded.split(" ± ").nth(1).and_then(|error| error.parse::<f64>().ok());
    let mut row: Vec<Cell> = vec!["".into(), reading.name().into()];
    for figure in ["approximation", "alphabeta", "ties"] {
        row.push(format!("{:.0}", count(figure)?).into());
    }
    row.push(format!("{:+.0}", lead.ours_f64()?).into());
    row.push(error.map_or_else(String::new, |error| format!("{error:.1}")).into());
    row.push(lead.ours.verdict.into());
    Some(row)
}

/// The columns of the table of rules and games, by what ids of matches begin with.
const GAMES: [(&str, &str); 3] = [
    ("games-connect4-lines-", "Connect-Four, lines"),
    ("games-connect4-squares-", "Connect-Four, squares"),
    ("games-kalah-", "Kalah"),
];

/// The column that a match belongs to.
pub(super) fn game_name(id: &str) -> &'static str {
    GAMES.iter().find(|(prefix, _)| id.starts_with(prefix)).map_or("", |(_, name)| name)
}

/// The matches of the table of rules and games.
pub(super) fn games_matches(study: &StudyResults) -> impl Iterator<Item = (&MatchRecord, Score)> {
    let ours = |record: &&MatchRecord| record.spec.id.starts_with("games-");
    study.matches.iter().filter(ours).filter_map(|record| {
        let score = record.score(*record.spec.resources.first()?)?;
        Some((record, score))
    })
}

/// Rules and searches against games.
pub(super) fn games(study: &StudyResults) -> Table {
    let all: Vec<(&MatchRecord, Score)> = games_matches(study).collect();
    let mut contests: Vec<Vec<String>> = Vec::new();
    let name = |record: &MatchRecord| {
        let resource = record.spec.resources.first().map_or_else(String::new, ToString::to_string);
        let [first, second] = record.spec.players.each_ref().map(ToString::to_string);
        vec![first, second, resource]
    };
    for (record, _) in &all {
        if !contests.contains(&name(record)) {
            contests.push(name(record));
        }
    }
    let row = |contest: &Vec<String>| {
        let cell = |(prefix, _): (&str, &str)| {
            let found =
                all.iter().find(|(record, _)| record.spec.id.starts_with(prefix) && name(record) == *contest);
            found.map_or_else(|| Cell::with_latex("–", "--"), |(_, score)| score_cell(score))
        };
        contest.iter().map(|text| text.as_str().into()).chain(GAMES.map(cell)).collect()
    };
    let stones = all.iter().find_map(|(record, _)| match record.spec.game {
        Game::Kalah { holes, stones } => Some((holes, stones, 2 * record.spec.starts)),
        Game::Connect4 { .. } => None,
    });
    let kalah = stones.map_or_else(String::new, |(holes, stones, games)| {
        format!(" Kalah: {holes} holes of {stones} stones, {games} games from random openings.")
    });
    let games = all.iter().find(|(record, _)| matches!(record.spec.game, Game::Connect4 { .. }));
    let connect4 = games.map_or_else(String::new, |(record, _)| {
        format!(" Connect-Four: {} games from all openings of two moves.", 2 * record.spec.starts)
    });
    Table {
        id: "rivest-games".to_owned(),
        title: "Rules and searches against games: points per game of the first player, in percent".to_owned(),
        columns: ["first", "second", "resource"]
            .map(Column::left)
            .into_iter()
            .chain(GAMES.map(|(_, game)| Column::right(game)))
            .collect(),
        rows: contests.iter().map(row).collect(),
        notes: vec![format!(
            "A draw counts half, 50 % is even; ± is one standard error over starts, both games of a start together.{connect4}{kalah}"
        )],
    }
}

/// How often full-width search by each rule finds a best move, over depth.
pub(super) fn rule_quality(study: &StudyResults) -> Option<Table> {
    let measured: Vec<&QualityResults> = rules_measured(study).collect();
    let first = measured.first()?;
    let row = |results: &QualityResults, player: &Player| -> Vec<Cell> {
        let share = |resource: &Resource| match results.row(player, *resource) {
            Some(row) => share_cell(row.found.share(), row.found.standard_error()),
            None => Cell::with_latex("–", "--"),
        };
        let names = [player.to_string(), evaluator(results).to_owned()].map(Cell::from);
        names.into_iter().chain(first.spec.resources.iter().map(share)).collect()
    };
    let rows = |results: &&QualityResults| {
        let results = *results;
        results.spec.players.iter().map(|player| row(results, player)).collect::<Vec<_>>()
    };
    let spec = &first.spec;
    Some(Table {
        id: "rivest-rules-quality".to_owned(),
        title:
            "Full-width search in Connect-Four: positions in which each rule finds a best move, in percent"
                .to_owned(),
        columns: ["rule", "evaluator"]
            .map(Column::left)
            .into_iter()
            .chain(spec.resources.iter().map(|resource| Column::right(resource.to_string())))
            .collect(),
        rows: measured.iter().flat_map(rows).collect(),
        notes: vec![format!(
            "The {} positions of the quality over calls; a random move is a best one in {:.1} %. ± is one standard error; all \
             rules search the same positions, so that their differences are more certain than that.",
            spec.positions,
            100.0 * first.chance
        )],
    })
}

/// The measurements of full-width search by rules.
pub(super) fn rules_measured(study: &StudyResults) -> impl Iterator<Item = &QualityResults> {
    study.qualities.iter().filter(|results| results.spec.id.starts_with("rules-"))
}

/// The evaluator of a measurement.
pub(super) fn evaluator(results: &QualityResults) -> &'static str {
    match results.spec.game {
        Game::Connect4 { evaluator, .. } => evaluator.name(),
        Game::Kalah { .. } => "",
    }
}

fn score_cell(score: &Score) -> Cell {
    share_cell(score.score, score.standard_error.unwrap_or(0.0))
}

/// `84.0 ± 1.8`, from shares.
fn share_cell(share: f64, error: f64) -> Cell {
    let (value, error) = (100.0 * share, 100.0 * error);
    Cell::with_latex(format!("{value:.1} ± {error:.1}"), format!("{value:.1} $\\pm$ {error:.1}"))
}
