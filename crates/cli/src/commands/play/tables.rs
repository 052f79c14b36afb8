//! Scores, lists of games and replayed games for readers and programs.

use prodmax_games::Outcome as GameOutcome;
use prodmax_games::play::log::Drawn;
use prodmax_games::play::{MatchResults, Score};
use prodmax_games::player::Resource;
use serde_json::{Value, json};

use crate::error::Error;
use crate::game_args::board_table;
use crate::output::{Cell, Column, Output, Table};

/// A share in percent.
fn percent(share: Option<f64>) -> Cell {
    share.map_or_else(|| "-".into(), |share| Cell::decimal(100.0 * share, 2))
}

/// The columns after the resource in every table of scores.
pub(super) const COLUMNS: [&str; 9] =
    ["games", "wins", "losses", "draws", "score %", "s.e.", "from", "to", "decided %"];

pub(super) fn row(name: String, score: &Score) -> Vec<Cell> {
    row_with(name, score, score.interval())
}

fn row_with(name: String, score: &Score, interval: Option<[f64; 2]>) -> Vec<Cell> {
    vec![
        name.into(),
        (2 * score.pairs).into(),
        score.wins.into(),
        score.losses.into(),
        score.draws.into(),
        percent(Some(score.score)),
        percent(score.standard_error),
        percent(interval.map(|interval| interval[0])),
        percent(interval.map(|interval| interval[1])),
        percent(score.decided_share()),
    ]
}

pub(super) fn json_of(resource: Option<Resource>, score: &Score) -> Value {
    json!({
        "resource": resource,
        "games": 2 * score.pairs,
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
        "score": score.score,
        "standard_error": score.standard_error,
        "interval_95": score.interval(),
        "decided_share": score.decided_share(),
        "pairs_won": score.pairs_won,
        "pairs_lost": score.pairs_lost,
        "won_by_first_side": score.won_by_first_side,
    })
}

/// Who is ahead, by resource and in total.
pub(super) fn score(results: &MatchResults) -> Output {
    let spec = &results.spec;
    let [first, second] = &spec.players;
    let by_resource: Vec<(Resource, Score)> = spec
        .resources
        .iter()
        .filter_map(|resource| results.score(Some(*resource)).map(|score| (*resource, score)))
        .collect();
    // A match that ends when it is decided must not be given an interval for a number of starts fixed beforehand.
    let interval =
        |score: &Score| if spec.until_decided { Some(score.any_time_interval()) } else { score.interval() };
    let one = |(resource, score): &(Resource, Score)| row_with(resource.to_string(), score, interval(score));
    let mut rows: Vec<Vec<Cell>> = by_resource.iter().map(one).collect();
    let all = results.score(None);
    if let (Some(all), true, false) = (&all, by_resource.len() > 1, spec.until_decided) {
        rows.push(row("all".to_owned(), all));
    }
    let certainty = if spec.until_decided {
        "95 % confidence, valid however often it is checked"
    } else {
        "95 % confidence"
    };
    let mut notes = vec![format!(
        "Wins, losses and score are those of {first}; a draw counts half. s.e.: over starts, both games of a start \
         together; from, to: {certainty}; decided %: wins among the games that were not drawn."
    )];
    if spec.until_decided {
        notes.extend(spec.resources.iter().map(|&resource| match results.decided_after(resource) {
            Some(starts) => format!("{resource}: decided after {starts} of at most {} starts.", spec.starts),
            None => format!("{resource}: not decided."),
        }));
    }
    let table = Table {
        id: "match".to_owned(),
        title: format!("{first} against {second}: {}", spec.game.title()),
        columns: std::iter::once(Column::left("resource")).chain(COLUMNS.map(Column::right)).collect(),
        rows,
        notes,
    };
    let with_resource = |(resource, score): &(Resource, Score)| {
        let mut value = json_of(Some(*resource), score);
        if spec.until_decided {
            value["any_time_interval_95"] = json!(score.any_time_interval());
            value["decided_after"] = json!(results.decided_after(*resource));
        }
        value
    };
    let value = json!({
        "spec": spec,
        "results": by_resource.iter().map(with_resource).collect::<Vec<_>>(),
        "total": all.map(|all| json_of(None, &all)),
    });
    Output::figures(value, vec![table])
}

fn result(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::First => "1-0",
        GameOutcome::Draw => "1/2",
        GameOutcome::Second => "0-1",
    }
}

/// All games.
pub(super) fn list(results: &MatchResults) -> Output {
    let names = results.spec.players.each_ref().map(ToString::to_string);
    let games = results
        .pairs
        .iter()
        .flat_map(|pair| pair.games.iter().enumerate().map(move |(index, game)| (pair, index, game)));
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (number, (pair, index, game)) in games.enumerate() {
        let (number, first, second) = (number + 1, &names[index], &names[1 - index]);
        rows.push(vec![
            number.into(),
            pair.start.into(),
            pair.resource.into(),
            first.into(),
            second.into(),
            result(game.outcome).into(),
            pair.opening.clone().into(),
            game.moves.clone().into(),
        ]);
        values.push(json!({
            "game": number,
            "start": pair.start,
            "resource": pair.resource,
            "first": first,
            "second": second,
            "result": result(game.outcome),
            "opening": pair.opening,
            "moves": game.moves,
        }));
    }
    let right = ["game", "start"].map(Column::right);
    let left = ["resource", "first", "second", "result", "opening", "moves"].map(Column::left);
    let table = Table {
        id: "games".to_owned(),
        title: format!("Games of {} against {}: {}", names[0], names[1], results.spec.game.title()),
        columns: right.into_iter().chain(left).collect(),
        rows,
        notes: Vec::new(),
    };
    Output::figures(Value::Array(values), vec![table])
}

/// One game, position by position.
pub(super) fn replay(results: &MatchResults, number: usize) -> Result<Output, Error> {
    let none = || Error::NoSuchGame { number, games: results.games() };
    let drawn = results.replay(number).ok_or_else(none)??;
    let pair = &results.pairs[(number - 1) / 2];
    let index = (number - 1) % 2;
    let names = results.spec.players.each_ref().map(ToString::to_string);
    let (first, second) = (&names[index], &names[1 - index]);
    let heading = |place: usize, position: &Drawn| match position.by {
        None => format!("Game {number}: {first} against {second}, {}", pair.resource),
        Some((side, chosen)) => {
            let who = match (position.opening, side) {
                (true, _) => "opening",
                (false, prodmax_games::Side::First) => first.as_str(),
                (false, prodmax_games::Side::Second) => second.as_str(),
            };
            format!("{place}. {side} plays {chosen} ({who})")
        }
    };
    let mut tables: Vec<Table> = drawn
        .iter()
        .enumerate()
        .map(|(place, position)| Table {
            id: format!("position-{place}"),
            ..board_table(heading(place, position), &position.board)
        })
        .collect();
    if let Some(last) = tables.last_mut() {
        last.notes.push(match pair.games[index].outcome.winner() {
            None => "The game is drawn.".to_owned(),
            Some(side) => {
                format!("{} ({side}) wins.", names[if side.index() == 0 { index } else { 1 - index }])
            }
        });
    }
    let positions: Vec<Value> = drawn
        .iter()
        .map(|position| {
            json!({
                "side": position.by.map(|by| by.0),
                "move": position.by.map(|by| by.1),
                "opening": position.opening,
                "board": position.board.lines().collect::<Vec<_>>(),
            })
        })
        .collect();
    let value = json!({
        "game": number,
        "start": pair.start,
        "resource": pair.resource,
        "first": first,
        "second": second,
        "result": result(pair.games[index].outcome),
        "positions": positions,
    });
    Ok(Output::figures(value, tables))
}
