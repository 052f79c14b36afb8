//! The tables of Baum's tournament.

use prodmax_games::game::Game;
use prodmax_games::play::Score;
use prodmax_games::player::Resource;
use prodmax_games::study::{MatchRecord, StudyResults};
use prodmax_output::{Cell, Column, Table};

use super::matches::{PAIRS, entry};
use super::{READINGS, scored};
use crate::run::Findings;

/// A share with its standard error, in percent.
fn percent(value: f64, error: Option<f64>) -> Cell {
    let value = 100.0 * value;
    match error.map(|error| 100.0 * error) {
        Some(error) => {
            Cell::with_latex(format!("{value:.1} ± {error:.1}"), format!("{value:.1} $\\pm$ {error:.1}"))
        }
        None => format!("{value:.1}").into(),
    }
}

fn counts(score: &Score) -> [Cell; 4] {
    [(2 * score.pairs).into(), score.wins.into(), score.losses.into(), score.draws.into()]
}

/// The published matches: published, and ours in every reading.
pub(super) fn published(findings: &Findings, study: &StudyResults) -> Table {
    let mut rows = Vec::new();
    for pair in PAIRS {
        let figure = |name: &str| entry(findings, READINGS[0], pair, name)?.published_f64();
        if let (Some(wins), Some(losses), Some(draws)) = (figure("wins"), figure("losses"), figure("draws")) {
            let games = wins + losses + draws;
            let id = format!("published-{pair}-");
            let [first, second] =
                scored(study, &id).next().map_or_else(Default::default, |(record, _)| names(record));
            let mut row: Vec<Cell> = vec![first.into(), second.into(), "published".into()];
            row.extend([games, wins, losses, draws].map(|count| Cell::from(format!("{count:.0}"))));
            row.push(format!("{:.1}", 100.0 * wins / (wins + losses)).into());
            row.extend([percent((wins + draws / 2.0) / games, None), "".into()]);
            rows.push(row);
        }
        for reading in READINGS {
            let id = format!("published-{pair}-{}", reading.ply);
            let Some((_, score)) = scored(study, &id).next() else { continue };
            let verdict = entry(findings, reading, pair, "lead").map(|lead| lead.ours.verdict);
            let mut row: Vec<Cell> = vec!["".into(), "".into(), reading.name.into()];
            row.extend(counts(&score));
            row.push(format!("{:.1}", 100.0 * score.decided_share().unwrap_or(f64::NAN)).into());
            row.push(percent(score.score, score.standard_error));
            row.push(verdict.map_or_else(|| "".into(), Cell::from));
            rows.push(row);
        }
    }
    let left = ["first", "second", ""].map(Column::left);
    let right = ["games", "won", "lost", "drawn", "decided %", "score %"].map(Column::right);
    Table {
        id: "baum-matches".to_owned(),
        title: "Kalah at depth 6: games of the first player".to_owned(),
        columns: left.into_iter().chain(right).chain([Column::left("verdict")]).collect(),
        rows,
        notes: vec![
            "decided: the share of the games that were not drawn; score: a draw counts half, ± is one standard error over \
             starts, both games of a start together; verdict: the published lead (won minus lost) beside what as many games \
             would be expected to give, within-error if they are at most two standard errors apart, sign-only if only the \
             leader is the same."
                .to_owned(),
        ],
    }
}

fn names(record: &MatchRecord) -> [String; 2] {
    record.spec.players.each_ref().map(ToString::to_string)
}

/// Other values of E, other numbers of stones.
pub(super) fn choices(study: &StudyResults) -> Table {
    let row = |(record, score): (&MatchRecord, Score)| -> Vec<Cell> {
        let [first, second] = names(record);
        let stones = match record.spec.game {
            Game::Kalah { stones, .. } => stones.into(),
            Game::Connect4 { .. } => "".into(),
        };
        let mut row: Vec<Cell> = vec![first.into(), second.into(), stones, record.spec.ply.name().into()];
        row.extend(counts(&score));
        row.push(percent(score.score, score.standard_error));
        row
    };
    let left = ["first", "second"].map(Column::left);
    let right = ["games", "won", "lost", "drawn", "score %"].map(Column::right);
    Table {
        id: "baum-choices".to_owned(),
        title: "Kalah at depth 6 with other hints and other numbers of stones".to_owned(),
        columns: left
            .into_iter()
            .chain([Column::right("stones"), Column::left("ply")])
            .chain(right)
            .collect(),
        rows: scored(study, "tuning-").chain(scored(study, "stones-")).map(row).collect(),
        notes: vec!["score: a draw counts half, ± is one standard error over starts.".to_owned()],
    }
}

/// The depth of a match's searches.
pub(super) fn depth(record: &MatchRecord) -> Option<usize> {
    match record.spec.resources.first()? {
        Resource::Depth(depth) => Some(*depth),
        Resource::Calls(_) | Resource::Milliseconds(_) => None,
    }
}

/// Product's score against Minimax with three holes of six stones, and its standard error, by depth.
pub(super) fn by_depth(study: &StudyResults) -> Vec<(usize, f64, f64)> {
    let found = scored(study, "three-holes-6-");
    let mut found: Vec<(usize, f64, f64)> = found
        .filter_map(|(record, score)| Some((depth(record)?, score.score, score.standard_error?)))
        .collect();
    found.sort_by_key(|(depth, ..)| *depth);
    found
}

/// Product against Minimax with three holes.
pub(super) fn three_holes(study: &StudyResults) -> Table {
    let mut all: Vec<(usize, usize, Score)> = scored(study, "three-holes-")
        .filter_map(|(record, score)| {
            let Game::Kalah { stones, .. } = record.spec.game else { return None };
            Some((stones, depth(record)?, score))
        })
        .collect();
    all.sort_by_key(|(stones, depth, _)| (*stones, *depth));
    let row = |(stones, depth, score): &(usize, usize, Score)| -> Vec<Cell> {
        let mut row: Vec<Cell> = vec![(*stones).into(), (*depth).into()];
        row.extend(counts(score));
        row.push(percent(score.score, score.standard_error));
        row
    };
    Table {
        id: "baum-three-holes".to_owned(),
        title: "Product against Minimax in Kalah with three holes".to_owned(),
        columns: ["stones", "depth", "games", "won", "lost", "drawn", "score %"].map(Column::right).into(),
        rows: all.iter().map(row).collect(),
        notes: vec!["Every sowing is a ply; games begin after six random moves.".to_owned()],
    }
}
