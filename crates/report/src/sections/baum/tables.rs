//! The tables of Baum's tournament.

use prodmax_games::play::{Opening, Score};
use prodmax_golden::quantity::MatchFigure;
use prodmax_output::{Cell, Column, Table};

use super::tournament::{Played, Tournament};
use crate::run::Findings;
use crate::words::with_error_cell;

/// A share with its standard error, in percent.
fn percent(value: f64, error: Option<f64>) -> Cell {
    let value = 100.0 * value;
    match error.map(|error| 100.0 * error) {
        Some(error) => with_error_cell(value, error),
        None => format!("{value:.1}").into(),
    }
}

fn counts(score: &Score) -> [Cell; 4] {
    [(2 * score.pairs).into(), score.wins.into(), score.losses.into(), score.draws.into()]
}

/// `Kalah at depth 6`, with the depth of the published matches.
fn kalah(tournament: &Tournament<'_>) -> String {
    tournament.depth().map_or_else(|| "Kalah".to_owned(), |depth| format!("Kalah at depth {depth}"))
}

/// The published matches: published, and ours in every reading.
pub(super) fn published(findings: &Findings, tournament: &Tournament<'_>) -> Table {
    let mut rows = Vec::new();
    for pair in tournament.pairs() {
        let figure = |figure| pair.first()?.entry(findings, figure)?.published_f64();
        let counted = [MatchFigure::Wins, MatchFigure::Losses, MatchFigure::Draws].map(figure);
        if let [Some(wins), Some(losses), Some(draws)] = counted {
            let games = wins + losses + draws;
            let [first, second] = pair[0].names();
            let mut row: Vec<Cell> = vec![first.into(), second.into(), "published".into()];
            row.extend([games, wins, losses, draws].map(|count| Cell::from(format!("{count:.0}"))));
            row.push(format!("{:.1}", 100.0 * wins / (wins + losses)).into());
            row.extend([percent((wins + draws / 2.0) / games, None), "".into()]);
            rows.push(row);
        }
        for played in pair {
            let score = &played.score;
            let verdict = played.entry(findings, MatchFigure::Lead).map(|lead| lead.ours.verdict);
            let mut row: Vec<Cell> = vec!["".into(), "".into(), played.reading().into()];
            row.extend(counts(score));
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
        title: format!("{}: games of the first player", kalah(tournament)),
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

/// Other values of E, other numbers of stones.
pub(super) fn choices(tournament: &Tournament<'_>) -> Table {
    let row = |played: &Played<'_>| -> Vec<Cell> {
        let [first, second] = played.names();
        let stones = played.stones().map_or_else(|| "".into(), Cell::from);
        let mut row: Vec<Cell> =
            vec![first.into(), second.into(), stones, played.record.spec.ply.name().into()];
        row.extend(counts(&played.score));
        row.push(percent(played.score.score, played.score.standard_error));
        row
    };
    let left = ["first", "second"].map(Column::left);
    let right = ["games", "won", "lost", "drawn", "score %"].map(Column::right);
    Table {
        id: "baum-choices".to_owned(),
        title: format!("{} with other hints and other numbers of stones", kalah(tournament)),
        columns: left
            .into_iter()
            .chain([Column::right("stones"), Column::left("ply")])
            .chain(right)
            .collect(),
        rows: tournament.tuning.iter().chain(&tournament.stones).map(row).collect(),
        notes: vec!["score: a draw counts half, ± is one standard error over starts.".to_owned()],
    }
}

/// A depth, and a score with its standard error.
type AtDepth = (usize, f64, f64);

/// Product's score against Minimax with fewer holes by depth, with the number of stones that was tried at the most depths.
pub(super) fn by_depth(tournament: &Tournament<'_>) -> Option<(usize, Vec<AtDepth>)> {
    let mut by_stones: Vec<(usize, Vec<AtDepth>)> = Vec::new();
    for played in &tournament.holes {
        let Some(stones) = played.stones() else { continue };
        let score = &played.score;
        let Some((depth, error)) = played.depth().zip(score.standard_error) else { continue };
        let at = (depth, score.score, error);
        match by_stones.iter_mut().find(|(known, _)| *known == stones) {
            Some((_, depths)) => depths.push(at),
            None => by_stones.push((stones, vec![at])),
        }
    }
    let (stones, mut depths) = by_stones.into_iter().max_by_key(|(_, depths)| depths.len())?;
    depths.sort_by_key(|(depth, ..)| *depth);
    Some((stones, depths))
}

/// Product against Minimax with fewer holes.
pub(super) fn fewer_holes(tournament: &Tournament<'_>) -> Table {
    let mut all: Vec<(usize, usize, usize, &Played<'_>)> = tournament
        .holes
        .iter()
        .filter_map(|played| {
            let (holes, stones) = played.board()?;
            Some((holes, stones, played.depth()?, played))
        })
        .collect();
    all.sort_by_key(|(holes, stones, depth, _)| (*holes, *stones, *depth));
    let row = |(holes, stones, depth, played): &(usize, usize, usize, &Played<'_>)| -> Vec<Cell> {
        let mut row: Vec<Cell> = vec![(*holes).into(), (*stones).into(), (*depth).into()];
        row.extend(counts(&played.score));
        row.push(percent(played.score.score, played.score.standard_error));
        row
    };
    let note = |(_, _, _, played): &(usize, usize, usize, &Played<'_>)| {
        let Opening::Random(moves) = played.record.spec.opening else { return None };
        Some(format!("Read with {}; games begin after {moves} random moves.", played.reading()))
    };
    Table {
        id: "baum-three-holes".to_owned(),
        title: "Product against Minimax in Kalah with fewer holes".to_owned(),
        columns: ["holes", "stones", "depth", "games", "won", "lost", "drawn", "score %"]
            .map(Column::right)
            .into(),
        rows: all.iter().map(row).collect(),
        notes: all.first().and_then(note).into_iter().collect(),
    }
}
