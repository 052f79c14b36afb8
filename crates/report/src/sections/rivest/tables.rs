//! The tables of Rivest's study.

use prodmax_check::matches::{PublishedMatch, PublishedResource};
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::game::Game;
use prodmax_games::kalah::Kalah;
use prodmax_games::play::{Opening, Score};
use prodmax_games::player::{Player, Resource};
use prodmax_games::quality::QualityResults;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_golden::quantity::MatchFigure;
use prodmax_number::Figure;
use prodmax_output::{Cell, Column, Table};

use super::{MatchReading, evaluator, totals};
use crate::run::Findings;
use crate::words::with_error_cell;

/// The match by calls: published, and ours in every reading.
pub(super) fn by_bound(
    findings: &Findings,
    readings: &[MatchReading],
    published: &[PublishedMatch],
) -> Table {
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
        rows.extend(readings.iter().filter_map(|reading| ours(findings, bound, reading)));
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

fn ours(findings: &Findings, bound: Option<u64>, reading: &MatchReading) -> Option<Vec<Cell>> {
    let count = |figure: MatchFigure| reading.entry(findings, bound, figure)?.ours_f64();
    let lead = reading.entry(findings, bound, MatchFigure::Lead)?;
    let error = lead.ours.figure.as_ref().and_then(Figure::error);
    let mut row: Vec<Cell> = vec!["".into(), reading.name().into()];
    for figure in [MatchFigure::Wins, MatchFigure::Losses, MatchFigure::Draws] {
        row.push(format!("{:.0}", count(figure)?).into());
    }
    row.push(format!("{:+.0}", lead.ours_f64()?).into());
    row.push(error.map_or_else(String::new, |error| format!("{error:.1}")).into());
    row.push(lead.ours.verdict.into());
    Some(row)
}

/// What readers call a game.
pub(super) fn game_name(game: &Game) -> String {
    match evaluator(game) {
        Some(evaluator) => format!("Connect-Four, {}", evaluator.name()),
        None => game.about().title.to_owned(),
    }
}

/// Two players with a resource that were matched in some game.
struct Contest<'a> {
    players: &'a [Player; 2],
    resource: Resource,
}

/// The contests that were held in Kalah as well as in Connect-Four.
fn contests(study: &StudyResults) -> Vec<Contest<'_>> {
    let specs = study.matches.iter().map(|record| &record.spec);
    let in_kalah = specs.filter(|spec| spec.game.is::<Kalah>());
    in_kalah
        .filter_map(|spec| Some(Contest { players: &spec.players, resource: *spec.resources.first()? }))
        .collect()
}

impl Contest<'_> {
    /// Its score in a match, if that is one of this contest.
    fn score(&self, record: &MatchRecord) -> Option<Score> {
        (record.spec.players == *self.players).then(|| record.score(self.resource)).flatten()
    }
}

/// The matches of the table of rules and games.
pub(super) fn games_matches(study: &StudyResults) -> impl Iterator<Item = (&MatchRecord, Score)> {
    let contests = contests(study);
    study.matches.iter().filter_map(move |record| {
        let score = contests.iter().find_map(|contest| contest.score(record))?;
        Some((record, score))
    })
}

/// Rules and searches against games.
pub(super) fn games(study: &StudyResults) -> Table {
    let all: Vec<(&MatchRecord, Score)> = games_matches(study).collect();
    let mut games: Vec<&Game> = Vec::new();
    for (record, _) in &all {
        if !games.contains(&&record.spec.game) {
            games.push(&record.spec.game);
        }
    }
    let row = |contest: &Contest<'_>| {
        let cell = |game: &&Game| {
            let mut of_game = all.iter().filter(|(record, _)| record.spec.game == **game);
            let found = of_game.find_map(|(record, _)| contest.score(record));
            found.map_or_else(|| Cell::with_latex("–", "--"), |score| score_cell(&score))
        };
        let [first, second] = contest.players.each_ref().map(ToString::to_string);
        let names = [first, second, contest.resource.to_string()].map(Cell::from);
        names.into_iter().chain(games.iter().map(cell)).collect()
    };
    let stones = all.iter().find_map(|(record, _)| {
        let [holes, stones] = ["holes", "stones"].map(|size| record.spec.game.size(size));
        Some((holes?, stones?, 2 * record.spec.starts))
    });
    let kalah = stones.map_or_else(String::new, |(holes, stones, games)| {
        format!(" Kalah: {holes} holes of {stones} stones, {games} games from random openings.")
    });
    let connect4 = all.iter().find_map(|(record, _)| match record.spec.opening {
        Opening::All(moves) if record.spec.game.is::<Connect4>() => Some((2 * record.spec.starts, moves)),
        _ => None,
    });
    let connect4 = connect4.map_or_else(String::new, |(games, moves)| {
        format!(" Connect-Four: {games} games from all openings of {moves} moves.")
    });
    Table {
        id: "rivest-games".to_owned(),
        title: "Rules and searches against games: points per game of the first player, in percent".to_owned(),
        columns: ["first", "second", "resource"]
            .map(Column::left)
            .into_iter()
            .chain(games.iter().map(|game| Column::right(game_name(game))))
            .collect(),
        rows: contests(study).iter().map(row).collect(),
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
        let names = [player.to_string(), evaluator_name(results).to_owned()].map(Cell::from);
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
    let is_rule = |player: &Player| matches!(player, Player::Rule(_));
    study.qualities.iter().filter(move |results| results.spec.players.iter().all(is_rule))
}

/// The evaluator of a measurement.
pub(super) fn evaluator_name(results: &QualityResults) -> &'static str {
    evaluator(&results.spec.game).map_or("", Evaluator::name)
}

fn score_cell(score: &Score) -> Cell {
    share_cell(score.score, score.standard_error.unwrap_or(0.0))
}

/// `84.0 ± 1.8`, from shares.
fn share_cell(share: f64, error: f64) -> Cell {
    with_error_cell(100.0 * share, 100.0 * error)
}
